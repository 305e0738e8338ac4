package replay

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// A coding is a way in which one text stands inside another. Findings in the decoded text are taken back to where
// they come from in the source.
type coding struct {
	special string // the bytes at which a step may decode something
	// step decodes what begins at src[i], a special byte: how much of src it takes, and what it gives. Taking one byte
	// and giving it is right for what is no escape after all.
	step func(src []byte, i int) (taken int, out [utf8.UTFMax]byte, n int)
}

var (
	backslash = coding{"\\", backslashStep}
	percent   = coding{"%", percentStep}
	joined    = coding{"\r\n", func([]byte, int) (int, [utf8.UTFMax]byte, int) { return 1, [utf8.UTFMax]byte{}, 0 }}
)

// next finds the next special byte.
func (c *coding) next(src []byte) int {
	if len(c.special) == 1 {
		return bytes.IndexByte(src, c.special[0])
	}
	return bytes.IndexAny(src, c.special)
}

// decode gives the decoded text, or nil where it is the same as the source.
func (c *coding) decode(src []byte) []byte {
	i := c.next(src)
	if i < 0 {
		return nil
	}
	dst := append(make([]byte, 0, len(src)), src[:i]...)
	changed := false
	for i < len(src) {
		taken, out, n := c.step(src, i)
		changed = changed || taken != n
		dst = append(dst, out[:n]...)
		i += taken
		next := c.next(src[i:])
		if next < 0 {
			next = len(src) - i
		}
		dst = append(dst, src[i:i+next]...)
		i += next
	}
	if !changed {
		return nil
	}
	return dst
}

// mapBack turns places in the decoded text into places in the source. The findings need not be in order.
func (c *coding) mapBack(src []byte, found []finding) {
	if len(found) == 0 {
		return
	}
	places := make([]*int, 0, 2*len(found))
	for k := range found {
		places = append(places, &found[k].start, &found[k].end)
	}
	slices.SortFunc(places, func(a, b *int) int { return *a - *b })
	i, decoded := 0, 0
	for _, place := range places {
		want := *place
		for decoded < want && i < len(src) {
			run := c.next(src[i:])
			if run < 0 {
				run = len(src) - i
			}
			if run > 0 {
				run = min(run, want-decoded)
				i, decoded = i+run, decoded+run
				continue
			}
			taken, _, n := c.step(src, i)
			i, decoded = i+taken, decoded+n
		}
		*place = i
	}
	for k := range found {
		if f := &found[k]; f.quote != "" {
			f.quote = strings.ReplaceAll(strings.ReplaceAll(f.quote, `\`, `\\`), `"`, `\"`)
		}
	}
}

// backslashStep decodes an escape of a JSON string. Half a surrogate pair gives U+FFFD, as it does in the JSON package.
func backslashStep(src []byte, i int) (taken int, out [utf8.UTFMax]byte, n int) {
	if i+1 < len(src) {
		switch c := src[i+1]; c {
		case '"', '\\', '/':
			out[0] = c
			return 2, out, 1
		case 'b', 'f', 'n', 'r', 't':
			out[0] = "\b\f\n\r\t"[strings.IndexByte("bfnrt", c)]
			return 2, out, 1
		case 'u':
			r, ok := hexRune(src, i)
			if !ok {
				break
			}
			taken = 6
			if utf16.IsSurrogate(r) {
				low, ok := hexRune(src, i+6)
				if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
					r, taken = pair, 12
				}
			}
			return taken, out, utf8.EncodeRune(out[:], r)
		}
	}
	out[0] = src[i]
	return 1, out, 1
}

func hexRune(src []byte, i int) (r rune, ok bool) {
	if i+6 > len(src) || src[i] != '\\' || src[i+1] != 'u' {
		return 0, false
	}
	for _, c := range src[i+2 : i+6] {
		if !isHex(c) {
			return 0, false
		}
		r = r<<4 | rune(hexDigit(c))
	}
	return r, true
}

func hexDigit(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

func percentStep(src []byte, i int) (taken int, out [utf8.UTFMax]byte, n int) {
	if i+2 < len(src) && isHex(src[i+1]) && isHex(src[i+2]) {
		out[0] = hexDigit(src[i+1])<<4 | hexDigit(src[i+2])
		return 3, out, 1
	}
	out[0] = src[i]
	return 1, out, 1
}

// unescape gives the text that stands between the quotes of a JSON string.
func unescape(raw []byte) []byte {
	if text := backslash.decode(raw); text != nil {
		return text
	}
	return raw
}

func quote(text string) []byte {
	quoted, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(text, "\uFFFD"))
	return quoted
}
