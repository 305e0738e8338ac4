// Package display makes text that others wrote fit to be shown: on one line, within so many cells of a
// terminal, and without the characters by which it could play tricks on who reads it.
//
// What a server sends may hold escape sequences that rewrite the screen, or marks that turn the direction of
// what follows. [Plain] shows such characters by their names instead:
//
//	display.Plain("safe\x1b[2Jtext")   // safe‹ESC›[2Jtext
//	display.Cut("a long line", 6)      // a lon…
package display

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Plain gives s as one line that shows what it holds: line breaks as ⏎, tabs as a space, and every control,
// invisible or direction character by its name.
func Plain(s string) string { return clean(s, false) }

// Lines is [Plain] for text of many lines: line breaks and tabs stay.
func Lines(s string) string { return clean(s, true) }

func clean(s string, lines bool) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	var last rune
	for i, size := 0, 0; i < len(s); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(s[i:])
		next, _ := utf8.DecodeRuneInString(s[i+size:])
		switch {
		case r == '\n' && lines, r == '\t' && lines:
			b.WriteRune(r)
		case r == '\n':
			b.WriteRune('⏎')
		case r == '\r' && next == '\n':
			// the line break says it
		case r == '\t':
			b.WriteByte(' ')
		case r == utf8.RuneError:
			b.WriteRune(r)
		case isHidden(r) && !joinsEmoji(last, r, next):
			b.WriteString("‹" + runeLabel(r) + "›")
		default:
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// Width is the number of terminal cells that s takes; s is plain.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// Cut shortens s to at most width cells; an ellipsis stands for what is left out.
func Cut(s string, width int) string {
	if width <= 0 {
		return ""
	}
	if len(s) <= width || Width(s) <= width {
		return s
	}
	n := 0
	for i, r := range s {
		w := runeWidth(r)
		if n+w > width-1 {
			return s[:i] + "…"
		}
		n += w
	}
	return s
}

// Pad shortens or fills s to exactly width cells.
func Pad(s string, width int) string {
	s = Cut(s, width)
	return s + strings.Repeat(" ", width-Width(s))
}

// PadLeft is [Pad] with the text at the right end.
func PadLeft(s string, width int) string {
	s = Cut(s, width)
	return strings.Repeat(" ", width-Width(s)) + s
}

// wide holds the ranges whose characters take two cells, after Unicode's East Asian Width.
var wide = [][2]rune{
	{0x1100, 0x115f}, {0x231a, 0x231b}, {0x2329, 0x232a}, {0x23e9, 0x23ec}, {0x2614, 0x2615}, {0x26a1, 0x26a1},
	{0x2705, 0x2705}, {0x274c, 0x274c}, {0x2753, 0x2755}, {0x2795, 0x2797}, {0x2b50, 0x2b50}, {0x2e80, 0x303e},
	{0x3041, 0x33ff}, {0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0xa000, 0xa4cf}, {0xa960, 0xa97c}, {0xac00, 0xd7a3},
	{0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff},
	{0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
}

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	for _, w := range wide {
		if r >= w[0] && r <= w[1] {
			return 2
		}
	}
	return 1
}

// Duration writes d as a person would, in at most seven cells.
func Duration(d time.Duration) string {
	switch {
	case d < 0:
		return "–"
	case d < 10*time.Microsecond:
		return fmt.Sprintf("%.1f µs", float64(d)/1e3)
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d/time.Microsecond)
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/1e6)
	case d < time.Second:
		return fmt.Sprintf("%d ms", d/time.Millisecond)
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", float64(d/time.Millisecond)/1e3)
	case d < time.Hour:
		return fmt.Sprintf("%dm %02ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%dh %02dm", d/time.Hour, d%time.Hour/time.Minute)
}

// Count writes n with its noun, in the plural where it is not one.
func Count[N int | int64 | uint32](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Apart gives where to begin to show two texts that are too long to be shown whole: up to lead bytes before the first place at which they
// differ, and 0 where that is near the beginning.
func Apart(a, b string, lead int) int {
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	cut := max(0, same-lead)
	for cut > 0 && cut < len(a) && a[cut]&0xC0 == 0x80 {
		cut--
	}
	return cut
}
