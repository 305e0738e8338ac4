package settings_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/imurun/mcp-replay/mcp/settings"
)

// The test binary runs itself again as a program that saves: SAVER is the file, SAVER_ID the server whose argument
// counts the saves, SAVER_TIMES how many.
func TestMain(m *testing.M) {
	if path := os.Getenv("SAVER"); path != "" {
		times, _ := strconv.Atoi(os.Getenv("SAVER_TIMES"))
		if err := saveOften(path, os.Getenv("SAVER_ID"), times); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func saveOften(path, id string, times int) error {
	file := &settings.File{Path: path, Program: "mcp-replay"}
	for n := 0; n < times; n++ {
		count := 0
		_, err := file.Update(func(e *settings.Edit) error {
			s, _ := e.Settings().Server(id)
			if len(s.Args) > 0 {
				count, _ = strconv.Atoi(s.Args[0])
			}
			count++
			// Every second text is long, so that files of different lengths follow each other.
			args := []string{strconv.Itoa(count), strings.Repeat("x", count%2*5000)}
			command := "counter"
			return e.Put(settings.Patch{ID: id, Command: &command, Args: &args})
		})
		if err != nil {
			return err
		}
		fmt.Println(count)
	}
	return nil
}

func saver(t *testing.T, path, id string, times int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SAVER="+path, "SAVER_ID="+id, fmt.Sprint("SAVER_TIMES=", times))
	cmd.Stderr = os.Stderr
	return cmd
}

// foreign is what another program keeps in the file.
const foreign = `{
    "theme" : "dark", "numbers": [1.0, 1E2, 9007199254740993],
    "editor": {"zoom":1.10,"zoom":1.20}
}
`

func counted(t *testing.T, path, id string) int {
	t.Helper()
	s, err := (&settings.File{Path: path}).Load()
	if err != nil {
		t.Fatalf("the file is broken: %v", err)
	}
	server, found := s.Server(id)
	if !found {
		return 0
	}
	n, err := strconv.Atoi(server.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestKillSaver kills a saving process at random moments (CFG-15): the file is never broken, and no save that was
// reported is lost.
func TestKillSaver(t *testing.T) {
	t.Parallel()
	kills := 250
	if testing.Short() {
		kills = 20
	}
	path := filepath.Join(t.TempDir(), "settings.json")
	if err := os.WriteFile(path, []byte(foreign), 0o600); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	start := time.Now()
	if err := saver(t, path, "a", 1).Run(); err != nil {
		t.Fatal(err)
	}
	life := 2 * time.Since(start) // from before the first save to after a few
	first := counted(t, path, "a")
	for n := range kills {
		if n >= 20 && time.Since(start) > time.Minute { // where a process takes long to start, as under the race detector
			t.Logf("%d kills", n)
			break
		}
		cmd := saver(t, path, "a", 1<<30)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		last := 0
		timer := time.AfterFunc(time.Millisecond+time.Duration(random.Int64N(int64(life))), func() { _ = cmd.Process.Kill() })
		for lines.Scan() {
			last, _ = strconv.Atoi(lines.Text())
		}
		_ = cmd.Wait()
		timer.Stop()
		if got := counted(t, path, "a"); got < last {
			t.Fatalf("the file counts %d saves, %d were reported", got, last)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if want := foreign[:strings.LastIndex(foreign, "\n}")]; !bytes.HasPrefix(data, []byte(want)) {
			t.Fatalf("what is not ours was changed:\n%s", data)
		}
	}
	if counted(t, path, "a") == first {
		t.Fatal("no save ever came through; the test proves nothing")
	}
	if _, err := os.Stat(path + ".new"); err == nil { // a kill may leave it; the next save clears it
		if err := saver(t, path, "a", 1).Run(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(path + ".new"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a killed save's file stays behind: %v", err)
	}
}

// TestTwoSavers runs two processes against each other (CFG-15): neither loses a change.
func TestTwoSavers(t *testing.T) {
	t.Parallel()
	const times = 100
	path := filepath.Join(t.TempDir(), "settings.json")
	var running []*exec.Cmd
	for _, id := range []string{"a", "b", "c"} {
		cmd := saver(t, path, id, times)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for _, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{"a", "b", "c"} {
		if got := counted(t, path, id); got != times {
			t.Errorf("server %s counts %d saves, want %d", id, got, times)
		}
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	home := filepath.Join(t.TempDir(), "made", "home")
	file := settings.In(home)
	put(t, file, `{"id":"a","command":"run"}`)
	for path, want := range map[string]fs.FileMode{home: 0o700, file.Path: 0o600} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
	}
	if err := os.Chmod(file.Path, 0o644); err != nil {
		t.Fatal(err)
	}
	put(t, file, `{"id":"b","command":"run"}`)
	if info, _ := os.Stat(file.Path); info.Mode().Perm() != 0o600 {
		t.Errorf("a save leaves mode %o", info.Mode().Perm())
	}
}

// TestLink: a settings file that is a link stays one.
func TestLink(t *testing.T) {
	t.Parallel()
	home, kept := t.TempDir(), filepath.Join(t.TempDir(), "kept.json")
	if err := os.WriteFile(kept, []byte(foreign), 0o600); err != nil {
		t.Fatal(err)
	}
	file := settings.In(home)
	if err := os.Symlink(kept, file.Path); err != nil {
		t.Skip(err)
	}
	put(t, file, `{"id":"a","command":"run"}`)
	info, err := os.Lstat(file.Path)
	if err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("the link became %v, %v", info.Mode(), err)
	}
	if data, _ := os.ReadFile(kept); !bytes.Contains(data, []byte(`"run"`)) {
		t.Errorf("the file behind the link was not written:\n%s", data)
	}
}

// TestLinkToNothing: a settings file that is a link to one that is not there yet stays a link, and that one is made.
func TestLinkToNothing(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	kept := filepath.Join(home, "dotfiles", "kept.json")
	file := settings.In(home)
	for name, target := range map[string]string{"settings.json": "second.json", "second.json": filepath.Join("dotfiles", "kept.json")} {
		if err := os.Symlink(target, filepath.Join(home, name)); err != nil {
			t.Skip(err)
		}
	}
	put(t, file, `{"id":"a","command":"run"}`)
	if data, err := os.ReadFile(kept); !bytes.Contains(data, []byte(`"run"`)) {
		t.Errorf("the file behind the links: %q, %v", data, err)
	}
	if info, err := os.Lstat(file.Path); err != nil || info.Mode().Type() != fs.ModeSymlink {
		t.Errorf("the link became %v, %v", info.Mode(), err)
	}
}

// TestNoRegularFile: what is no file is refused by its path, and nothing waits for it.
func TestNoRegularFile(t *testing.T) {
	t.Parallel()
	circle := settings.In(t.TempDir())
	if err := os.Symlink(filepath.Base(circle.Path), circle.Path); err != nil {
		t.Skip(err)
	}
	folder := settings.In(t.TempDir())
	below := settings.In(fileWith(t, "{}").Path)
	if err := os.Mkdir(folder.Path, 0o700); err != nil {
		t.Fatal(err)
	}
	files := []*settings.File{circle, folder, below}
	pipe := settings.In(t.TempDir())
	if exec.Command("mkfifo", pipe.Path).Run() == nil {
		files = append(files, pipe)
	}
	for _, file := range files {
		if _, err := tryPut(file, `{"id":"a","command":"run"}`); err == nil || !strings.Contains(err.Error(), file.Path) {
			t.Errorf("%s: a save gives %v", file.Path, err)
		}
		if _, err := file.Load(); err == nil || !strings.Contains(err.Error(), file.Path) {
			t.Errorf("%s: %v", file.Path, err)
		}
	}
}
