package replay

import (
	"context"
	"io"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// Connect begins a session in this program. Which recorded session it plays is settled by the first message that is written.
func (p *Player) Connect(context.Context) (mcp.Conn, error) {
	return &playerConn{player: p, box: newMailbox()}, nil
}

// playerConn is a session in this program.
type playerConn struct {
	player *Player
	box    *mailbox
	mu     sync.Mutex // guards s until it is set
	s      *playing
	tail   []byte // of stderr
}

func (c *playerConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		item, err := c.box.take(ctx)
		if err != nil {
			return jsonrpc.Message{}, err
		}
		if item.failed != nil {
			return jsonrpc.Message{}, item.failed
		}
		m, err := jsonrpc.Parse(item.data)
		if err != nil {
			continue // a fault's garbage, or half an answer: a line that no reader takes
		}
		return m, nil
	}
}

func (c *playerConn) Write(ctx context.Context, m jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if err := c.box.failed(); err != nil {
		return err
	}
	c.mu.Lock()
	if c.s == nil {
		c.s = c.player.newPlaying(c.player.choose(&m, func(*scorePart) bool { return true }), c)
		c.s.begin()
	}
	s := c.s
	c.mu.Unlock()
	s.receive(append([]byte(nil), m.Raw...), nil)
	return nil
}

// Close ends the session. It does not block.
func (c *playerConn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.s != nil {
		c.s.stop()
		c.s = nil
	}
	c.box.fail(mcp.ErrClosed)
	return nil
}

func (c *playerConn) message(u utterance) {
	if u.fault != nil {
		switch u.fault.Kind {
		case FaultDisconnect:
			c.box.fail(io.EOF)
			return
		case FaultExit:
			c.box.fail(&mcp.ExitError{Status: mcp.ExitStatus{Code: u.fault.Code}})
			return
		case FaultTruncate:
			return
		case FaultError:
			u.data = u.fault.answer(u.req.id)
		}
	}
	if u.data != nil {
		c.box.put(item{data: u.data})
	}
}

func (c *playerConn) stderr(text []byte) {
	const most = 16 << 10
	c.tail = append(c.tail, text...)
	c.tail = c.tail[max(0, len(c.tail)-most):]
}

func (c *playerConn) exit(status mcp.ExitStatus) {
	lines := strings.Split(strings.TrimRight(string(c.tail), "\r\n"), "\n")
	c.box.fail(&mcp.ExitError{Status: status, Stderr: strings.Join(lines[max(0, len(lines)-20):], "\n")})
}

func (c *playerConn) lost(*liveRequest) { c.box.fail(io.ErrUnexpectedEOF) }

func (c *playerConn) fail(req *liveRequest, err error) {
	c.box.put(item{failed: &mcp.RequestError{ID: req.id, Err: err}})
}

// answer is the error that FaultError gives in the place of an answer.
func (f *Fault) answer(id jsontext.Value) []byte {
	return jsonrpc.AppendError(nil, id, &jsonrpc.Error{Code: int64(f.Code), Message: f.Message})
}
