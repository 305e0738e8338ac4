package interop

import (
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// Session is what a server said to the calls of its row.
type Session struct {
	Server   mcp.Implementation
	Revision string
	Tools    *mcp.ToolList
	Results  []*mcp.Result // one for each call
	Started  time.Duration // until the handshake was done
	Closed   time.Duration // how long closing took
	Status   mcp.Status
	Notices  map[string]int // notifications of the server by method
}

// settle is long enough for what a server says by itself right after an answer, so that it stands before the next call.
const settle = 100 * time.Millisecond

// Drive makes the calls of a row: it connects, lists the tools, calls, and closes. A failed call is a result. Linger, where it
// is not nil, is waited for before the session is closed.
func (s *Server) Drive(ctx context.Context, t mcp.Transport, fill func(string) string, linger func()) (*Session, error) {
	did := &Session{Notices: make(map[string]int)}
	begun := time.Now()
	client, err := mcp.Connect(ctx, t, &mcp.Options{Name: "mcp-replay", Version: "0.1.0", OnNotification: did.notice})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	defer client.Close()
	did.Started = time.Since(begun)
	did.Server, did.Revision = client.ServerInfo(), client.ProtocolVersion()
	if did.Tools, err = client.ListTools(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	for i, c := range s.Calls {
		result, err := c.make(ctx, client, i+1, fill)
		if err != nil {
			result = mcp.FailedResult(err)
		}
		did.Results = append(did.Results, result)
		if c.Settle {
			time.Sleep(settle)
		}
	}
	if linger != nil {
		linger()
	}
	did.Status = client.Status()
	begun = time.Now()
	err = client.Close()
	did.Closed = time.Since(begun)
	return did, err
}

// make makes one call; number is its place, and its progress token.
func (c *Call) make(ctx context.Context, client *mcp.Client, number int, fill func(string) string) (*mcp.Result, error) {
	arguments := jsontext.Value(fill(string(c.Arguments)))
	if !c.Progress {
		return client.CallTool(ctx, c.Tool, arguments)
	}
	type meta struct {
		ProgressToken int `json:"progressToken"`
	}
	params, err := json.Marshal(struct {
		Name      string         `json:"name"`
		Arguments jsontext.Value `json:"arguments"`
		Meta      meta           `json:"_meta"`
	}{c.Tool, arguments, meta{number}})
	if err != nil {
		return nil, err
	}
	raw, err := client.Call(ctx, "tools/call", params)
	if err != nil {
		return nil, err
	}
	return mcp.Render(raw), nil
}

// notice counts a notification. The client calls it in order, from one goroutine.
func (s *Session) notice(m jsonrpc.Message) { s.Notices[m.Method]++ }

// Check compares a session with what the table says of the server.
func (s *Server) Check(did *Session) error {
	if did.Revision != s.Revision {
		return fmt.Errorf("%s speaks %s, and the table says %s", s.Name, did.Revision, s.Revision)
	}
	if n := len(did.Tools.Tools); n != s.Tools {
		return fmt.Errorf("%s has %d tools, and the table says %d", s.Name, n, s.Tools)
	}
	return nil
}
