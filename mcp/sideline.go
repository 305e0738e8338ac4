package mcp

import (
	"context"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// maxRequests is how many requests of the server are worked on at once.
const maxRequests = 64

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
