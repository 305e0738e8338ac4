package mcp

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

const (
	closeGrace = 2 * time.Second  // for the DELETE (HTTP-4)
	replyTime  = 30 * time.Second // for posting an answer to a request of the server
)

// httpConn is the client's end of a Streamable HTTP connection.
type httpConn struct {
	url       *url.URL
	template  http.Request // what is alike in all requests
	header    http.Header  // the user's; a session adds its own
	secrets   []string     // values that no error may show
	tap       Tap
	do        func(*http.Request) (*http.Response, error)
	foreign   bool // do is not ours, and may change a request's header
	closePool func()
	exchanges atomic.Int64

	in     chan incoming
	ctx    context.Context // ends when the Conn is closed
	cancel context.CancelFunc
	once   sync.Once
	wg     sync.WaitGroup // counts what run started

	mu      sync.Mutex // guards what follows
	closed  bool
	session *httpSession
	ended   bool                   // the server does not know the session any more
	active  map[*exchange]struct{} // Close ends them
}

// incoming is what Read returns next.
type incoming struct {
	message jsonrpc.Message
	err     error
}

// httpSession is what a session's requests have in common. It never changes.
type httpSession struct {
	id     string
	post   http.Header // of a POST
	get    http.Header // of a GET or DELETE
	ctx    context.Context
	cancel context.CancelFunc
}

// newSession begins a session in which id and version, where they are not empty, go with each request (HTTP-3).
func (c *httpConn) newSession(id, version string) *httpSession {
	s := &httpSession{id: id, get: c.header.Clone()}
	if id != "" {
		s.get.Set(headerSession, id)
	}
	if version != "" {
		s.get.Set(headerVersion, version)
	}
	s.post = s.get.Clone()
	s.post.Set("Content-Type", "application/json")
	s.post.Set("Accept", "application/json, text/event-stream")
	s.post.Set("Accept-Encoding", "gzip")
	// A compressing server in between may hold single events back, and a GET stream lives on those.
	s.get.Set("Accept-Encoding", "identity")
	s.get.Set("Accept", "text/event-stream")
	s.ctx, s.cancel = context.WithCancel(c.ctx)
	return s
}

// enter gives an exchange the session that its message belongs to; false when the Conn is closed. initialize belongs to
// no session: it begins one.
func (c *httpConn) enter(x *exchange) bool {
	if x.method == methodInitialize && x.id != nil {
		c.replaceSession(c.newSession("", ""))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	x.session = c.session
	if c.closed {
		return false
	}
	c.active[x] = struct{}{}
	return true
}

func (c *httpConn) leave(x *exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.active, x)
}

func (c *httpConn) replaceSession(s *httpSession) {
	c.mu.Lock()
	old := c.session
	c.session, c.ended = s, false
	c.mu.Unlock()
	old.cancel()
}

// forget gives up a session that the server does not know any more. Its id still goes with what is sent before the next
// initialize, so that this is refused in the same way.
func (c *httpConn) forget(s *httpSession) {
	c.mu.Lock()
	c.ended = c.ended || c.session == s
	c.mu.Unlock()
	s.cancel()
}

// establish begins the session that an answer to initialize grants.
func (c *httpConn) establish(id string, result jsontext.Value) {
	var agreed struct {
		Version string `json:"protocolVersion"`
	}
	// An answer without a version that can be read is the client's to refuse.
	_ = json.Unmarshal(result, &agreed, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	c.replaceSession(c.newSession(id, agreed.Version))
}

// run starts f in a goroutine that Close waits for; false when it is too late for that.
func (c *httpConn) run(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.wg.Go(f)
	return true
}

// Read returns the next message or failure of a request, from whichever answer or stream it comes.
func (c *httpConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	if c.ctx.Err() != nil {
		return jsonrpc.Message{}, ErrClosed
	}
	select {
	case i := <-c.in:
		return i.message, i.err
	case <-c.ctx.Done():
		return jsonrpc.Message{}, ErrClosed
	case <-ctx.Done():
		return jsonrpc.Message{}, ctx.Err()
	}
}

// push hands on to Read, unless ctx ends before there is room: then it is false.
func (c *httpConn) push(ctx context.Context, i incoming) bool {
	select {
	case c.in <- i:
		return true
	default:
	}
	select {
	case c.in <- i:
		return true
	case <-ctx.Done():
	case <-c.ctx.Done():
	}
	return false
}

// pass hands a message on to Read that came on the stream of x, or on none of a request's. Where it answers another
// request, the exchange of that one has nothing to wait for any more.
func (c *httpConn) pass(ctx context.Context, m jsonrpc.Message, x *exchange) {
	others := c.answered(m, x) // before the message is out: a host may use the id again as soon as it has the answer
	if !c.push(ctx, incoming{message: m}) {
		return
	}
	for _, other := range others {
		other.elsewhere.Store(true)
		other.cancel()
	}
}

// answered are the exchanges beside x whose request m answers.
func (c *httpConn) answered(m jsonrpc.Message, x *exchange) (others []*exchange) {
	if m.Kind() != jsonrpc.Response {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for other := range c.active {
		if other != x && other.id != nil && answers(m.ID, other.id) {
			others = append(others, other)
		}
	}
	return others
}

// Write posts one message. A request is on its way when Write returns, and so is an answer to the server; a
// notification has been accepted, so that those which must come first do (INIT-3).
func (c *httpConn) Write(ctx context.Context, m jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	switch m.Kind() {
	case jsonrpc.Request, jsonrpc.Response:
		// The caller may use its bytes again as soon as Write returns.
		id := len(m.Raw)
		own := append(append(make([]byte, 0, len(m.Raw)+len(m.ID)), m.Raw...), m.ID...)
		m.Raw, m.ID = own[:id:id], own[id:]
		if !c.run(func() { c.postAside(ctx, m) }) {
			return ErrClosed
		}
		return nil
	}
	return c.post(ctx, m)
}

// postAside posts a request or an answer, and reports a request's failure through Read.
func (c *httpConn) postAside(ctx context.Context, m jsonrpc.Message) {
	if m.Kind() == jsonrpc.Request {
		if err := c.post(ctx, m); err != nil {
			c.push(c.ctx, incoming{err: &RequestError{ID: m.ID, Err: err}})
		}
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), replyTime)
	defer cancel()
	_ = c.post(ctx, m) // whether the server takes the answer to its own request is its affair
}

// Close ends the session with DELETE, within 2 s (HTTP-4), and every stream and request. It waits for that.
func (c *httpConn) Close() error {
	c.once.Do(func() {
		c.mu.Lock()
		c.closed = true
		s, ended := c.session, c.ended
		c.cancel()
		for x := range c.active {
			x.cancel()
		}
		c.mu.Unlock()
		if s.id != "" && !ended {
			c.endSession(s)
		}
		c.wg.Wait()
		if c.closePool != nil {
			c.closePool()
		}
	})
	return nil
}

// endSession tells the server that the session is over. Whatever it answers is no error.
func (c *httpConn) endSession(s *httpSession) {
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	resp, err := c.send(ctx, &outgoing{method: http.MethodDelete, session: s, header: s.get})
	if err != nil {
		return
	}
	resp.finish(ctx)
}
