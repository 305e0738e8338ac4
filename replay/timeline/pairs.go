package timeline

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay"
)

// pairs finds the request that an answer is for: by id, among those of the other side in the same session, and over
// HTTP first among those of the same exchange, since clients without a session may use the same ids.
type pairs struct {
	open map[pairKey]int
	// done remembers what was answered lately, to tell a second answer from one that nobody asked for.
	done     map[pairKey]struct{}
	doneRing [256]pairKey
	doneNext int
}

type pairKey struct {
	scope int // an exchange, or less than zero: a session
	from  mcp.Side
	id    string
}

const (
	neverAsked    = -1
	answeredTwice = -2
)

func newPairs() pairs {
	return pairs{open: map[pairKey]int{}, done: map[pairKey]struct{}{}}
}

// keys gives where a request of one side may be found.
func keys(f *replay.Frame, from mcp.Side, id string) [2]pairKey {
	bySession := pairKey{scope: -1 - f.Session, from: from, id: id}
	if f.Exchange == 0 {
		return [2]pairKey{bySession, bySession}
	}
	return [2]pairKey{{scope: f.Exchange, from: from, id: id}, bySession}
}

func (p *pairs) ask(f *replay.Frame, m *jsonrpc.Message, row int) {
	for _, k := range keys(f, f.From, string(m.ID)) {
		p.open[k] = row
		delete(p.done, k)
	}
}

// answer gives the row of the request that an answer with that id is for, and whether the id is spelt as it was.
func (p *pairs) answer(f *replay.Frame, id jsontext.Value) (row int, spelt bool) {
	if row, ok := p.take(f, string(id)); ok {
		return row, true
	}
	if row, ok := p.take(f, otherSpelling(string(id))); ok {
		return row, false
	}
	for _, k := range keys(f, other(f.From), string(id)) {
		if _, ok := p.done[k]; ok {
			return answeredTwice, true
		}
	}
	return neverAsked, true
}

func (p *pairs) take(f *replay.Frame, id string) (int, bool) {
	ks := keys(f, other(f.From), id)
	for _, k := range ks {
		row, ok := p.open[k]
		if !ok {
			continue
		}
		// Whatever leads to this request is closed, and what leads to another is left.
		for _, k := range ks {
			if open, ok := p.open[k]; ok && open == row {
				delete(p.open, k)
				p.answered(k)
			}
		}
		return row, true
	}
	return 0, false
}

func (p *pairs) answered(k pairKey) {
	delete(p.done, p.doneRing[p.doneNext])
	p.doneRing[p.doneNext] = k
	p.doneNext = (p.doneNext + 1) % len(p.doneRing)
	p.done[k] = struct{}{}
}

// find gives the row of a request that the sender of f made and that is still open.
func (p *pairs) find(f *replay.Frame, id jsontext.Value) (int, bool) {
	for _, k := range keys(f, f.From, string(id)) {
		if row, ok := p.open[k]; ok {
			return row, true
		}
	}
	return 0, false
}

func other(s mcp.Side) mcp.Side {
	if s == mcp.FromClient {
		return mcp.FromServer
	}
	return mcp.FromClient
}

// otherSpelling is the id with the same digits as the other JSON type.
func otherSpelling(id string) string {
	if digits, ok := strings.CutPrefix(id, `"`); ok {
		return strings.TrimSuffix(digits, `"`)
	}
	return `"` + id + `"`
}
