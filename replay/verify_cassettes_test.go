package replay

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Every recording in the repository, played as the server, gives to its own requests the answers that it holds.
func TestCassettesVerifyAgainstThemselves(t *testing.T) {
	const root = "../cassettes"
	count := 0
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" {
			return err
		}
		count++
		name, _ := filepath.Rel(root, path)
		t.Run(filepath.ToSlash(name), func(t *testing.T) { verifyItself(t, path) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if count == 0 {
		t.Error("there are no cassettes")
	}
}

func verifyItself(t *testing.T, path string) {
	t.Parallel()
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	player, err := NewPlayer(c, &PlayOptions{UserRules: c.Header().Rules.User})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	report, err := Verify(ctx, c, player, &VerifyOptions{Consent: func([]string) bool { return true }, Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if !report.OK() || report.Same+len(report.Skipped) != report.Requests {
		var text strings.Builder
		if err := report.WriteText(&text); err != nil {
			t.Fatal(err)
		}
		t.Error(text.String())
	}
}
