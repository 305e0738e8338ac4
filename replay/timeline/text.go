package timeline

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/internal/display"
)

// TextOptions say how [Timeline.WriteText] writes.
type TextOptions struct {
	Width     int  // columns; 0 means 80, and less than 40 counts as 40
	Color     bool // with the escape sequences of a terminal
	CallsOnly bool // only requests and their outcomes
	Name      string
}

// WriteText writes the timeline for a terminal: what it is, what went wrong, and a line for each call and
// whatever else passed. No line is wider than the terminal.
func (t *Timeline) WriteText(w io.Writer, o *TextOptions) error {
	if o == nil {
		o = &TextOptions{}
	}
	p := &textPage{t: t, out: bufio.NewWriter(w), width: max(o.Width, 40), color: o.Color, clock: clockWidth(t.Length)}
	if o.Width == 0 {
		p.width = 80
	}
	p.head(o.Name)
	p.wrong()
	for row := range t.Rows() {
		if !o.CallsOnly || row.Kind == KindRequest {
			p.row(&row)
		}
	}
	return p.out.Flush()
}

type textPage struct {
	t     *Timeline
	out   *bufio.Writer
	width int
	clock int // columns of the time
	color bool
}

type style string

const (
	plain  style = ""
	bold   style = "\x1b[1m"
	dim    style = "\x1b[2m"
	red    style = "\x1b[31m"
	green  style = "\x1b[32m"
	yellow style = "\x1b[33m"
	cyan   style = "\x1b[36m"
)

func (p *textPage) put(s style, text string) {
	if p.color && s != plain && text != "" {
		p.out.WriteString(string(s) + text + "\x1b[0m")
		return
	}
	p.out.WriteString(text)
}

// line writes one whole line, cut to the width.
func (p *textPage) line(s style, text string) {
	p.put(s, display.Cut(display.Plain(text), p.width))
	p.out.WriteByte('\n')
}

func (p *textPage) head(name string) {
	t := p.t
	if name != "" {
		p.line(bold, name)
	}
	who := t.Server
	if who == "" {
		who = "a server that gave no name"
	}
	if t.Protocol != "" {
		who += ", protocol " + t.Protocol
	}
	p.line(plain, who)
	p.line(dim, reached(t.Header))
	p.line(dim, fmt.Sprintf("recorded %s by %s", t.Header.Recorded.UTC().Format("2006-01-02 15:04:05 UTC"), t.Header.By))
	p.line(plain, t.Summary())
}

// reached says how the server was reached.
func reached(h *replay.Header) string {
	s := h.Server.URL
	if h.Server.Command != "" {
		s = strings.Join(append([]string{h.Server.Command}, h.Server.Args...), " ")
	}
	if s == "" {
		return h.Transport
	}
	return h.Transport + ": " + s
}

// Summary says in one line what the recording holds.
func (t *Timeline) Summary() string {
	s := fmt.Sprintf("%s and %s in %s", display.Count(t.Calls, "call"), display.Count(t.Frames, "frame"), display.Duration(t.Length))
	if t.Sessions > 1 {
		s += fmt.Sprintf(", %d sessions", t.Sessions)
	}
	for _, o := range []Outcome{OK, Failed, Error, Cancelled, Unanswered} {
		if n := t.Outcomes[o]; n > 0 {
			s += fmt.Sprintf(" · %d %s", n, o)
		}
	}
	return s
}

// maxWrong is how many problems the text shows; --format json has them all.
const maxWrong = 12

func (p *textPage) wrong() {
	p.out.WriteByte('\n')
	if len(p.t.Problems) == 0 {
		return
	}
	p.line(red, "What went wrong")
	for i, problem := range p.t.Problems {
		if i == maxWrong {
			p.line(red, fmt.Sprintf("  … and %d more kinds", len(p.t.Problems)-maxWrong))
			break
		}
		at := fmt.Sprintf("  (frame %d)", problem.Frame)
		if problem.Count > 1 {
			at = fmt.Sprintf("  (%d times, from frame %d)", problem.Count, problem.Frame)
		}
		text := display.Cut("  ✗ "+display.Plain(problem.Text), p.width-len(at))
		p.put(plain, text)
		p.put(dim, at)
		p.out.WriteByte('\n')
	}
	p.out.WriteByte('\n')
}

// row writes time, duration, a mark, and what it is about.
func (p *textPage) row(r *Row) {
	mark, color := rowMark(r)
	took := ""
	if r.Kind == KindRequest || r.Kind == KindHTTP || r.Repeat > 1 {
		took = display.Duration(r.Duration)
	}
	p.put(dim, display.PadLeft(seconds(r.At), p.clock))
	p.put(plain, display.PadLeft(took, 9)+"  ")
	p.put(color, mark)
	p.out.WriteByte(' ')
	left := p.width - p.clock - 9 - 4
	if p.t.Sessions > 1 {
		tag := fmt.Sprintf("s%d ", r.Session)
		p.put(dim, tag)
		left -= len(tag)
	}
	p.what(r, color, left)
	p.out.WriteByte('\n')
}

func (p *textPage) what(r *Row, color style, left int) {
	name := display.Cut(display.Plain(rowTitle(r)), left)
	emphasis := plain
	if r.Kind == KindRequest && r.Outcome != OK {
		emphasis = color
	}
	if r.Kind != KindRequest {
		emphasis = dim
	}
	p.put(emphasis, name)
	left -= display.Width(name)
	said, got := display.Plain(r.Said), rowEnd(r)
	if said != "" && left > 4 {
		room := left - 2
		if got != "" { // what was sent leaves half of the room to what came back
			room = max(room/2, room-3-display.Width(got))
		}
		said = "  " + display.Cut(said, room)
		p.put(dim, said)
		left -= display.Width(said)
	}
	if got != "" && left > 5 {
		p.put(dim, " → ")
		tint := plain
		if r.Outcome != OK {
			tint = color
		}
		p.put(tint, display.Cut(got, left-3))
	}
}

// rowEnd is what came back, with the outcome in words where it is none of the good ones.
func rowEnd(r *Row) string {
	got := display.Plain(r.Got)
	if r.Kind != KindRequest || r.Outcome == OK {
		return got
	}
	if got == "" || r.Outcome == Cancelled {
		return r.Outcome.String()
	}
	return r.Outcome.String() + ": " + got
}

// rowTitle is what a row is about.
func rowTitle(r *Row) string {
	name := title(r.Method, r.Name)
	switch r.Kind {
	case KindNotification:
		if r.Repeat > 1 {
			return fmt.Sprintf("%s ×%d", name, r.Repeat)
		}
	case KindStray:
		return "an answer to nobody's request"
	case KindNoise:
		if r.From == mcp.FromClient {
			return "no message, from the host:"
		}
		return "no message:"
	case KindStderr:
		return "stderr:"
	case KindClose:
		return "the host closed the connection"
	case KindExit:
		return "the server ended:"
	case KindEnd:
		return "the exchange was broken off"
	case KindUnknown:
		return "a frame that a newer version wrote"
	}
	return name
}

// rowMark tells direction and outcome in one character, so that it reads without colour, too.
func rowMark(r *Row) (string, style) {
	switch {
	case r.Kind == KindRequest && r.Outcome == OK && r.From == mcp.FromServer:
		return "◂", green
	case r.Kind == KindRequest && r.Outcome == OK:
		return "✓", green
	case r.Kind == KindRequest && r.Outcome == Cancelled:
		return "⊘", yellow
	case r.Kind == KindRequest && r.Outcome == Unanswered:
		return "?", yellow
	case r.Kind == KindRequest, r.Kind == KindStray, r.Kind == KindEnd, r.Kind == KindExit && r.Outcome == Error:
		return "✗", red
	case r.Kind == KindNoise:
		return "!", yellow
	case r.Kind == KindStderr:
		return "|", dim
	case r.Kind == KindClose, r.Kind == KindExit:
		return "■", dim
	case r.From == mcp.FromServer:
		return "←", cyan
	}
	return "→", cyan
}

// seconds writes a time of the timeline; clockWidth is how wide the last of them is.
func seconds(d time.Duration) string {
	return fmt.Sprintf("%.3f", d.Truncate(time.Millisecond).Seconds())
}

func clockWidth(last time.Duration) int { return max(6, len(seconds(last))) }
