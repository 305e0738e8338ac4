package timeline

import (
	"strings"
	"testing"

	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// TestBeginning cuts long strings at every place of an escape and of a character.
func TestBeginning(t *testing.T) {
	for _, piece := range []string{`\u00e9`, `\ud83d\ude00`, `\n`, `\\`, "é", "😀", "x"} {
		for shift := range 12 {
			quoted := `"` + strings.Repeat("-", shift) + strings.Repeat(piece, maxBeginning) + `"`
			whole := meaning.Text([]byte(quoted))
			got := beginning([]byte(quoted))
			if piece == `\ud83d\ude00` {
				got = strings.TrimSuffix(got, "\uFFFD") // half of a pair
			}
			if len(got) < maxBeginning/8 || !strings.HasPrefix(whole, got) {
				t.Errorf("%s after %d: %d bytes, ends in %q", piece, shift, len(got), got[max(0, len(got)-8):])
			}
		}
	}
	if got := beginning([]byte(`"short \u00e9"`)); got != "short é" {
		t.Errorf("%q", got)
	}
}
