package replay

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

// Rewrite writes the frames of a cassette under another header to path, which may be the cassette's own. The new file takes the
// old one's place whole, or not at all.
func Rewrite(path string, c *Cassette, header *Header) error {
	return replaceFile(path, path, func(out io.Writer) error {
		w, err := NewWriter(out, header)
		if err != nil {
			return err
		}
		for f, err := range c.Frames() {
			if err != nil {
				return err
			}
			if err := w.WriteFrame(&f); err != nil {
				return err
			}
		}
		return nil
	})
}

// replaceFile puts what write gives in the place of path, whole or not at all. Of a symbolic link that is what it leads to. A file
// that is there keeps its permissions, and a new one gets those of the file like; one that is read-only is left alone.
func replaceFile(path, like string, write func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	there, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		there, err = os.Stat(like)
	case err == nil && !there.Mode().IsRegular():
		err = fmt.Errorf("%s: no file, but a folder, a pipe or a device", path)
	case err == nil && there.Mode()&0o200 == 0:
		err = fmt.Errorf("%s: %w: the file is read-only", path, fs.ErrPermission)
	}
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // which is gone already where all went well
	buffered := bufio.NewWriterSize(file, blockSize)
	if err = write(buffered); err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = file.Chmod(there.Mode().Perm())
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
