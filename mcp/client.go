package mcp

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// Options are what a [Client] may be told. The zero values are good for a host.
type Options struct {
	Name    string // the client's name in initialize; empty means "mcp-replay"
	Version string // and its version; empty means "dev"

	Timeout        time.Duration // for each call; 0 means 60 s (CFG-9)
	ConnectTimeout time.Duration // for connecting, and for a whole listing; 0 means 20 s (INIT-5)

	// Capabilities are offered in initialize; nil means none (INIT-4).
	Capabilities jsontext.Value

	// OnToolsChanged is called when the server says that its tools have changed, or began a new session. It runs on a
	// goroutine of its own, one call at a time: notices that come while it runs make one more call after it (LIST-4).
	// It may use the client, but the first call may come before Connect has returned that.
	OnToolsChanged func()

	// OnNotification is called for every notification of the server, in order, by the goroutine that reads: it must
	// not block, nor call the client.
	OnNotification func(jsonrpc.Message)

	// OnWarning is called for each new note of the client's [Status], as OnNotification is.
	OnWarning func(string)

	// OnRequest answers the server's requests, each on a goroutine of its own. Nil answers ping and refuses all else
	// with -32601 (RPC-5, RPC-6).
	OnRequest func(context.Context, jsonrpc.Message) (jsontext.Value, *jsonrpc.Error)
}

const (
	defaultTimeout        = 60 * time.Second
	defaultConnectTimeout = 20 * time.Second
)

// Client is one session with one server. Its methods may be called from any number of goroutines at once; calls are
// concurrent on the wire (RPC-8).
type Client struct {
	o     Options
	conn  Conn
	fast  poster // conn, where it can queue frames without blocking
	asker asker  // conn, where each request has its own exchange
	notes notes

	mu sync.Mutex
	st state // guarded by mu

	done   chan struct{} // closed when the connection has ended
	reader chan struct{} // closed when the reading goroutine has ended
	bg     context.Context
	cancel context.CancelFunc // of bg: the client is closed

	change  changes
	answers sideline
}

// poster is a Conn with an outbox: it takes a frame without blocking and gives it back where it can.
type poster interface {
	post(*frame) error
	retract(*frame) fate
}

// state is what a session's goroutines share.
type state struct {
	lastID  int64
	pending map[int64]*call
	free    []*call // to be used again
	alarm   alarm
	err     error // why the connection ended; nil while it stands
	session session
	gone    bool     // the session has ended; the next request needs a new one
	renewal *renewal // which is under way
	schemas map[string]*toolSchema
}

// Connect starts a session: it connects, and shakes hands (INIT-1 to INIT-4). It takes no longer than
// Options.ConnectTimeout, and leaves nothing behind when it fails.
func Connect(ctx context.Context, t Transport, o *Options) (*Client, error) {
	c := &Client{done: make(chan struct{}), reader: make(chan struct{})}
	if o != nil {
		c.o = *o
	}
	if c.o.Timeout <= 0 {
		c.o.Timeout = defaultTimeout
	}
	if c.o.ConnectTimeout <= 0 {
		c.o.ConnectTimeout = defaultConnectTimeout
	}
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, c.o.ConnectTimeout)
	defer cancel()
	conn, err := t.Connect(ctx)
	if err != nil {
		return nil, connectError(err, began, c.o.ConnectTimeout)
	}
	c.conn = conn
	c.fast, _ = conn.(poster)
	c.asker, _ = conn.(asker)
	c.st.pending = map[int64]*call{}
	c.st.alarm.c = c
	c.bg, c.cancel = context.WithCancel(context.Background())
	c.notes.warn = c.o.OnWarning
	c.change.init(c)
	c.answers.init(c)
	go c.read()
	if err := c.handshake(ctx); err != nil {
		c.Close()
		return nil, connectError(err, began, c.o.ConnectTimeout)
	}
	return c, nil
}

// connectError makes a timeout tell how long connecting took in all.
func connectError(err error, began time.Time, limit time.Duration) error {
	var late *TimeoutError
	switch {
	case errors.As(err, &late):
		return &TimeoutError{Method: late.Method, After: since(began, limit), Sent: late.Sent}
	case errors.Is(err, context.DeadlineExceeded):
		return &TimeoutError{Method: "connect", After: since(began, limit)}
	}
	return err
}

// since is the time since began, but no longer than the limit that ended it.
func since(began time.Time, limit time.Duration) time.Duration {
	return min(time.Since(began), limit).Round(time.Millisecond)
}

// read hands on what the server sends, until the connection ends.
func (c *Client) read() {
	defer close(c.reader)
	for {
		m, err := c.conn.Read(context.Background()) // Close ends it
		if err == nil {
			c.take(m)
			continue
		}
		var one *RequestError
		if errors.As(err, &one) {
			c.failOne(one)
			continue
		}
		c.end(err)
		return
	}
}

// end fails everything that waits. The first reason counts.
func (c *Client) end(err error) {
	if err == io.EOF {
		err = &ProtocolError{Problem: "the server closed the connection"}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.st.err != nil {
		return
	}
	c.st.err = err
	c.st.alarm.stop()
	for id, call := range c.st.pending {
		delete(c.st.pending, id)
		call.lost = true
		call.err = err
		call.ready <- struct{}{}
	}
	close(c.done)
	if err != ErrClosed {
		go c.conn.Close() // a child is ended with its tree
	}
}

// Done is closed when the connection has ended, by whichever side; [Client.Err] says why.
func (c *Client) Done() <-chan struct{} { return c.done }

// Err says why the connection has ended: [ErrClosed] after Close, an *[ExitError] where the server's process ended,
// and nil while the connection stands.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.st.err
}

// Close ends the session and the connection. Calls under way fail at once. It blocks as long as the transport's Close
// does (a child has 2 s of grace), and may be called again, and while others use the client.
func (c *Client) Close() error {
	c.end(ErrClosed)
	err := c.conn.Close()
	c.cancel()
	<-c.reader
	return err
}
