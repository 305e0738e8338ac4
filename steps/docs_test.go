package steps_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/steps"
)

// TestWritingSpecs keeps the list of steps in docs/writing-specs.md true; UPDATE=1 writes it anew.
func TestWritingSpecs(t *testing.T) {
	const file, open, end = "../docs/writing-specs.md", "-->\n```gherkin\n", "```\n"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), open)
	if !ok {
		t.Fatalf("%s has no list of steps", file)
	}
	got, after, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("%s: the list of steps has no end", file)
	}
	var list bytes.Buffer
	if err := steps.Public().Print(&list); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(before+open+list.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(list.String(), got); diff != "" {
		t.Errorf("%s is not what the vocabulary says; UPDATE=1 writes it (- vocabulary, + file):\n%s", file, diff)
	}
}
