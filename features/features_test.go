// Package features holds what must be true, in Gherkin, one folder a chapter of the rules.
package features

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/imurun/mcp-replay/steps"
	"github.com/imurun/mcp-replay/steps/fake"
	"github.com/imurun/mcp-replay/steps/suite"
)

func TestMain(m *testing.M) {
	fake.Main()
	os.Exit(m.Run())
}

// floors is how many scenarios each chapter has at least: a wrong path would run none, and pass.
var floors = map[string]int{
	"suite": 1,
}

func TestFeatures(t *testing.T) {
	dir := t.TempDir()
	config := &steps.Config{Root: "..", Command: sync.OnceValues(func() (string, error) { return build(dir) })}
	for chapter := range floors {
		if !hasFeatures(chapter) {
			t.Errorf("chapter %s has no feature", chapter)
		}
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() || !hasFeatures(e.Name()) {
			continue
		}
		t.Run(e.Name(), func(t *testing.T) {
			suite.Run(t, floors[e.Name()], &suite.Options{Paths: []string{e.Name()}, Vocabulary: steps.All(), Config: config})
		})
	}
}

func hasFeatures(chapter string) bool {
	found, err := filepath.Glob(filepath.Join(chapter, "*.feature"))
	return err == nil && len(found) > 0
}

// build makes the command that scenarios run.
func build(dir string) (string, error) {
	path := filepath.Join(dir, "mcp-replay")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	cmd := exec.Command("go", "build", "-o", path, "../cmd/mcp-replay")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
}
