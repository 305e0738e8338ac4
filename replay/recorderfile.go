package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A recordingFile is a cassette that is being written. It always ends with a whole line: what a full disk leaves of one is
// cut off again.
type recordingFile struct {
	*os.File
	path    string
	instead string // the file that this one takes the place of when its first frame comes
	special bool   // a pipe or a device, which is somebody else's
	size    int64
	lines   int
}

// pipeTime is how long whoever reads a pipe may keep the session waiting.
const pipeTime = time.Second

// createRecording makes the file of a recording, exclusively.
func createRecording(path string, o *RecordOptions) (*recordingFile, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	switch info, err := os.Stat(path); {
	case err != nil || info.Mode().IsRegular():
	case info.IsDir():
		return nil, fmt.Errorf("record: %s: a folder", path)
	default:
		return openSpecial(path)
	}
	free := path
	for n := 2; ; n++ {
		file, err := os.OpenFile(free, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		switch {
		case err == nil:
			return &recordingFile{File: file, path: free}, nil
		case !errors.Is(err, fs.ErrExist):
			return nil, fmt.Errorf("record: %w", err)
		case o.Force && isRegular(path) && runtime.GOOS == "windows": // where an open file cannot be renamed
			file, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0o600)
			if err != nil {
				return nil, fmt.Errorf("record: %w", err)
			}
			return &recordingFile{File: file, path: path}, nil
		case o.Force && isRegular(path):
			file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
			if err != nil {
				return nil, fmt.Errorf("record: %w", err)
			}
			return &recordingFile{File: file, path: path, instead: path}, nil
		case !o.NextFree:
			return nil, fmt.Errorf("record: %w", err)
		}
		name, ext := strings.CutSuffix(path, ".jsonl")
		if free = name + "." + strconv.Itoa(n); ext {
			free += ".jsonl"
		}
	}
}

// openSpecial opens a pipe or a device. A pipe that nobody reads is an error, where opening it would wait.
func openSpecial(path string) (*recordingFile, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ENXIO) {
		return nil, fmt.Errorf("record: %s: nobody reads this pipe", path)
	}
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return &recordingFile{File: file, path: path, special: true}, nil
}

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Write writes whole lines, or nothing.
func (f *recordingFile) Write(b []byte) (int, error) {
	if f.lines++; f.lines == 2 && f.instead != "" {
		if err := os.Rename(f.Name(), f.instead); err != nil {
			return 0, err
		}
		f.instead = ""
	}
	if f.special {
		f.SetWriteDeadline(time.Now().Add(pipeTime)) // a device has none
		return f.File.Write(b)
	}
	n, err := f.File.Write(b)
	if err != nil {
		f.Truncate(f.size) // what cannot be cut off is told by the reader
		return 0, err
	}
	f.size += int64(n)
	return n, nil
}

func (f *recordingFile) close() error {
	var err error
	if f.instead != "" {
		err = os.Rename(f.Name(), f.instead)
	}
	return errors.Join(err, f.File.Close())
}

func (f *recordingFile) remove() {
	f.File.Close()
	switch {
	case f.instead != "":
		os.Remove(f.Name())
	case f.special:
	default:
		os.Remove(f.path)
	}
}

func sortedKeys(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }

func joinWords(words []string) string { return strings.Join(words, ", ") }

func joinNumbers(numbers []int) string {
	var b []byte
	for i, n := range numbers {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(b)
}
