package settings

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// field is a name and a value to be written: a string, bool, int, []string, map[string]string or object.
type field struct {
	name  string
	value any
}

type object []field

// inlineWidth is how wide a map of texts may be to stand on one line.
const inlineWidth = 60

// splice replaces the bytes from start up to end, and reads the text anew: nodes taken before are void.
func (doc *document) splice(start, end int, text string) {
	doc.data = slices.Concat(doc.data[:start], []byte(text), doc.data[end:])
	if err := doc.parse(); err != nil {
		panic("settings: an edit made the text unreadable: " + err.Error()) // a fault of this file, caught by its tests
	}
}

// setMember sets a member of an object; where it stands, only its value changes.
func (doc *document) setMember(obj *node, name string, value any) {
	for _, m := range slices.Backward(obj.members) {
		if m.name == name {
			w := doc.writer(m.value.start)
			w.single = w.single || !doc.severalLines(obj)
			doc.splice(m.value.start, m.value.end, w.value(value, w.prefix))
			return
		}
	}
	doc.insert(obj, len(obj.members), func(w *writer, prefix string) string {
		return quote(name) + w.colon + w.value(value, prefix)
	})
}

// appendElem adds an element to the end of an array.
func (doc *document) appendElem(arr *node, value any) {
	doc.insert(arr, len(arr.elems), func(w *writer, prefix string) string { return w.value(value, prefix) })
}

// insert adds to the end of a container, in the way in which what it holds is written.
func (doc *document) insert(n *node, count int, write func(w *writer, prefix string) string) {
	w := doc.writer(n.start)
	if count == 0 {
		if w.single {
			doc.splice(n.start+1, n.end-1, write(w, ""))
			return
		}
		inner := w.prefix + w.unit
		doc.splice(n.start+1, n.end-1, w.eol+inner+write(w, inner)+w.eol+w.prefix)
		return
	}
	gap := doc.gap(n)
	prefix := gap[strings.LastIndexByte(gap, '\n')+1:]
	w.single = !strings.Contains(gap, "\n")
	if w.single && gap == "" && strings.HasSuffix(w.colon, " ") {
		gap = " "
	}
	doc.splice(n.last(), n.last(), ","+gap+write(w, prefix))
}

// last is where the last member or element ends.
func (n *node) last() int {
	if n.kind == '{' {
		return n.members[len(n.members)-1].value.end
	}
	return n.elems[len(n.elems)-1].end
}

// bounds gives where the member or element at i begins and ends.
func (n *node) bounds(i int) (start, end int) {
	if n.kind == '{' {
		return n.members[i].start, n.members[i].value.end
	}
	return n.elems[i].start, n.elems[i].end
}

func (n *node) count() int { return len(n.members) + len(n.elems) }

// gap is the space before the last member or element.
func (doc *document) gap(n *node) string {
	from := n.start + 1
	if c := n.count(); c > 1 {
		_, from = n.bounds(c - 2)
	}
	to, _ := n.bounds(n.count() - 1)
	return strings.ReplaceAll(string(doc.data[from:to]), ",", "")
}

// remove takes a member or element out, with the comma and the space that belong to it.
func (doc *document) remove(n *node, i int) {
	start, end := n.bounds(i)
	switch {
	case n.count() == 1:
		start, end = n.start+1, n.end-1
	case i == 0:
		end, _ = n.bounds(1)
	default:
		_, start = n.bounds(i - 1)
	}
	doc.splice(start, end, "")
}

// removeMember takes every member of the name out.
func (doc *document) removeMember(obj func() *node, name string) {
	for {
		i := slices.IndexFunc(obj().members, func(m member) bool { return m.name == name })
		if i < 0 {
			return
		}
		doc.remove(obj(), i)
	}
}

func (doc *document) severalLines(n *node) bool {
	return bytes.ContainsRune(doc.data[n.start:n.end], '\n')
}

// writer writes values in the document's own style.
type writer struct {
	eol, unit, colon string
	prefix           string // the indentation of the line
	single           bool   // everything on one line
}

// writer reads the style of the document, for writing at offset.
func (doc *document) writer(offset int) *writer {
	w := &writer{eol: "\n", unit: "  ", colon: ": "}
	if bytes.Contains(doc.data, []byte("\r\n")) {
		w.eol = "\r\n"
	}
	if root := doc.root; len(root.members) > 0 {
		first := root.members[0]
		w.colon = string(doc.data[first.end:first.value.start])
		if strings.ContainsAny(w.colon, "\r\n") {
			w.colon = ": "
		}
		gap := string(doc.data[root.start+1 : first.start])
		w.single = !doc.severalLines(root)
		if at := strings.LastIndexByte(gap, '\n'); at >= 0 && gap[at+1:] != "" {
			w.unit = gap[at+1:]
		}
	}
	line := doc.data[bytes.LastIndexByte(doc.data[:offset], '\n')+1:]
	w.prefix = string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	return w
}

// value writes a value; prefix is the indentation of the line that it begins on.
func (w *writer) value(v any, prefix string) string {
	switch v := v.(type) {
	case string:
		return quote(v)
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case []string:
		quoted := make([]string, len(v))
		for i, s := range v {
			quoted[i] = quote(s)
		}
		return "[" + strings.Join(quoted, w.comma()) + "]"
	case map[string]string:
		var o object
		for _, name := range slices.Sorted(maps.Keys(v)) {
			o = append(o, field{name, v[name]})
		}
		inline := *w
		inline.single = true
		if text := inline.object(o, ""); len(text) <= inlineWidth {
			return text
		}
		return w.object(o, prefix)
	case object:
		return w.object(v, prefix)
	}
	panic("settings: no way to write this value")
}

func (w *writer) object(o object, prefix string) string {
	if len(o) == 0 {
		return "{}"
	}
	inner, open, between, end := prefix+w.unit, "", w.comma(), ""
	if !w.single {
		open, between, end = w.eol+inner, ","+w.eol+inner, w.eol+prefix
	}
	members := make([]string, len(o))
	for i, f := range o {
		members[i] = quote(f.name) + w.colon + w.value(f.value, inner)
	}
	return "{" + open + strings.Join(members, between) + end + "}"
}

func (w *writer) comma() string {
	if strings.HasSuffix(w.colon, " ") {
		return ", "
	}
	return ","
}

func quote(s string) string {
	quoted, _ := jsontext.AppendQuote(nil, s) // what is not UTF-8 becomes U+FFFD, and does not come here
	return string(quoted)
}
