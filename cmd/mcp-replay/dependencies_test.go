package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDependenciesHaveReasons: docs/dependencies.md names each module that go.mod asks for, and no other.
func TestDependenciesHaveReasons(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, line := range strings.Split(string(mod), "\n") {
		if path, _, ok := strings.Cut(strings.TrimSpace(line), " v"); ok && !strings.HasSuffix(line, "// indirect") {
			asked[path] = true
		}
	}
	if len(asked) == 0 {
		t.Fatal("go.mod asks for nothing: this test cannot read it")
	}
	table, _, _ := strings.Cut(string(text), "\n## Tools and peers")
	reasons := map[string]bool{}
	for _, name := range regexp.MustCompile("`([a-z.]+\\.[a-z]+/[^` ]+)`").FindAllStringSubmatch(table, -1) {
		reasons[name[1]] = true
		if !asked[name[1]] {
			t.Errorf("docs/dependencies.md names %s, which go.mod does not ask for", name[1])
		}
	}
	for path := range asked {
		if !reasons[path] {
			t.Errorf("docs/dependencies.md has no reason for %s", path)
		}
	}
}
