// Package wholefile writes files that are there whole, or not at all.
package wholefile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Replace puts what write gives in the place of path. Of a symbolic link that is what it leads to. A file that is there keeps its
// permissions, and one that is read-only is left alone; a new one has the permissions of the file like, or is private without one.
func Replace(path, like string, write func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	perm := fs.FileMode(0o600)
	switch there, err := os.Stat(path); {
	case err == nil && !there.Mode().IsRegular():
		return fmt.Errorf("%s: no file, but a folder, a pipe or a device", path)
	case err == nil && there.Mode()&0o200 == 0:
		return fmt.Errorf("%s: %w: the file is read-only", path, fs.ErrPermission)
	case err == nil:
		perm = there.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	default:
		if source, err := os.Stat(like); err == nil {
			perm = source.Mode().Perm()
		}
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // which is gone already where all went well
	buffered := bufio.NewWriterSize(file, 256<<10)
	if err = write(buffered); err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = file.Chmod(perm)
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	err = os.Rename(file.Name(), path)
	if err != nil && runtime.GOOS == "windows" { // where somebody has the file open, such as the cassette itself
		return overwrite(path, file.Name())
	}
	return err
}

// overwrite copies one file into another.
func overwrite(path, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
