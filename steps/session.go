package steps

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// sessionState is the host's session with the server, and what has happened in it.
type sessionState struct {
	client  *mcp.Client
	failure error   // of the start
	notice  *Notice // of the failure
	took    time.Duration

	tools  *mcp.ToolList
	relist bool // set before the start: the host lists the tools again when they change

	mu            sync.Mutex // guards what the client's goroutines tell
	notifications []jsonrpc.Message
	connected     *mcp.Client // once it is
}

// start connects to the scenario's server.
func (w *World) start(ctx context.Context) error {
	s := State[sessionState](w)
	if s.client != nil {
		return errors.New("the server is started already")
	}
	transport, err := w.open()
	if err != nil {
		return err
	}
	t := w.Target()
	began := time.Now()
	client, err := mcp.Connect(ctx, transport, &mcp.Options{
		Name: "mcp-replay", Version: w.Config.Version, Timeout: t.Timeout, ConnectTimeout: t.ConnectTimeout,
		OnNotification: func(m jsonrpc.Message) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.notifications = append(s.notifications, m)
		},
		OnToolsChanged: func() {
			if s.relist {
				s.relistTools()
			}
		},
	})
	s.took = time.Since(began)
	s.failure = err
	if err != nil {
		return err
	}
	s.client = client
	s.mu.Lock()
	s.connected = client
	s.mu.Unlock()
	w.Cleanup(func() error {
		_ = client.Close() // how a server dies is no matter of a scenario that does not speak of it
		return nil
	})
	return nil
}

// relistTools lists the tools, as a host does that is told of a change. It is bounded by the client's own timeout.
func (s *sessionState) relistTools() {
	s.mu.Lock()
	c := s.connected
	s.mu.Unlock()
	if c != nil {
		_, _ = c.ListTools(context.Background())
	}
}

// Client is the host's session with the scenario's server.
func (w *World) Client() (*mcp.Client, error) {
	if c := State[sessionState](w).client; c != nil {
		return c, nil
	}
	return nil, &HintError{Err: errors.New("the server is not started"), Hint: `begin with: Given the server is started`}
}

// heard is the notifications of the server so far, those with the method or all.
func (s *sessionState) heard(method string) []jsonrpc.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	if method == "" {
		return slices.Clone(s.notifications)
	}
	var found []jsonrpc.Message
	for _, m := range s.notifications {
		if m.Method == method {
			found = append(found, m)
		}
	}
	return found
}
