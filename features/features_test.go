// Package features holds what must be true, in Gherkin, one folder a chapter of the rules.
package features

import (
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"

	"github.com/cucumber/godog"

	"github.com/imurun/mcp-replay/mcp/servers/demo"
	"github.com/imurun/mcp-replay/steps"
	"github.com/imurun/mcp-replay/steps/run"
	"github.com/imurun/mcp-replay/steps/suite"
)

func TestMain(m *testing.M) {
	// Children start with the default action, also where what runs the suite has the signal ignored, as nohup does.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	os.Exit(m.Run())
}

// floors is how many scenarios each chapter has at least: a wrong path would run none, and pass.
var floors = map[string]int{
	"ahead":       28,
	"api":         90,
	"call":        97,
	"command":     26,
	"diff":        32,
	"formats":     18,
	"http":        103,
	"init":        29,
	"lifecycle":   25,
	"list":        30,
	"names":       12,
	"permissions": 232,
	"record":      59,
	"replay":      47,
	"rpc":         74,
	"server":      28,
	"settings":    130,
	"show":        20,
	"shrink":      5,
	"spec":        2,
	"suite":       36,
	"verify":      16,
}

func TestFeatures(t *testing.T) {
	dir := t.TempDir()
	config := &steps.Config{
		Root: "..",
		Command: sync.OnceValues(func() (string, error) {
			if path := os.Getenv("MCP_REPLAY_COMMAND"); path != "" { // built already
				return path, nil
			}
			return build(dir, "../cmd/mcp-replay")
		}),
		// Not the test binary: godog runs the go command whenever a process that links it starts, and that leaves a process of
		// its own behind, which writes to the scenario's home folder while it is being removed.
		Fake: sync.OnceValues(func() (string, error) { return build(dir, "../steps/fake/fakeserver") }),
	}
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

// testDemo runs the demo server's features against the real thing over both transports and against its cassettes,
// under godog and by the command's own runner. Over HTTP a notice that belongs to no request is lost where the host's
// stream for it is not open yet: what waits for one has the tag @stdio.
func testDemo(t *testing.T, config *steps.Config) {
	command, err := config.Command()
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(demo.Handler(nil))
	defer web.Close()
	for name, c := range map[string]struct {
		config *steps.Config
		tags   string
		floor  int
	}{
		"stdio":     {&steps.Config{Root: "..", Target: steps.Target{Command: []string{command, "server", "demo"}}}, "", floors[demoChapter]},
		"http":      {&steps.Config{Root: "..", Target: steps.Target{URL: web.URL}}, "~@stdio", floors[demoChapter] - 1},
		"cassettes": {&steps.Config{Root: "..", Cassettes: &steps.Cassettes{Dir: "../cassettes"}}, "~@live", floors[demoChapter] - 2},
	} {
		t.Run(name, func(t *testing.T) {
			suite.Run(t, c.floor, &suite.Options{Paths: []string{demoChapter}, Tags: c.tags, Config: c.config})
		})
		t.Run(name+" by the command's runner", func(t *testing.T) {
			result, err := run.Run(t.Context(), &run.Options{
				Paths: []string{demoChapter}, Tags: c.tags, Config: c.config, Jobs: 4,
				Formats: []run.Format{{Name: "progress", Out: t.Output()}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(result.Scenarios) < c.floor || len(result.Failed()) != 0 {
				t.Errorf("%d scenarios, %d failed", len(result.Scenarios), len(result.Failed()))
			}
		})
	}
}

func hasFeatures(chapter string) bool {
	found, err := filepath.Glob(filepath.Join(chapter, "*.feature"))
	return err == nil && len(found) > 0
}

// build makes a program that scenarios run.
func build(dir, source string) (string, error) {
	path := filepath.Join(dir, filepath.Base(source))
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	cmd := exec.Command("go", "build", "-o", path, source)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
}

// TestEveryStepIsUsed names the steps of the vocabulary that no feature proves.
func TestEveryStepIsUsed(t *testing.T) {
	s := godog.TestSuite{Options: &godog.Options{Paths: []string{"."}}}
	features, err := s.RetrieveFeatures()
	if err != nil {
		t.Fatal(err)
	}
	used := make(map[*steps.Entry]bool)
	for _, f := range features {
		for _, p := range f.Pickles {
			for _, step := range p.Steps {
				for _, m := range steps.All().Match(step.Text) {
					used[m.Entry] = true
				}
			}
		}
	}
	entries := steps.All().Entries()
	for i := range entries {
		if !used[&entries[i]] {
			t.Errorf("%s: no feature uses the step: %s", entries[i].Area, entries[i].Step.Pattern)
		}
	}
}
