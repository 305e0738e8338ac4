package replaytest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay"
)

const cassette = `{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"test","transport":"stdio","server":{"command":"x"},"rules":{"built-in":1}}
{"at":1.000000,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"a"}}
{"at":2.000000,"from":"server","message":{"jsonrpc":"2.0","id":1,"result":"first"}}
{"at":3.000000,"from":"client","message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"b"}}}
{"at":4.000000,"from":"server","message":{"jsonrpc":"2.0","method":"notifications/x"}}
{"at":5.000000,"from":"server","message":{"jsonrpc":"2.0","id":2,"result":2}}
`

// failures is a test that notes how it fails.
type failures struct {
	testing.TB
	texts    []string
	cleanups []func()
}

type fatal struct{}

func (f *failures) Helper()           {}
func (f *failures) Cleanup(do func()) { f.cleanups = append(f.cleanups, do) }
func (f *failures) Failed() bool      { return f.texts != nil }
func (f *failures) Errorf(format string, args ...any) {
	f.texts = append(f.texts, fmt.Sprintf(format, args...))
}
func (f *failures) Fatalf(format string, args ...any) {
	f.Errorf(format, args...)
	panic(fatal{})
}

// run runs a test to its end, cleanups and all, and gives how it failed.
func run(t *testing.T, test func(testing.TB)) []string {
	f := &failures{TB: t}
	func() {
		defer func() {
			if p := recover(); p != nil && p != any(fatal{}) {
				panic(p)
			}
		}()
		test(f)
	}()
	for i := len(f.cleanups) - 1; i >= 0; i-- {
		f.cleanups[i]()
	}
	return f.texts
}

func ask(t testing.TB, server mcp.Transport, requests ...string) (answers []string) {
	t.Helper()
	conn, err := server.Connect(t.Context())
	if err != nil {
		t.Fatalf("%v", err)
	}
	defer conn.Close()
	for i, request := range requests {
		m, err := jsonrpc.Parse(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,%s}`, i, request))
		if err != nil {
			t.Fatalf("%v", err)
		}
		if err := conn.Write(t.Context(), m); err != nil {
			t.Fatalf("%v", err)
		}
		for {
			answer, err := conn.Read(t.Context())
			if err != nil {
				t.Fatalf("%v", err)
			}
			if answer.Kind() == jsonrpc.Response {
				answers = append(answers, string(answer.Result))
				break
			}
		}
	}
	return answers
}

func write(t *testing.T, path, data string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReplay(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "c.jsonl"), cassette)
	got := run(t, func(t testing.TB) {
		server := Open(t, path, nil, nil)
		if answers := ask(t, server, `"method":"a"`, `"method":"tools/call","params":{"name":"b"}`); answers[0] != `"first"` || answers[1] != "2" {
			t.Errorf("answers %q", answers)
		}
	})
	if got != nil {
		t.Errorf("it fails: %q", got)
	}
}

func TestUnplayedFramesFail(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "c.jsonl"), cassette)
	got := run(t, func(t testing.TB) { ask(t, Open(t, path, nil, nil), `"method":"a"`) })
	want := []string{
		path + ": frame 3: tools/call \"b\" was never asked for:\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"b"}}`,
		path + ": frame 4: notifications/x was never sent:\n" + `{"jsonrpc":"2.0","method":"notifications/x"}`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	got = run(t, func(t testing.TB) { ask(t, Open(t, path, nil, &Options{AllowUnplayed: true}), `"method":"a"`) })
	if got != nil {
		t.Errorf("it fails: %q", got)
	}
}

// live is a server that is there.
func live(t testing.TB, data string) mcp.Transport {
	t.Helper()
	c, err := replay.Parse([]byte(data), "live")
	if err != nil {
		t.Fatalf("%v", err)
	}
	p, err := replay.NewPlayer(c, nil)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return p
}

func TestModes(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "deep", "c.jsonl")
	session := func(mode Mode, server mcp.Transport, want string) []string {
		return run(t, func(t testing.TB) {
			if got := ask(t, Open(t, path, server, &Options{Mode: mode}), `"method":"a"`); got[0] != want {
				t.Errorf("%s: answered %s", mode, got)
			}
		})
	}
	wantFailure := func(got []string, want string) {
		t.Helper()
		if len(got) != 1 || !strings.Contains(got[0], want) {
			t.Errorf("fails with %q, want %q", got, want)
		}
	}
	one := live(t, cassette)
	wantFailure(session(ModeReplay, one, ""), "MCP_REPLAY_MODE=once records it")
	if got := session(ModeLive, one, `"first"`); got != nil {
		t.Errorf("live: %q", got)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("mode live has written a cassette")
	}
	if got := session(ModeOnce, one, `"first"`); got != nil {
		t.Errorf("once, the first time: %q", got)
	}
	two := live(t, strings.ReplaceAll(cassette, "first", "second"))
	if got := session(ModeOnce, two, `"first"`); got != nil {
		t.Errorf("once, the second time: %q", got)
	}
	wantFailure(session(ModeRecord, two, "wrong"), `answered ["second"]`)
	if got := session(ModeReplay, nil, `"first"`); got != nil {
		t.Errorf("after a recording that failed: %q", got)
	}
	if got := session(ModeRecord, two, `"second"`); got != nil {
		t.Errorf("record: %q", got)
	}
	if got := session(ModeReplay, nil, `"second"`); got != nil {
		t.Errorf("after a recording: %q", got)
	}
	wantFailure(session(ModeRecord, nil, ""), "the test gives none")
	wantFailure(session("sometimes", nil, ""), `mode "sometimes" is none of replay, once, record and live`)
	if left, _ := filepath.Glob(path + ".*"); left != nil {
		t.Errorf("left behind: %q", left)
	}
}

func TestModeByEnvironment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.jsonl")
	t.Setenv(EnvMode, "record")
	if got := run(t, func(t testing.TB) { ask(t, Open(t, path, live(t, cassette), nil), `"method":"a"`) }); got != nil {
		t.Errorf("it fails: %q", got)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}
