package meaning

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// The two families of placeholders in a cassette: [redacted:KIND:N], and [path:home], [path:tmp] and [path:cwd] with their
// percent-encoded forms, such as [path:home:url].
const (
	redactedMark = "[redacted:"
	pathMark     = "[path:"
)

// HasPlaceholder tells whether v may hold a placeholder, or the doubled bracket that stands for a literal one.
func HasPlaceholder(v []byte) bool {
	return bytes.Contains(v, []byte(redactedMark)) || bytes.Contains(v, []byte(pathMark))
}

// A piece of a text: either literal, or a placeholder.
type piece struct {
	literal     string
	placeholder string
}

// pieces takes a text apart at its placeholders. A literal "[redacted:" or "[path:" is written with one more bracket in
// front, and comes out without it.
func pieces(text string) []piece {
	var out []piece
	var literal strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '[' {
			next := strings.IndexByte(text[i:], '[')
			if next < 0 {
				next = len(text) - i
			}
			literal.WriteString(text[i : i+next])
			i += next
			continue
		}
		if rest := text[i+1:]; strings.HasPrefix(rest, redactedMark) || strings.HasPrefix(rest, pathMark) {
			literal.WriteString(rest[:len(pathMark)])
			i += 1 + len(pathMark)
			continue
		}
		name := placeholder(text[i:])
		if name == "" {
			literal.WriteByte('[')
			i++
			continue
		}
		if literal.Len() > 0 {
			out = append(out, piece{literal: literal.String()})
			literal.Reset()
		}
		out = append(out, piece{placeholder: name})
		i += len(name)
	}
	if literal.Len() > 0 {
		out = append(out, piece{literal: literal.String()})
	}
	return out
}

// placeholder gives the placeholder that text begins with, or "".
func placeholder(text string) string {
	end := strings.IndexByte(text, ']')
	if end < 0 {
		return ""
	}
	switch name := text[:end+1]; {
	case strings.HasPrefix(name, pathMark):
		switch strings.TrimSuffix(name[len(pathMark):end], ":url") {
		case "home", "tmp", "cwd":
			return name
		}
	case strings.HasPrefix(name, redactedMark):
		kind, number, ok := strings.Cut(name[len(redactedMark):end], ":")
		if ok && kind != "" && number != "" && strings.Trim(number, "0123456789") == "" && !strings.Contains(kind, "[") {
			return name
		}
	}
	return ""
}

// Placeholders gives the placeholders in v, each once, in their order.
func Placeholders(v []byte) []string {
	var names []string
	seen := make(map[string]bool)
	for start, end := range Strings(v) {
		if !HasPlaceholder(v[start:end]) {
			continue
		}
		for _, p := range pieces(Text(v[start:end])) {
			if p.placeholder != "" && !seen[p.placeholder] {
				seen[p.placeholder] = true
				names = append(names, p.placeholder)
			}
		}
	}
	return names
}

// Bindings say which value each placeholder stands for in one session: same placeholder, same value.
type Bindings map[string]Value

// A Value is what a placeholder stands for: JSON, and what it reads as inside a longer text.
type Value struct {
	JSON []byte
	Text string
}

// TextValue gives the value that is a string.
func TextValue(text string) Value {
	quoted, _ := jsontext.AppendQuote(nil, text)
	return Value{quoted, text}
}

func valueOf(live []byte) Value {
	if live[0] == '"' {
		return Value{bytes.Clone(live), Text(live)}
	}
	return Value{bytes.Clone(live), string(live)}
}

// A Pattern matches a recorded value, in which placeholders may stand, against live ones.
type Pattern struct {
	Recorded []byte
	// Bound holds what earlier requests of the session have bound; a match never changes it.
	Bound Bindings
	// Fixed, where it is set, refuses to bind anything anew.
	Fixed bool

	fresh Bindings
}

// Match tells whether live can be what was recorded, and what the placeholders stand for then, beyond what is bound already.
func (p *Pattern) Match(live []byte) (Bindings, bool) {
	p.fresh = nil
	ok := p.value(trim(p.Recorded), trim(live))
	return p.fresh, ok
}

func (p *Pattern) value(recorded, live []byte) bool {
	if len(recorded) == 0 || len(live) == 0 {
		return len(recorded) == len(live)
	}
	if !HasPlaceholder(recorded) {
		return Hash(recorded) == Hash(live)
	}
	switch recorded[0] {
	case '"':
		return p.text(pieces(Text(recorded)), live)
	case '[':
		return live[0] == '[' && p.array(recorded, live)
	case '{':
		return live[0] == '{' && p.object(recorded, live)
	}
	return false
}

func (p *Pattern) array(recorded, live []byte) bool {
	var places []Member
	for m := range Members(live) {
		places = append(places, m)
	}
	i := 0
	for m := range Members(recorded) {
		if i == len(places) || !p.value(recorded[m.Start:m.End], live[places[i].Start:places[i].End]) {
			return false
		}
		i++
	}
	return i == len(places)
}

func (p *Pattern) object(recorded, live []byte) bool {
	values := make(map[string][]byte)
	count := 0
	for m := range Members(live) {
		values[Text(m.Name)] = live[m.Start:m.End]
		count++
	}
	for m := range Members(recorded) {
		value, ok := values[Text(m.Name)]
		if !ok || !p.value(recorded[m.Start:m.End], value) {
			return false
		}
		count--
	}
	return count == 0
}

func (p *Pattern) text(recorded []piece, live []byte) bool {
	if len(recorded) == 1 && recorded[0].placeholder != "" {
		name := recorded[0].placeholder
		if bound, ok := p.lookup(name); ok {
			return Hash(bound.JSON) == Hash(live) || live[0] == '"' && bound.Text == Text(live)
		}
		return p.bind(name, valueOf(live))
	}
	if live[0] != '"' {
		return false
	}
	steps := 1000
	return p.spell(recorded, Text(live), &steps)
}

// spell matches the pieces against a text from its beginning to its end. An unbound placeholder takes the fewest
// characters that let the rest match, one at least.
func (p *Pattern) spell(recorded []piece, text string, steps *int) bool {
	if *steps--; *steps < 0 {
		return false
	}
	if len(recorded) == 0 {
		return text == ""
	}
	first, rest := recorded[0], recorded[1:]
	if first.placeholder == "" {
		after, ok := strings.CutPrefix(text, first.literal)
		return ok && p.spell(rest, after, steps)
	}
	if bound, ok := p.lookup(first.placeholder); ok {
		after, ok := strings.CutPrefix(text, bound.Text)
		return ok && p.spell(rest, after, steps)
	}
	if len(rest) == 0 {
		return text != "" && p.bind(first.placeholder, TextValue(text))
	}
	for n := 1; n < len(text); n++ {
		if rest[0].placeholder == "" {
			next := strings.Index(text[n:], rest[0].literal)
			if next < 0 {
				return false
			}
			n += next
		}
		if !p.bind(first.placeholder, TextValue(text[:n])) {
			return false
		}
		if p.spell(rest, text[n:], steps) {
			return true
		}
		delete(p.fresh, first.placeholder)
		if *steps < 0 {
			return false
		}
	}
	return false
}

func (p *Pattern) lookup(name string) (Value, bool) {
	if v, ok := p.fresh[name]; ok {
		return v, true
	}
	v, ok := p.Bound[name]
	return v, ok
}

func (p *Pattern) bind(name string, v Value) bool {
	if p.Fixed {
		return false
	}
	if p.fresh == nil {
		p.fresh = make(Bindings)
	}
	p.fresh[name] = v
	return true
}

// MatchText tells whether a live text can be the recorded one, in which placeholders may stand.
func (p *Pattern) MatchText(live string) (Bindings, bool) {
	p.fresh = nil
	steps := 1000
	ok := p.spell(pieces(string(p.Recorded)), live, &steps)
	return p.fresh, ok
}

// Fill appends v with its placeholders replaced by what they are bound to, and brings doubled brackets back. A placeholder
// that is not bound stays as it stands, and missing is called with it.
func (b Bindings) Fill(dst, v []byte, missing func(placeholder string)) []byte {
	done := 0
	for start, end := range Strings(v) {
		if !HasPlaceholder(v[start:end]) {
			continue
		}
		dst = append(dst, v[done:start]...)
		done = end
		parts := pieces(Text(v[start:end]))
		if len(parts) == 1 && parts[0].placeholder != "" && !isName(v, end) {
			if value, ok := b[parts[0].placeholder]; ok {
				dst = append(dst, value.JSON...)
				continue
			}
		}
		dst, _ = jsontext.AppendQuote(dst, b.join(parts, missing))
	}
	return append(dst, v[done:]...)
}

// FillText is Fill for bytes that are no JSON.
func (b Bindings) FillText(text string, missing func(placeholder string)) string {
	return b.join(pieces(text), missing)
}

func (b Bindings) join(parts []piece, missing func(string)) string {
	var text strings.Builder
	for _, part := range parts {
		if part.placeholder == "" {
			text.WriteString(part.literal)
		} else if value, ok := b[part.placeholder]; ok {
			text.WriteString(value.Text)
		} else {
			text.WriteString(part.placeholder)
			if missing != nil {
				missing(part.placeholder)
			}
		}
	}
	return text.String()
}

// isName tells whether the string that ends before i is the name of a member.
func isName(v []byte, i int) bool {
	i = skipSpace(v, i)
	return i < len(v) && v[i] == ':'
}
