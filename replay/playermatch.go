package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// CodeMiss is the code of the error that answers a request which the cassette lacks (REP-6). Its data says why, what was
// recorded that comes nearest, and where the two differ:
//
//	{"reason":"never recorded","nearest":{"frame":7,"method":"tools/call","params":{…}},"pointers":["/arguments/a"]}
//
// The frame is the number of the frame in the cassette, from 1; the pointers start at the params.
const CodeMiss = -32050

// The reasons of a miss.
const (
	ReasonNeverRecorded = "never recorded"
	ReasonUsedUp        = "used up"        // as often as it was recorded, it has been answered
	ReasonNeverAnswered = "never answered" // recorded, without an answer
	ReasonOutOfOrder    = "out of order"   // MatchStrict alone: recorded, and not what comes next
)

// The lists of requests and notifications that a host's messages are looked up in.
const (
	groupRequests = iota
	groupWild
	groupNotices
)

// find gives the recorded request that m is answered from; none is a ping that was never recorded.
func (s *playing) find(m *jsonrpc.Message) (int32, *miss) {
	if s.player.options.Match == MatchStrict {
		return s.findNext(m)
	}
	var params []byte
	if s.player.options.Match != MatchMethod {
		params = matchedParams(m.Method, m.Params)
	}
	key := requestKey(m.Method, params)
	if at := s.take(groupRequests, key); at != none {
		return at, nil
	}
	if at := s.takeWild(m.Method, params, false); at != none {
		return at, nil
	}
	if m.Method == "ping" {
		return none, nil
	}
	last := s.last(groupRequests, key)
	if last == none {
		last = s.takeWild(m.Method, params, true)
	}
	switch {
	case last == none:
		return none, s.neverRecorded(m, params)
	case isList(m.Method):
		return last, nil
	}
	return none, s.usedUp(m, last)
}

// findNext is find for MatchStrict: what m asks for must be what was asked for next.
func (s *playing) findNext(m *jsonrpc.Message) (int32, *miss) {
	params := matchedParams(m.Method, m.Params)
	if s.expected != none && s.fits(s.expected, m.Method, params) {
		at := s.expected
		s.expected = s.nextRequest(at + 1)
		return at, nil
	}
	if m.Method == "ping" {
		return none, nil
	}
	played, known := none, none
	for i, c := range s.part.cues {
		if at := int32(i); c.kind == cueRequest && s.fits(at, m.Method, params) {
			known = at
			if s.has(at) {
				played = at
			}
		}
	}
	switch {
	case played != none && isList(m.Method):
		return played, nil
	case known == none:
		return none, s.neverRecorded(m, params)
	case s.expected == none || s.has(known):
		return none, s.usedUp(m, known)
	}
	e := s.describe(ReasonOutOfOrder, m, s.expected)
	e.text = fmt.Sprintf("%s comes later: next in the recorded order is %s", e.asked, e.what)
	return none, e
}

// fits tells whether a host's request can be recorded request at. Where it does, its placeholders are bound.
func (s *playing) fits(at int32, method string, params []byte) bool {
	c := s.part.cues[at]
	if c.key == requestKey(method, params) {
		return true
	}
	if c.flags&flagWild == 0 {
		return false
	}
	recorded, recordedParams := s.recorded(at)
	if recorded != method {
		return false
	}
	pattern := meaning.Pattern{Recorded: matchedParams(method, recordedParams), Bound: s.bound}
	fresh, ok := pattern.Match(params)
	if ok {
		s.bind(pattern.Recorded, fresh)
	}
	return ok
}

// nextRequest gives the first request from cue i on that the order counts for.
func (s *playing) nextRequest(i int32) int32 {
	for ; int(i) < len(s.part.cues); i++ {
		if c := s.part.cues[i]; c.kind == cueRequest && c.flags&flagPing == 0 {
			return i
		}
	}
	return none
}

func (s *playing) list(group int) []int32 {
	return [...][]int32{s.part.requests, s.part.wild, s.part.notices}[group]
}

// group gives the cues with the given key: list[lo:hi].
func (s *playing) group(group int, key uint64) (lo, hi int) {
	list := s.list(group)
	lo, _ = slices.BinarySearchFunc(list, key, func(at int32, key uint64) int {
		switch k := s.part.cues[at].key; {
		case k < key:
			return -1
		case k > key:
			return 1
		}
		return 0
	})
	for hi = lo; hi < len(list) && s.part.cues[list[hi]].key == key; {
		hi++
	}
	return lo, hi
}

// take gives the first cue of the group that was not taken before, and takes it.
func (s *playing) take(group int, key uint64) int32 {
	list := s.list(group)
	lo, hi := s.group(group, key)
	if lo == hi {
		return none
	}
	if s.taken[group] == nil {
		s.taken[group] = make([]int32, len(list))
	}
	taken := &s.taken[group][lo]
	for lo += int(*taken); lo < hi; lo++ {
		*taken++
		if !s.has(list[lo]) {
			return list[lo]
		}
	}
	return none
}

func (s *playing) last(group int, key uint64) int32 {
	lo, hi := s.group(group, key)
	if lo == hi {
		return none
	}
	return s.list(group)[hi-1]
}

// mostWild bounds how many recorded requests with placeholders are looked at for one request.
const mostWild = 1000

// takeWild gives the recorded request with placeholders that the params match: one whose placeholders are all bound
// already before one that binds some anew. With used set it gives the last of those that have been played.
func (s *playing) takeWild(method string, params []byte, used bool) int32 {
	if len(s.part.wild) == 0 {
		return none
	}
	for _, bound := range []meaning.Bindings{s.bound, s.withoutGuesses()} {
		if bound == nil {
			continue
		}
		found, recorded, fresh := none, []byte(nil), meaning.Bindings(nil)
		for at, p := range s.wildMatches(method, params, bound, used) {
			if used {
				found = max(found, at)
				continue
			}
			if found == none || len(p.fresh) == 0 {
				found, recorded, fresh = at, p.recorded, p.fresh
			}
			if len(p.fresh) == 0 {
				break
			}
		}
		if found != none {
			if !used {
				s.bind(recorded, fresh)
			}
			return found
		}
	}
	return none
}

type wildMatch struct {
	recorded []byte
	fresh    meaning.Bindings
}

// wildMatches gives the recorded requests with placeholders that the params can be, played ones or the others.
func (s *playing) wildMatches(method string, params []byte, bound meaning.Bindings, used bool) func(func(int32, wildMatch) bool) {
	keys := []uint64{namedKey(method, params), meaning.HashText(method)}
	if keys[0] == keys[1] {
		keys = keys[:1]
	}
	return func(yield func(int32, wildMatch) bool) {
		looked := 0
		for _, key := range keys {
			lo, hi := s.group(groupWild, key)
			for _, at := range s.part.wild[lo:hi] {
				if s.has(at) != used {
					continue
				}
				if looked++; looked > mostWild {
					return
				}
				_, recorded := s.recorded(at)
				pattern := meaning.Pattern{Recorded: matchedParams(method, recorded), Bound: bound}
				if fresh, ok := pattern.Match(params); ok && !yield(at, wildMatch{pattern.Recorded, fresh}) {
					return
				}
			}
		}
	}
}

// withoutGuesses gives the bindings without the folders of this machine that no request has confirmed: a host may keep its
// files elsewhere. It is nil where there are none.
func (s *playing) withoutGuesses() meaning.Bindings {
	if len(s.sure) == len(s.player.paths) {
		return nil
	}
	sure := make(meaning.Bindings)
	for name, v := range s.bound {
		if _, path := s.player.paths[name]; !path || s.sure[name] {
			sure[name] = v
		}
	}
	return sure
}

// bind keeps what a match has found, and takes the folders that it rested on for confirmed.
func (s *playing) bind(recorded []byte, fresh meaning.Bindings) {
	for name, v := range fresh {
		s.bound[name] = v
	}
	for _, name := range meaning.Placeholders(recorded) {
		if _, path := s.player.paths[name]; path {
			s.sure[name] = true
		}
	}
}

// recorded reads method and params of the request at a cue.
func (s *playing) recorded(at int32) (method string, params []byte) {
	m := s.message(at)
	return m.Method, m.Params
}

func (s *playing) message(at int32) jsonrpc.Message {
	c := s.part.cues[at]
	f, err := s.player.score.cassette.Frame(int(c.frame))
	if err != nil {
		return jsonrpc.Message{}
	}
	data := f.Data
	if c.elem != noElem {
		data = element(data, int(c.elem))
	}
	m, _ := jsonrpc.Parse(data)
	return m
}

// A miss is a request that the cassette has no answer for. Nothing in it is the host's but the method and the name of what it
// asked for: its arguments may hold secrets.
type miss struct {
	reason   string
	asked    string // for people: the host's request
	what     string // for people: the nearest recorded one
	text     string // for people, after the reason
	frame    int    // of the nearest, from 1; 0 where there is none
	nearest  jsonrpc.Message
	pointers []string
}

func (e *miss) rpcError() *jsonrpc.Error {
	b := append([]byte(`{"reason":`), quoted(e.reason)...)
	if e.frame > 0 {
		b = fmt.Appendf(b, `,"nearest":{"frame":%d,"method":%s`, e.frame, quoted(e.nearest.Method))
		if params := e.nearest.Params; params != nil && len(params) <= mostShown {
			b = append(append(b, `,"params":`...), params...)
		}
		b = append(b, '}')
	}
	b = append(b, `,"pointers":[`...)
	for i, pointer := range e.pointers {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, quoted(pointer)...)
	}
	return &jsonrpc.Error{Code: CodeMiss, Message: e.reason + ": " + e.text, Data: append(b, "]}"...)}
}

// mostShown is how long params may be that an error shows.
const mostShown = 64 << 10

func quoted(s string) jsontext.Value {
	b, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(s, "\uFFFD"))
	return b
}

// title names a request for people: "tools/call echo".
func title(method string, params []byte) string {
	if name := targetName(params); name != "" {
		return method + " " + quoteShort(name)
	}
	return method
}

func (s *playing) describe(reason string, m *jsonrpc.Message, nearest int32) *miss {
	e := &miss{reason: reason, asked: title(m.Method, m.Params), pointers: []string{}}
	if nearest != none {
		e.nearest = s.message(nearest)
		e.frame = int(s.part.cues[nearest].frame) + 1
		e.what = fmt.Sprintf("%s (frame %d)", title(e.nearest.Method, e.nearest.Params), e.frame)
	}
	return e
}

func (s *playing) usedUp(m *jsonrpc.Message, last int32) *miss {
	e := s.describe(ReasonUsedUp, m, last)
	e.text = fmt.Sprintf("%s was recorded, and has been answered as often as it was", e.asked)
	for i := s.nextRequest(0); i != none; i = s.nextRequest(i + 1) {
		if !s.has(i) {
			next := s.message(i)
			e.text += fmt.Sprintf("; not asked for so far: %s (frame %d)", title(next.Method, next.Params), s.part.cues[i].frame+1)
			break
		}
	}
	return e
}

func (s *playing) neverAnswered(req *liveRequest) *miss {
	m := s.message(req.cue)
	e := s.describe(ReasonNeverAnswered, &m, req.cue)
	e.text = fmt.Sprintf("%s was recorded (frame %d), and the recording has no answer to it", e.asked, e.frame)
	return e
}

// neverRecorded looks for the recorded request that comes nearest: of the same method and, where there are such, of the same
// name, the one that differs at the fewest places.
func (s *playing) neverRecorded(m *jsonrpc.Message, params []byte) *miss {
	const mostCompared = 200
	nearest, fewest, compared := none, []string(nil), 0
	name, named := targetName(m.Params), false
	for i, c := range s.part.cues {
		if c.kind != cueRequest || compared == mostCompared {
			continue
		}
		method, recorded := s.recorded(int32(i))
		if method != m.Method {
			continue
		}
		same := targetName(recorded) == name
		if named && !same {
			continue
		}
		compared++
		pointers := differing(matchedParams(method, recorded), params)
		if nearest == none || same && !named || len(pointers) < len(fewest) {
			nearest, fewest, named = int32(i), pointers, same
		}
	}
	e := s.describe(ReasonNeverRecorded, m, nearest)
	if nearest == none {
		e.text = fmt.Sprintf("the cassette holds no %s at all", m.Method)
		return e
	}
	e.pointers = fewest
	e.text = fmt.Sprintf("%s; the nearest recorded is %s, which differs at %s", e.asked, e.what, listed(fewest))
	return e
}

// differing gives the places at which two params mean something else.
func differing(recorded, live []byte) []string {
	if recorded == nil {
		recorded = []byte("{}")
	}
	if live == nil {
		live = []byte("{}")
	}
	c := meaning.Comparison{Max: 20, Leaf: func(_ string, recorded, live []byte) bool {
		if !meaning.HasPlaceholder(recorded) || live == nil {
			return false
		}
		_, ok := (&meaning.Pattern{Recorded: recorded}).Match(live)
		return ok
	}}
	var pointers []string
	for _, d := range c.Run("", recorded, live) {
		if !d.Spelling {
			pointers = append(pointers, d.Pointer)
		}
	}
	return pointers
}

// listed joins what is listed as people do.
func listed(items []string) string {
	switch len(items) {
	case 0:
		return "no place"
	case 1:
		if items[0] == "" {
			return "the whole"
		}
		return items[0]
	}
	return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
}
