package jsonrpc

import (
	"encoding/binary"
	"iter"
	"math/bits"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is how deep values may be nested: the limit of the JSON package, so that both take the same texts.
const maxDepth = 10000

// Valid says whether data is one JSON value as the lenient decoder of the JSON package takes it: repeated names
// and invalid UTF-8 inside strings are allowed.
func Valid(data []byte) bool {
	i := value(data, space(data, 0), 0)
	return i >= 0 && space(data, i) == len(data)
}

// Members walks the members of an object in their order, names unquoted. It ends early where v is no object or
// stops being JSON. Names and values are slices of v, save a name that holds escapes.
func Members(v jsontext.Value) iter.Seq2[[]byte, jsontext.Value] {
	return func(yield func([]byte, jsontext.Value) bool) {
		i := space(v, 0)
		if i == len(v) || v[i] != '{' {
			return
		}
		for i = space(v, i+1); i < len(v) && v[i] == '"'; i = space(v, i+1) {
			m, next := member(v, i, 1)
			if next < 0 || !yield(m.name(v), v[m.from:m.to:m.to]) {
				return
			}
			if i = next; i == len(v) || v[i] != ',' {
				return
			}
		}
	}
}

// Elements walks the elements of an array. It ends early where v is no array or stops being JSON.
func Elements(v jsontext.Value) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) {
		i := space(v, 0)
		if i == len(v) || v[i] != '[' {
			return
		}
		for i = space(v, i+1); i < len(v) && v[i] != ']'; i = space(v, i+1) {
			end := value(v, i, 1)
			if end < 0 || !yield(v[i:end:end]) {
				return
			}
			if i = space(v, end); i == len(v) || v[i] != ',' {
				return
			}
		}
	}
}

// memberAt says where a member's name and value stand in an object's text.
type memberAt struct {
	nameFrom, nameTo int // between the quotes
	from, to         int // the value
}

// name gives the member's name, unquoted.
func (m memberAt) name(b []byte) []byte {
	raw := b[m.nameFrom:m.nameTo:m.nameTo]
	for _, c := range raw {
		if c == '\\' || c >= 0x80 {
			raw, _ = jsontext.AppendUnquote(nil, b[m.nameFrom-1:m.nameTo+1]) // the error is one of UTF-8
			return raw
		}
	}
	return raw
}

// member reads the member whose name's quote is at b[i]. It returns where the next token after it begins; negative
// where the text is no JSON.
func member(b []byte, i, depth int) (memberAt, int) {
	end := str(b, i)
	if end < 0 {
		return memberAt{}, -1
	}
	m := memberAt{nameFrom: i + 1, nameTo: end - 1}
	i = space(b, end)
	if i == len(b) || b[i] != ':' {
		return m, -1
	}
	m.from = space(b, i+1)
	m.to = value(b, m.from, depth)
	if m.to < 0 {
		return m, -1
	}
	return m, space(b, m.to)
}

// space returns the index of the first byte from b[i] on that is no white space.
func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// value returns the index after the value that begins at b[i]; negative where none does. Depth counts the
// containers around it.
func value(b []byte, i, depth int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return str(b, i)
	case '{':
		return object(b, i, depth+1)
	case '[':
		return array(b, i, depth+1)
	case 't':
		return literal(b, i, "true")
	case 'f':
		return literal(b, i, "false")
	case 'n':
		return literal(b, i, "null")
	}
	return number(b, i)
}

func object(b []byte, i, depth int) int {
	if depth > maxDepth {
		return -1
	}
	i = space(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1
	}
	for i < len(b) && b[i] == '"' {
		if _, i = member(b, i, depth); i < 0 || i == len(b) {
			return -1
		}
		if b[i] == '}' {
			return i + 1
		}
		if b[i] != ',' {
			return -1
		}
		i = space(b, i+1)
	}
	return -1
}

func array(b []byte, i, depth int) int {
	if depth > maxDepth {
		return -1
	}
	i = space(b, i+1)
	if i < len(b) && b[i] == ']' {
		return i + 1
	}
	for {
		if i = value(b, i, depth); i < 0 {
			return -1
		}
		if i = space(b, i); i == len(b) {
			return -1
		}
		if b[i] == ']' {
			return i + 1
		}
		if b[i] != ',' {
			return -1
		}
		i = space(b, i+1)
	}
}

func literal(b []byte, i int, word string) int {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return -1
	}
	return i + len(word)
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// str returns the index after the string whose opening quote is at b[i].
func str(b []byte, i int) int {
	i++
	for {
		// Eight bytes at a time up to one that is a quote, a backslash or a control character. A borrow can mark a
		// byte wrongly, but only above one that is marked rightly, so the lowest mark counts.
		for ; len(b)-i >= 8; i += 8 {
			w := binary.LittleEndian.Uint64(b[i:])
			quote, slash := w^ones*'"', w^ones*'\\'
			if m := ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*' ')&^w) & highs; m != 0 {
				i += bits.TrailingZeros64(m) / 8
				break
			}
		}
		for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= ' ' {
			i++
		}
		if i == len(b) || b[i] < ' ' {
			return -1
		}
		if b[i] == '"' {
			return i + 1
		}
		if i = escape(b, i); i < 0 {
			return -1
		}
	}
}

// escape returns the index after the escape whose backslash is at b[i].
func escape(b []byte, i int) int {
	if i+1 >= len(b) {
		return -1
	}
	switch b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		if len(b)-i < 6 {
			return -1
		}
		for _, c := range b[i+2 : i+6] {
			if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
				return -1
			}
		}
		return i + 6
	}
	return -1
}

func number(b []byte, i int) int {
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch {
	case i == len(b):
		return -1
	case b[i] == '0':
		i++
	default:
		if i = digits(b, i); i < 0 {
			return -1
		}
	}
	if i < len(b) && b[i] == '.' {
		if i = digits(b, i+1); i < 0 {
			return -1
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		return digits(b, i)
	}
	return i
}

// digits returns the index after one or more digits.
func digits(b []byte, i int) int {
	from := i
	for i < len(b) && '0' <= b[i] && b[i] <= '9' {
		i++
	}
	if i == from {
		return -1
	}
	return i
}
