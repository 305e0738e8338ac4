package mcp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

const (
	defaultGrace = 2 * time.Second // LIFE-5

	// settleTime is how long what must follow soon may take: the exit after the end of stdout, the end of a pipe after
	// the exit (an escaped grandchild may hold it open), the exit after a kill.
	settleTime = 500 * time.Millisecond
)

// childConn is the connection to a child process.
type childConn struct {
	cmd    *Command
	p      *process
	pipes  *pipes
	out    *outbox
	tail   tail
	noise  noise
	stdout *pipeReader
	stderr *pipeReader

	reading sync.Mutex // held by who reads stdout; guards what follows
	lines   *jsonrpc.LineReader
	waiting []jsonrpc.Message // of a batch
	framing framing
	ended   error // stdout has ended, or is of no use any more

	closing    atomic.Bool
	broken     atomic.Pointer[error] // why the connection is closed from within
	stdoutDone chan struct{}         // closed at the end of stdout
	stderrDone chan struct{}         // closed at the end of stderr
	finished   chan struct{}         // closed when the process has ended and its pipes are read
	finish     func()                // closes finished, once
	closeOnce  sync.Once
	closeErr   error
}

func newChildConn(cmd *Command, p *process, pipes *pipes) (*childConn, error) {
	s, err := newSink(pipes.in)
	if err != nil {
		p.tree.kill()
		pipes.closeOurs()
		return nil, &StartError{Command: cmd.Path, Dir: cmd.Dir, Err: err}
	}
	c := &childConn{cmd: cmd, p: p, pipes: pipes, out: &outbox{sink: s, tap: cmd.Tap},
		stdout: newPipeReader(pipes.out), stderr: newPipeReader(pipes.err),
		stdoutDone: make(chan struct{}), stderrDone: make(chan struct{}), finished: make(chan struct{})}
	c.finish = sync.OnceFunc(func() { close(c.finished) })
	c.out.failed = c.writeFailed
	c.noise.mask = newMask(cmd.Secrets, cmd.Env)
	c.lines = jsonrpc.NewLineReader(c.stdout, 0)
	go c.readStderr()
	go c.watch()
	return c, nil
}

// Write sends one message.
func (c *childConn) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.out.send(ctx, appendFrame(nil, m.Raw))
	if errors.Is(err, errHalfOut) {
		go c.Close()
	}
	return err
}

// appendFrame appends a message as a line.
func appendFrame(b, message []byte) []byte { return endLine(append(b, message...)) }

// endLine ends a line that is one message. A line feed within it is white space, since strings hold it as an escape.
func endLine(b []byte) []byte {
	if bytes.IndexByte(b, '\n') >= 0 {
		for i, c := range b {
			if c == '\n' {
				b[i] = ' '
			}
		}
	}
	return append(b, '\n')
}

func (c *childConn) post(f *frame) error   { return c.out.post(f) }
func (c *childConn) retract(f *frame) fate { return c.out.retract(f) }
func (c *childConn) heard() (int, string)  { return c.noise.heard() }

func (c *Command) tell(f Frame) {
	if c.Tap != nil {
		c.Tap.Frame(f)
	}
}

// Read returns the server's next message.
func (c *childConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	c.reading.Lock()
	defer c.reading.Unlock()
	if ctx.Done() != nil {
		stop := c.stdout.interruptible(ctx)
		defer stop()
	}
	for {
		if len(c.waiting) > 0 && !c.closing.Load() {
			m := c.waiting[0]
			c.waiting = c.waiting[1:]
			return m, nil
		}
		if c.ended != nil || c.broken.Load() != nil {
			return jsonrpc.Message{}, c.why()
		}
		m, ok, err := c.readLine()
		if err != nil {
			if errors.Is(err, errInterrupted) {
				if broken := c.broken.Load(); broken != nil {
					return jsonrpc.Message{}, *broken
				}
				if ctx.Err() == nil {
					continue
				}
				err = context.Cause(ctx)
			}
			return jsonrpc.Message{}, err
		}
		if ok && !c.closing.Load() {
			return m, nil
		}
	}
}

// readLine reads one line and tells the tap. It returns a message where the line is one.
func (c *childConn) readLine() (m jsonrpc.Message, ok bool, err error) {
	line, err := c.lines.ReadLine()
	if err != nil {
		return m, false, c.readFailed(err)
	}
	body := jsonrpc.TrimBOM(line)
	if m, err = jsonrpc.Parse(body); err == nil {
		c.framing.message()
		c.cmd.tell(Frame{From: FromServer, Kind: FrameMessage, Data: line})
		return m, true, nil
	}
	if batch, bad, err := jsonrpc.Split(body); err == nil {
		c.framing.message()
		c.cmd.tell(Frame{From: FromServer, Kind: FrameMessage, Data: line})
		c.noise.malformed(bad)
		c.waiting = batch
		return m, false, nil
	}
	c.cmd.tell(Frame{From: FromServer, Kind: FrameNoise, Data: append(line, c.lines.End()...)})
	c.noise.add(body)
	if c.framing.line(body) {
		c.end(&ProtocolError{Problem: "the server uses header framing (Content-Length); MCP wants one JSON message a line"})
	}
	return m, false, nil
}

// readFailed says what an error of the line reader means for the connection.
func (c *childConn) readFailed(err error) error {
	var long *jsonrpc.TooLongError
	if errors.As(err, &long) {
		c.cmd.tell(Frame{From: FromServer, Kind: FrameNoise, Data: long.Sample()})
	}
	switch {
	case long != nil && long.ID != nil:
		return &RequestError{ID: long.ID, Err: long} // RPC-3
	case long != nil:
		c.end(long)
	case errors.Is(err, errInterrupted):
		return err
	default:
		if err != io.EOF {
			c.ended = &ProtocolError{Problem: "the server's stdout cannot be read", Err: err}
		} else {
			c.ended = io.EOF
		}
		close(c.stdoutDone)
	}
	return c.why()
}

// readStderr reads stderr to its end, so that it never blocks the child (RPC-4).
func (c *childConn) readStderr() {
	defer close(c.stderrDone)
	var to *spill
	if c.cmd.Stderr != nil {
		to = newSpill(c.cmd.Stderr)
		defer to.close()
	}
	buf := make([]byte, 32<<10)
	for {
		n, err := c.stderr.Read(buf)
		if n > 0 {
			c.cmd.tell(Frame{From: FromServer, Kind: FrameStderr, Data: buf[:n]})
			c.tail.add(buf[:n])
			to.add(buf[:n])
		}
		if err != nil {
			return
		}
	}
}
