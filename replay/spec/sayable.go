package spec

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/replay/internal/display"
)

// sayable says whether a text can stand between double quotes in a step.
func sayable(s string) bool {
	return len(s) <= 200 && !strings.ContainsAny(s, "\"\n\r\t{}\\") && len(display.Hidden(s)) == 0 && utf8.ValidString(s) && strings.TrimSpace(s) == s
}

// showable says whether a text can stand in a docstring as it is. Gherkin takes \"\"\" there for three quotes.
func showable(s string) bool {
	return !strings.ContainsAny(s, "\r") && !strings.Contains(s, `\"\"\"`) && len(display.Hidden(s)) == 0 && utf8.ValidString(s) && s != ""
}

// cellable says whether a text can stand in a cell of a table as it is.
func cellable(s string) bool {
	return s != "" && utf8.ValidString(s) && strings.TrimSpace(s) == s && !strings.ContainsAny(s, "\r\n\t") && len(display.Hidden(s)) == 0
}

// visible writes JSON so that a reader sees what it holds: invisible and direction characters are escaped. Three escaped
// quotes, which Gherkin would unescape in a docstring, are escaped in another way.
func visible(v jsontext.Value) jsontext.Value {
	s := strings.ReplaceAll(string(v), `\"\"\"`, `\u0022\u0022\u0022`)
	marks := display.Hidden(s)
	if len(marks) == 0 {
		return jsontext.Value(s)
	}
	var b strings.Builder
	from := 0
	for _, m := range marks {
		if m.Rune == utf8.RuneError || m.Rune < 0x7f {
			continue
		}
		b.WriteString(s[from:m.Offset])
		for _, unit := range utf16.Encode([]rune{m.Rune}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
		from = m.Offset + utf8.RuneLen(m.Rune)
	}
	b.WriteString(s[from:])
	return jsontext.Value(b.String())
}
