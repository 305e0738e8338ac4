package timeline

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/internal/display"
)

// HTMLOptions say how [WriteHTML] writes.
type HTMLOptions struct {
	Name string // what the page is about, such as the cassette's file name
}

//go:embed page/page.html
var pageHTML string

//go:embed page/page.css
var pageCSS string

//go:embed page/page.js
var pageJS string

// entryBlock is how many entries of the diagram stand in one element of the page.
const entryBlock = 2000

// WriteHTML reads the rest of r and writes it as one page that stands alone: nothing is loaded from anywhere, and the
// page's own policy forbids it. Frames are written as they are read, packed in blocks which the page opens on
// demand, so that neither this program nor the browser holds more than it shows.
func WriteHTML(w io.Writer, r *replay.Reader, o *HTMLOptions) error {
	if o == nil {
		o = &HTMLOptions{}
	}
	p := &pageWriter{out: bufio.NewWriterSize(w, 1<<16), entryOf: map[int]int{}}
	p.b = newBuilder(r.Header())
	p.b.watch = p
	p.raw, p.spare = newRawFrames(), newRawFrames()
	lines, err := replay.NewWriter(&p.line, r.Header())
	if err != nil {
		return err
	}
	p.lines = lines
	before, after, _ := strings.Cut(pageHTML, "<!-- data -->")
	fill := strings.NewReplacer(
		"{{title}}", html.EscapeString(display.Plain(o.Name)),
		"{{script-hash}}", hash(pageJS), "{{style-hash}}", hash(pageCSS),
		"{{style}}", pageCSS,
	)
	p.out.WriteString(fill.Replace(before))
	if err := p.frames(r); err != nil {
		return err
	}
	if err := p.summary(r.Cut(), o.Name); err != nil {
		return err
	}
	p.out.WriteString(strings.Replace(after, "{{script}}", pageJS, 1))
	return p.out.Flush()
}

// hash is what the page's policy allows a script or style by.
func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// pageWriter writes the data of a page.
type pageWriter struct {
	out     *bufio.Writer
	b       *builder
	entries []byte // the block under way, as elements of a JSON array
	blocked int    // entries in it
	count   int    // entries in all
	entryOf map[int]int

	lines *replay.Writer
	line  bytes.Buffer // what lines writes
	raw   *rawFrames   // the block under way
	spare *rawFrames   // the one before it, while it is packed and until it is written
}

func (p *pageWriter) frames(r *replay.Reader) error {
	for f, err := range frames(r) {
		if err != nil {
			return err
		}
		if err := p.b.add(f); err != nil {
			return err
		}
		if err := p.keepRaw(f); err != nil {
			return err
		}
	}
	p.flushEntries()
	p.flushRaw()
	p.spare.write(p.out)
	return nil
}

// saw writes an entry of the sequence diagram: frame, microseconds, kind, side, session, label, short form, and for
// an answer the entry of its request and the outcome.
func (p *pageWriter) saw(f *replay.Frame, kind Kind, m *jsonrpc.Message, row, request int) error {
	lab, short, outcome, asked := uint32(0), "", Outcome(0), -1
	rows := &p.b.t.rows
	switch {
	case request >= 0:
		c := rows.at(request)
		lab, short, outcome = c.label, rows.text(c.got), c.outcome
		if entry, ok := p.entryOf[request]; ok {
			asked = entry
			delete(p.entryOf, request)
		}
	case m != nil && kind != KindStray:
		lab, short = p.b.t.labels.of(m.Method, nameOf(m.Method, m.Params)), said(m.Method, m.Params)
	case row >= 0:
		c := rows.at(row)
		lab, short, outcome = c.label, rows.text(c.said), c.outcome
	}
	if kind == KindHTTP && f.Head != nil && f.Head.Status != 0 {
		short = "HTTP " + strconv.Itoa(f.Head.Status)
	} else if kind == KindHTTP && f.Head != nil {
		lab = p.b.t.labels.of(f.Head.Method+" "+f.Head.Path, "")
	}
	if kind == KindEnd {
		short = string(f.End)
	}
	if kind == KindRequest && request < 0 {
		p.entryOf[row] = p.count
	}
	p.entry(f, kind, lab, short, asked, outcome)
	return nil
}

func (p *pageWriter) entry(f *replay.Frame, kind Kind, lab uint32, short string, asked int, outcome Outcome) {
	b := p.entries
	if p.blocked > 0 {
		b = append(b, ',')
	}
	b = append(b, '[')
	for _, n := range [...]int64{int64(p.b.t.Frames), f.At.Microseconds(), int64(kind), int64(f.From), int64(f.Session), int64(lab)} {
		b = append(strconv.AppendInt(b, n, 10), ',')
	}
	b = appendInScript(b, appendText(nil, display.Plain(cutBytes(short, maxShort))))
	if asked >= 0 || outcome != 0 {
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(asked), 10)
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(outcome), 10)
	}
	p.entries = append(b, ']')
	p.count++
	if p.blocked++; p.blocked == entryBlock {
		p.flushEntries()
	}
}

func (p *pageWriter) flushEntries() {
	if p.blocked == 0 {
		return
	}
	p.out.WriteString(`<script type="application/json" class="entries">[`)
	p.out.Write(p.entries)
	p.out.WriteString("]</script>\n")
	p.entries, p.blocked = p.entries[:0], 0
}

// summary writes what only the end of the recording tells.
func (p *pageWriter) summary(cut bool, name string) error {
	t := p.b.finish(cut)
	header, err := headerLine(t.Header)
	if err != nil {
		return err
	}
	b := append([]byte(`{"header":`), header...)
	for _, s := range [...][2]string{
		{"name", display.Plain(name)}, {"server", display.Plain(t.Server)}, {"protocol", display.Plain(t.Protocol)},
		{"reached", display.Plain(reached(t.Header))}, {"summary", t.Summary()},
	} {
		b = append(b, `,"`+s[0]+`":`...)
		b = appendText(b, s[1])
	}
	b = append(b, `,"frames":`...)
	b = strconv.AppendInt(b, int64(t.Frames), 10)
	b = append(b, `,"sessions":`...)
	b = strconv.AppendInt(b, int64(t.Sessions), 10)
	b = append(b, `,"length":`...)
	b = strconv.AppendInt(b, t.Length.Microseconds(), 10)
	b = append(b, `,"problems":[`...)
	for i, problem := range t.Problems {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		b = appendText(b, display.Plain(problem.Text))
		b = append(b, fmt.Sprintf(",%d,%d]", problem.Frame, problem.Count)...)
	}
	b = append(b, `],"labels":[`...)
	for i, l := range t.labels.list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		b = appendText(b, display.Plain(l.method))
		b = append(b, ',')
		b = appendText(b, display.Plain(l.name))
		b = append(b, ']')
	}
	b = append(b, `],"open":[`...)
	b = p.unanswered(b)
	b = append(b, "]}"...)
	p.out.WriteString(`<script type="application/json" id="summary">`)
	p.out.Write(appendInScript(nil, b))
	p.out.WriteString("</script>\n")
	return nil
}

// unanswered appends the requests that no answer entry belongs to: entry, outcome, microseconds.
func (p *pageWriter) unanswered(b []byte) []byte {
	first := true
	for row := range p.b.t.rows.len() {
		entry, ok := p.entryOf[row]
		if !ok {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		c := p.b.t.rows.at(row)
		b = append(b, fmt.Sprintf("[%d,%d,%d]", entry, c.outcome, c.took.Microseconds())...)
	}
	return b
}

// appendInScript appends JSON so that it can stand in a script element: no < in it can end the element.
func appendInScript(b, json []byte) []byte {
	for _, c := range json {
		if c == '<' {
			b = append(b, `\u003c`...)
			continue
		}
		b = append(b, c)
	}
	return b
}
