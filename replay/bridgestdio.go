package replay

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// BridgeStdio brings a host on stdio and a server behind any transport together, a message a line: what stands between a
// host that starts its servers and a server on HTTP. The transport's Tap records the server's side.
//
// It ends when the host closes its side, or ctx ends, with nil; when the server's side breaks off, with that error. A
// request that fails on the way is answered with an error.
func BridgeStdio(ctx context.Context, t mcp.Transport, host HostStreams) error {
	conn, err := t.Connect(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	b := &stdioBridge{conn: conn, out: host.Out}
	hostGone := make(chan struct{})
	go func() { // may stay in a Read of the host's until the program ends
		defer close(hostGone)
		b.fromHost(ctx, host.In)
	}()
	serverGone := make(chan error, 1)
	go func() { serverGone <- b.fromServer(ctx) }()

	select {
	case err = <-serverGone:
	case <-hostGone:
	case <-ctx.Done():
	}
	closeErr := conn.Close()
	closeReader(host.In)
	if err != nil {
		return err
	}
	return closeErr
}

type stdioBridge struct {
	conn mcp.Conn
	mu   sync.Mutex // guards out: a line is one write
	out  io.Writer
	buf  []byte
}

// fromHost sends on what the host says. The elements of a batch go one by one.
func (b *stdioBridge) fromHost(ctx context.Context, in io.Reader) {
	lines := jsonrpc.NewLineReader(in, 0)
	for {
		line, err := lines.ReadLine()
		var long *jsonrpc.TooLongError
		switch {
		case errors.As(err, &long):
			id, _ := jsonrpc.SniffID(long.Prefix)
			b.refuse(id, jsonrpc.CodeInvalidRequest, err)
			continue
		case err != nil:
			return
		}
		if line = bytes.TrimSpace(jsonrpc.TrimBOM(line)); len(line) == 0 {
			continue
		}
		messages, _, err := jsonrpc.Split(line)
		if err != nil {
			b.refuse(nil, jsonrpc.CodeParseError, err)
			continue
		}
		for _, m := range messages {
			if err := b.conn.Write(ctx, m); err != nil && m.Kind() == jsonrpc.Request {
				b.refuse(m.ID, jsonrpc.CodeInternalError, err)
			}
		}
	}
}

// fromServer hands the host what the server says.
func (b *stdioBridge) fromServer(ctx context.Context) error {
	for {
		m, err := b.conn.Read(ctx)
		var failed *mcp.RequestError
		switch {
		case errors.As(err, &failed):
			b.refuse(failed.ID, jsonrpc.CodeInternalError, failed.Err)
			if errors.Is(err, mcp.ErrSessionEnded) {
				return err // a host on stdio knows no sessions: it starts its server again
			}
		case err != nil:
			return err
		default:
			if err := b.send(m.Raw); err != nil {
				return err
			}
		}
	}
}

func (b *stdioBridge) refuse(id []byte, code int64, err error) {
	b.send(jsonrpc.AppendError(nil, id, &jsonrpc.Error{Code: code, Message: "mcp-replay: " + err.Error()}))
}

func (b *stdioBridge) send(message []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.buf = append(appendOnOneLine(b.buf[:0], message), '\n')
	_, err := b.out.Write(b.buf)
	if cap(b.buf) > maxPooled {
		b.buf = nil
	}
	return err
}

// appendOnOneLine appends a message without line ends: they can only stand between its tokens.
func appendOnOneLine(b, message []byte) []byte {
	start := len(b)
	b = append(b, message...)
	for i := start; i < len(b); i++ {
		if b[i] == '\n' || b[i] == '\r' {
			b[i] = ' '
		}
	}
	return b
}
