// Package servers runs the specs of real servers on their recordings, without a process and without a network. What the
// servers are, and how their recordings are made anew, is in package interop.
package servers

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/imurun/mcp-replay/interop"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/steps"
	"github.com/imurun/mcp-replay/steps/suite"
)

// root is the way from here to the root of the repository.
const root = "../../"

func servers(t *testing.T) []interop.Server {
	t.Helper()
	all, err := interop.Servers()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 31 {
		t.Fatalf("%d servers are in the table", len(all))
	}
	return all
}

func TestSpecsHoldOnTheRecordings(t *testing.T) {
	for _, s := range servers(t) {
		t.Run(s.Name, func(t *testing.T) {
			var paths []string
			for _, spec := range s.Specs() {
				paths = append(paths, root+spec)
			}
			suite.Run(t, 1, &suite.Options{
				Paths:  paths,
				Config: &steps.Config{Root: root, Target: steps.Target{Cassette: root + s.Cassette()}},
			})
		})
	}
}

// What a recording session asked is asked again of the recording: the client makes the same of it, and nothing is missed.
func TestRecordedSessionsPlay(t *testing.T) {
	for _, s := range servers(t) {
		t.Run(s.Name, func(t *testing.T) {
			cassette, err := replay.Open(root + s.Cassette())
			if err != nil {
				t.Fatal(err)
			}
			player, err := replay.NewPlayer(cassette, nil)
			if err != nil {
				t.Fatal(err)
			}
			did, err := s.Drive(t.Context(), player, s.Recorded, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Check(did); err != nil {
				t.Error(err)
			}
			for i, result := range did.Results {
				// One server breaks off without an answer; its recording has none either.
				if strings.Contains(result.Text, "-32050") && !strings.HasPrefix(result.Text, "never answered") {
					t.Errorf("%s %s is missed: %s", s.Calls[i].Tool, s.Calls[i].Arguments, result.Text)
				}
			}
		})
	}
}

// personal is what tells of whose machine a recording was made on. One server has an example with a folder of its own invention.
var personal = regexp.MustCompile(`/(?:root|work|Users|home)/[a-z]+`)

var invented = map[string]bool{"/home/projects": true, "/Users/john": true}

func TestRecordingsTellNothingOfTheMachine(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(root+"cassettes", func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		seen++
		content, err := os.ReadFile(path)
		for _, found := range personal.FindAllString(string(content), -1) {
			if !invented[found] {
				t.Errorf("%s names %s", path, found)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 31 {
		t.Errorf("%d cassettes seen", seen)
	}
}

func TestEverySpecHasAServer(t *testing.T) {
	run := make(map[string]bool)
	for _, s := range servers(t) {
		for _, spec := range s.Specs() {
			run[spec] = true
		}
	}
	found, err := filepath.Glob("*/*.feature")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		if spec := "features/servers/" + filepath.ToSlash(path); !run[spec] {
			t.Errorf("no server in the table keeps %s", spec)
		}
	}
}
