package api

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func TestToken(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "new", "home")
	tokens := make([]string, 8)
	var wait sync.WaitGroup
	for i := range tokens { // as many programs start at once
		wait.Go(func() {
			var err error
			if tokens[i], err = Token(home); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for _, token := range tokens {
		if token != tokens[0] || len(token) < 20 {
			t.Errorf("the tokens are %q", tokens)
		}
	}
	entries, err := os.ReadDir(home)
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]os.FileMode{home: 0o700, filepath.Join(home, tokenFile): 0o600} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v, %v", path, info.Mode(), err)
		}
	}
}

func TestTokenRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		mode os.FileMode
		want string
	}{
		{"short\n", 0o600, "too short to be one"},
		{"", 0o600, "too short to be one"},
		{"abcdefghijklmnopqrstuvwxyz\n", 0o640, "others can read it (mode 0640)"},
	} {
		home := t.TempDir()
		path := filepath.Join(home, tokenFile)
		if err := os.WriteFile(path, []byte(c.text), c.mode); err != nil {
			t.Fatal(err)
		}
		if _, err := Token(home); (err == nil || !strings.Contains(err.Error(), c.want)) && runtime.GOOS != "windows" {
			t.Errorf("%q: %v, not %q", c.text, err, c.want)
		}
	}
}
