package mcp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

func TestNoiseIsPassedOver(t *testing.T) {
	cmd, _ := scripted(t, "fx server 0.9 starting on 🚀", "", "[]", "42", `"ready"`, "@@ANSWER initialize@@",
		"{not json", "@@ANSWER tools/call@@")
	tap := new(wiretap)
	cmd.Tap = tap
	c := connect(t, cmd, nil)
	if got := callText(t, c); got != "ok" {
		t.Errorf("the call gives %q", got)
	}
	s := c.Status()
	if s.Noise != 5 || s.NoiseSample != "fx server 0.9 starting on 🚀" {
		t.Errorf("%d lines of noise, the first %q", s.Noise, s.NoiseSample)
	}
	sameStrings(t, "noise on the tap", tap.of(mcp.FromServer, mcp.FrameNoise),
		"fx server 0.9 starting on 🚀\n", "\n", "[]\n", "42\n", "\"ready\"\n", "{not json\n")
}

func TestLineEnds(t *testing.T) {
	cmd, _ := scripted(t, "@@HEX EFBBBF@@", "@@ANSWER initialize@@",
		"{\"jsonrpc\":\"2.0\",\"id\":@@ID:tools/call@@,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"a\\r\\nb \u2028\u2029\u0085 c\"}]}}\r",
		"@@AFTER:tools/call#2@@@@RAW {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[]}}@@", "@@EXIT 0@@")
	c := connect(t, cmd, nil)
	if got, want := callText(t, c), "a\r\nb \u2028\u2029\u0085 c"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}

func TestLastLineWithoutEnd(t *testing.T) {
	cmd, _ := scripted(t, "@@ANSWER initialize@@", "@@SLEEP 50 ms@@",
		`@@RAW {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"last"}]}}@@`, "@@EXIT 0@@")
	c := connect(t, cmd, nil)
	if got := callText(t, c); got != "last" {
		t.Errorf("%q", got)
	}
}

func TestHeaderFramingIsRefused(t *testing.T) {
	cmd, _ := scripted(t, "Content-Length: 52\r", "\r", `@@RAW {"jsonrpc":"2.0","method":"x","params":{"a":"bcdef"}}@@`)
	began := time.Now()
	_, err := mcp.Connect(t.Context(), cmd, nil)
	var wrong *mcp.ProtocolError
	if !errors.As(err, &wrong) || err.Error() != "the server uses header framing (Content-Length); MCP wants one JSON message a line" {
		t.Errorf("%v", err)
	}
	if took := time.Since(began); took > time.Second+2*time.Second { // 1 s, and the grace of the close
		t.Errorf("it took %s", took)
	}
}

func TestLongLines(t *testing.T) {
	lengths := []int{65535, 65536, 65537, 1048577, 12000000}
	script := []string{"@@ANSWER initialize@@"}
	for i, n := range lengths {
		const around = `{"jsonrpc":"2.0","id":0,"result":{"content":[{"type":"text","text":""}]}}`
		script = append(script, fmt.Sprintf(`{"jsonrpc":"2.0","id":@@ID:tools/call#%d@@,"result":{"content":[{"type":"text","text":"@@X:%d@@"}]}}`, i+1, n-len(around)))
		lengths[i] = n - len(around)
	}
	cmd, _ := scripted(t, append(script, "@@ANSWER tools/call#6@@")...)
	c := connect(t, cmd, nil)
	for _, n := range lengths {
		r, err := c.CallTool(t.Context(), "echo", nil)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Repeat("x", 12000-len("\n[cut: 11999927 characters in all]")+len("11999927")-len(strconv.Itoa(n))) + fmt.Sprintf("\n[cut: %d characters in all]", n)
		if r.Text != want {
			t.Errorf("%d characters: the text has %d and ends %q", n, len(r.Text), r.Text[max(0, len(r.Text)-40):])
		}
	}
	if got := callText(t, c); got != "ok" {
		t.Errorf("the call after the longest gives %q", got)
	}
}

// TestTooLongLine holds RPC-3, and that the tap is told of the line, though nobody keeps it.
func TestTooLongLine(t *testing.T) {
	cmd, _ := scripted(t, "@@ANSWER initialize@@", `{"jsonrpc":"2.0","id":@@ID:tools/call@@,"result":"@@X:67108864@@"}`, "@@ANSWER tools/call#2@@")
	tap := new(wiretap)
	cmd.Tap = tap
	c := connect(t, cmd, nil)
	_, err := c.CallTool(t.Context(), "echo", nil)
	wantText(t, err, "tools/call: a message is longer than 67108864 bytes, the most that is taken")
	if got := callText(t, c); got != "ok" {
		t.Errorf("the call after it gives %q", got)
	}
	const begin = `{"jsonrpc":"2.0","id":2,"result":"`
	sameStrings(t, "noise", tap.of(mcp.FromServer, mcp.FrameNoise), begin+strings.Repeat("x", 4096-len(begin))+
		"… [a line of 67108900 bytes, too long for a message, recorded up to here]\n")
}

func TestStderrFloodBlocksNobody(t *testing.T) {
	cmd, _ := scripted(t, "@@STDERR "+strings.Repeat(strings.Repeat("e", 80)+"\r", 3300)+"@@", "@@ANSWER initialize@@",
		"@@STDERR "+strings.Repeat("f", 5000000)+"@@", "@@ANSWER tools/call@@")
	stuck, unblock := newStuckWriter()
	defer unblock()
	cmd.Stderr = stuck
	c := connect(t, cmd, nil)
	if got := callText(t, c); got != "ok" {
		t.Errorf("%q", got)
	}
}

// stuckWriter is a consumer that takes nothing until it is freed.
type stuckWriter chan struct{}

func newStuckWriter() (stuckWriter, func()) {
	w := make(stuckWriter)
	return w, sync.OnceFunc(func() { close(w) })
}

func (w stuckWriter) Write(b []byte) (int, error) {
	<-w
	return len(b), nil
}

func TestExitWhileStarting(t *testing.T) {
	secret := "fake-" + "secret-123"
	cmd, _ := scripted(t, "@@AFTER:initialize@@", "@@STDERR config missing: FX_KEY@@", "@@STDERR second line value="+secret+"@@", "@@EXIT 3@@")
	cmd.Secrets = []string{secret}
	began := time.Now()
	_, err := mcp.Connect(t.Context(), cmd, nil)
	want := "the server exited with code 3; its stderr ends: config missing: FX_KEY\nsecond line value=********"
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	var exit *mcp.ExitError
	if !errors.As(err, &exit) || exit.Status != (mcp.ExitStatus{Code: 3}) {
		t.Errorf("%#v", err)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestExitDuringACall(t *testing.T) {
	cmd, _ := scripted(t, "@@ANSWER initialize@@", "@@AFTER:tools/call@@", "@@STDERR out of memory@@", "@@SIGNAL@@")
	c := connect(t, cmd, nil)
	_, err := c.CallTool(t.Context(), "echo", nil)
	if want := "tools/call: outcome unknown: the server exited with signal SIGKILL; its stderr ends: out of memory"; err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	if !mcp.OutcomeUnknown(err) || errors.Is(err, mcp.ErrNotSent) {
		t.Error("the request was sent")
	}
	<-c.Done()
	_, err = c.CallTool(t.Context(), "echo", nil)
	if !errors.Is(err, mcp.ErrNotSent) || mcp.OutcomeUnknown(err) {
		t.Errorf("a call on a connection that has ended: %v", err)
	}
}

func TestExitAfterInitialize(t *testing.T) {
	cmd, _ := scripted(t, "@@ANSWER initialize@@", "@@EXIT 0@@")
	c, err := mcp.Connect(t.Context(), cmd, nil)
	if err == nil {
		defer c.Close()
		_, err = c.CallTool(t.Context(), "echo", nil)
	}
	var exit *mcp.ExitError
	if !errors.As(err, &exit) || exit.Status != (mcp.ExitStatus{Code: 0}) {
		t.Errorf("%v", err)
	}
}

func TestCommandIsNotFound(t *testing.T) {
	_, err := mcp.Connect(t.Context(), &mcp.Command{Path: "does-not-exist", Env: []string{"PATH=/nowhere" + string(filepath.ListSeparator) + "/usr/nowhere"}, Dir: t.TempDir()}, nil)
	var start *mcp.StartError
	if !errors.As(err, &start) || !errors.Is(err, exec.ErrNotFound) || start.Command != "does-not-exist" || !strings.HasPrefix(start.Path, "/nowhere") {
		t.Errorf("%v", err)
	}
	if !strings.Contains(err.Error(), `command "does-not-exist"`) || !strings.Contains(err.Error(), "/nowhere") {
		t.Errorf("%v", err)
	}
}

func TestCommandIsFoundInTheChildsOwnPath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a shell script")
	}
	bin, dir := t.TempDir(), t.TempDir()
	script := "#!/bin/sh\necho \"$0\" \"$PWD\" >&2\nexit 7\n"
	for _, name := range []string{filepath.Join(bin, "fx-server"), filepath.Join(dir, "here")} {
		if err := os.WriteFile(name, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"fx-server", "./here"} {
		_, err := mcp.Connect(t.Context(), &mcp.Command{Path: path, Env: []string{"PATH=" + bin}, Dir: dir}, nil)
		var exit *mcp.ExitError
		if !errors.As(err, &exit) || exit.Status.Code != 7 || !strings.HasSuffix(exit.Stderr, " "+dir) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestParallelWritesStayWhole(t *testing.T) {
	cmd, server := answeringChild(t)
	c := connect(t, cmd, nil)
	args := jsontext.Value(`{"a":"` + strings.Repeat("x", 20000) + `"}`)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if r, err := c.CallTool(t.Context(), "echo", args); err != nil || r.Text != "ok" {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	lines, err := server.Received()
	if err != nil || len(lines) != 52 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	for _, line := range lines {
		if _, err := jsonrpc.Parse([]byte(line)); err != nil {
			t.Errorf("%v: %.100q", err, line)
		}
	}
}

func TestNewlinesInParamsDoNotBreakTheLine(t *testing.T) {
	cmd, server := answeringChild(t)
	c := connect(t, cmd, nil)
	if _, err := c.CallTool(t.Context(), "echo", jsontext.Value("{\n  \"a\": 1.0\n}")); err != nil {
		t.Fatal(err)
	}
	lines, _ := server.Received()
	if got, want := lines[len(lines)-1], `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{   "a": 1.0 }}}`; got != want {
		t.Errorf("%s", got)
	}
}

// TestServerThatStopsReading holds RPC-9.
func TestServerThatStopsReading(t *testing.T) {
	cmd, _ := scripted(t, "@@STALL@@", "@@ANSWER initialize@@")
	cmd.Grace = 200 * time.Millisecond
	c := connect(t, cmd, &mcp.Options{Timeout: 300 * time.Millisecond})
	big := jsontext.Value(`{"a":"` + strings.Repeat("x", 1<<20) + `"}`)
	var half, behind error
	var wg sync.WaitGroup
	wg.Go(func() { _, half = c.CallTool(t.Context(), "echo", big) }) // fills the pipe
	time.Sleep(100 * time.Millisecond)
	wg.Go(func() { _, behind = c.CallTool(t.Context(), "echo", nil) })
	wg.Wait()
	var late *mcp.TimeoutError
	if !errors.As(half, &late) || !late.Sent {
		t.Errorf("the call that is half out: %v", half)
	}
	if !errors.Is(behind, mcp.ErrNotSent) {
		t.Errorf("the call behind it: %v", behind)
	}
	<-c.Done()
	if got := c.Err().Error(); got != "the server stopped reading in the middle of a message" {
		t.Errorf("the connection ended: %v", got)
	}
	began := time.Now()
	c.Close()
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("Close took %s", took)
	}
}

func TestCloseLadder(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	for _, c := range []struct {
		name     string
		script   []string
		min, max time.Duration
	}{
		{"a good server", nil, 0, time.Second},
		{"one that ignores its end", []string{"@@STUBBORN@@"}, time.Second, 3 * time.Second},
		{"one with a child that holds its pipes", []string{"@@CHILD " + pidFile + "@@", "@@STUBBORN@@"}, time.Second, 3 * time.Second},
		{"one whose child outlives it", []string{"@@CHILD " + pidFile + "@@"}, 0, 2 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			os.Remove(pidFile)
			cmd, server := scripted(t, append(c.script, "@@ANSWER initialize@@")...)
			cmd.Grace = time.Second
			tap := new(wiretap)
			cmd.Tap = tap
			client := connect(t, cmd, nil)
			began := time.Now()
			var wg sync.WaitGroup
			for range 3 {
				wg.Go(func() {
					if err := client.Close(); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			if took := time.Since(began); took < c.min || took > c.max {
				t.Errorf("it took %s", took)
			}
			pids, _ := server.PIDs()
			if b, err := os.ReadFile(pidFile); err == nil {
				pid, _ := strconv.Atoi(string(b))
				pids = append(pids, pid)
			}
			for _, pid := range pids {
				if running(pid) {
					t.Errorf("process %d still runs", pid)
				}
			}
			if n := len(tap.of(mcp.FromClient, mcp.FrameClose)); n != 1 {
				t.Errorf("%d closes on the tap", n)
			}
			if n := len(tap.of(mcp.FromServer, mcp.FrameExit)); n != 1 {
				t.Errorf("%d exits on the tap", n)
			}
		})
	}
}

// host is a program that starts a server and is killed.
func host(server []string) {
	c, err := mcp.Connect(context.Background(), &mcp.Command{Path: server[0], Args: server[1:], Env: childEnv}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	runtime.GC() // threads come and go
	fmt.Println("connected to", c.ServerInfo().Name)
	select {}
}

// TestChildDiesWithItsHost holds LIFE-7 where the host is killed outright.
func TestChildDiesWithItsHost(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the signal is Linux's")
	}
	cmd, server := scripted(t, "@@STUBBORN@@", "@@ANSWER initialize@@")
	h := exec.Command(os.Args[0])
	h.Env = append(os.Environ(), "MCP_TEST_HOST="+strings.Join(append([]string{cmd.Path}, cmd.Args...), "\n"))
	out, err := h.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	pids, err := server.PIDs()
	if !strings.HasPrefix(line, "connected") || err != nil || len(pids) != 1 {
		t.Fatal(line, pids, err)
	}
	time.Sleep(50 * time.Millisecond)
	if !running(pids[0]) {
		t.Fatal("the child did not live as long as its host")
	}
	if err := h.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = h.Wait()
	if running(pids[0]) {
		t.Error("the child outlives its host")
	}
}

// running says whether a process is there and no zombie.
func running(pid int) bool {
	for range 50 {
		b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil || strings.Contains(string(b), ") Z ") {
			return false
		}
		time.Sleep(10 * time.Millisecond)
	}
	return true
}

func TestWrapperIsKilledWithItsServer(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it looks at /proc")
	}
	cmd, server := scripted(t, "@@STUBBORN@@", "@@ANSWER initialize@@")
	words := []string{"trap '' TERM;"}
	for _, w := range append([]string{cmd.Path}, cmd.Args...) {
		words = append(words, "'"+w+"'")
	}
	// A session of its own, as browsers make it: killing the group would miss it.
	cmd.Path, cmd.Args = "sh", []string{"-c", "exec 3<&0; setsid " + strings.Join(words[1:], " ") + " <&3 & wait"}
	cmd.Grace = 300 * time.Millisecond
	c := connect(t, cmd, nil)
	c.Close()
	pids, err := server.PIDs()
	if err != nil || len(pids) != 1 {
		t.Fatal(pids, err)
	}
	if running(pids[0]) {
		t.Error("the server outlives its wrapper")
	}
}

func TestServerClosesStdoutButRunsOn(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a shell")
	}
	began := time.Now()
	_, err := mcp.Connect(t.Context(), &mcp.Command{Path: "sh", Args: []string{"-c", "exec 1>&-; exec sleep 60"}, Grace: 100 * time.Millisecond}, nil)
	if err == nil || err.Error() != "the server closed its stdout, though it runs on" {
		t.Error(err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestServerClosesStdinButRunsOn(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a shell")
	}
	script := `read line; exec 0<&-; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{}}}'; exec sleep 60`
	c, err := mcp.Connect(t.Context(), &mcp.Command{Path: "sh", Args: []string{"-c", script}, Grace: 100 * time.Millisecond}, nil)
	if err == nil {
		defer c.Close()
		_, err = c.Call(t.Context(), "ping", nil)
	}
	var wrong *mcp.ProtocolError
	if !errors.As(err, &wrong) || wrong.Problem != "the server closed its stdin, though it runs on" {
		t.Error(err)
	}
}
