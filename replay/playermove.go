package replay

import (
	"slices"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// moves takes a host to another recorded session where it has asked for nothing but initialize so far, and now asks for what its own
// session lacks: hosts that come in another order than they were recorded in all begin alike, and it is the first request of their own that
// tells which is which. The other session must have answered initialize in the same way. The mutex is held.
func (s *playing) moves(m *jsonrpc.Message) bool {
	p := s.player
	if s.pinned || s.shared || p.options.Session != 0 || s.requests != 1 || s.part.opening == none || !s.has(s.part.opening) || !s.initializes(s.part) {
		return false
	}
	said := s.openingAnswer(s.part)
	for _, other := range p.others(s.part) {
		if !s.initializes(other) || s.openingAnswer(other) != said || !s.holds(other, m) {
			continue
		}
		p.retake(s.part, other)
		notices := s.noticesSoFar()
		s.part, s.happened = other, nil
		s.rewind()
		s.take(groupRequests, requestKey("initialize", nil))
		s.mark(other.opening)
		if s.expected == other.opening {
			s.expected = s.nextRequest(other.opening + 1)
		}
		for _, key := range notices {
			if at := s.take(groupNotices, key); at != none {
				s.mark(at)
			}
		}
		return true
	}
	return false
}

func (s *playing) initializes(part *scorePart) bool {
	return part.opening != none && part.cues[part.opening].key == requestKey("initialize", nil) && part.cues[part.opening].peer != none
}

// openingAnswer is the meaning of the answer to a session's first request.
func (s *playing) openingAnswer(part *scorePart) uint64 {
	other := &playing{player: s.player, part: part}
	m := other.message(part.cues[part.opening].peer)
	return meaning.Hash(m.Result)
}

// holds tells whether a session has a request like m.
func (s *playing) holds(part *scorePart, m *jsonrpc.Message) bool {
	other := &playing{player: s.player, part: part, bound: s.bound, sure: s.sure, happened: make([]uint64, (len(part.cues)+63)/64)}
	var params []byte
	if s.player.options.Match != MatchMethod {
		params = matchedParams(m.Method, m.Params)
	}
	if lo, hi := other.group(groupRequests, requestKey(m.Method, params)); lo < hi {
		return true
	}
	for range other.wildMatches(m.Method, params, s.bound, false) {
		return true
	}
	return false
}

// noticesSoFar gives the keys of the notifications that the host has sent and the session has.
func (s *playing) noticesSoFar() (keys []uint64) {
	for _, at := range s.part.notices {
		if s.has(at) {
			keys = append(keys, s.part.cues[at].key)
		}
	}
	return keys
}

// others gives the sessions but one, those first that no host plays or has played.
func (p *Player) others(but *scorePart) []*scorePart {
	p.mu.Lock()
	defer p.mu.Unlock()
	var free, taken []*scorePart
	for i, part := range p.score.parts {
		switch {
		case part == but:
		case p.taken[i]:
			taken = append(taken, part)
		default:
			free = append(free, part)
		}
	}
	return append(free, taken...)
}

// retake notes that a host plays another session than it was given.
func (p *Player) retake(from, to *scorePart) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken[slices.Index(p.score.parts, from)] = false
	p.taken[slices.Index(p.score.parts, to)] = true
}
