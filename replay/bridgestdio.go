package replay

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

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
	b := &stdioBridge{conn: conn, out: host.Out, open: make(map[string]bool), all: make(chan struct{}, 1)}
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
		b.waitForAnswers(ctx, serverGone)
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
	mu   sync.Mutex // guards what follows; a line is one write
	out  io.Writer
	buf  []byte
	open map[string]bool // the ids of the requests that wait for an answer
	all  chan struct{}   // gets a word whenever none does; it has room for one
}

// lastAnswers is how long a host that has closed its side is still answered, where it asked before.
const lastAnswers = time.Minute

// waitForAnswers waits until each request of the host's has its answer.
func (b *stdioBridge) waitForAnswers(ctx context.Context, serverGone chan error) {
	timer := time.NewTimer(lastAnswers)
	defer timer.Stop()
	for {
		b.mu.Lock()
		waiting := len(b.open)
		b.mu.Unlock()
		if waiting == 0 {
			return
		}
		select {
		case <-b.all:
		case err := <-serverGone:
			serverGone <- err
			return
		case <-ctx.Done():
			return
		case <-timer.C:
			return
		}
	}
}

// expect notes that a request is on its way.
func (b *stdioBridge) expect(id []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open[string(id)] = true
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
			if m.Kind() == jsonrpc.Request {
				b.expect(m.ID)
			}
			if err := writeWithin(ctx, b.conn, m, takeTime); err != nil && m.Kind() == jsonrpc.Request {
				b.refuse(m.ID, jsonrpc.CodeInternalError, err)
			}
		}
	}
}

// takeTime is how long a server may take to accept one message: what the host says next waits for that.
const takeTime = 20 * time.Second

// writeWithin writes a message to a server, which has so long to take it. One that takes nothing, or that lets a notification
// over HTTP hang, holds nobody up for ever (RPC-9). What Write leaves on its way is not called back when writeWithin returns.
func writeWithin(ctx context.Context, conn mcp.Conn, m jsonrpc.Message, limit time.Duration) error {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(limit, func() { cancel(context.DeadlineExceeded) })
	err := conn.Write(ctx, m)
	if timer.Stop() || err == nil {
		return err
	}
	return &mcp.TimeoutError{Method: m.Method, After: limit}
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
			var answered []byte
			if m.Kind() == jsonrpc.Response {
				answered = m.ID
			}
			if err := b.send(m.Raw, answered); err != nil {
				return err
			}
		}
	}
}

func (b *stdioBridge) refuse(id []byte, code int64, err error) {
	b.send(jsonrpc.AppendError(nil, id, &jsonrpc.Error{Code: code, Message: "mcp-replay: " + err.Error()}), id)
}

// send hands the host a message, which may be the answer to a request.
func (b *stdioBridge) send(message, answered []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.buf = append(appendOnOneLine(b.buf[:0], message), '\n')
	_, err := b.out.Write(b.buf)
	if cap(b.buf) > maxPooled {
		b.buf = nil
	}
	if delete(b.open, string(answered)); answered != nil && len(b.open) == 0 {
		select {
		case b.all <- struct{}{}:
		default:
		}
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
