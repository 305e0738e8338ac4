package demo

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// lastAnswers is how long the answers to a host that has closed its end may take. A host waits longer than that for the
// server to go (LIFE-5).
const lastAnswers = time.Second

// drained is a transport whose end waits for the answers that are still owed: by itself the SDK drops them, so that nothing
// would come of a request that is piped in.
type drained struct{ sdk.Transport }

func (t drained) Connect(ctx context.Context) (sdk.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &drainedConn{Connection: c, owed: make(map[jsonrpc.ID]bool), changed: make(chan struct{}, 1)}, nil
}

type drainedConn struct {
	sdk.Connection
	changed chan struct{} // has room for one: owed has become less

	mu   sync.Mutex // guards owed
	owed map[jsonrpc.ID]bool
}

// Read notes what is asked, and holds the end of the input back until it is answered.
func (c *drainedConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if errors.Is(err, io.EOF) {
		c.drain(ctx)
	}
	if request, ok := m.(*jsonrpc.Request); ok && request.ID.IsValid() {
		c.mu.Lock()
		c.owed[request.ID] = true
		c.mu.Unlock()
	}
	return m, err
}

func (c *drainedConn) drain(ctx context.Context) {
	limit := time.NewTimer(lastAnswers)
	defer limit.Stop()
	for {
		c.mu.Lock()
		left := len(c.owed)
		c.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-c.changed:
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// Write notes what is answered.
func (c *drainedConn) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if response, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.owed, response.ID)
		c.mu.Unlock()
		select {
		case c.changed <- struct{}{}:
		default:
		}
	}
	return err
}
