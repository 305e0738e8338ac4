//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestOutputToPipe: what is written to a pipe or a device goes there, and does not take its place.
func TestOutputToPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	for _, flags := range [][]string{nil, {"--force"}} {
		read := make(chan string)
		go func() {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
			}
			read <- string(text)
		}()
		s := &streams{out: io.Discard, err: io.Discard}
		args := append([]string{"export", "--to", "har", "-o", path, "../../cassettes/server/notes/a-note-is-torn-out.jsonl"}, flags...)
		if code := run(t.Context(), args, s); code != 0 {
			t.Errorf("%q ends with %d", args, code)
		}
		if text := <-read; !strings.Contains(text, `"log"`) {
			t.Errorf("%q writes %.100q", args, text)
		}
		if info, err := os.Stat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
			t.Errorf("%q: the pipe is gone: %v, %v", args, info, err)
		}
	}
}
