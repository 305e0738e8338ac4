package wholefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What takes a cassette's place keeps its permissions, goes where a link leads, and is there whole or not at all.
func TestReplace(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes, and links need a privilege")
	}
	dir := t.TempDir()
	path, link := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "link.jsonl")
	if err := errors.Join(os.WriteFile(path, []byte("old"), 0o640), os.Chmod(path, 0o640), os.Symlink("a.jsonl", link)); err != nil {
		t.Fatal(err)
	}
	put := func(text string, failure error) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return errors.Join(err, failure)
		}
	}
	holds := func(path, want string, perm fs.FileMode) {
		t.Helper()
		text, err := os.ReadFile(path)
		info, _ := os.Stat(path)
		if err != nil || string(text) != want || info.Mode().Perm() != perm {
			t.Errorf("%s holds %q with mode %v, %v; want %q with %v", path, text, info.Mode(), err, want, perm)
		}
	}
	if err := Replace(link, link, put("new", nil)); err != nil {
		t.Error(err)
	}
	holds(path, "new", 0o640)
	if target, err := os.Readlink(link); err != nil || target != "a.jsonl" {
		t.Errorf("the link leads to %q, %v", target, err)
	}
	if err := Replace(path, path, put("half", io.ErrUnexpectedEOF)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a failure is %v", err)
	}
	holds(path, "new", 0o640)
	other := filepath.Join(dir, "b.jsonl")
	if err := Replace(other, path, put("another", nil)); err != nil {
		t.Error(err)
	}
	holds(other, "another", 0o640)
	alone := filepath.Join(dir, "c.jsonl")
	if err := Replace(alone, "", put("private", nil)); err != nil {
		t.Error(err)
	}
	holds(alone, "private", 0o600)
	if err := os.Chmod(path, 0o440); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, path, put("newer", nil)); !errors.Is(err, fs.ErrPermission) || !strings.HasSuffix(err.Error(), ": the file is read-only") {
		t.Errorf("a file that is read-only: %v", err)
	}
	holds(path, "new", 0o440)
	if err := Replace(dir, path, put("x", nil)); err == nil || !strings.Contains(err.Error(), "no file, but a folder") {
		t.Errorf("a folder: %v", err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 4 {
		t.Errorf("%d files are there", len(files))
	}
}
