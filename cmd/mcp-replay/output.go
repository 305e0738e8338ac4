package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// writeOutput lets f write to stdout, or to a file that is there only once it is whole. What is made of the file from may be
// read by those who may read that; a device or a pipe is written to as it is.
func writeOutput(s *streams, from, path string, force bool, f func(w io.Writer, color bool) error) error {
	if path == "" {
		return f(s.out, s.color)
	}
	if isFolder(path) {
		return usageError("name a file in it", "%s: a folder", path)
	}
	there, err := os.Stat(path)
	if err == nil && !there.Mode().IsRegular() {
		return writeInto(path, f)
	}
	if _, err := os.Lstat(path); err == nil && !force {
		return usageError("--force writes over it", "%s: exists already", path)
	}
	place, perm := path, fs.FileMode(0o666)
	if there != nil {
		perm = there.Mode().Perm()
		if place, err = filepath.EvalSymlinks(path); err != nil {
			return usageError("", "%w", err)
		}
	} else if source, err := os.Stat(from); err == nil {
		perm = source.Mode().Perm() & 0o666
	}
	pending, err := createBeside(place, perm)
	if err != nil {
		return usageError("name a file in a folder that can be written to", "%s: %w", path, errors.Unwrap(err))
	}
	defer os.Remove(pending.Name()) // nothing is there any more where all went well
	if err := errors.Join(f(pending, false), pending.Close()); err != nil {
		return err
	}
	if there != nil {
		err = os.Chmod(pending.Name(), perm)
	}
	if err := errors.Join(err, os.Rename(pending.Name(), place)); err != nil {
		return usageError("", "%w", err)
	}
	fmt.Fprintf(s.err, "wrote %s\n", path)
	return nil
}

// writeInto writes to a device or a pipe.
func writeInto(path string, f func(w io.Writer, color bool) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return usageError("", "%w", err)
	}
	return errors.Join(f(file, false), file.Close())
}

// createBeside makes a new file in the folder of path, with the permissions that perm and the umask leave.
func createBeside(path string, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(filepath.Join(filepath.Dir(path), ".mcp-replay-"+rand.Text()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
}
