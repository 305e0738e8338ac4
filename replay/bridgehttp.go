package replay

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// A Bridge brings hosts on Streamable HTTP and a server on stdio together. Each host session has a child of its own;
// requests outside of any session share one. The recording tells the server's side: messages as they passed through the
// children's pipes, with the session's number.
type Bridge struct {
	start func(ctx context.Context, tap mcp.Tap) (mcp.Conn, error)
	tap   mcp.Tap

	mu       sync.Mutex // guards what follows
	sessions map[string]*bridged
	closed   bool
}

// NewBridge makes a bridge to a command. Its Tap is not used: what passes goes to tap, which may be nil.
func NewBridge(c *mcp.Command, tap mcp.Tap) *Bridge {
	command := *c
	return &Bridge{tap: tap, sessions: make(map[string]*bridged), start: func(ctx context.Context, tap mcp.Tap) (mcp.Conn, error) {
		one := command
		one.Tap = tap
		return one.Connect(ctx)
	}}
}

// mostChildren is how many sessions a bridge keeps open at a time.
const mostChildren = 100

var (
	errBridgeClosed = errors.New("the bridge is closed")
	errTooMany      = errors.New("too many sessions are open")
)

// sessionTap tells the sessions apart.
type sessionTap struct {
	mcp.Tap
	id string
}

func (t sessionTap) Frame(f mcp.Frame) {
	f.SessionID = t.id
	t.Tap.Frame(f)
}

// open starts a child for a session. The session of what comes without one has an empty id.
func (b *Bridge) open(id string) (*bridged, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch s := b.sessions[id]; {
	case b.closed:
		return nil, errBridgeClosed
	case s != nil:
		return s, nil
	case len(b.sessions) >= mostChildren:
		return nil, errTooMany
	}
	var tap mcp.Tap
	if b.tap != nil {
		tap = sessionTap{b.tap, id}
	}
	conn, err := b.start(context.Background(), tap)
	if err != nil {
		return nil, err
	}
	s := newBridged(id, conn)
	b.sessions[id] = s
	go func() {
		s.read()
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.sessions[id] == s {
			delete(b.sessions, id)
		}
	}()
	return s, nil
}

func (b *Bridge) session(id string) *bridged {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sessions[id]
}

// Close ends all sessions and their children, and waits for them.
func (b *Bridge) Close() error {
	b.mu.Lock()
	b.closed = true
	var all sync.WaitGroup
	for _, s := range b.sessions {
		all.Go(s.close)
	}
	b.mu.Unlock()
	all.Wait()
	return nil
}

// ServeHTTP is the server that the hosts see.
func (b *Bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !fromHere(r) {
		http.Error(w, "the request does not come from this machine", http.StatusForbidden)
		return
	}
	if strings.HasPrefix(r.URL.Path, "/.well-known/") {
		http.NotFound(w, r)
		return
	}
	id := r.Header.Get("Mcp-Session-Id")
	s := b.session(id)
	if id != "" && s == nil {
		refuseHTTP(w, http.StatusNotFound, codeNoSession, "there is no such session")
		return
	}
	switch {
	case r.Method == http.MethodPost:
		b.post(w, r, s)
	case r.Method == http.MethodGet && s != nil && id != "":
		s.get(w, r)
	case r.Method == http.MethodDelete && s != nil && id != "":
		s.close()
		w.WriteHeader(http.StatusNoContent)
	default:
		notAllowed(w, "POST, and GET and DELETE within a session")
	}
}

// post hands what the host says to the child, and answers with what that answers.
func (b *Bridge) post(w http.ResponseWriter, r *http.Request, s *bridged) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, jsonrpc.MaxLine))
	if err != nil {
		refuseHTTP(w, http.StatusRequestEntityTooLarge, jsonrpc.CodeInvalidRequest, "%v", err)
		return
	}
	messages, _, err := jsonrpc.Split(data)
	if err != nil {
		refuseHTTP(w, http.StatusBadRequest, jsonrpc.CodeParseError, "%v", err)
		return
	}
	begins := false
	for _, m := range messages {
		begins = begins || m.Kind() == jsonrpc.Request && m.Method == "initialize"
	}
	if r.Header.Get("Mcp-Session-Id") == "" {
		id := ""
		if begins {
			id = rand.Text()
		}
		if s, err = b.open(id); err != nil {
			refuseHTTP(w, http.StatusBadGateway, jsonrpc.CodeInternalError, "%v", err)
			return
		}
	}
	if begins {
		w.Header().Set("Mcp-Session-Id", s.id)
	}
	s.post(w, r, messages)
}
