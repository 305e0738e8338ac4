package replay

import (
	"bytes"
	"slices"
	"strings"
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

func (s *playing) mark(i int32)     { s.happened[i/64] |= 1 << (i % 64) }
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
	at, miss := s.find(m)
	if miss != nil && (s.shared && miss.reason == ReasonUsedUp || s.moves(m)) {
		if s.shared {
			s.rewind()
		}
		at, miss = s.find(m)
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

// during gives a request that is under way here and was so when cue at was recorded; nil where there is none.
func (s *playing) during(at int32) *liveRequest {
	for _, c := range s.cursors {
		if c.req != nil && c.req.cue < at && c.at > at {
			return c.req
		}
	}
	return nil
}

// follow plays the loose cues that follow cue at, up to the next one that others may follow.
func (s *playing) follow(at int32, near *liveRequest) {
	if first := s.nextLoose(at + 1); first != none {
		s.cursors = append(s.cursors, cursor{at: first, near: near, since: time.Now(), from: at})
	}
}

func (s *playing) nextLoose(i int32) int32 {
	for ; int(i) < len(s.part.cues); i++ {
		switch c := s.part.cues[i]; {
		case c.kind.anchors():
			return none
		case c.flags&flagLoose != 0:
			return i
		}
	}
	return none
}

// blocked tells whether cue at comes after the reply to a request of the server that the host still owes.
func (s *playing) blocked(at int32) bool {
	for _, o := range s.owed {
		if o.reply < at {
			return true
		}
	}
	return false
}

// pump performs what can be performed now, in the recorded order, and sets the clock for the rest.
func (s *playing) pump() {
	for !s.ended {
		now := time.Time{}
		best, wait := -1, time.Duration(-1)
		for i := range s.cursors {
			c := &s.cursors[i]
			if best >= 0 && s.cursors[best].at < c.at || s.blocked(c.at) {
				continue
			}
			if due := s.due(c); !due.IsZero() {
				if now.IsZero() {
					now = time.Now()
				}
				if d := due.Sub(now); d > 0 {
					if wait < 0 || d < wait {
						wait = d
					}
					continue
				}
			}
			best = i
		}
		if best < 0 && wait < 0 && s.drained() {
			continue
		}
		if best < 0 {
			s.alarm(wait)
			return
		}
		s.step(best)
	}
}

func (s *playing) alarm(wait time.Duration) {
	if wait < 0 {
		return
	}
	if s.timer != nil {
		s.timer.Stop()
	}
	s.timer = time.AfterFunc(wait, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.pump()
		if f, ok := s.stage.(interface{ flush() }); ok {
			f.flush()
		}
	})
}

// step performs the next cue of cursor i and moves the cursor on.
func (s *playing) step(i int) {
	cur := s.cursors[i]
	c := s.part.cues[cur.at]
	if c.kind == cueAnswer && cur.req != nil && s.openWindow(cur) {
		return
	}
	next := c.next
	if cur.req == nil {
		next = s.nextLoose(cur.at + 1)
	}
	if next == none {
		s.cursors = append(s.cursors[:i], s.cursors[i+1:]...)
	} else {
		s.cursors[i] = cursor{at: next, req: cur.req, near: cur.near, since: time.Now(), from: cur.at}
	}
	again := s.has(cur.at)
	s.mark(cur.at)
	s.perform(cur, c)
	if c.kind == cueAnswer && !again {
		s.follow(cur.at, nil)
	}
	if next == none && cur.req != nil && !cur.req.done {
		s.chainEnds(cur.req)
	}
}

// openWindow makes up for a notification that the host did not send: what the server sent after it, during a request, comes
// before the answer to that request.
func (s *playing) openWindow(cur cursor) bool {
	request := s.part.cues[cur.at].peer
	if s.part.cues[request].flags&flagWindow == 0 {
		return false
	}
	opened := false
	for i := request + 1; i < cur.at; i++ {
		if s.part.cues[i].kind == cueNotice && !s.has(i) && s.nextLoose(i+1) != none {
			s.mark(i)
			s.follow(i, cur.req)
			opened = true
		}
	}
	return opened
}

// perform lets one cue of the server happen.
func (s *playing) perform(cur cursor, c cue) {
	f, err := s.player.score.cassette.Frame(int(c.frame))
	if err != nil {
		s.warn(err.Error())
		if cur.req != nil && c.kind == cueAnswer {
			s.refuse(cur.req, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()})
		}
		return
	}
	data := f.Data
	if c.elem != noElem {
		data = element(data, int(c.elem))
	}
	switch c.kind {
	case cueAnswer:
		s.answer(cur, c, data, f.Event)
	case cueDemand:
		s.demand(cur, c, data, f.Event)
	case cueNews:
		if data = s.withToken(cur.req, data); data != nil {
			s.say(utterance{data: s.fill(data), req: cur.req, near: cur.near, event: f.Event})
		}
	case cueStderr:
		s.stage.stderr([]byte(s.bound.FillText(string(data), s.unbound)))
	case cueExit:
		s.stage.exit(*f.Exit)
		s.ended = true
	default:
		s.performHTTP(cur.req, c, &f)
	}
}

func (s *playing) performHTTP(req *liveRequest, c cue, f *Frame) {
	h, overHTTP := s.stage.(httpStage)
	switch c.kind {
	case cueHead:
		if req.head = f.Head; overHTTP {
			h.head(req, f.Head)
		}
	case cueBody:
		data := s.fill(f.Data)
		if overHTTP {
			h.body(req, data, f.Event)
		} else if req.body == nil {
			req.body = data
		}
	case cueEvent:
		if overHTTP {
			h.event(req, f.Event)
		}
	case cueReset:
		if !req.done && overHTTP {
			s.finish(req)
			h.lost(req)
		} else if !req.done {
			s.refuse(req, brokenOff())
		}
	}
}

// answer gives a request its recorded answer, under the id that it came with.
func (s *playing) answer(cur cursor, c cue, data []byte, event *mcp.SSE) {
	req := cur.req
	if req.done {
		return
	}
	if req.method == "initialize" {
		s.version = meaning.Text(meaning.At(data, "result", "protocolVersion"))
	}
	if req.fault != nil && req.fault.Kind == FaultDrop {
		return // the request stays under way
	}
	s.finish(req)
	if req.cancelled && c.flags&flagLate == 0 {
		s.stage.message(utterance{req: req, final: true})
		return
	}
	if _, overHTTP := s.stage.(httpStage); c.flags&flagNullID == 0 || !overHTTP {
		data = withID(data, req.id)
	}
	s.say(utterance{data: s.fill(data), req: req, final: true, event: event, fault: req.fault})
}

// demand sends a request of the server to the host, and notes that a reply is owed.
func (s *playing) demand(cur cursor, c cue, data []byte, event *mcp.SSE) {
	if c.peer != none {
		s.owed = append(s.owed, owed{id: string(meaning.At(data, "id")), reply: c.peer})
	}
	near := cur.near
	if near == nil {
		near = s.during(cur.at)
	}
	s.say(utterance{data: s.fill(data), req: cur.req, near: near, event: event})
}

// chainEnds settles a request that has no recorded answer.
func (s *playing) chainEnds(req *liveRequest) {
	c := s.part.cues[req.cue]
	_, overHTTP := s.stage.(httpStage)
	switch {
	case req.done || req.fault != nil && req.fault.Kind == FaultDrop:
	case c.kind != cueRequest:
		s.stage.message(utterance{req: req, final: true})
	case req.head != nil && overHTTP:
		s.finish(req)
		s.stage.message(utterance{req: req, final: true})
	case req.head != nil:
		s.refuse(req, statusError(req))
	case c.flags&flagCancelled != 0:
		// The recorded client gave it up, and so will this one.
	case s.part.crash > req.cue:
		s.crash(req)
	default:
		s.refuse(req, s.neverAnswered(req).rpcError())
	}
}

// crash plays the end of the server that is why a request was never answered, also where something else is recorded between the two.
func (s *playing) crash(req *liveRequest) {
	if _, overHTTP := s.stage.(httpStage); overHTTP {
		s.finish(req)
		s.stage.lost(req)
		return
	}
	anchor := s.part.crash
	for anchor > 0 && !s.part.cues[anchor].kind.anchors() {
		anchor--
	}
	if anchor != req.cue && !s.has(anchor) {
		s.mark(anchor)
		s.follow(anchor, nil)
	}
}

// refuse answers a request with an error of the player's own.
func (s *playing) refuse(req *liveRequest, e *jsonrpc.Error) {
	s.finish(req)
	s.say(utterance{data: jsonrpc.AppendError(nil, req.id, e), req: req, final: true})
}

func (s *playing) finish(req *liveRequest) {
	req.done = true
	if i := slices.Index(s.live, req); i >= 0 {
		s.live = slices.Delete(s.live, i, i+1)
	}
}

// under gives the request that is under way with an id; nil where there is none.
func (s *playing) under(id []byte) *liveRequest {
	for _, req := range s.live {
		if bytes.Equal(req.id, id) {
			return req
		}
	}
	return nil
}

// say hands a message to the stage; the last answer to a batch takes the others along.
func (s *playing) say(u utterance) {
	if u.req == nil || u.req.batch == nil || !u.final {
		s.stage.message(u)
		return
	}
	b := u.req.batch
	if len(b.answers) > 0 {
		b.answers = append(b.answers, ',')
	}
	b.answers = append(b.answers, u.data...)
	if b.left--; b.left == 0 {
		u.data = append(append([]byte{'['}, b.answers...), ']')
		s.stage.message(u)
	}
}

// fill puts values in the place of placeholders.
func (s *playing) fill(data []byte) []byte {
	if !meaning.HasPlaceholder(data) {
		return data
	}
	return s.bound.Fill(make([]byte, 0, len(data)), data, s.unbound)
}

func (s *playing) unbound(placeholder string) {
	s.warn("an answer holds " + placeholder + ", which no request of this session has given a value; it goes out as it stands")
}

// warn says each thing once in a session.
func (s *playing) warn(text string) {
	if !s.warned[text] {
		s.warned[text] = true
		s.player.warn(text)
	}
}

// withID puts the caller's id in the place of the recorded one; nothing else of the message changes (REP-5).
func withID(data []byte, id jsontext.Value) []byte {
	m, ok := meaning.Find(data, "id")
	if !ok {
		return data
	}
	return splice(data, m.Start, m.End, id)
}

// withToken puts the caller's progress token into a progress notification; nil where the caller wants no progress.
func (s *playing) withToken(req *liveRequest, data []byte) []byte {
	if req == nil || !bytes.Contains(data, []byte("progressToken")) {
		return data
	}
	params, ok := meaning.Find(data, "params")
	if !ok || meaning.Text(meaning.At(data, "method")) != "notifications/progress" {
		return data
	}
	token, ok := meaning.Find(data[params.Start:params.End], "progressToken")
	switch {
	case !ok:
		return data
	case req.token == nil:
		return nil
	}
	return splice(data, params.Start+token.Start, params.Start+token.End, req.token)
}

func splice(data []byte, start, end int, with []byte) []byte {
	out := make([]byte, 0, len(data)-(end-start)+len(with))
	out = append(append(out, data[:start]...), with...)
	return append(out, data[end:]...)
}

// element gives element n of a JSON array.
func element(data []byte, n int) []byte {
	for m := range meaning.Members(data) {
		if n == 0 {
			return data[m.Start:m.End]
		}
		n--
	}
	return nil
}

// oneLine makes a message fit on a line: an HTTP body may have been spread over several.
func oneLine(data []byte) []byte {
	if bytes.IndexByte(data, '\n') < 0 && bytes.IndexByte(data, '\r') < 0 {
		return data
	}
	return []byte(strings.NewReplacer("\r", " ", "\n", " ").Replace(string(data)))
}
