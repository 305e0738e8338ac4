package mcp

import (
	"bytes"
	"context"
	"io"
	"sync"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// Memory is the transport to a server in this program: Conn is one end of a [NewPair], whose other end the server
// holds. A Memory can be connected once.
type Memory struct {
	Conn Conn
	Tap  Tap // is told the messages both ways, and the close
}

// Connect returns the pair's end.
func (m *Memory) Connect(context.Context) (Conn, error) {
	if m.Tap == nil {
		return m.Conn, nil
	}
	return &tapped{Conn: m.Conn, tap: m.Tap}, nil
}

// tapped tells a tap what passes a Conn that has no wire below it.
type tapped struct {
	Conn
	tap  Tap
	once sync.Once
}

func (t *tapped) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := t.Conn.Read(ctx)
	if err == nil {
		t.tap.Frame(Frame{From: FromServer, Kind: FrameMessage, Data: m.Raw})
	}
	return m, err
}

func (t *tapped) Write(ctx context.Context, m jsonrpc.Message) error {
	t.tap.Frame(Frame{From: FromClient, Kind: FrameMessage, Data: m.Raw})
	return t.Conn.Write(ctx, m)
}

func (t *tapped) Close() error {
	t.once.Do(func() { t.tap.Frame(Frame{From: FromClient, Kind: FrameClose}) })
	return t.Conn.Close()
}

// NewPair makes two Conns in memory; what is written to one is read from the other. A batch that is written is read
// message by message; what is no message is lost. When one end closes, the other reads what was written before,
// then io.EOF.
func NewPair() (a, b Conn) {
	up, down := newLane(), newLane()
	return &memoryConn{in: down, out: up, closed: make(chan struct{})}, &memoryConn{in: up, out: down, closed: make(chan struct{})}
}

// laneSize is how many messages may be under way in one direction.
const laneSize = 64

// lane is one direction of a pair.
type lane struct {
	messages chan jsonrpc.Message
	closed   chan struct{} // by either end
	once     sync.Once
}

func newLane() *lane {
	return &lane{messages: make(chan jsonrpc.Message, laneSize), closed: make(chan struct{})}
}

func (l *lane) close() { l.once.Do(func() { close(l.closed) }) }

type memoryConn struct {
	in, out *lane
	closed  chan struct{} // this end was closed here
	once    sync.Once
}

func (c *memoryConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case <-c.closed:
		return jsonrpc.Message{}, ErrClosed
	default:
	}
	select {
	case m := <-c.in.messages:
		return m, nil
	default:
	}
	select {
	case m := <-c.in.messages:
		return m, nil
	case <-c.closed:
		return jsonrpc.Message{}, ErrClosed
	case <-c.in.closed:
		select {
		case m := <-c.in.messages:
			return m, nil
		default:
			return jsonrpc.Message{}, io.EOF
		}
	case <-ctx.Done():
		return jsonrpc.Message{}, context.Cause(ctx)
	}
}

func (c *memoryConn) Write(ctx context.Context, m jsonrpc.Message) error {
	messages, _, err := jsonrpc.Split(bytes.Clone(m.Raw))
	if err != nil {
		return nil
	}
	for _, m := range messages {
		select {
		case <-c.closed:
			return ErrClosed
		case <-c.out.closed:
			return io.ErrClosedPipe
		default:
		}
		select {
		case c.out.messages <- m:
		case <-c.closed:
			return ErrClosed
		case <-c.out.closed:
			return io.ErrClosedPipe
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (c *memoryConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	c.in.close()
	c.out.close()
	return nil
}
