package replay

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// carried are the values that the live server minted in the place of recorded ones.
type carried struct {
	uses    useList
	texts   map[string]string // recorded → live
	numbers map[uint64][]byte // by name and recorded number: the live one
}

func newCarried(uses useList) *carried {
	return &carried{uses: uses, texts: make(map[string]string), numbers: make(map[uint64][]byte)}
}

// minted tells whether a recorded value of the answer at a cue is used by a later request, and by none before: then the client has
// it from the server.
func (c *carried) minted(key uint64, answer int32) bool {
	first, used := c.uses[key]
	return used && first > answer
}

// same tells whether a live leaf of an answer is the recorded one, or stands in its place: because the server minted both, or made
// the live one of values that it minted before. What is minted here is kept.
func (c *carried) same(name string, recorded, live []byte, answer int32) bool {
	if len(recorded) == 0 || len(live) == 0 {
		return false
	}
	if recorded[0] != '"' || live[0] != '"' {
		return c.sameNumber(name, recorded, live, answer)
	}
	was, is := meaning.Text(recorded), meaning.Text(live)
	if c.apply(was) == is {
		return true
	}
	if name == "nextCursor" || len(was) <= mostCarried && c.minted(meaning.HashText(was), answer) {
		c.texts[was] = is
		return true
	}
	return c.sameWords(was, is, answer)
}

// sameWords compares two texts word by word: "created note-17 in 3 s" and "created note-42 in 3 s" are the same where a later request
// uses note-17.
func (c *carried) sameWords(was, is string, answer int32) bool {
	if len(was) > mostCarried || len(is) > mostCarried {
		return false
	}
	a, b := split(was), split(is)
	if len(a) != len(b) {
		return false
	}
	fresh := make(map[string]string)
	for i := range a {
		switch {
		case a[i] == b[i] || c.texts[a[i]] == b[i] || fresh[a[i]] == b[i] && fresh[a[i]] != "":
		case a[i] != "" && b[i] != "" && isWord(rune(a[i][0])) && isWord(rune(b[i][0])) && c.minted(meaning.HashText(a[i]), answer):
			fresh[a[i]] = b[i]
		default:
			return false
		}
	}
	for was, is := range fresh {
		c.texts[was] = is
	}
	return true
}

// split takes a text apart into words and what stands between them.
func split(text string) (parts []string) {
	start, word := 0, false
	for i, r := range text {
		if w := isWord(r); i == 0 {
			word = w
		} else if w != word {
			parts = append(parts, text[start:i])
			start, word = i, w
		}
	}
	return append(parts, text[start:])
}

func (c *carried) sameNumber(name string, recorded, live []byte, answer int32) bool {
	if !isDigitOrMinus(recorded[0]) || !isDigitOrMinus(live[0]) {
		return false
	}
	found := false
	for _, key := range numberKeys(name, recorded) {
		if value, ok := c.numbers[key]; ok && meaning.Hash(value) == meaning.Hash(live) {
			return true
		}
		if c.minted(key, answer) {
			c.numbers[key] = append([]byte(nil), live...)
			found = true
		}
	}
	return found
}

func isDigitOrMinus(b byte) bool { return b == '-' || isDigit(b) }

// apply puts minted values in the place of the recorded ones in a text: the whole, or words of it that are long enough not to be
// something else by chance.
func (c *carried) apply(text string) string { return swap(text, c.texts) }

func swap(text string, values map[string]string) string {
	if len(values) == 0 {
		return text
	}
	if live, ok := values[text]; ok {
		return live
	}
	if len(text) > mostCarried {
		return text
	}
	parts := split(text)
	changed := false
	for i, part := range parts {
		if live, ok := values[part]; ok && len(part) >= 4 {
			parts[i], changed = live, true
		}
	}
	if !changed {
		return text
	}
	return strings.Join(parts, "")
}

// request puts minted values into the params of a recorded request.
func (c *carried) request(params []byte) []byte {
	if len(c.texts) == 0 && len(c.numbers) == 0 {
		return params
	}
	return mapLeaves("", params, func(name string, leaf []byte) []byte {
		if leaf[0] == '"' {
			text := meaning.Text(leaf)
			if live := c.apply(text); live != text {
				return quoted(live)
			}
			return leaf
		}
		for _, key := range numberKeys(name, leaf) {
			if live, ok := c.numbers[key]; ok {
				return live
			}
		}
		return leaf
	})
}

// mapLeaves gives v with each string and number replaced by what f makes of it. Everything else keeps its bytes; so does "_meta".
func mapLeaves(name string, v []byte, f func(name string, leaf []byte) []byte) []byte {
	if len(v) == 0 {
		return v
	}
	switch v[0] {
	case '{', '[':
	case 't', 'f', 'n':
		return v
	default:
		return f(name, v)
	}
	var out []byte
	done := 0
	for m := range meaning.Members(v) {
		at := name
		if m.Name != nil {
			if m.Is("_meta") {
				continue
			}
			at = meaning.Text(m.Name)
		}
		value := v[m.Start:m.End]
		if mapped := mapLeaves(at, value, f); string(mapped) != string(value) {
			out = append(append(out, v[done:m.Start]...), mapped...)
			done = m.End
		}
	}
	if done == 0 {
		return v
	}
	return append(out, v[done:]...)
}

// recordedFrom turns minted values in a live answer back into the recorded ones, so that the cassette stays of one piece.
func (c *carried) recordedFrom(answer jsontext.Value, bound meaning.Bindings) []byte {
	back := make(map[string]string, len(c.texts))
	for was, is := range c.texts {
		back[is] = was
	}
	return mapLeaves("", answer, func(_ string, leaf []byte) []byte {
		if leaf[0] != '"' {
			return leaf
		}
		text := meaning.Text(leaf)
		swapped := swap(text, back)
		for name, value := range bound {
			if len(value.Text) >= minCredential && !strings.HasPrefix(name, "[path:") {
				swapped = strings.ReplaceAll(swapped, value.Text, name)
			}
		}
		if swapped == text {
			return leaf
		}
		return quoted(swapped)
	})
}
