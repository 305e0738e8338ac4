package replay

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"sort"
	"strings"
)

// A finding is a place in a text that the redactor changes.
type finding struct {
	start, end int
	kind       findingKind
	name       string // of the secret's kind, or of the folder
	quote      string // what stands around the placeholder where the whole value was no string
}

type findingKind uint8

const (
	foundSecret      findingKind = iota + 1
	foundPath                    // a folder of this machine
	foundMark                    // a literal "[redacted:" or "[path:": one bracket goes in front
	foundPlaceholder             // a placeholder that is one already, and stays
)

// A trigger is a beginning that the finder looks for, and what may be found there.
type trigger struct {
	text  string
	name  string
	what  func(text []byte, at int, t *trigger) (finding, bool)
	shape *tokenShape
	edges [2]bool // base64: the character before, or after, holds bits of the secret as well
}

func (t *trigger) id() uint32 {
	return uint32(t.text[0]) | uint32(t.text[1])<<8 | uint32(t.text[2])<<16
}

// A finder looks for all triggers in one pass. The first three bytes of each are its id: a bit table says for most
// places of a text at once that nothing begins there.
type finder struct {
	bits     [1 << 16 / 64]uint64
	triggers []trigger // by their ids
}

// newFinder sorts numbers and not triggers, which takes a program that has just started a tenth of the time.
func newFinder(triggers []trigger) *finder {
	f := &finder{triggers: make([]trigger, len(triggers))}
	order := make([]uint64, len(triggers))
	for i := range triggers {
		id := triggers[i].id()
		h := finderHash(id)
		f.bits[h>>6] |= 1 << (h & 63)
		order[i] = uint64(id)<<32 | uint64(i)
	}
	slices.Sort(order)
	for i, n := range order {
		f.triggers[i] = triggers[uint32(n)]
	}
	return f
}

// with returns a finder that also looks for the given triggers. f itself stays as it is: others are using it.
func (f *finder) with(triggers []trigger) *finder {
	return newFinder(slices.Concat(f.triggers, triggers))
}

func finderHash(id uint32) uint32 { return id * 0x9E3779B1 >> 16 }

// find appends what it finds in text.
func (f *finder) find(text []byte, found []finding) []finding {
	i := 0
	for ; i+4 <= len(text); i++ {
		id := binary.LittleEndian.Uint32(text[i:]) & 0xFFFFFF
		if h := finderHash(id); f.bits[h>>6]&(1<<(h&63)) != 0 {
			found = f.at(id, text, i, found)
		}
	}
	if i+3 == len(text) {
		found = f.at(uint32(text[i])|uint32(text[i+1])<<8|uint32(text[i+2])<<16, text, i, found)
	}
	return found
}

// seesNothing tells that there is nothing to find in text.
func (f *finder) seesNothing(text []byte) bool {
	var room [1]finding
	return len(f.find(text, room[:0])) == 0
}

func (f *finder) at(id uint32, text []byte, i int, found []finding) []finding {
	k := sort.Search(len(f.triggers), func(k int) bool { return f.triggers[k].id() >= id })
	for ; k < len(f.triggers) && f.triggers[k].id() == id; k++ {
		t := &f.triggers[k]
		if rest := text[i:]; len(rest) >= len(t.text) && string(rest[:len(t.text)]) == t.text {
			if hit, ok := t.what(text, i, t); ok {
				found = append(found, hit)
			}
		}
	}
	return found
}

// literalTriggers are the forms of a secret that are looked for as they are. Those that depend on who encoded it
// (backslash escapes, percent-encoding) are found by decoding the text instead.
func literalTriggers(name, secret string) []trigger {
	forms := []trigger{{text: secret, name: name, what: findLiteral}}
	if len(secret) >= minEncoded {
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			for shift := range 3 {
				forms = append(forms, base64Trigger(name, secret, encoding, shift))
			}
		}
		lower := hex.EncodeToString([]byte(secret))
		forms = append(forms, trigger{text: lower, name: name, what: findLiteral},
			trigger{text: strings.ToUpper(lower), name: name, what: findLiteral})
	}
	seen := make(map[string]bool)
	return slices.DeleteFunc(forms, func(t trigger) bool {
		double := seen[t.text]
		seen[t.text] = true
		return double
	})
}

// minEncoded is how long a secret is at least for its encoded forms to be looked for: shorter ones are found by chance.
const minEncoded = 6

// base64Trigger is the part of a longer base64 text that a secret makes up all by itself, where shift bytes modulo
// three come before it.
func base64Trigger(name, secret string, encoding *base64.Encoding, shift int) trigger {
	encoded := encoding.EncodeToString(append(make([]byte, shift), secret...))
	start := (8*shift + 5) / 6            // the first character without bits of what comes before
	end := 8 * (shift + len(secret)) / 6  // the last character without bits of what comes after
	after := 8*(shift+len(secret))%6 != 0 // and whether one more has bits of both
	return trigger{text: encoded[start:end], name: name, what: findLiteral, edges: [2]bool{shift != 0, after}}
}

func findLiteral(text []byte, at int, t *trigger) (finding, bool) {
	start, end := at, at+len(t.text)
	if len(t.text) < minSecret && !t.edges[0] && !t.edges[1] && // short ones stand in longer words by chance
		(start > 0 && wordChars[text[start-1]] || end < len(text) && wordChars[text[end]]) {
		return finding{}, false
	}
	if t.edges[0] && start > 0 && isBase64(text[start-1]) {
		start--
	}
	if t.edges[1] && end < len(text) && isBase64(text[end]) {
		end++
	}
	return finding{start: start, end: end, kind: foundSecret, name: t.name}, true
}

func isBase64(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '+' || c == '/' || c == '-' || c == '_'
}

// mergeFindings sorts findings, joins secrets that overlap, and drops what a secret covers. What lies inside a
// placeholder is found no more, and the placeholders themselves are left out of the result.
func mergeFindings(found []finding) []finding {
	slices.SortStableFunc(found, func(a, b finding) int {
		return cmp.Or(a.start-b.start, b.end-a.end, int(b.kind)-int(a.kind)) // a placeholder before its like
	})
	merged, placeholder := found[:0], -1
	for _, f := range found {
		if f.kind == foundPlaceholder {
			placeholder = max(placeholder, f.end)
		} else if f.end <= placeholder {
			continue
		}
		if len(merged) == 0 || f.start >= merged[len(merged)-1].end {
			merged = append(merged, f)
			continue
		}
		last := &merged[len(merged)-1]
		switch {
		case last.kind == foundSecret:
			if f.kind == foundSecret || f.kind == foundPlaceholder { // never half of one
				last.end = max(last.end, f.end)
			}
		case f.kind == foundSecret: // it reaches into a folder, or out of a placeholder: it takes all
			f.start, f.end = last.start, max(last.end, f.end)
			*last = f
		}
	}
	return slices.DeleteFunc(merged, func(f finding) bool { return f.kind == foundPlaceholder })
}

// placeholderAt returns the end of the placeholder that begins at text[at], or 0.
func placeholderAt(text []byte, at int) int {
	rest := text[at:]
	end := bytes.IndexByte(rest[:min(len(rest), 200)], ']')
	if end < 0 {
		return 0
	}
	switch name := string(rest[:end+1]); {
	case strings.HasPrefix(name, pathMark):
		return at + end + 1
	case strings.HasPrefix(name, redactedMark):
		kind, number, ok := strings.Cut(name[len(redactedMark):end], ":")
		if ok && kind != "" && number != "" && strings.Trim(number, "0123456789") == "" {
			return at + end + 1
		}
	}
	return 0
}
