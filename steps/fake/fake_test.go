package fake_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/steps/fake"
)

func TestMain(m *testing.M) {
	fake.Main()
	os.Exit(m.Run())
}

// process is a fake server that runs.
type process struct {
	*fake.Server
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	err bytes.Buffer
}

func start(t *testing.T, mode, script string) *process {
	t.Helper()
	server, err := fake.Stdio(t.TempDir(), mode, script)
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Server: server, t: t, cmd: exec.Command(server.Path, server.Args...)}
	p.cmd.Stderr = &p.err
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	return p
}

func (p *process) send(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(p.in, line+"\n"); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *process) expect(lines ...string) {
	p.t.Helper()
	for _, want := range lines {
		got, err := p.out.ReadString('\n')
		if err != nil || got != want+"\n" {
			p.t.Fatalf("it writes %q (%v), not %q", got, err, want)
		}
	}
}

// end closes stdin and returns what else comes on stdout, and the exit code.
func (p *process) end() (rest string, code int) {
	p.t.Helper()
	_ = p.in.Close()
	data, err := io.ReadAll(p.out)
	if err != nil {
		p.t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := p.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return string(data), p.cmd.ProcessState.ExitCode()
}

func TestAnswers(t *testing.T) {
	p := start(t, fake.AnswerMode, `
		# the second call fails, and so do all after it
		tools/call  {"content":[]}
		tools/call  error {"code":-32602,"message":"no such tool"}
		slow        after 50 ms {"late":true}
		mute        nothing
		last        exit 3
		tools/list  pages 2 x 1
	`)
	p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`)
	p.expect(`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
	p.send(`{"jsonrpc":"2.0","id":"b","method":"tools/call"}`, `{"jsonrpc":"2.0","id":3,"method":"tools/call"}`)
	p.expect(`{"jsonrpc":"2.0","id":"b","error":{"code":-32602,"message":"no such tool"}}`,
		`{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no such tool"}}`)
	p.send(`{"jsonrpc":"2.0","id":4,"method":"slow"}`, `{"jsonrpc":"2.0","id":5,"method":"mute"}`,
		`{"jsonrpc":"2.0","method":"notifications/x"}`, `{"jsonrpc":"2.0","id":6,"method":"ping"}`)
	p.expect(`{"jsonrpc":"2.0","id":6,"result":{}}`, `{"jsonrpc":"2.0","id":4,"result":{"late":true}}`)
	p.send(`{"jsonrpc":"2.0","id":7,"method":"resources/list"}`)
	p.expect(`{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"method not found"}}`)
	p.send(`{"jsonrpc":"2.0","id":9,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":10,"method":"tools/list"}`)
	p.expect(`{"jsonrpc":"2.0","id":9,"result":{"tools":[{"name":"tool-1","inputSchema":{"type":"object"}}],"nextCursor":"page-2"}}`,
		`{"jsonrpc":"2.0","id":10,"result":{"tools":[{"name":"tool-2","inputSchema":{"type":"object"}}]}}`)
	p.send(`{"jsonrpc":"2.0","id":8,"method":"last"}`)
	if rest, code := p.end(); rest != "" || code != 3 {
		t.Errorf("it ends with %d and %q", code, rest)
	}
	received, err := p.Received()
	if err != nil || len(received) != 11 || received[5] != `{"jsonrpc":"2.0","method":"notifications/x"}` {
		t.Errorf("received: %v, %v", received, err)
	}
	if n, err := p.Starts(); n != 1 || err != nil {
		t.Errorf("%d starts, %v", n, err)
	}
}

func TestWrites(t *testing.T) {
	p := start(t, fake.WriteMode, strings.Join([]string{
		`banner 🚀`, ``, `{"id":@@ID:initialize@@,"text":"@@IDTEXT:initialize@@","token":@@TOKEN:call#2@@}`,
		`@@AFTER:notifications/go@@{"go":1}`, `@@ANSWER tools/list@@`, `@@RAW {"half":@@`, `@@SLEEP 10 ms@@`, `@@HEX 317d 0d0a@@`,
		`@@STDERR out of paper@@`, `@@STDERRS 2@@`, `@@FLOOD 3@@`, `@@X:5@@`, `{"never":@@ID:never@@}`, `not reached`,
	}, "\n"))
	p.expect(`banner 🚀`, ``)
	p.send(`{"id":"q-1","method":"initialize"}`, `{"id":2,"method":"call"}`, `{"id":3,"method":"call","params":{"_meta":{"progressToken":"t"}}}`)
	p.expect(`{"id":"q-1","text":"q-1","token":"t"}`)
	p.send(`{"method":"notifications/go"}`, `{"id":4,"method":"tools/list"}`)
	p.expect(`{"go":1}`,
		`{"jsonrpc":"2.0","id":4,"result":{"tools":[{"name":"echo","description":"Gives back what it gets.","inputSchema":{"type":"object"}}]}}`,
		"{\"half\":1}\r", `xxxxx`)
	if rest, code := p.end(); rest != "" || code != 0 {
		t.Errorf("it ends with %d and %q", code, rest)
	}
	if p.err.String() != "out of paper\nline 1\nline 2\nxxx" {
		t.Errorf("stderr: %q", p.err.String())
	}
}

func TestStubborn(t *testing.T) {
	file := t.TempDir() + "/pid"
	p := start(t, fake.WriteMode, "@@STUBBORN@@\n@@CHILD "+file+"@@\nready")
	p.expect("ready")
	_ = p.in.Close()
	ended := make(chan error, 1)
	go func() { ended <- p.cmd.Wait() }()
	select {
	case err := <-ended:
		t.Errorf("it ends: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(data))
	if err != nil {
		t.Fatal(err)
	}
	child, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Kill(); err != nil {
		t.Errorf("its child is not there: %v", err)
	}
	_ = p.cmd.Process.Kill()
	<-ended
}

func TestBadScripts(t *testing.T) {
	for script, want := range map[string]string{
		"tools/call":            `script: line 1: tools/call: "" is no JSON, nor one of: error JSON, nothing, exit CODE`,
		"\ntools/call {":        `script: line 2: tools/call: "{" is no JSON, nor one of: error JSON, nothing, exit CODE`,
		"tools/call after 1 {}": `script: line 1: tools/call: time: missing unit in duration "1{}"`,
	} {
		if _, err := fake.ParseAnswers(script); fmt.Sprint(err) != want && !strings.Contains(fmt.Sprint(err), "want: after") {
			t.Errorf("%q: got %v, want %s", script, err, want)
		}
	}
	for script, want := range map[string]string{
		"POST x":       `script: line 1: "POST x": want: POST METHOD -> STATUS [TYPE]`,
		"POST x -> no": `script: line 1: "no" is no HTTP status, nor reset`,
	} {
		if _, err := fake.ParseExchanges(script); fmt.Sprint(err) != want {
			t.Errorf("%q: got %v, want %s", script, err, want)
		}
	}
}

// exchange sends one request and writes the answer as text.
func exchange(t *testing.T, method, url, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "broken off"
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	text := fmt.Sprintf("%d %s %q %q", resp.StatusCode, resp.Header.Get("Content-Type"), resp.Header.Get("X-Seen"), data)
	if err != nil {
		text += " broken off"
	}
	return text
}

func TestExchanges(t *testing.T) {
	server, err := fake.ServeExchanges(`POST initialize -> 200 application/json
  X-Seen: @@ID@@
  {"id":@@ID@@}
POST call -> 200 text/event-stream
  id: 7
  data: {"id":"@@IDTEXT@@"}

  @@SLEEP 1 ms@@
  @@RAW : half@@
POST call -> 503 text/plain
  out of paper
POST gone -> reset
POST cut -> 200 text/plain
  half
  @@RESET@@
GET -> 200 text/plain
  @@URL@@
`)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	origin := strings.TrimSuffix(server.URL(), "/mcp")
	for _, c := range []struct{ method, body, want string }{
		{"POST", `{"id":1,"method":"initialize"}`, `200 application/json "1" "{\"id\":1}"`},
		{"POST", `{"id":"b","method":"call"}`, `200 text/event-stream "" "id: 7\ndata: {\"id\":\"b\"}\n\n: half"`},
		{"POST", `{"id":3,"method":"call"}`, `503 text/plain "" "out of paper"`},
		{"POST", `{"id":4,"method":"call"}`, `503 text/plain "" "out of paper"`},
		{"POST", `{"id":5,"method":"gone"}`, `broken off`},
		{"POST", `{"id":6,"method":"cut"}`, `200 text/plain "" "half\n" broken off`},
		{"POST", `{"id":7,"method":"ping"}`, `200 application/json "" "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}"`},
		{"POST", `{"method":"notifications/x"}`, `202  "" ""`},
		{"GET", ``, `200 text/plain "" "` + origin + `"`},
		{"DELETE", ``, `200  "" ""`},
		{"PUT", ``, `405  "" ""`},
	} {
		if got := exchange(t, c.method, server.URL(), c.body); got != c.want {
			t.Errorf("%s %s: got %s, want %s", c.method, c.body, got, c.want)
		}
	}
	var seen []string
	for _, r := range server.Requests() {
		seen = append(seen, strings.TrimSpace(r.Method+" "+r.RPC))
	}
	want := []string{"POST initialize", "POST call", "POST call", "POST call", "POST gone", "POST cut", "POST ping", "POST notifications/x",
		"GET", "DELETE", "PUT"}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
}
