package settings

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// File is a settings file. It may not exist yet; then every server but the built-in ones is missing. Several processes
// may use one at the same time.
type File struct {
	Path    string // such as ~/.imurun/settings.json
	Program string // the command that runs the built-in servers; empty means the running program
}

// fileName is the settings file in the home folder (CFG-1).
const fileName = "settings.json"

// maxSize bounds what is read: a settings file of people has some kilobytes.
const maxSize = 16 << 20

// In gives the settings file in a home folder; see [DefaultHome].
func In(home string) *File { return &File{Path: filepath.Join(home, fileName)} }

// DefaultHome is the folder that IMURUN_HOME names, else .imurun in the user's home folder (CFG-1).
func DefaultHome() (string, error) {
	if home := os.Getenv("IMURUN_HOME"); home != "" {
		return filepath.Abs(home)
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("home folder: %w; give --home or set IMURUN_HOME", err)
	}
	return filepath.Join(user, ".imurun"), nil
}

// Load reads the settings. A file that is not there gives the defaults; one that cannot be read as JSON gives a
// [*SyntaxError] with line and column.
func (f *File) Load() (*Settings, error) {
	doc, err := f.open()
	if err != nil {
		return nil, err
	}
	return doc.read(f.Path, f.Program)
}

// open reads the file; the document is nil where there is none.
func (f *File) open() (*document, error) {
	if info, err := os.Stat(f.Path); err == nil && !info.Mode().IsRegular() && !info.IsDir() { // to open a pipe would wait for ever
		return nil, fmt.Errorf("settings: %s: is no regular file", f.Path)
	}
	file, err := os.Open(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxSize+1))
	if err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	if len(data) > maxSize {
		return nil, fmt.Errorf("settings: %s: is larger than %d MiB", f.Path, maxSize>>20)
	}
	return parse(f.Path, data, ourPart)
}

// lockWait is how long a save waits for the saves of other processes.
const lockWait = 30 * time.Second

// Update changes the file: it takes the lock that all processes share, reads what stands there now, lets change
// edit it, and puts the new file in the place of the old one at once (CFG-15). Where change fails, or nothing is
// different, nothing is written. It returns the settings as they are then.
func (f *File) Update(change func(*Edit) error) (*Settings, error) {
	path, err := f.target()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil { // CFG-14
		return nil, fmt.Errorf("settings: %w", err)
	}
	unlock, err := lock(path + ".lock")
	if err != nil {
		return nil, err
	}
	defer unlock()
	doc, err := f.open()
	if err != nil {
		return nil, err
	}
	if _, err := doc.read(f.Path, f.Program); err != nil {
		return nil, err
	}
	var before []byte
	if doc != nil {
		before = doc.bytes()
	} else if doc, err = parse(f.Path, []byte("{\n}\n"), ourPart); err != nil {
		return nil, err
	}
	if err := change(&Edit{doc: doc, file: f}); err != nil {
		return nil, err
	}
	after, err := doc.read(f.Path, f.Program)
	if err != nil {
		return nil, err
	}
	if data := doc.bytes(); !bytes.Equal(before, data) {
		if err := replace(path, data); err != nil {
			return nil, fmt.Errorf("settings: %w", err)
		}
	}
	return after, nil
}

// target follows a link, so that a file that is kept elsewhere stays there, also where it is still to be made.
func (f *File) target() (string, error) {
	path, err := filepath.EvalSymlinks(f.Path)
	if err == nil {
		return path, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("settings: %s: %w", f.Path, err)
	}
	path = f.Path
	for { // a circle of links is another error
		link, err := os.Readlink(path)
		if err != nil {
			return path, nil
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(path), link)
		}
		path = link
	}
}

func lock(path string) (unlock func(), err error) {
	l := flock.New(path, flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	if _, err := l.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("another process has held %s for %v", path, lockWait)
		}
		return nil, fmt.Errorf("settings: %w", err)
	}
	return func() { _ = l.Close() }, nil
}

// replace puts data in the place of the file, at once: a crash at any byte leaves the old file or the new one.
// The lock is held, so that what an earlier crash left behind belongs to nobody.
func replace(path string, data []byte) (err error) {
	temporary := path + ".new"
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // CFG-14
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temporary)
		}
	}()
	_, err = file.Write(data)
	err = errors.Join(err, file.Sync(), file.Close())
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes the new name of a file last; not every system can.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return nil
	}
	_ = folder.Sync()
	return folder.Close()
}
