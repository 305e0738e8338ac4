package replay

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/policy"
)

// A job redacts one frame or one header line.
type job struct {
	r      *Redactor
	finder *finder
	again  bool // the text comes from a cassette: its placeholders are none of the traffic's own
	lines  bool // a secret may be cut by line ends, as by the data lines of an event
	learns []learning
	kinds  []string // of what was removed, where that is asked for
}

type learning struct{ name, secret string }

func (r *Redactor) newJob(again bool) *job {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return &job{r: r, finder: r.finder, again: again}
}

func (j *job) learn(name, secret string) { j.learns = append(j.learns, learning{name, secret}) }

// learnt makes the redactor know what this job has found out, and tells whether anything of it is new: then the frame is to
// be redacted once more, since the same secret may stand in it a second time.
func (j *job) learnt() bool {
	news := false
	for _, l := range j.learns {
		news = j.r.learn(l.name, l.secret) || news
	}
	return news
}

func (j *job) frame(f Frame) Frame {
	if f.Head != nil {
		f.Head = j.head(f.Head)
	}
	if f.Event != nil {
		e := *f.Event
		e.Event, e.ID, e.Comment = j.text(e.Event), j.text(e.ID), j.text(e.Comment)
		f.Event = &e
	}
	if f.Data != nil {
		f.Data = j.data(f.Data, f.Kind)
	}
	if f.Extra != nil {
		f.Extra = j.data(f.Extra, mcp.FrameMessage)
	}
	return f
}

// data redacts the payload of a frame: by its members where it is JSON, else as text.
func (j *job) data(data []byte, kind mcp.FrameKind) []byte {
	if start, end, ok := jsonDocument(data); ok {
		found := j.document(data[start:end], start, 0, kind == mcp.FrameMessage)
		return j.apply(data, found, unescape)
	}
	j.lines = bytes.IndexByte(data, '\n') >= 0
	found := j.findings(data, 0)
	j.lines = false
	if kind == mcp.FrameBody {
		found = append(found, j.form(data)...)
	}
	return j.apply(data, found, nil)
}

// text redacts a string that is no message.
func (j *job) text(s string) string {
	if s == "" {
		return s
	}
	b := []byte(s)
	return string(j.apply(b, j.findings(b, 0), nil))
}

// jsonDocument finds the JSON object or array that data consists of, but for space and a byte-order mark around it.
func jsonDocument(data []byte) (start, end int, ok bool) {
	if bytes.HasPrefix(data, []byte("\uFEFF")) {
		start = len("\uFEFF")
	}
	start = skipSpace(data, start)
	if start == len(data) || data[start] != '{' && data[start] != '[' {
		return 0, 0, false
	}
	end, deepest, err := scanValue(data, start)
	return start, end, err == nil && deepest < maxMessageDepth && skipSpace(data, end) == len(data)
}

// apply puts placeholders where the findings are. The number of a secret goes by its text, read by the given function
// where the source is escaped.
func (j *job) apply(src []byte, found []finding, read func([]byte) []byte) []byte {
	if len(found) == 0 {
		return src
	}
	if found = mergeFindings(found); len(found) == 0 {
		return src
	}
	dst := make([]byte, 0, len(src)+32*len(found))
	done := 0
	for _, f := range found {
		dst = append(dst, src[done:f.start]...)
		done = f.end
		switch f.kind {
		case foundMark:
			dst = append(dst, '[')
		case foundPath:
			dst = append(append(append(dst, pathMark...), f.name...), ']')
			j.removed("path:" + f.name)
		case foundSecret:
			j.removed(f.name)
			text := src[f.start:f.end]
			if read != nil {
				text = read(text)
			}
			key := string(text)
			if f.quote != "" {
				key = "\x00" + key // a number is not the string of its digits
			}
			dst = append(dst, f.quote...)
			dst = append(dst, j.r.placeholder(f.name, key)...)
			dst = append(dst, f.quote...)
		}
	}
	return append(dst, src[done:]...)
}

// removed notes, in a cassette that is redacted again, what was still to be removed.
func (j *job) removed(kind string) {
	if j.again {
		j.kinds = append(j.kinds, kind)
	}
}

// maxViews is how many encodings deep a secret is looked for.
const maxViews = 3

// findings gives what is to be changed in a text: in the text itself, in the JSON that it may be, and in what it decodes to.
func (j *job) findings(text []byte, depth int) []finding {
	found := j.settleMarks(text, j.finder.find(text, nil), depth)
	found = append(found, j.urls(text)...)
	for _, p := range j.r.patterns {
		found = append(found, p.find(text)...)
	}
	if depth == maxViews {
		return found
	}
	codings := []*coding{&backslash, &percent}
	if start, end, ok := jsonDocument(text); ok {
		found = append(found, j.document(text[start:end], start, depth+1, false)...)
		codings = codings[1:]
	}
	if j.lines && depth == 0 {
		codings = append(codings, &joined)
	}
	for _, c := range codings {
		decoded := c.decode(text)
		if decoded == nil {
			continue
		}
		inside := j.findings(decoded, depth+1)
		c.mapBack(text, inside)
		if c == &percent {
			for i := range inside {
				if inside[i].kind == foundPath && !strings.HasSuffix(inside[i].name, urlStyle) {
					inside[i].name += urlStyle
				}
			}
		}
		found = append(found, inside...)
	}
	return found
}

// urlStyle marks the placeholder of a folder that was percent-encoded, separators and all.
const urlStyle = ":url"

// settleMarks decides what the marks found in a text are: placeholders, in what comes from a cassette, or the traffic's own.
func (j *job) settleMarks(text []byte, found []finding, depth int) []finding {
	kept := found[:0]
	for _, f := range found {
		if f.kind == foundMark {
			if j.again {
				f.end = placeholderAt(text, f.start)
				if f.kind = foundPlaceholder; f.end == 0 || f.start > 0 && text[f.start-1] == '[' {
					continue
				}
			} else if depth > 0 {
				continue // of this text's own level only
			}
		}
		kept = append(kept, f)
	}
	return kept
}

// findMark finds a literal mark, to be told apart from a placeholder by settleMarks.
func findMark(_ []byte, at int, _ *trigger) (finding, bool) {
	return finding{start: at, end: at, kind: foundMark}, true
}

func (p *userPattern) find(text []byte) []finding {
	var found []finding
	for _, m := range p.expr.FindAllSubmatchIndex(text, -1) {
		start, end := m[0], m[1]
		if len(m) > 2 && m[2] >= 0 {
			start, end = m[2], m[3]
		}
		if end > start {
			found = append(found, finding{start: start, end: end, kind: foundSecret, name: p.name})
		}
	}
	return found
}

// urls finds the credentials of the addresses in a text.
func (j *job) urls(text []byte) []finding {
	var found []finding
	for i := 0; ; {
		n := bytes.Index(text[i:], []byte("://"))
		if n < 0 {
			return found
		}
		start := i + n
		for start > i && (wordChars[text[start-1]] || text[start-1] == '+') {
			start--
		}
		end := i + n + len("://")
		for end < len(text) && text[end] > ' ' && strings.IndexByte("\"'<>`\\|{}", text[end]) < 0 {
			end++
		}
		i = end
		if bytes.ContainsAny(text[start:end], "@?") {
			for _, span := range policy.CredentialURL(string(text[start:end])) {
				found = j.byPlace(found, span.Name, text, start+span.Start, start+span.End)
			}
		}
	}
}

// byPlace adds a secret that is known by where it stands.
func (j *job) byPlace(found []finding, name string, text []byte, start, end int) []finding {
	value := text[start:end]
	if isNoSecret(value) {
		return found
	}
	name = kindOf(strings.TrimLeft(name, "-"))
	j.learn(name, string(value))
	return append(found, finding{start: start, end: end, kind: foundSecret, name: name})
}

// isNoSecret tells values that only stand for a secret: none at all, a row of stars, a reference to a variable, or
// a placeholder.
func isNoSecret(value []byte) bool {
	return len(bytes.Trim(value, "*•")) == 0 ||
		bytes.HasPrefix(value, []byte("${")) && bytes.HasSuffix(value, []byte("}")) ||
		bytes.HasPrefix(value, []byte(redactedMark)) && placeholderAt(value, 0) == len(value)
}

// form finds the credentials of a body that is a form.
func (j *job) form(data []byte) []finding {
	if bytes.ContainsAny(data, " \t\r\n{<") || bytes.IndexByte(data, '=') < 0 {
		return nil
	}
	var found []finding
	const prefix = "form://?"
	for _, span := range policy.CredentialURL(prefix + string(data)) {
		found = j.byPlace(found, span.Name, data, span.Start-len(prefix), span.End-len(prefix))
	}
	return found
}

// args redacts a command line.
func (j *job) args(args []string) []string {
	if args == nil {
		return nil
	}
	perArg := make([][]finding, len(args))
	for _, span := range policy.CredentialArgs(args) {
		perArg[span.Arg] = j.byPlace(perArg[span.Arg], span.Name, []byte(args[span.Arg]), span.Start, span.End)
	}
	out := make([]string, len(args))
	for i, arg := range args {
		b := []byte(arg)
		out[i] = string(j.apply(b, append(j.findings(b, 0), perArg[i]...), nil))
	}
	return out
}

// head redacts the head of an HTTP request or answer.
func (j *job) head(h *mcp.HTTPHead) *mcp.HTTPHead {
	out := *h
	path := []byte(h.Path)
	found := j.findings(path, 0)
	for _, span := range policy.CredentialURL(h.Path) {
		found = j.byPlace(found, span.Name, path, span.Start, span.End)
	}
	out.Path = string(j.apply(path, found, nil))
	if h.Header == nil {
		return &out
	}
	out.Header = make(http.Header, len(h.Header))
	for name, values := range h.Header {
		if strings.EqualFold(name, "Mcp-Session-Id") {
			continue // the frame's session tells the sessions apart
		}
		redacted := make([]string, len(values))
		for i, value := range values {
			redacted[i] = j.headerValue(name, value)
		}
		out.Header[j.text(name)] = redacted
	}
	return &out
}
