package display

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mark is a character that a reader does not see, or that makes the text read other than it is.
type Mark struct {
	Rune   rune
	Name   string // such as "right-to-left override"
	Offset int    // where it stands, in bytes
}

// Hidden finds the invisible, direction and control characters of s. Line breaks, tabs and what joins an emoji
// are none.
func Hidden(s string) []Mark {
	if isPlain(s) {
		return nil
	}
	var found []Mark
	var last rune
	for i, size := 0, 0; i < len(s); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(s[i:])
		next, _ := utf8.DecodeRuneInString(s[i+size:])
		if r != '\n' && r != '\t' && r != '\r' && isHidden(r) && !joinsEmoji(last, r, next) {
			found = append(found, Mark{Rune: r, Name: markName(r), Offset: i})
		}
		last = r
	}
	return found
}

// Smuggled decodes the text that the tag characters (U+E0000 to U+E007F) of s spell: invisible to people, and plain
// to a model.
func Smuggled(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r >= 0xe0020 && r <= 0xe007e {
			b.WriteRune(r - 0xe0000)
		}
	}
	return b.String()
}

// Describe sums marks up for people, each kind once, such as "right-to-left override (U+202E) ×2".
func Describe(marks []Mark) []string {
	count := make(map[string]int)
	var order []string
	for _, m := range marks {
		label := fmt.Sprintf("%s (%s)", m.Name, codePoint(m.Rune))
		if isTag(m.Rune) {
			label = m.Name + " (U+E0000–U+E007F)"
		}
		if count[label]++; count[label] == 1 {
			order = append(order, label)
		}
	}
	for i, label := range order {
		if n := count[label]; n > 1 {
			order[i] = fmt.Sprintf("%s ×%d", label, n)
		}
	}
	return order
}

func isTag(r rune) bool { return r >= 0xe0000 && r <= 0xe007f }

// fillers are letters or marks by category that show nothing.
var fillers = map[rune]string{
	0x034f: "combining grapheme joiner", 0x115f: "Hangul choseong filler", 0x1160: "Hangul jungseong filler",
	0x3164: "Hangul filler", 0xffa0: "halfwidth Hangul filler", 0x2800: "blank Braille pattern",
	0x2028: "line separator", 0x2029: "paragraph separator", 0x180e: "Mongolian vowel separator",
}

func isHidden(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r < 0xa0:
		return false
	case r >= 0xfe00 && r <= 0xfe0e, r >= 0xe0100 && r <= 0xe01ef, r >= 0xe0000 && r <= 0xe007f:
		return true
	case unicode.Is(unicode.Cf, r):
		return true
	}
	_, filler := fillers[r]
	return filler
}

// joinsEmoji tells the joiner within an emoji from one that hides in a text.
func joinsEmoji(last, r, next rune) bool {
	if r != 0x200d {
		return false
	}
	return (unicode.Is(unicode.So, last) || last == 0xfe0f || unicode.Is(unicode.Sk, last)) && unicode.Is(unicode.So, next)
}

var markNames = map[rune]string{
	0x00: "null", 0x07: "bell", 0x08: "backspace", 0x1b: "escape", 0x7f: "delete", 0x9b: "control sequence introducer",
	0xad: "soft hyphen", 0x61c: "Arabic letter mark",
	0x200b: "zero width space", 0x200c: "zero width non-joiner", 0x200d: "zero width joiner",
	0x200e: "left-to-right mark", 0x200f: "right-to-left mark",
	0x202a: "left-to-right embedding", 0x202b: "right-to-left embedding", 0x202c: "pop directional formatting",
	0x202d: "left-to-right override", 0x202e: "right-to-left override",
	0x2060: "word joiner", 0x2061: "function application", 0x2062: "invisible times", 0x2063: "invisible separator",
	0x2064: "invisible plus", 0x2066: "left-to-right isolate", 0x2067: "right-to-left isolate",
	0x2068: "first strong isolate", 0x2069: "pop directional isolate", 0xfeff: "zero width no-break space",
}

func markName(r rune) string {
	if name, ok := markNames[r]; ok {
		return name
	}
	if name, ok := fillers[r]; ok {
		return name
	}
	switch {
	case r < 0xa0:
		return "control character"
	case isTag(r):
		return "tag characters"
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef:
		return "variation selector"
	}
	return "invisible character"
}

func runeLabel(r rune) string {
	if r == 0x1b {
		return "ESC"
	}
	if name, ok := markNames[r]; ok && r >= 0xa0 {
		return codePoint(r) + " " + name
	}
	return codePoint(r)
}

func codePoint(r rune) string { return fmt.Sprintf("U+%04X", r) }
