package diff

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/replay/internal/display"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// TextOptions say how [Report.WriteText] writes.
type TextOptions struct {
	Width int // columns; 0 means 80
	Color bool
}

var classColors = [...]string{Wording: "\x1b[36m", Behaviour: "\x1b[33m", Permission: "\x1b[35m", Breaking: "\x1b[31m"}

// WriteText writes the changes for people, worst first. Descriptions stand there in full, with what hides in them
// named.
func (r *Report) WriteText(w io.Writer, o *TextOptions) error {
	if o == nil {
		o = &TextOptions{}
	}
	p := &textWriter{out: bufio.NewWriter(w), width: o.Width, color: o.Color}
	if p.width == 0 {
		p.width = 80
	}
	p.out.WriteString(r.Summary() + "\n")
	for _, n := range r.Notes {
		p.out.WriteString(n + "\n")
	}
	class := None
	for i := range r.Changes {
		if c := &r.Changes[i]; c.Class != class {
			class = c.Class
			p.out.WriteString("\n" + p.paint(classColors[class]+"\x1b[1m", strings.ToUpper(class.String())) + "\n")
		}
		p.change(&r.Changes[i])
	}
	return p.out.Flush()
}

// Summary counts the changes by class, in one line.
func (r *Report) Summary() string {
	var parts []string
	for class := Breaking; class > None; class-- {
		if n := r.Count(class); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, class))
		}
	}
	s := "no change"
	if parts != nil {
		s = strings.Join(parts, ", ")
	}
	if r.Compared+r.OnlyBefore+r.OnlyAfter > 0 {
		s += fmt.Sprintf("; %s compared", display.Count(r.Compared, "request"))
		if r.OnlyBefore > 0 {
			s += fmt.Sprintf(", %d only in the first", r.OnlyBefore)
		}
		if r.OnlyAfter > 0 {
			s += fmt.Sprintf(", %d only in the second", r.OnlyAfter)
		}
	}
	return s
}

type textWriter struct {
	out   *bufio.Writer
	width int
	color bool
}

func (p *textWriter) paint(color, s string) string {
	if !p.color || s == "" {
		return s
	}
	return color + s + "\x1b[0m"
}

func (p *textWriter) change(c *Change) {
	who := c.Tool
	if who == "" {
		who = "server"
	}
	line := "  " + p.paint("\x1b[1m", display.Plain(who)) + ": " + display.Plain(c.What)
	p.out.WriteString(line + "\n")
	if c.Pointer != "" {
		p.out.WriteString("    " + p.paint("\x1b[2m", "at "+display.Plain(c.Pointer)) + "\n")
	}
	switch {
	case c.Class == Wording:
		p.whole("-", "\x1b[31m", c.Before)
		p.whole("+", "\x1b[32m", c.After)
	case strings.HasPrefix(c.What, "the answer to "):
		from := 0
		if width := p.width - 6; len(c.Before) > width && len(c.After) > 0 || len(c.After) > width && len(c.Before) > 0 {
			from = display.Apart(string(c.Before), string(c.After), width/3)
		}
		p.excerpt("-", "\x1b[31m", c.Before, from)
		p.excerpt("+", "\x1b[32m", c.After, from)
	}
	for _, n := range c.Notes {
		p.out.WriteString("    " + p.paint("\x1b[35m", "! "+display.Plain(n)) + "\n")
	}
}

// whole writes a text in full, line by line.
func (p *textWriter) whole(sign, color string, v jsontext.Value) {
	if isNull(v) {
		return
	}
	text := meaning.Text(v)
	if v.Kind() != '"' {
		text = string(v)
	}
	for line := range strings.Lines(text) {
		p.out.WriteString("    " + p.paint(color, sign+" "+display.Plain(strings.TrimRight(line, "\r\n"))) + "\n")
	}
}

// excerpt writes a value on one line, as much of it as goes there, from a byte on.
func (p *textWriter) excerpt(sign, color string, v jsontext.Value, from int) {
	text := "(not there)"
	if len(v) > 0 {
		text = string(v[from:min(len(v), from+4*p.width)])
	}
	if from > 0 {
		text = "…" + text
	}
	p.out.WriteString("    " + p.paint(color, sign+" "+display.Cut(display.Plain(text), max(p.width-6, 20))) + "\n")
}

// changeJSON and reportJSON are the JSON that people script against.
type changeJSON struct {
	Class   string         `json:"class"`
	Tool    string         `json:"tool,omitzero"`
	Pointer string         `json:"pointer"`
	What    string         `json:"what"`
	Before  jsontext.Value `json:"before,omitzero"`
	After   jsontext.Value `json:"after,omitzero"`
	Notes   []string       `json:"notes,omitempty"`
}

type reportJSON struct {
	Worst    string       `json:"worst"`
	Changes  []changeJSON `json:"changes"`
	Requests *requests    `json:"requests,omitempty"`
	Notes    []string     `json:"notes,omitempty"`
}

type requests struct {
	Compared   int `json:"compared"`
	OnlyBefore int `json:"onlyBefore"`
	OnlyAfter  int `json:"onlyAfter"`
}

// WriteJSON writes the report as one JSON object on one line: "worst" (a class, or "none"), "changes" and, where
// recordings were compared, "requests".
func (r *Report) WriteJSON(w io.Writer) error {
	out := reportJSON{Worst: r.Worst().String(), Changes: []changeJSON{}, Notes: r.Notes}
	if r.Compared+r.OnlyBefore+r.OnlyAfter > 0 {
		out.Requests = &requests{r.Compared, r.OnlyBefore, r.OnlyAfter}
	}
	for _, c := range r.Changes {
		out.Changes = append(out.Changes, changeJSON{c.Class.String(), c.Tool, c.Pointer, c.What, c.Before, c.After, c.Notes})
	}
	err := json.MarshalWrite(w, out, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, "\n")
	return err
}
