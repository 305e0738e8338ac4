package replay

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// maxDepth is how deep a cassette's line may nest: what the JSON package reads, too. A message is written as one
// only below maxMessageDepth, so that it still fits inside its line.
const (
	maxDepth        = 10_000
	maxMessageDepth = 9_000
)

// A syntaxError says where in a line the JSON ends to be JSON.
type syntaxError struct {
	offset int
	what   string
	cut    bool // nothing is wrong but that the line ends
}

func (e *syntaxError) Error() string { return fmt.Sprintf("column %d: %s", e.offset+1, e.what) }

// scanValue finds the end of the JSON value that begins at b[i], and how deep it nests. Every line of a cassette
// passes through here at least once, so it is written for speed: no token is made, no string is decoded. It takes
// what RFC 8259 takes, repeated names and lone surrogates too; that the bytes are UTF-8 is checked elsewhere.
func scanValue(b []byte, i int) (end, deepest int, err error) {
	var objects uint64 // a bit for each container around, the innermost the lowest: whether it is an object
	var outer []uint64 // the bits of the containers that are 64 and more levels out
	depth := 0

value:
	i = skipSpace(b, i)
	if i == len(b) {
		return i, deepest, &syntaxError{i, "the line ends where a value is due", true}
	}
	switch c := b[i]; c {
	case '"':
		if i, err = scanString(b, i); err != nil {
			return i, deepest, err
		}
	case '{', '[':
		if depth++; depth > maxDepth {
			return i, deepest, &syntaxError{i, "nested too deep", false}
		}
		deepest = max(deepest, depth)
		i = skipSpace(b, i+1)
		if i < len(b) && b[i] == c+2 { // the bracket that closes it
			i++
			depth--
			break
		}
		if depth%64 == 0 {
			outer = append(outer, objects)
		}
		if objects <<= 1; c == '[' {
			goto value
		}
		objects |= 1
		goto name
	default:
		if i, err = scanLiteral(b, i); err != nil {
			return i, deepest, err
		}
	}

after:
	if depth == 0 {
		return i, deepest, nil
	}
	i = skipSpace(b, i)
	if i == len(b) {
		return i, deepest, &syntaxError{i, "the line ends inside an object or array", true}
	}
	switch isObject := objects&1 != 0; {
	case b[i] == ',' && isObject:
		i = skipSpace(b, i+1)
		goto name
	case b[i] == ',':
		i++
		goto value
	case b[i] == '}' && isObject, b[i] == ']' && !isObject:
		i++
		if objects >>= 1; depth%64 == 0 {
			objects, outer = outer[len(outer)-1], outer[:len(outer)-1]
		}
		depth--
		goto after
	case isObject:
		return i, deepest, unexpected(b, i, "',' or '}'")
	}
	return i, deepest, unexpected(b, i, "',' or ']'")

name:
	if i == len(b) || b[i] != '"' {
		return i, deepest, unexpected(b, i, "a name")
	}
	if i, err = scanString(b, i); err != nil {
		return i, deepest, err
	}
	i = skipSpace(b, i)
	if i == len(b) || b[i] != ':' {
		return i, deepest, unexpected(b, i, "':'")
	}
	i++
	goto value
}

// scanString finds the end of the JSON string whose opening quote is b[i].
func scanString(b []byte, i int) (int, error) {
	start := i
	i++
	for {
		i = plainRun(b, i)
		if i == len(b) {
			return i, &syntaxError{start, "a string that does not end", true}
		}
		switch b[i] {
		case '"':
			return i + 1, nil
		case '\\':
			if i+1 == len(b) {
				return i, &syntaxError{start, "a string that does not end", true}
			}
			switch b[i+1] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				i += 2
			case 'u':
				for k := 2; k < 6; k++ {
					if i+k >= len(b) || !isHex(b[i+k]) {
						return i, &syntaxError{i, `a \u escape without four hex digits`, i+k >= len(b)}
					}
				}
				i += 6
			default:
				return i, &syntaxError{i, "an unknown escape in a string", false}
			}
		default:
			return i, &syntaxError{i, "a raw control character in a string", false}
		}
	}
}

// plainRun returns the index of the first byte from b[i] on that is a quote, a backslash or a control character,
// or len(b). It looks at eight bytes at a time.
func plainRun(b []byte, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		quote := w ^ ones*'"'
		slash := w ^ ones*'\\'
		// The lowest byte that any of the three finds is exact; those above it may be borrowed.
		if hit := ((w-ones*0x20)&^w | (quote-ones)&^quote | (slash-ones)&^slash) & highs; hit != 0 {
			return i + bits.TrailingZeros64(hit)/8
		}
	}
	for ; i < len(b); i++ {
		if c := b[i]; c < 0x20 || c == '"' || c == '\\' {
			return i
		}
	}
	return i
}

// scanLiteral finds the end of the number, true, false or null that begins at b[i].
func scanLiteral(b []byte, i int) (int, error) {
	for _, word := range [...]string{"true", "false", "null"} {
		if b[i] == word[0] {
			if len(b)-i >= len(word) && string(b[i:i+len(word)]) == word {
				return i + len(word), nil
			}
			if rest := string(b[i:min(len(b), i+len(word))]); i+len(rest) == len(b) && rest == word[:len(rest)] {
				return i, &syntaxError{i, "the line ends inside a value", true}
			}
			return i, unexpected(b, i, "a value")
		}
	}
	start := i
	if b[i] == '-' {
		i++
	}
	switch {
	case i < len(b) && b[i] == '0':
		i++
	case i < len(b) && isDigit(b[i]):
		i = digits(b, i)
	default:
		return start, unexpected(b, i, "a value")
	}
	if i < len(b) && b[i] == '.' {
		if i+1 == len(b) || !isDigit(b[i+1]) {
			return i, &syntaxError{i, "a number without digits after its point", i+1 == len(b)}
		}
		i = digits(b, i+1)
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if i == len(b) || !isDigit(b[i]) {
			return i, &syntaxError{i, "a number without digits in its exponent", i == len(b)}
		}
		i = digits(b, i)
	}
	return i, nil
}

func digits(b []byte, i int) int {
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	return i
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f'
}

func unexpected(b []byte, i int, want string) error {
	if i >= len(b) {
		return &syntaxError{i, "the line ends where " + want + " is due", true}
	}
	return &syntaxError{i, fmt.Sprintf("%q where %s is due", rune(b[i]), want), false}
}
