package steps

import (
	"strings"
	"testing"
)

func TestDifference(t *testing.T) {
	for _, c := range []struct{ want, got, shown string }{
		{"a b c", "a b c", ""},
		{"a b c d e", "a b x d e", "  a|  b|- c|+ x|  d|  e|"},
		{"a b c d e f", "a b c d e g", "  d|  e|- f|+ g|"},
		{"a a", "a a a", "  a|  a|+ a|"},
		{"a b", "b", "- a|  b|"},
	} {
		shown := difference(strings.Fields(c.want), strings.Fields(c.got))
		if shown = strings.ReplaceAll(shown, "\n", "|"); shown != c.shown {
			t.Errorf("%q and %q: %q, not %q", c.want, c.got, shown, c.shown)
		}
	}
}
