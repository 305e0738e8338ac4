package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
)

func message(data string) mcp.Frame {
	return mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameMessage, Data: []byte(data)}
}

// Two recorders never share a file, and a host that starts its server again loses neither session.
func TestCreateTakesAFileOfItsOwn(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "deep", "s.jsonl")
	var warned []string
	o := &RecordOptions{NextFree: true, Warn: func(s string) { warned = append(warned, s) }}
	var paths []string
	for i := range 3 {
		rec, err := Create(path, o)
		if err != nil {
			t.Fatal(err)
		}
		rec.Frame(message(fmt.Sprintf(`{"n":%d}`, i)))
		if err := rec.Close(); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, filepath.Base(rec.Path()))
	}
	if diff := cmp.Diff([]string{"s.jsonl", "s.2.jsonl", "s.3.jsonl"}, paths); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(warned) != 2 || warned[0] != path+" exists, recording to "+filepath.Join(dir, "deep", "s.2.jsonl") {
		t.Errorf("warned %q", warned)
	}
	if _, err := Create(path, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("an existing file: %v", err)
	}
	if _, err := Create(dir, nil); err == nil {
		t.Error("a folder is taken")
	}
}

// With Force the old file is there until the first frame of the new one.
func TestCreateForce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	first, err := Create(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	first.Frame(message(`{"n":1}`))
	first.Close()

	again, err := Create(path, &RecordOptions{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		if c := openCassette(t, path); c.Len() != 1 {
			t.Errorf("%d frames before the first", c.Len())
		}
		again.Discard()
		if c := openCassette(t, path); c.Len() != 1 {
			t.Errorf("%d frames after Discard", c.Len())
		}
		if again, err = Create(path, &RecordOptions{Force: true}); err != nil {
			t.Fatal(err)
		}
	}
	again.Frame(message(`{"n":2}`))
	again.Frame(message(`{"n":3}`))
	if c := openCassette(t, path); c.Len() != 2 {
		t.Errorf("%d frames", c.Len())
	}
	again.Close()
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("%d files are left", len(files))
	}
}

// A full disk ends the recording, not the session, and is told once.
func TestRecorderSurvivesItsFile(t *testing.T) {
	var warned []string
	left := 400
	disk := writerFunc(func(b []byte) (int, error) {
		if left -= len(b); left < 0 {
			return 0, errors.New("no space left on device")
		}
		return len(b), nil
	})
	rec, err := NewRecorder(disk, &RecordOptions{Warn: func(s string) { warned = append(warned, s) }})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		rec.Frame(message(`{"jsonrpc":"2.0","method":"m"}`))
	}
	if err := rec.Close(); err == nil || err.Error() != rec.Err().Error() {
		t.Errorf("%v, %v", err, rec.Err())
	}
	if len(warned) != 1 || !strings.HasSuffix(warned[0], "frames: no space left on device; the session goes on without it") {
		t.Errorf("warned %q", warned)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// What a full disk leaves of a line is cut off again.
func TestRecordingFileEndsWithAWholeLine(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := &recordingFile{File: full, path: "x"}
	if n, err := f.Write([]byte("line\n")); n != 0 || err == nil {
		t.Errorf("%d, %v", n, err)
	}
	f.close()
}

// Frames of many goroutines each stand on a line of their own, in the order of their times.
func TestRecorderConcurrently(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	rec, err := Create(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 200 {
				rec.Frame(message(fmt.Sprintf(`{"g":%d,"i":%d,"password":"secret number %d"}`, g, i, i%5)))
			}
		})
	}
	all.Wait()
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	c := openCassette(t, path)
	if c.Len() != 1600 {
		t.Fatalf("%d frames", c.Len())
	}
	numbers := make(map[string]bool)
	for i := range c.Len() {
		f, err := c.Frame(i)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && c.Entry(i).At < c.Entry(i-1).At {
			t.Errorf("frame %d is earlier than the one before", i)
		}
		_, rest, _ := strings.Cut(string(f.Data), "[redacted:password:")
		numbers[rest] = true
	}
	if len(numbers) != 5 {
		t.Errorf("5 secrets have %d numbers", len(numbers))
	}
}

// Fault 85: a secret that was recorded before anything said that it is one is found at the end, loudly.
func TestCloseFindsWhatSlippedBy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	rec, err := Create(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	rec.Frame(message(`{"text":"it is fx-s3cret-0001"}`))
	rec.Frame(message(`{"password":"fx-s3cret-0001"}`))
	rec.Frame(message(`{"text":"it is fx-s3cret-0001"}`))
	err = rec.Close()
	leak := (*LeakError)(nil)
	if !errors.As(err, &leak) || cmp.Diff([]int{2}, leak.Lines) != "" || cmp.Diff([]string{"password"}, leak.Kinds) != "" {
		t.Fatalf("%v", err)
	}
	if strings.Contains(err.Error(), "s3cret") {
		t.Errorf("the error tells it: %v", err)
	}

	o := &RedactOptions{Env: []string{"X_TOKEN=fx-s3cret-0001"}}
	report, err := RedactCheck(path, o)
	if err != nil || len(report.Finds) != 1 || report.Finds[0].String() != "line 2: x-token" {
		t.Errorf("%+v, %v", report, err)
	}
	for range 2 { // and a second time changes nothing
		if report, err = RedactFile(path, path, o); err != nil || report.Frames != 3 {
			t.Fatalf("%+v, %v", report, err)
		}
	}
	if len(report.Finds) != 0 {
		t.Errorf("found again: %v", report.Finds)
	}
	data, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(data), "s3cret") {
		t.Errorf("%s, %v", data, err)
	}
}

// Redacting a cassette again adds rules, keeps what it does not know, and goes on with the numbers.
func TestRedactFile(t *testing.T) {
	dir := t.TempDir()
	path, to := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl")
	head := `{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"x","transport":"stdio","server":{"command":"c","args":[]},"rules":{"built-in":1},"note":`
	line := `{"at":0.000000,"from":"server",`
	if err := os.WriteFile(path, []byte(head+`"ACME-00000001"}`+"\n"+
		line+`"new":"ACME-00000001","message":{"a":"[redacted:x:7] [[redacted:y] ACME-00000002"}}`+"\n"+
		line+`"exit":{"code":0}}`+"\n"+line+`"noise`), 0o600); err != nil {
		t.Fatal(err)
	}
	o := &RedactOptions{Rules: Rules{Patterns: []Pattern{{Name: "acme", Expr: `ACME-\d+`}}}}
	report, err := RedactFile(path, to, o)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&RedactReport{Frames: 2, Cut: true, Finds: []Find{{1, []string{"acme"}}, {2, []string{"acme"}}}}, report); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(head, `"built-in":1}`, `"built-in":1,"user":"`+o.Rules.Digest()+`"}`, 1) + `"[redacted:acme:8]"}` + "\n" +
		line + `"new":"[redacted:acme:8]","message":{"a":"[redacted:x:7] [[redacted:y] [redacted:acme:9]"}}` + "\n" +
		line + `"exit":{"code":0}}` + "\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := RedactFile(filepath.Join(dir, "none.jsonl"), to, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 2 {
		t.Errorf("%d files are left", len(files))
	}
}

func openCassette(t *testing.T, path string) *Cassette {
	t.Helper()
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// told writes down what a cassette tells, a line a frame.
func told(t *testing.T, c *Cassette) []string {
	t.Helper()
	var lines []string
	for f, err := range c.Frames() {
		if err != nil {
			t.Fatal(err)
		}
		line := appendFrameRest(nil, &f)
		lines = append(lines, strings.TrimSuffix(strings.TrimPrefix(string(line), ","), "}\n"))
	}
	return lines
}
