package replay

import (
	"bytes"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/imurun/mcp-replay/mcp"
)

// httpSession is the stage of one session over HTTP: it decides on which of the host's open requests a message goes out.
type httpSession struct {
	player *Player
	id     string
	play   *playing
	wire   bool      // recorded over HTTP, too
	used   time.Time // guarded by the httpPlayer's mutex

	mu      sync.Mutex // guards what follows
	posts   []*exchange
	get     *exchange
	queue   []item      // for the next stream
	streams []*exchange // that can be resumed, the newest last
}

// mostQueued is how many messages wait for a host that has no stream open; older ones are dropped then.
const mostQueued = 1000

func (s *httpSession) open(ex *exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.posts = append(s.posts, ex)
}

func (s *httpSession) close(ex *exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.posts, ex); i >= 0 {
		s.posts = slices.Delete(s.posts, i, i+1)
	}
}

// listen makes ex the stream for the server's own messages. One that is open already ends: a host that comes back has
// not always told its old connection.
func (s *httpSession) listen(ex *exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.get != nil {
		s.get.fail(io.EOF)
	}
	s.get = ex
	for _, i := range s.queue {
		ex.put(i)
	}
	s.queue = nil
}

func (s *httpSession) unlisten(ex *exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.get == ex {
		s.get = nil
	}
}

// shut ends what is open.
func (s *httpSession) shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ex := range s.posts {
		ex.put(item{kind: itemLost})
	}
	if s.get != nil {
		s.get.fail(io.EOF)
	}
}

func (s *httpSession) message(u utterance) {
	i := item{data: u.data, event: u.event, fault: u.fault, final: u.final}
	if u.req == nil {
		s.push(i, u.near)
		return
	}
	ex := u.req.exchange
	if i.bad = u.req.head == badRequest; ex == nil {
		s.push(i, nil)
		return
	}
	if u.fault != nil && u.fault.Kind == FaultError {
		i.data = u.fault.answer(u.req.id)
	}
	if u.fault != nil && u.fault.Kind == FaultExit {
		s.player.end(u.fault.Code)
	}
	if u.req.cue != none {
		ex.streamed.Store(s.play.part.cues[u.req.cue].flags&flagStream != 0)
	}
	s.mu.Lock()
	if u.final && s.get == nil && ex.stream && (!s.wire || len(s.play.owed) > 0) {
		// The host has no stream of its own: what waits for one goes along.
		for _, waiting := range s.queue {
			ex.put(waiting)
		}
		s.queue = nil
	}
	s.mu.Unlock()
	ex.put(i)
}

// push sends what belongs to no request. A cassette from stdio does not tell during which request it came; it goes along with
// one that is open where that may be.
func (s *httpSession) push(i item, near *liveRequest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var post *exchange
	if near != nil && near.exchange != nil && !near.done && near.exchange.stream {
		post = near.exchange
	}
	switch {
	case post != nil && (!s.wire || s.get == nil):
		post.put(i)
	case s.get != nil:
		s.get.put(i)
	default:
		if s.queue = append(s.queue, i); len(s.queue) > mostQueued {
			s.queue = s.queue[1:]
			s.player.warn("a host opens no stream for the server's own messages: the oldest are dropped")
		}
	}
}

func (s *httpSession) stderr([]byte) {}

// exit is a server's that was recorded on stdio: its connections break, and the session is no more.
func (s *httpSession) exit(mcp.ExitStatus) {
	s.shut()
	go func() {
		h := &s.player.http
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.sessions[s.id] == s {
			h.drop(s)
		}
	}()
}

func (s *httpSession) lost(req *liveRequest) {
	if req.exchange != nil {
		req.exchange.streamed.Store(req.cue != none && s.play.part.cues[req.cue].flags&flagStream != 0)
		req.exchange.put(item{kind: itemLost})
	}
}

func (s *httpSession) pause(req *liveRequest, reset bool) {
	if req.exchange != nil {
		req.exchange.put(item{kind: itemBreak, bad: reset})
	}
}

func (s *httpSession) head(req *liveRequest, h *mcp.HTTPHead) {
	if req.exchange != nil {
		req.exchange.put(item{kind: itemHead, head: h})
	}
}

func (s *httpSession) body(req *liveRequest, data []byte, event *mcp.SSE) {
	if req.exchange != nil {
		req.exchange.put(item{kind: itemBody, data: bytes.Clone(data), event: event})
	}
}

func (s *httpSession) event(req *liveRequest, event *mcp.SSE) {
	if req.exchange != nil {
		req.exchange.put(item{kind: itemEvent, event: event})
	}
}
