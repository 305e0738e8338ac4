package replay

import (
	"fmt"
	"net/http"
	"sort"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

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
func (s *playing) find(m *jsonrpc.Message, header http.Header) (int32, *miss) {
	if s.player.options.Match == MatchStrict {
		return s.findNext(m)
	}
	var params []byte
	if s.player.options.Match != MatchMethod {
		params = matchedParams(m.Method, m.Params)
	}
	key := requestKey(m.Method, params)
	if at := s.takeAlike(key, m, header); at != none {
		return at, nil
	}
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
	lo = sort.Search(len(list), func(i int) bool { return s.part.cues[list[i]].key >= key })
	hi = lo + sort.Search(len(list)-lo, func(i int) bool { return s.part.cues[list[lo+i]].key > key })
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
