package registry_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/registry"
	"github.com/imurun/mcp-replay/mcp/settings"
)

// childSettings gives a section mcp with this binary as the server a.
func childSettings(env map[string]string) string {
	quote := func(s string) string { q, _ := jsontext.AppendQuote(nil, s); return string(q) }
	list := `"CHILD":"server","GORACE":"atexit_sleep_ms=0"` // the race detector holds an exit up for a second
	for name, value := range env {
		list += "," + quote(name) + ":" + quote(value)
	}
	return `{"servers":[{"id":"a","command":` + quote(os.Args[0]) + `,"env":{` + list + `},"auto_approve":["ping","env"]}]}`
}

// childHost is a host in a process of its own: HOST_HOME has its settings, HOST_ENDS says how it ends.
func childHost() {
	o := &registry.Options{}
	if os.Getenv("HOST_SUPERVISES") != "" {
		o.Supervisor = []string{os.Args[0], "__supervise"}
	}
	r, err := registry.New(settings.In(os.Getenv("HOST_HOME")), o)
	if err != nil {
		panic(err)
	}
	defer r.Close()
	if err := r.Connect(context.Background(), "a"); err != nil {
		panic(err)
	}
	ctx, stop := context.Background(), func() {}
	if os.Getenv("HOST_ENDS") == "signal" {
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	}
	defer stop()
	fmt.Println("ready")
	switch os.Getenv("HOST_ENDS") {
	case "panic":
		panic("the host has a fault")
	case "exit":
		os.Exit(7)
	case "signal":
		<-ctx.Done()
	default:
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
}

// alive gives those of the family that still run. Pids that were noted are of this test alone.
func alive(t testing.TB, family string) (living []string) {
	t.Helper()
	entries, err := os.ReadDir(family)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err == nil && !strings.Contains(string(stat), ") Z") {
			living = append(living, e.Name())
		}
	}
	return living
}

func needsProc(t testing.TB) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("looks at /proc")
	}
}

// startHost starts a host with one server, and waits until that is connected; family is the folder in which the server and
// what it started have noted their pids.
func startHost(t *testing.T, ends string, supervise bool, stubborn string) (host *exec.Cmd, in io.Closer, family string) {
	t.Helper()
	home, family := t.TempDir(), t.TempDir()
	text := `{"mcp":` + childSettings(map[string]string{"FAMILY": family, "STUBBORN": stubborn}) + `}`
	if err := os.WriteFile(filepath.Join(home, "settings.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	host = exec.Command(os.Args[0])
	host.Env = append(os.Environ(), "CHILD=host", "HOST_HOME="+home, "HOST_ENDS="+ends)
	if supervise {
		host.Env = append(host.Env, "HOST_SUPERVISES=1")
	}
	in, err := host.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	if line != "ready\n" {
		t.Fatalf("the host says %q", line)
	}
	return host, in, family
}

// TestNoGraceWithoutHost: servers get the 2 s of grace from a host that closes them, and none from one that was killed.
func TestNoGraceWithoutHost(t *testing.T) {
	needsProc(t)
	for range 5 {
		host, _, family := startHost(t, "wait", true, "1")
		_ = host.Process.Kill()
		_ = host.Wait()
		began := time.Now()
		for len(alive(t, family)) > 0 {
			if time.Since(began) > 1800*time.Millisecond {
				t.Fatalf("%d processes still run %v after their host was killed", len(alive(t, family)), time.Since(began))
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// TestNoChildOutlives: however the host ends, nothing that its servers started is left (LIFE-5 to LIFE-7), those that
// left their parent and session included.
func TestNoChildOutlives(t *testing.T) {
	needsProc(t)
	t.Parallel()
	for _, c := range []struct {
		name      string
		ends      string
		sig       os.Signal
		supervise bool
	}{
		{"closed, supervised", "", nil, true},
		{"SIGTERM, supervised", "signal", syscall.SIGTERM, true},
		{"SIGINT, supervised", "signal", os.Interrupt, true},
		{"panic, supervised", "panic", nil, true},
		{"exit without Close, supervised", "exit", nil, true},
		{"SIGKILL, supervised", "wait", syscall.SIGKILL, true},
		{"SIGTERM that the host does not expect, supervised", "wait", syscall.SIGTERM, true},
	} {
		for _, stubborn := range []string{"", "1"} {
			t.Run(c.name+" stubborn="+stubborn, func(t *testing.T) {
				t.Parallel()
				host, in, family := startHost(t, c.ends, c.supervise, stubborn)
				if n := len(alive(t, family)); c.ends != "panic" && c.ends != "exit" && n < 3 {
					t.Fatalf("%d processes run; the test proves nothing", n)
				}
				if c.sig != nil {
					_ = host.Process.Signal(c.sig)
				}
				if c.ends == "" {
					in.Close()
				}
				_ = host.Wait()
				for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
					living := alive(t, family)
					if len(living) == 0 {
						break
					}
					if time.Now().After(deadline) {
						for _, pid := range living {
							stat, _ := os.ReadFile("/proc/" + pid + "/stat")
							t.Errorf("still runs: %s", stat)
						}
						break
					}
				}
			})
		}
	}
}

// TestSupervisorIsUnseen: a server under the supervisor behaves as one without: its environment, its errors, its end.
func TestSupervisorIsUnseen(t *testing.T) {
	t.Parallel()
	for _, supervisor := range [][]string{nil, {os.Args[0], "__supervise"}} {
		if supervisor != nil && !registry.CanSupervise {
			continue
		}
		environ := func() []string {
			return append(os.Environ(), "FAKE_API_KEY=leak-me-not", "MODE=parent")
		}
		o := &registry.Options{Supervisor: supervisor, Environ: environ}
		h := newHost(t, childSettings(map[string]string{"OWN_TOKEN": "given"}), nil, o)
		result := h.Call(t.Context(), "mcp_a_env", nil)
		if result.Failed {
			t.Fatal(result.Text)
		}
		lines := "\n" + result.Text + "\n"
		for line, want := range map[string]bool{"FAKE_API_KEY=leak-me-not": false, "MODE=parent": true, "OWN_TOKEN=given": true} {
			if got := strings.Contains(lines, "\n"+line+"\n"); got != want {
				t.Errorf("supervisor %q: the child has %s: %v, want %v", supervisor, line, got, want)
			}
		}
		h = newHost(t, childSettings(map[string]string{"EXIT": "1", "A_TOKEN": "s3cret-token"}), nil, &registry.Options{Supervisor: supervisor})
		err := h.Connect(t.Context(), "a")
		if err == nil || !strings.Contains(err.Error(), "code 3") || !strings.Contains(err.Error(), "cannot go on with ********") {
			t.Errorf("supervisor %q: a server that exits gives %v", supervisor, err)
		}
		h = newHost(t, `{"servers":[{"id":"a","command":"no-such-command"}]}`, nil, &registry.Options{Supervisor: supervisor})
		if err = h.Connect(t.Context(), "a"); !errors.Is(err, exec.ErrNotFound) || !strings.Contains(err.Error(), "no-such-command") {
			t.Errorf("supervisor %q: a command that is not there gives %v", supervisor, err)
		}
		nowhere := filepath.Join(t.TempDir(), "nowhere")
		h = newHost(t, `{"servers":[{"id":"a","command":"sh","cwd":"`+filepath.ToSlash(nowhere)+`"}]}`, nil, &registry.Options{Supervisor: supervisor})
		if err = h.Connect(t.Context(), "a"); err == nil || !strings.Contains(err.Error(), "there is no folder "+nowhere+" to start the server in") {
			t.Errorf("supervisor %q: a folder that is not there gives %v", supervisor, err)
		}
	}
}

// TestSignalIsTold: the signal that ended a server is told, whatever one it was, with or without a supervisor (CALL-12).
func TestSignalIsTold(t *testing.T) {
	needsProc(t)
	for _, supervisor := range [][]string{nil, {os.Args[0], "__supervise"}} {
		for _, name := range []string{"SEGV", "ABRT", "QUIT", "BUS", "FPE", "ILL", "TRAP", "SYS", "TERM", "KILL", "HUP", "INT", "PIPE", "USR1", "ALRM", "XCPU"} {
			list := `{"servers":[{"id":"a","command":"sh","args":["-c","ulimit -c 0; kill -` + name + ` $$"]}]}`
			h := newHost(t, list, nil, &registry.Options{Supervisor: supervisor})
			want := "server a: the server exited with signal SIG" + name
			if err := h.Connect(t.Context(), "a"); err == nil || err.Error() != want {
				t.Errorf("supervisor %q: SIG%s gives %.200v", supervisor, name, err)
			}
		}
	}
}

// TestOneChildAtATime: a new process begins when the one before has ended.
func TestOneChildAtATime(t *testing.T) {
	needsProc(t)
	t.Parallel()
	family := t.TempDir()
	h := newHost(t, childSettings(map[string]string{"FAMILY": family}), nil, nil)
	for range 3 {
		if result := h.Call(t.Context(), "mcp_a_ping", nil); result.Failed || result.Text != "pong" {
			t.Fatalf("%+v", result)
		}
		if err := h.Disconnect("a"); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Connect(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	servers := 0
	for _, pid := range alive(t, family) {
		env, _ := os.ReadFile("/proc/" + pid + "/environ")
		if strings.Contains(string(env), "CHILD=server\x00") && !strings.Contains(string(env), "CHILD=sleeper\x00") {
			servers++
		}
	}
	if servers != 1 {
		t.Errorf("%d servers run", servers)
	}
}

// TestSupervisorEndsWithItsServer: a server that ends when its stdin does takes the supervisor with it at once, well
// before the 2 s of grace (LIFE-5).
func TestSupervisorEndsWithItsServer(t *testing.T) {
	if !registry.CanSupervise {
		t.Skip("there is no supervisor on this system")
	}
	h := newHost(t, childSettings(nil), nil, &registry.Options{Supervisor: []string{os.Args[0], "__supervise"}})
	if err := h.Connect(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 1500*time.Millisecond {
		t.Errorf("closing took %v", took)
	}
}
