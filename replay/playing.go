package replay

import (
	"net/http"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// A stage is where a playing session's output goes. Its methods are called one at a time, and keep nothing that they are given.
type stage interface {
	message(u utterance)
	stderr(text []byte)
	exit(status mcp.ExitStatus)
	// lost breaks the connection that req came in on, without an answer.
	lost(req *liveRequest)
}

// An httpStage can also give the answers that only HTTP has.
type httpStage interface {
	stage
	head(req *liveRequest, h *mcp.HTTPHead)
	body(req *liveRequest, data []byte, event *mcp.SSE)
	event(req *liveRequest, event *mcp.SSE)
	// pause ends the stream that req is answered on, by a reset or properly. What follows comes to who resumes it.
	pause(req *liveRequest, reset bool)
}

// A failingStage fails one request without an answer, and goes on: so does HTTP, as a [mcp.Conn].
type failingStage interface {
	stage
	fail(req *liveRequest, err error)
}

// An utterance is one message of the server.
type utterance struct {
	data  []byte       // nil: nothing more comes for req
	req   *liveRequest // that it belongs to; nil for what the server sends by itself
	near  *liveRequest // of what the server sends by itself: the request during which it was sent; nil where there is none
	final bool         // it ends req
	event *mcp.SSE     // as recorded; nil where it was not an event
	fault *Fault
}

// A liveRequest is what a host sent, and waits for.
type liveRequest struct {
	id        jsontext.Value // nil for a notification
	method    string
	token     []byte // under which it wants its progress; nil where it wants none
	cue       int32
	came      time.Time
	done      bool
	cancelled bool
	batch     *liveBatch
	fault     *Fault
	exchange  *exchange // over HTTP
	head      *mcp.HTTPHead
	body      []byte
}

// A liveBatch gathers the answers to an array of requests.
type liveBatch struct {
	left    int
	answers []byte
}

// A cursor walks what follows from one thing that a host did: the chain of a request, or what the server sent by itself
// after something.
type cursor struct {
	at    int32        // the cue to perform next
	req   *liveRequest // whose chain it is; nil where it walks loose cues
	near  *liveRequest // during which loose cues came
	since time.Time    // when what at follows happened here
	from  int32        // the cue that at follows, for its recorded time
}

// An owed reply is one that the host has not given to a request of the server.
type owed struct {
	id    string
	reply int32
}

// playing is one session of a host with the player. The mutex guards all of it.
type playing struct {
	player *Player
	part   *scorePart
	stage  stage

	mu       sync.Mutex
	happened []uint64 // bit i: cue i has been played, or was sent by the host
	taken    [3][]int32
	expected int32 // MatchStrict: the request that is next in order
	bound    meaning.Bindings
	sure     map[string]bool // paths that a request has confirmed
	live     []*liveRequest  // matched, and not answered so far
	cursors  []cursor
	owed     []owed
	timer    *time.Timer
	version  string
	ended    bool
	shared   bool          // by hosts that have no session: their ids may be the same, and what is used up starts over
	pinned   bool          // to its part, whatever the host asks for
	requests int           // of the host that have been matched
	closing  bool          // the host's input has ended
	quiet    chan struct{} // closed when nothing more comes after that
	warned   map[string]bool
}

func (p *Player) newPlaying(part *scorePart, st stage) *playing {
	s := &playing{player: p, part: part, stage: st, warned: make(map[string]bool),
		quiet: make(chan struct{})}
	s.rewind()
	p.mu.Lock()
	p.open[s] = true
	p.mu.Unlock()
	return s
}

// rewind begins the session anew. What is under way goes on.
func (s *playing) rewind() {
	if s.happened != nil {
		s.player.keep(s)
	}
	s.happened = make([]uint64, (len(s.part.cues)+63)/64)
	s.taken = [3][]int32{}
	s.expected = s.nextRequest(0)
	s.bound = make(meaning.Bindings)
	for name, path := range s.player.paths {
		s.bound[name] = meaning.TextValue(path)
	}
	s.sure = make(map[string]bool)
}

func (s *playing) mark(i int32) { s.happened[i/64] |= 1 << (i % 64) }

func (s *playing) has(i int32) bool { return s.happened[i/64]&(1<<(i%64)) != 0 }

// begin plays what the server sent before the client sent anything.
func (s *playing) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.follow(none, nil)
	s.pump()
}

// end says that the host's input has ended. What waits for its time still comes, then what followed the end of the recorded
// client's input; the channel is closed after it.
func (s *playing) end() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing = true
	s.pump()
	return s.quiet
}

// drained plays what followed the end of the recorded client's input, and says whether there was anything.
func (s *playing) drained() bool {
	if !s.closing {
		return false
	}
	for i, c := range s.part.cues {
		if c.kind == cueClose && !s.has(int32(i)) {
			s.mark(int32(i))
			s.follow(int32(i), nil)
			return true
		}
	}
	s.closing = false
	close(s.quiet)
	return false
}

// stop ends the session; nothing is played after it.
func (s *playing) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.player.keep(s)
	s.cursors = nil
	if s.timer != nil {
		s.timer.Stop()
	}
}

// request takes one request of the host. The id and the token of req are set.
func (s *playing) request(req *liveRequest, m *jsonrpc.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	if s.under(m.ID) != nil && !s.shared {
		s.refuse(req, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest,
			Message: "a request with the id " + string(m.ID) + " is still waiting for its answer"})
		return
	}
	var header http.Header
	if req.exchange != nil {
		header = req.exchange.header
	}
	at, miss := s.find(m, header)
	if miss != nil && (s.shared && miss.reason == ReasonUsedUp || s.moves(m)) {
		if s.shared {
			s.rewind()
		}
		at, miss = s.find(m, header)
	}
	if miss != nil {
		s.refuse(req, miss.rpcError())
		return
	}
	s.player.faults.choose(req, m)
	if at == none { // a ping that was never recorded
		req.cue = none
		s.say(utterance{data: jsonrpc.AppendResult(nil, req.id, jsontext.Value("{}")), req: req, final: true, fault: req.fault})
		return
	}
	req.cue = at
	s.requests++
	s.live = append(s.live, req)
	again := s.has(at)
	s.mark(at)
	c := s.part.cues[at]
	if again && c.peer != none {
		// A list that is asked for once more brings its answer, and not what came with it.
		s.cursors = append(s.cursors, cursor{at: c.peer, req: req, since: req.came, from: at})
	} else {
		s.follow(at, req)
		s.chain(c.next, req)
	}
	s.pump()
}

// chain begins the walk through what belongs to a request.
func (s *playing) chain(first int32, req *liveRequest) {
	if first == none {
		s.chainEnds(req)
		return
	}
	s.cursors = append(s.cursors, cursor{at: first, req: req, since: req.came, from: req.cue})
}

// notice takes a notification of the host. It says whether there is an answer to it, as HTTP can have it.
func (s *playing) notice(req *liveRequest, m *jsonrpc.Message) (answered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false
	}
	if m.Method == "notifications/cancelled" {
		if given := s.under(meaning.At(m.Params, "requestId")); given != nil {
			given.cancelled = true
			if given.fault != nil && given.fault.Kind == FaultDrop {
				s.finish(given)
			}
		}
	}
	if at := s.take(groupNotices, meaning.HashText(m.Method)); at != none {
		req.cue = at
		s.mark(at)
		s.follow(at, nil)
		if next := s.part.cues[at].next; next != none {
			s.cursors = append(s.cursors, cursor{at: next, req: req, since: req.came, from: at})
			answered = true
		}
	}
	s.pump()
	return answered
}

// reply takes the host's answer to a request of the server.
func (s *playing) reply(m *jsonrpc.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, o := range s.owed {
		if o.id != string(m.ID) && o.id != `"`+string(m.ID)+`"` && `"`+o.id+`"` != string(m.ID) {
			continue
		}
		s.owed = append(s.owed[:i], s.owed[i+1:]...)
		now := time.Now()
		for k := range s.cursors {
			if c := &s.cursors[k]; c.at > o.reply && c.from < o.reply {
				c.since, c.from = now, o.reply
			}
		}
		s.mark(o.reply)
		s.follow(o.reply, s.during(o.reply))
		break
	}
	s.pump()
}
