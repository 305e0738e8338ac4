package replay

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
)

// verify holds a player of the live tape, as the server, against the recorded one.
func verify(t *testing.T, recorded, live string, o *VerifyOptions) *Report {
	t.Helper()
	p, err := NewPlayer(tape(t, live), &PlayOptions{Match: MatchMethod})
	if err != nil {
		t.Fatal(err)
	}
	if o == nil {
		o = &VerifyOptions{Consent: func([]string) bool { return true }}
	}
	o.Timeout, o.ConnectTimeout = 2*time.Second, 2*time.Second
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	r, err := Verify(ctx, tape(t, recorded), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func call(id, name, arguments, result string) string {
	return `> {"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + `}}
		< {"jsonrpc":"2.0","id":` + id + `,"result":` + result + `}
`
}

func TestVerify(t *testing.T) {
	tests := []struct {
		name, recorded, live, want string
		options                    *VerifyOptions
	}{
		{
			name: "the same, in another order of keys", recorded: initialize + "\n" + call("2", "a", "{}", `{"x":1,"y":[2]}`),
			live: initialize + "\n" + call("2", "a", "{}", `{"y":[2],"x":1}`),
			want: `{"requests":2,"same":2,"differences":[],"unanswered":[],"skipped":[],"notes":[]}`,
		},
		{
			name:     "differences, each with its place",
			recorded: call("1", "a", "{}", `{"x":1,"gone":true,"l":[1,2]}`),
			live:     call("1", "a", "{}", `{"x":2,"new":null,"l":[1]}`),
			want: `{"requests":1,"same":0,"differences":[{"request":1,"pointer":"/result/x","recorded":1,"live":2,"severity":"difference"},` +
				`{"request":1,"pointer":"/result/gone","recorded":true,"severity":"difference"},` +
				`{"request":1,"pointer":"/result/l/1","recorded":2,"severity":"difference"},` +
				`{"request":1,"pointer":"/result/new","live":null,"severity":"difference"}],"unanswered":[],"skipped":[],"notes":[]}`,
		},
		{
			name: "another spelling of a number matters less", recorded: call("1", "a", "{}", `{"x":1.0}`), live: call("1", "a", "{}", `{"x":1}`),
			want: `{"requests":1,"same":1,"differences":[{"request":1,"pointer":"/result/x","recorded":1.0,"live":1,"severity":"spelling"}],"unanswered":[],"skipped":[],"notes":[]}`,
		},
		{
			name:     "minted values are carried into later requests",
			recorded: call("1", "new", "{}", `{"text":"created note-17 at last","n":{"id":5}}`) + call("2", "get", `{"id":"note-17","noteId":5}`, `"got note-17"`) + call("3", "list", `{}`, `{"nextCursor":"abc"}`),
			live:     call("1", "new", "{}", `{"text":"created note-42 at last","n":{"id":6}}`) + call("2", "get", `{"id":"note-42","noteId":6}`, `"got note-42"`) + call("3", "list", `{}`, `{"nextCursor":"xyz"}`),
			want:     `{"requests":3,"same":3,"differences":[],"unanswered":[],"skipped":[],"notes":[]}`,
		},
		{
			name:     "what the client said itself is not minted",
			recorded: call("1", "greet", `{"name":"alice"}`, `"hello alice"`) + call("2", "greet", `{"name":"alice"}`, `"hello alice"`),
			live:     call("1", "greet", `{}`, `"hello bob"`) + call("2", "greet", `{}`, `"hello alice"`),
			want: `{"requests":2,"same":1,"differences":[{"request":1,"pointer":"/result","recorded":"hello alice","live":"hello bob","severity":"difference"}],` +
				`"unanswered":[],"skipped":[],"notes":[]}`,
		},
		{
			name: "ignored places", recorded: call("1", "now", "{}", `{"t":1,"u":{"v":1},"w":[1,1]}`) + call("2", "a", "{}", `{"t":1}`),
			live:    call("1", "now", "{}", `{"t":2,"u":{"v":2},"w":[2,2]}`) + call("2", "a", "{}", `{"t":2}`),
			options: &VerifyOptions{Consent: func([]string) bool { return true }, Ignore: []string{"tools/call:now /result/t", "/result/u", "/result/w/*"}},
			want: `{"requests":2,"same":1,"differences":[{"request":2,"pointer":"/result/t","recorded":1,"live":2,"severity":"difference"}],` +
				`"unanswered":[],"skipped":[],"notes":[]}`,
		},
		{
			name: "redacted arguments are filled, or the request is skipped",
			recorded: call("1", "login", `{"key":"[redacted:key:1]"}`, `{"key":"[redacted:key:1]","token":"[redacted:token:2]"}`) +
				call("2", "use", `{"token":"[redacted:token:2]"}`, `1`) + call("3", "other", `{"key":"[redacted:key:3]"}`, `1`),
			live: call("1", "login", `{}`, `{"key":"planted","token":"live-token"}`) + call("2", "use", `{}`, `2`),
			options: &VerifyOptions{Consent: func([]string) bool { return true },
				Fill: map[string]string{"[redacted:key:1]": "planted"}},
			want: `{"requests":3,"same":1,"differences":[{"request":2,"pointer":"/result","recorded":1,"live":2,"severity":"difference"}],` +
				`"unanswered":[],"skipped":[3],"notes":[]}`,
		},
		{
			name: "only what only reads",
			recorded: `> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
				< {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"r","annotations":{"readOnlyHint":true}},{"name":"w"},{"name":"d","annotations":{"readOnlyHint":true,"destructiveHint":true}}]}}
				` + call("2", "r", "{}", "1") + call("3", "w", "{}", "1") + call("4", "d", "{}", "1"),
			live: `> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
				< {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"w"},{"name":"d","annotations":{"destructiveHint":true,"readOnlyHint":true}},{"name":"r","annotations":{"readOnlyHint":true}}]}}
				` + call("2", "r", "{}", "1"),
			options: &VerifyOptions{OnlyReads: true},
			want:    `{"requests":4,"same":2,"differences":[],"unanswered":[],"skipped":[3,4],"notes":[]}`,
		},
		{
			name: "the live server no longer says that it only reads",
			recorded: `> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
				< {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"r","annotations":{"readOnlyHint":true}}]}}
				` + call("2", "r", "{}", "1"),
			live: `> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
				< {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"r"}]}}
				` + call("2", "r", "{}", "1"),
			options: &VerifyOptions{},
			want: `{"requests":2,"same":0,"differences":[{"request":1,"pointer":"/result/tools/0/annotations","recorded":{"readOnlyHint":true},"severity":"difference"}],` +
				`"unanswered":[],"skipped":[2],"notes":[]}`,
		},
		{
			name: "requests of the server are answered as recorded",
			recorded: `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}}
				< {"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"q":1}}
				> {"jsonrpc":"2.0","id":7,"result":"because"}
				< {"jsonrpc":"2.0","id":1,"result":"ok"}`,
			live: `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask"}}
				< {"jsonrpc":"2.0","id":"x","method":"sampling/createMessage","params":{"q":2}}
				> {"jsonrpc":"2.0","id":"x","result":"because"}
				< {"jsonrpc":"2.0","id":1,"result":"ok"}`,
			want: `{"requests":1,"same":1,"differences":[],"unanswered":[],"skipped":[],"notes":[]}`,
		},
		{
			name: "an error instead of a result", recorded: call("1", "a", "{}", "1"),
			live: `> {"jsonrpc":"2.0","id":1,"method":"tools/call"}
				< {"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}`,
			want: `{"requests":1,"same":0,"differences":[{"request":1,"pointer":"/result","recorded":1,"severity":"difference"},` +
				`{"request":1,"pointer":"/error","live":{"code":-1,"message":"no"},"severity":"difference"}],"unanswered":[],"skipped":[],"notes":[]}`,
		},
		{
			name:     "the same crash",
			recorded: initialize + "\n> {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"crash\"}}\n{\"from\":\"server\",\"exit\":{\"code\":3}}",
			live:     initialize + "\n> {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"crash\"}}\n{\"from\":\"server\",\"exit\":{\"code\":3}}",
			want:     `{"requests":2,"same":2,"differences":[],"unanswered":[],"skipped":[],"notes":[]}`,
		},
		{
			name:     "a crash where there was none",
			recorded: initialize + "\n" + call("2", "a", "{}", "1") + call("3", "a", "{}", "1"),
			live:     initialize + "\n> {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"crash\"}}\n{\"from\":\"server\",\"exit\":{\"code\":3}}",
			want:     `{"requests":3,"same":1,"differences":[],"unanswered":[2,3],"skipped":[],"notes":[]}`,
		},
		{
			name: "a cancelled request",
			recorded: `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}
				> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
				` + call("2", "a", "{}", "1"),
			live: `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}
				> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
				` + call("2", "a", "{}", "1"),
			want: `{"requests":2,"same":2,"differences":[],"unanswered":[],"skipped":[],"notes":[]}`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := string(verify(t, test.recorded, test.live, test.options).AppendJSON(nil))
			if d := cmp.Diff(test.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestVerifyAsksFirst(t *testing.T) {
	c := tape(t, call("1", "write", "{}", "1")+`> {"jsonrpc":"2.0","id":2,"method":"x/do"}
		< {"jsonrpc":"2.0","id":2,"result":1}`)
	_, err := Verify(t.Context(), c, failing{t}, nil)
	if want := "not sent without consent, since they may change something: write and x/do"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// failing is a server that must not be reached.
type failing struct{ t *testing.T }

func (f failing) Connect(context.Context) (mcp.Conn, error) {
	f.t.Error("something connects")
	return nil, os.ErrInvalid
}

func TestVerifyFormats(t *testing.T) {
	r := verify(t, call("1", "a", "{}", `{"x":1.0,"y":"`+strings.Repeat("long ", 100)+`old"}`)+call("2", "b", `{"k":"[redacted:key:1]"}`, "1"),
		call("1", "a", "{}", `{"x":1,"y":"`+strings.Repeat("long ", 100)+`new"}`), nil)
	var text, junit strings.Builder
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	want := `request 1: tools/call "a" (frame 1)
  /result/x: the same number, spelt 1 instead of 1.0
  /result/y
    - …long long long long long long long long long long old"
    + …long long long long long long long long long long new"
request 2: tools/call "b" (frame 3)
  skipped: no value is given for [redacted:key:1]
2 requests: 0 the same, 1 different, 1 skipped, 1 spelt in another way
`
	if d := cmp.Diff(want, text.String()); d != "" {
		t.Error(d)
	}
	if err := r.WriteJUnit(&junit); err != nil {
		t.Fatal(err)
	}
	want = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="verify tape" tests="2" failures="1" errors="0" skipped="1">
  <testcase name="request 1: tools/call &#34;a&#34; (frame 1)" classname="tape">
    <failure message="the answer differs from the recorded one">  /result/x: the same number, spelt 1 instead of 1.0&#xA;  /result/y&#xA;    - …long long long long long long long long long long old&#34;&#xA;    + …long long long long long long long long long long new&#34;&#xA;</failure>
  </testcase>
  <testcase name="request 2: tools/call &#34;b&#34; (frame 3)" classname="tape">
    <skipped message="no value is given for [redacted:key:1]"></skipped>
  </testcase>
</testsuite>
`
	if d := cmp.Diff(want, junit.String()); d != "" {
		t.Error(d)
	}
}

func TestVerifyUpdate(t *testing.T) {
	recorded := call("1", "new", "{}", `"created note-17"`) + call("2", "get", `{"id":"note-17"}`, `"old note-17"`)
	live := call("1", "new", "{}", `"created note-42"`) + call("2", "get", `{"id":"note-42"}`, `"new note-42"`)
	path := filepath.Join(t.TempDir(), "c.jsonl")
	if err := os.WriteFile(path, tape(t, recorded).bytes(t), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	p, err := NewPlayer(tape(t, live), &PlayOptions{Match: MatchMethod})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Verify(t.Context(), c, p, &VerifyOptions{Update: true, Consent: func([]string) bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := r.Update(path, nil); n != 1 || err != nil {
		t.Fatalf("%d answers updated, %v", n, err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, want, _ := strings.Cut(string(tape(t, strings.ReplaceAll(recorded, "old", "new")).bytes(t)), "\n")
	_, frames, _ := strings.Cut(string(got), "\n")
	if d := cmp.Diff(want, frames); d != "" {
		t.Error(d)
	}
}

// bytes gives the file that a tape stands for.
func (c *Cassette) bytes(t *testing.T) []byte {
	t.Helper()
	data := make([]byte, c.end)
	if _, err := c.file.ReadAt(data, 0); err != nil {
		t.Fatal(err)
	}
	return data
}

func TestLearnVary(t *testing.T) {
	session := func(time, other string) string {
		return `< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"up at ` + time + `"}}` + "\n" +
			call("1", "now", "{}", `{"content":[{"text":"`+time+`"}],"list":[`+other+`,`+other+`]}`) +
			call("2", "login", `{"key":"[redacted:key:1]"}`, `"[redacted:token:2] at `+time+`"`) +
			call("3", "new", "{}", `"note-`+other+`"`) + call("4", "get", `{"id":"note-`+other+`"}`, `"[path:cwd]/note-`+other+`"`)
	}
	got, err := LearnVary(t.Context(), tape(t, session("10:00", "1001")), tape(t, session("10:01", "1002")))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"/notifications/notifications~1message/0/params/data",
		"tools/call:login /result",
		"tools/call:now /result/content/0/text",
		"tools/call:now /result/list/*",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
