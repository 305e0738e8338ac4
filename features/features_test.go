// Package features holds what must be true, in Gherkin, one folder a chapter of the rules.
package features

import (
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/imurun/mcp-replay/mcp/servers/demo"
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
	"server": 22,
	"suite":  1,
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
		if !e.IsDir() || !hasFeatures(e.Name()) || e.Name() == demoChapter {
			continue
		}
		t.Run(e.Name(), func(t *testing.T) {
			suite.Run(t, floors[e.Name()], &suite.Options{Paths: []string{e.Name()}, Vocabulary: steps.All(), Config: config})
		})
	}
	t.Run(demoChapter, func(t *testing.T) { testDemo(t, config) })
}

// demoChapter speaks of the demo server in the public steps alone: no step names the server.
const demoChapter = "server"

// testDemo runs the demo server's features against the real thing, over both transports.
func testDemo(t *testing.T, config *steps.Config) {
	command, err := config.Command()
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(demo.Handler(nil))
	defer web.Close()
	for name, target := range map[string]steps.Target{
		"stdio": {Command: []string{command, "server", "demo"}},
		"http":  {URL: web.URL},
	} {
		t.Run(name, func(t *testing.T) {
			suite.Run(t, floors[demoChapter], &suite.Options{
				Paths: []string{demoChapter}, Vocabulary: steps.Public(), Config: &steps.Config{Target: target},
			})
		})
	}
}

func hasFeatures(chapter string) bool {
	found, err := filepath.Glob(filepath.Join(chapter, "*.feature"))
	return err == nil && len(found) > 0
}

// build makes the command that scenarios run.
func build(dir string) (string, error) {
	if path := os.Getenv("MCP_REPLAY_COMMAND"); path != "" { // built already
		return path, nil
	}
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
