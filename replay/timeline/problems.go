package timeline

import (
	"fmt"
	"slices"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay/internal/display"
)

// problems collects what went wrong, like beside like: the first of a kind is told, the others are counted.
type problems struct {
	list  []Problem
	index map[[2]string]int
	more  int // of kinds beyond the limit
}

// maxProblems is how many kinds of problem are told apart. A recording in which more goes wrong is not read so.
const maxProblems = 200

func (p *problems) add(frame int, kind, about, text string) {
	key := [2]string{kind, about}
	if i, ok := p.index[key]; ok {
		p.list[i].Count++
		return
	}
	if len(p.list) == maxProblems {
		p.more++
		return
	}
	if p.index == nil {
		p.index = map[[2]string]int{}
	}
	p.index[key] = len(p.list)
	p.list = append(p.list, Problem{Text: text, Frame: frame, Count: 1})
}

// finish sums up what only the end can tell.
func (b *builder) finish(cut bool) *Timeline {
	t := b.t
	t.Cut = cut
	exited := t.rows.len() > 0 && t.rows.at(t.rows.len()-1).kind == KindExit
	for i := range t.rows.len() {
		c := t.rows.at(i)
		if c.kind != KindRequest {
			continue
		}
		if c.from == mcp.FromClient {
			t.Outcomes[c.outcome]++
		}
		switch {
		case c.outcome == Cancelled && c.from == mcp.FromClient:
			b.problems.add(int(c.frame), "cancelled", b.name(c), b.name(c)+" was given up by the host after "+display.Duration(c.took))
		case c.outcome == Unanswered && c.from == mcp.FromServer:
			b.problems.add(int(c.frame), "unanswered", b.name(c), b.name(c)+" was never answered")
		case c.outcome == Unanswered && exited && !b.closed:
			b.problems.add(int(c.frame), "unanswered", b.name(c), b.name(c)+" was never answered: the server ended first")
		case c.outcome == Unanswered:
			b.problems.add(int(c.frame), "unanswered", b.name(c), b.name(c)+" was never answered")
		}
	}
	if cut {
		b.problems.add(t.Frames, "cut", "", "the recording was cut off: its last line is not whole and is left out")
	}
	t.Problems = b.problems.list
	slices.SortStableFunc(t.Problems, func(a, b Problem) int { return a.Frame - b.Frame })
	if b.problems.more > 0 {
		t.Problems = append(t.Problems, Problem{Text: fmt.Sprintf("and %d more of other kinds", b.problems.more), Frame: t.Frames, Count: b.problems.more})
	}
	return t
}
