//go:build unix

package replay

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func makePipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	return path
}

// A recording may go to a pipe, such as a shell's >(gzip >s.gz), and to a device; neither is removed, replaced or read.
func TestRecordToPipe(t *testing.T) {
	path := makePipe(t)
	if _, err := Create(path, &RecordOptions{NextFree: true}); err == nil || err.Error() != "record: "+path+": nobody reads this pipe" {
		t.Errorf("a pipe that nobody reads: %v", err)
	}
	read := make(chan string)
	go func() {
		pipe, err := os.Open(path)
		if err != nil {
			t.Error(err)
		}
		defer pipe.Close()
		text, _ := io.ReadAll(pipe)
		read <- string(text)
	}()
	var rec *Recorder
	var err error
	for rec == nil { // until the other side has opened it
		if rec, err = Create(path, &RecordOptions{Force: true, NextFree: true, Redact: &RedactOptions{Env: []string{"K=hunter2-hunter2"}}}); err != nil {
			time.Sleep(time.Millisecond)
		}
	}
	rec.Frame(message(`{"jsonrpc":"2.0","method":"hunter2-hunter2"}`))
	if err := rec.Close(); err != nil {
		t.Error(err)
	}
	if text := <-read; strings.Count(text, "\n") != 2 || !strings.Contains(text, `"method":"[redacted:k:1]"`) {
		t.Errorf("the pipe got %q", text)
	}
	if info, err := os.Stat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe is gone: %v, %v", info, err)
	}
	rec, err = Create("/dev/null", &RecordOptions{Force: true, NextFree: true})
	if err != nil {
		t.Fatal(err)
	}
	rec.Discard()
	if info, err := os.Stat("/dev/null"); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		t.Errorf("/dev/null is no device any more: %v, %v", info, err)
	}
}

// A reader that is gone, or does not read, ends the recording and not the session; that is told once.
func TestRecordToPipeThatNobodyReads(t *testing.T) {
	for _, gone := range []bool{true, false} {
		path := makePipe(t)
		fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		var warned []string
		rec, err := Create(path, &RecordOptions{Warn: func(s string) { warned = append(warned, s) }})
		if err != nil {
			t.Fatal(err)
		}
		if gone {
			unix.Close(fd)
		}
		start := time.Now()
		for range 2000 {
			rec.Frame(message(`{"jsonrpc":"2.0","method":"` + strings.Repeat("x", 100) + `"}`))
		}
		if took := time.Since(start); took > 5*pipeTime {
			t.Errorf("gone %v: the session was held up for %v", gone, took)
		}
		if err := rec.Close(); err == nil || len(warned) != 1 || !strings.Contains(warned[0], "recording stopped after") {
			t.Errorf("gone %v: %v, warned %q", gone, err, warned)
		}
		if !gone {
			unix.Close(fd)
		}
	}
}

func TestRecordToFolder(t *testing.T) {
	dir := t.TempDir()
	if _, err := Create(dir, &RecordOptions{NextFree: true}); err == nil || err.Error() != "record: "+dir+": a folder" {
		t.Errorf("%v", err)
	}
}
