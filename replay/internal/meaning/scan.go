package meaning

import (
	"bytes"
	"iter"

	"github.com/go-json-experiment/json/jsontext"
)

// The walks of this file take JSON that has been checked before: they find where things end and check nothing. On
// anything else they give some spans inside the bytes, and never panic.

// A Member is one member of an object, or (with a nil Name) one element of an array: where it stands in its container.
type Member struct {
	Name       []byte // as it is spelt, with its quotes
	Start, End int    // of the value
}

// Is tells whether the member has the given name.
func (m Member) Is(name string) bool {
	if bytes.IndexByte(m.Name, '\\') >= 0 {
		return Text(m.Name) == name
	}
	return len(m.Name) == len(name)+2 && string(m.Name[1:len(m.Name)-1]) == name
}

// Members gives the members of the object, or the elements of the array, that v is; none for anything else.
func Members(v []byte) iter.Seq[Member] {
	return func(yield func(Member) bool) {
		i := skipSpace(v, 0)
		if i >= len(v) || v[i] != '{' && v[i] != '[' {
			return
		}
		object := v[i] == '{'
		for i = skipSpace(v, i+1); i < len(v) && v[i] != '}' && v[i] != ']'; i = skipSpace(v, i) {
			var m Member
			if object {
				if v[i] != '"' {
					return
				}
				end := stringEnd(v, i)
				m.Name = v[i:end]
				i = skipSpace(v, end)
				if i >= len(v) || v[i] != ':' || len(m.Name) < 2 {
					return
				}
				i = skipSpace(v, i+1)
			}
			m.Start, m.End = i, valueEnd(v, i)
			if m.End == i || !yield(m) {
				return
			}
			if i = skipSpace(v, m.End); i < len(v) && v[i] == ',' {
				i++
			}
		}
	}
}

// Find gives the place of the last member of v with the given name: what most readers take where a name is given twice.
func Find(v []byte, name string) (m Member, ok bool) {
	for each := range Members(v) {
		if each.Is(name) {
			m, ok = each, true
		}
	}
	return m, ok
}

// Begin gives where the value of the first member of v with the given name begins; what comes after it is not looked at.
func Begin(v []byte, name string) (start int, ok bool) {
	i := skipSpace(v, 0)
	if i >= len(v) || v[i] != '{' {
		return 0, false
	}
	for i = skipSpace(v, i+1); i < len(v) && v[i] == '"'; i = skipSpace(v, i) {
		m := Member{Name: v[i:stringEnd(v, i)]}
		i = skipSpace(v, i+len(m.Name))
		if i >= len(v) || v[i] != ':' || len(m.Name) < 2 {
			return 0, false
		}
		if i = skipSpace(v, i+1); m.Is(name) {
			return i, i < len(v)
		}
		if i = skipSpace(v, valueEnd(v, i)); i < len(v) && v[i] == ',' {
			i++
		}
	}
	return 0, false
}

// At follows the names down from v; nil where there is no such member.
func At(v []byte, names ...string) []byte {
	for _, name := range names {
		m, ok := Find(v, name)
		if !ok {
			return nil
		}
		v = v[m.Start:m.End]
	}
	return v
}

// Text decodes a JSON string. What cannot be decoded in it becomes U+FFFD, and what is no string is empty.
func Text(v []byte) string {
	v = bytes.TrimSpace(v)
	if len(v) < 2 || v[0] != '"' {
		return ""
	}
	if body := v[1 : len(v)-1]; bytes.IndexByte(body, '\\') < 0 {
		return string(body)
	}
	text, _ := jsontext.AppendUnquote(nil, v)
	return string(text)
}

// Strings gives the places of all strings in v, names included.
func Strings(v []byte) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		for i := 0; i < len(v); {
			quote := bytes.IndexByte(v[i:], '"')
			if quote < 0 {
				return
			}
			start := i + quote
			i = stringEnd(v, start)
			if i-start < 2 || !yield(start, i) {
				return
			}
		}
	}
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// stringEnd gives the index behind the string whose opening quote is b[i].
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); {
		quote := bytes.IndexByte(b[i:], '"')
		if quote < 0 {
			return len(b)
		}
		end := i + quote
		slashes := 0
		for k := end - 1; k >= i && b[k] == '\\'; k-- {
			slashes++
		}
		i = end + 1
		if slashes%2 == 0 {
			return i
		}
	}
	return len(b)
}

// valueEnd gives the index behind the value that begins at b[i].
func valueEnd(b []byte, i int) int {
	if i >= len(b) {
		return i
	}
	switch b[i] {
	case '"':
		return stringEnd(b, i)
	case '{', '[':
	default:
		return literalEnd(b, i)
	}
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			i = stringEnd(b, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return len(b)
}

func literalEnd(b []byte, i int) int {
	for i < len(b) {
		switch b[i] {
		case ',', '}', ']', ':', ' ', '\t', '\n', '\r':
			return i
		}
		i++
	}
	return i
}
