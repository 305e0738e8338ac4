package replay

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/imurun/mcp-replay/policy"
)

// document finds what is to be changed in a JSON document: what the names of its members tell, and what stands in its
// strings. The document stands at the given offset of the text that the findings are for. The user's pointers hold for messages.
func (j *job) document(doc []byte, offset, depth int, isMessage bool) []finding {
	w := walk{j: j, doc: doc, offset: offset, depth: depth}
	var in within
	if isMessage && len(j.r.pointers) > 0 {
		for _, pointer := range j.r.pointers {
			in.pointers = append(in.pointers, pointer)
			if doc[0] == '[' { // a batch: they hold for each message of it
				in.pointers = append(in.pointers, append([]string{"*"}, pointer...))
			}
		}
	}
	w.value(0, in)
	return w.found
}

// A walk goes through a JSON document that is known to be well formed.
type walk struct {
	j      *job
	doc    []byte
	offset int
	depth  int
	found  []finding
}

// within is what the names above a value say about it.
type within struct {
	secret   string     // the kind of secret that the value is; empty where it is none
	token    bool       // it is one only if it looks like one
	schema   bool       // it stands in a schema
	isMap    bool       // it is an environment or a header
	plain    bool       // it stays as it is
	hit      bool       // a user's pointer leads here
	pointers [][]string // what is left of the user's pointers that lead through here
}

func (w *walk) value(i int, in within) int {
	i = skipSpace(w.doc, i)
	if in.hit {
		return w.whole(i, "pointer")
	}
	switch w.doc[i] {
	case '{':
		return w.object(i, in)
	case '[':
		return w.array(i, in)
	case '"':
		end, _ := scanString(w.doc, i)
		w.string(i, end, in)
		return end
	}
	end, _ := scanLiteral(w.doc, i)
	if c := w.doc[i]; c == '-' || isDigit(c) {
		w.number(i, end, in)
	}
	return end
}

func (w *walk) object(i int, in within) int {
	for i = skipSpace(w.doc, i+1); w.doc[i] != '}'; {
		end, _ := scanString(w.doc, i)
		name := unescape(w.doc[i+1 : end-1])
		w.string(i, end, within{})
		i = skipSpace(w.doc, end)
		i = skipSpace(w.doc, w.value(i+1, in.member(name)))
		if w.doc[i] == ',' {
			i = skipSpace(w.doc, i+1)
		}
	}
	return i + 1
}

func (w *walk) array(i int, in within) int {
	i = skipSpace(w.doc, i+1)
	for n := 0; w.doc[i] != ']'; n++ {
		element := within{secret: in.secret, token: in.token, schema: in.schema}
		if in.pointers != nil {
			element.follow(in.pointers, strconv.Itoa(n))
		}
		i = skipSpace(w.doc, w.value(i, element))
		if w.doc[i] == ',' {
			i++
			i = skipSpace(w.doc, i)
		}
	}
	return i + 1
}

// member says what is known of a member's value by its name.
func (in *within) member(name []byte) within {
	value := within{schema: in.schema, plain: isPlainName(name)}
	if in.pointers != nil {
		value.follow(in.pointers, string(name))
	}
	if in.schema {
		return value // REP-4: never in a schema
	}
	switch classOf(name) {
	case nameSecret:
		value.secret = kindOf(string(name))
	case nameToken:
		value.secret, value.token = "token", true
	case nameSchema:
		value.schema = true
	case nameMap:
		value.isMap = true
	default:
		if in.isMap && policy.CredentialParameter(string(name)) {
			value.secret = kindOf(string(name))
		}
	}
	return value
}

// follow takes the pointers one step further.
func (in *within) follow(pointers [][]string, step string) {
	for _, p := range pointers {
		if len(p) > 0 && (p[0] == step || p[0] == "*") {
			in.pointers = append(in.pointers, p[1:])
			in.hit = in.hit || len(p) == 1
		}
	}
}

// whole takes a value of any type.
func (w *walk) whole(i int, name string) int {
	end, _, _ := scanValue(w.doc, i)
	switch {
	case w.doc[i] != '"':
		w.add(i, end, name, `"`)
	case !isNoSecret(w.doc[i+1 : end-1]):
		w.add(i+1, end-1, name, "")
	}
	return end
}

func (w *walk) add(start, end int, name, quote string) {
	w.found = append(w.found, finding{start: w.offset + start, end: w.offset + end, kind: foundSecret, name: name, quote: quote})
}

func (w *walk) number(i, end int, in within) {
	switch name, known := in.secret, false; {
	case in.plain:
	case name != "" && !in.token:
		w.add(i, end, name, `"`)
	case end-i >= minCredential:
		if name, known = w.j.r.isKnown(w.doc[i:end]); known {
			w.add(i, end, name, `"`)
		}
	}
}

func (w *walk) string(i, end int, in within) {
	if in.plain {
		return
	}
	raw := w.doc[i+1 : end-1]
	text := raw
	escaped := backslash.decode(raw)
	if escaped != nil {
		text = escaped
	}
	found := w.j.findings(text, w.depth)
	if in.secret != "" && !(in.token && !looksLikeToken(text)) {
		if start := secretPart(in.secret, text); !isNoSecret(text[start:]) {
			w.j.learn(in.secret, string(text[start:]))
			found = append(found, finding{start: start, end: len(text), kind: foundSecret, name: in.secret})
		}
	}
	if len(found) == 0 {
		return
	}
	if escaped != nil {
		backslash.mapBack(raw, found)
	}
	for _, f := range found {
		f.start += w.offset + i + 1
		f.end += w.offset + i + 1
		w.found = append(w.found, f)
	}
}

// looksLikeToken tells a credential from a word, since "token" is also what a text generator calls its words.
func looksLikeToken(text []byte) bool {
	return len(text) >= minSecret && strings.IndexByte(string(text), ' ') < 0
}

// secretPart passes over the scheme of an authorization.
func secretPart(name string, text []byte) int {
	if strings.HasSuffix(name, "authorization") {
		scheme, _ := splitScheme(string(text))
		return len(scheme)
	}
	return 0
}

// parsePointer takes a JSON Pointer (RFC 6901) apart.
func parsePointer(pointer string) ([]string, error) {
	if !strings.HasPrefix(pointer, "/") {
		return nil, fmt.Errorf("redaction pointer %q: %w", pointer, errPointer)
	}
	segments := strings.Split(pointer[1:], "/")
	for i, s := range segments {
		segments[i] = strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
	}
	return segments, nil
}

var errPointer = errors.New("a JSON Pointer begins with /, such as /params/arguments/pin")
