package replay

import (
	"maps"
	"slices"

	"github.com/imurun/mcp-replay/mcp"
)

// keep notes what a session has played so far. Its mutex is held.
func (p *Player) keep(s *playing) {
	i := slices.Index(p.score.parts, s.part)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.played[i] == nil {
		p.played[i] = make([]uint64, len(s.happened))
	}
	for k, word := range s.happened {
		p.played[i][k] |= word
	}
	if s.ended {
		delete(p.open, s)
	}
}

// An Unplayed is a message of the cassette that no host has asked for, or been sent.
type Unplayed struct {
	Frame   int      // its number in the cassette, from 1
	From    mcp.Side // FromClient: a request that did not come; FromServer: what the server would have sent by itself
	Message []byte   // as it is recorded
	Title   string   // for people: the method, and what it names
}

// Unplayed gives what has not been played so far, by any session, in the order of the cassette, pings left out.
func (p *Player) Unplayed() []Unplayed {
	p.mu.Lock()
	open := slices.Collect(maps.Keys(p.open))
	p.mu.Unlock()
	for _, s := range open {
		s.mu.Lock()
		p.keep(s)
		s.mu.Unlock()
	}
	var list []Unplayed
	for i, part := range p.score.parts {
		s := &playing{player: p, part: part, happened: p.played[i]}
		if s.happened == nil {
			s.happened = make([]uint64, (len(part.cues)+63)/64)
		}
		for k, c := range part.cues {
			at := int32(k)
			loose := c.flags&flagLoose != 0 && (c.kind == cueDemand || c.kind == cueNews)
			if s.has(at) || !loose && (c.kind != cueRequest || c.flags&flagPing != 0) {
				continue
			}
			m := s.message(at)
			u := Unplayed{Frame: int(c.frame) + 1, From: mcp.FromClient, Message: m.Raw, Title: title(m.Method, m.Params)}
			if loose {
				u.From = mcp.FromServer
			}
			list = append(list, u)
		}
	}
	slices.SortFunc(list, func(a, b Unplayed) int { return a.Frame - b.Frame })
	return list
}
