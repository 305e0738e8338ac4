package main

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// runHere runs the command as a user would, in this process, and gives its exit code and what it wrote.
func runHere(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, &streams{in: strings.NewReader(""), out: &out, err: &errs, width: 80})
	return code, out.String(), errs.String()
}

// The spec of every recording of a real server passes against that recording.
func TestSpecsOfRealServersPass(t *testing.T) {
	count := 0
	err := filepath.WalkDir("../../cassettes", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" {
			return err
		}
		count++
		t.Run(filepath.ToSlash(path), func(t *testing.T) {
			feature := filepath.Join(t.TempDir(), "written.feature")
			if code, _, stderr := runHere(t, "spec", path, "-o", feature); code != 0 {
				t.Fatalf("spec: exit code %d\n%s", code, stderr)
			}
			if code, stdout, stderr := runHere(t, "test", feature, "--cassettes", path); code != 0 {
				t.Errorf("test: exit code %d\n%s%s", code, stdout, stderr)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if count < 20 {
		t.Errorf("only %d recordings were found", count)
	}
}
