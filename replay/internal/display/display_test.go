package display

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"hello":                   "hello",
		"naïve 日本":                "naïve 日本",
		"a\x1b[2Jb":               "a‹ESC›[2Jb",
		"one\r\ntwo\tx":           "one⏎two x",
		"pay \u202eelif":          "pay ‹U+202E right-to-left override›elif",
		"👩\u200d💻 ok":             "👩\u200d💻 ok",
		"a\u200db":                "a‹U+200D zero width joiner›b",
		"\x00\x9b":                "‹U+0000›\uFFFD",
		"tag\U000e0068\U000e0069": "tag‹U+E0068›‹U+E0069›",
	} {
		if got := Plain(in); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Lines("a\n\tb\x07"); got != "a\n\tb‹U+0007›" {
		t.Errorf("Lines = %q", got)
	}
}

func TestHidden(t *testing.T) {
	got := Describe(Hidden("x\u202ey\u202e \u200b \U000e0068\U000e0069"))
	want := []string{"right-to-left override (U+202E) ×2", "zero width space (U+200B)", "tag characters (U+E0000–U+E007F) ×2"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got := Smuggled("x\U000e0068\U000e0069"); got != "hi" {
		t.Errorf("Smuggled = %q", got)
	}
	if got := Hidden("plain\n\ttext ✔️ 👩\u200d💻"); got != nil {
		t.Errorf("Hidden in plain text: %v", got)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{
		{"abcdef", 6, "abcdef"}, {"abcdef", 5, "abcd…"}, {"日本語", 6, "日本語"}, {"日本語", 5, "日本…"},
		{"日本語", 4, "日…"}, {"e\u0301e\u0301", 2, "e\u0301e\u0301"}, {"abc", 0, ""}, {"abc", 1, "…"},
	} {
		got := Cut(c.in, c.width)
		if got != c.want || Width(got) > c.width {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
	if got := Pad("日本語", 4) + "|" + PadLeft("7", 3); got != "日… |  7" {
		t.Errorf("padded: %q", got)
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-1: "–", 1500 * time.Nanosecond: "1.5 µs", 94 * time.Microsecond: "94 µs", 1234 * time.Microsecond: "1.2 ms",
		12 * time.Millisecond: "12 ms", 3210 * time.Millisecond: "3.2 s", 75 * time.Second: "1m 15s", 3700 * time.Second: "1h 01m",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%d) = %q, want %q", d, got, want)
		}
	}
}

func TestApart(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"abc", "abd", 0}, {"0123456789x", "0123456789y", 7}, {"0123456ä9x", "0123456ä9y", 7}, {"same", "same", 1}, {"", "x", 0}} {
		if got := Apart(c.a, c.b, 3); got != c.want {
			t.Errorf("%q, %q: %d", c.a, c.b, got)
		}
	}
}
