package mcp

import (
	"context"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// take handles one message of the server. It runs on the reading goroutine and never blocks.
func (c *Client) take(m jsonrpc.Message) {
	if !utf8.Valid(m.Raw) {
		c.notes.add("the server sends invalid UTF-8; it is shown as U+FFFD")
	}
	switch m.Kind() {
	case jsonrpc.Response:
		c.takeAnswer(m)
	case jsonrpc.Request:
		c.takeRequest(m)
	case jsonrpc.Notification:
		if m.Method == "notifications/tools/list_changed" {
			c.change.notice()
		}
		if c.o.OnNotification != nil {
			c.o.OnNotification(m)
		}
	}
}

// takeAnswer gives an answer to who waits for it. One that nobody waits for is dropped (RPC-1, RPC-7).
func (c *Client) takeAnswer(m jsonrpc.Message) {
	if k := c.pendingFor(m.ID); k != nil {
		k.answer = m
		k.ready <- struct{}{}
	}
}

// failOne fails the one request that a transport could not get an answer for.
func (c *Client) failOne(e *RequestError) {
	if k := c.pendingFor(e.ID); k != nil {
		k.err = e.Err
		k.ready <- struct{}{}
	}
}

// pendingFor takes the call with the given id from the pending ones.
func (c *Client) pendingFor(id jsontext.Value) *call {
	n, exact, ok := parseID(id)
	if !ok {
		return nil
	}
	c.mu.Lock()
	k := c.st.pending[n]
	delete(c.st.pending, n)
	c.mu.Unlock()
	if k != nil && !exact {
		c.notes.add("the server answers under the id " + string(id) + " what was asked under " + strconv.FormatInt(n, 10))
	}
	return k
}

// parseID reads one of our ids: a positive integer, or the same digits as a string, which is not exact.
func parseID(id jsontext.Value) (n int64, exact, ok bool) {
	exact = true
	if len(id) > 2 && id[0] == '"' {
		id, exact = id[1:len(id)-1], false
	}
	if len(id) == 0 || len(id) > 18 || id[0] == '0' {
		return 0, false, false
	}
	for _, c := range id {
		if c < '0' || c > '9' {
			return 0, false, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, exact, true
}

// maxID is how long the id of a request may be that is answered: answers wait in memory while the server does not read.
const maxID = 4096

// maxRequests is how many requests of the server are worked on at once.
const maxRequests = 64

func (c *Client) takeRequest(m jsonrpc.Message) {
	if len(m.ID) > maxID {
		c.notes.add("a request of the server under an id longer than 4096 bytes was left unanswered")
		return
	}
	if c.o.OnRequest == nil {
		if m.Method == "ping" {
			c.answers.send(jsonrpc.AppendResult(nil, m.ID, jsontext.Value("{}"))) // RPC-5
		} else {
			c.answers.send(jsonrpc.AppendError(nil, m.ID, notFound(m.Method))) // RPC-6
		}
		return
	}
	c.answers.work(m.ID, func(ctx context.Context) {
		result, e := c.o.OnRequest(ctx, m)
		switch {
		case e != nil:
			c.answers.send(jsonrpc.AppendError(nil, m.ID, e))
		case result == nil || !jsonrpc.Valid(result):
			c.answers.send(jsonrpc.AppendResult(nil, m.ID, jsontext.Value("{}")))
		default:
			c.answers.send(jsonrpc.AppendResult(nil, m.ID, result))
		}
	})
}

func notFound(method string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "method not found: " + cut(method, 200)}
}

// sideline sends what nobody waits for, answers and notices, without holding up the goroutine that reads.
type sideline struct {
	c     *Client
	slots chan struct{} // one for each request of the server that is worked on

	mu      sync.Mutex
	queue   [][]byte
	running bool
}

func (s *sideline) init(c *Client) {
	s.c = c
	s.slots = make(chan struct{}, maxRequests)
}

// send sends a message, best effort: where the server reads too slowly it is dropped.
func (s *sideline) send(message []byte) {
	if s.c.fast != nil {
		if s.c.fast.post(&frame{buf: appendFrame(nil, message), own: true}) == errQueueFull {
			s.c.notes.add("the server reads too slowly: answers to its requests were dropped")
		}
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) >= maxOwn {
		s.c.notes.add("the server reads too slowly: answers to its requests were dropped")
		return
	}
	s.queue = append(s.queue, message)
	if !s.running {
		s.running = true
		go s.drain()
	}
}

// sidelineTimeout is how long one answer or notice may take to go out.
const sidelineTimeout = 5 * time.Second

func (s *sideline) drain() {
	for {
		s.mu.Lock()
		if len(s.queue) == 0 {
			s.running = false
			s.mu.Unlock()
			return
		}
		message := s.queue[0]
		s.queue = s.queue[1:]
		s.mu.Unlock()
		if m, err := jsonrpc.Parse(message); err == nil {
			ctx, cancel := context.WithTimeout(s.c.bg, sidelineTimeout)
			_ = s.c.conn.Write(ctx, m) // best effort
			cancel()
		}
	}
}

// work runs a handler, if there is a slot for it; a server that asks for more is refused.
func (s *sideline) work(id jsontext.Value, f func(context.Context)) {
	select {
	case s.slots <- struct{}{}:
		go func() {
			defer func() { <-s.slots }()
			f(s.c.bg)
		}()
	default:
		s.c.notes.add("the server asks too much at once: some of its requests were refused")
		s.send(jsonrpc.AppendError(nil, id, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "too many requests at once"}))
	}
}

// changes turns notices into calls of OnToolsChanged: one at a time, and one more after the last notice.
type changes struct {
	c *Client

	mu      sync.Mutex
	running bool
	again   bool
}

func (n *changes) init(c *Client) { n.c = c }

func (n *changes) notice() {
	if n.c.o.OnToolsChanged == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.running {
		n.again = true
		return
	}
	n.running = true
	go n.run()
}

func (n *changes) run() {
	for {
		n.c.o.OnToolsChanged()
		n.mu.Lock()
		if !n.again || n.c.bg.Err() != nil {
			n.running, n.again = false, false
			n.mu.Unlock()
			return
		}
		n.again = false
		n.mu.Unlock()
	}
}
