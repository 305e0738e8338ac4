package timeline

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/internal/display"
)

const header = `{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"mcp-replay 0.1.0","transport":"stdio","server":{"command":"tiny","args":["-v"]},"rules":{"built-in":1}}` + "\n"

// session is one of everything that a timeline tells apart.
const session1 = header +
	`{"at":0.001,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"host"}}}}
{"at":0.412,"from":"server","message":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","serverInfo":{"name":"tiny","version":"2.0"}}}}
{"at":0.413,"from":"client","message":{"jsonrpc":"2.0","method":"notifications/initialized"}}
{"at":0.5,"from":"server","noise":"Server ready\n"}
{"at":0.6,"from":"server","stderr":"warning: low on fuel\n"}
{"at":1,"from":"client","message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"message":"hi"},"_meta":{"progressToken":7}}}}
{"at":1.1,"from":"server","message":{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1,"total":2}}}
{"at":1.2,"from":"server","message":{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":2,"total":2}}}
{"at":1.3,"from":"server","message":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"Echo: hi"}]}}}
{"at":2,"from":"client","message":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"fail","arguments":{}}}}
{"at":2.1,"from":"server","message":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"it broke"}],"isError":true}}}
{"at":3,"from":"client","message":{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"nope"}}}
{"at":3.1,"from":"server","message":{"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"no such tool"}}}
{"at":4,"from":"client","message":{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"slow"}}}
{"at":4.1,"from":"server","message":{"jsonrpc":"2.0","id":5,"method":"sampling/createMessage","params":{"maxTokens":10}}}
{"at":4.2,"from":"client","message":{"jsonrpc":"2.0","id":5,"result":{"role":"assistant"}}}
{"at":5,"from":"client","message":{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}}
{"at":6,"from":"client","message":{"jsonrpc":"2.0","id":6,"method":"tools/list"}}
{"at":6.1,"from":"server","message":{"jsonrpc":"2.0","id":99,"result":{}}}
{"at":6.5,"from":"server","exit":{"code":3}}
`

func read(t *testing.T, cassette string) *Timeline {
	t.Helper()
	r, err := replay.NewReader(strings.NewReader(cassette), "test.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	tl, err := Read(r)
	if err != nil {
		t.Fatal(err)
	}
	return tl
}

// A session without initialize says in its messages who speaks.
func TestIntroductionInMessages(t *testing.T) {
	tl := read(t, header+`{"at":1,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}}
{"at":2,"from":"server","message":{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"tiny","version":"3"}}}}}
`)
	if tl.Server != "tiny 3" || tl.Protocol != "2026-07-28" {
		t.Errorf("server %q, protocol %q", tl.Server, tl.Protocol)
	}
}

func TestCalls(t *testing.T) {
	tl := read(t, session1)
	type call struct {
		Method, Name string
		At, Duration time.Duration
		Outcome      Outcome
	}
	var calls []call
	for c := range tl.AllCalls(mcp.FromClient) {
		calls = append(calls, call{c.Method, c.Name, c.At, c.Duration, c.Outcome})
	}
	ms := time.Millisecond
	want := []call{
		{"initialize", "", 1 * ms, 411 * ms, OK},
		{"tools/call", "echo", 1000 * ms, 300 * ms, OK},
		{"tools/call", "fail", 2000 * ms, 100 * ms, Failed},
		{"tools/call", "nope", 3000 * ms, 100 * ms, Error},
		{"tools/call", "slow", 4000 * ms, 1000 * ms, Cancelled},
		{"tools/list", "", 6000 * ms, -1, Unanswered},
	}
	if d := cmp.Diff(want, calls); d != "" {
		t.Error(d)
	}
	var server []string
	for c := range tl.AllCalls(mcp.FromServer) {
		server = append(server, c.Method+" "+c.Outcome.String())
	}
	if d := cmp.Diff([]string{"sampling/createMessage ok"}, server); d != "" {
		t.Error(d)
	}
}

func TestProblems(t *testing.T) {
	var got []string
	for _, p := range read(t, session1).Problems {
		got = append(got, p.Text)
	}
	want := []string{
		"the server wrote on stdout what is no message: Server ready",
		"tools/call fail failed: it broke",
		"tools/call nope was answered with an error: no such tool (-32602)",
		"tools/call slow was given up by the host after 1.0 s",
		"tools/list was never answered: the server ended first",
		"an answer came to a request that nobody made (id 99)",
		"the server ended by itself, with exit code 3; its last words on stderr: warning: low on fuel",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestWriteText(t *testing.T) {
	var out strings.Builder
	if err := read(t, session1).WriteText(&out, &TextOptions{Width: 80, Name: "session.jsonl"}); err != nil {
		t.Fatal(err)
	}
	want := `session.jsonl
tiny 2.0, protocol 2025-06-18
stdio: tiny -v
recorded 2026-12-01 10:00:00 UTC by mcp-replay 0.1.0
6 calls and 20 frames in 6.5 s · 2 ok · 1 failed · 1 error · 1 cancelled · 1 un…

What went wrong
  ✗ the server wrote on stdout what is no message: Server ready  (frame 4)
  ✗ tools/call fail failed: it broke  (frame 10)
  ✗ tools/call nope was answered with an error: no such tool (-3260…  (frame 12)
  ✗ tools/call slow was given up by the host after 1.0 s  (frame 14)
  ✗ tools/list was never answered: the server ended first  (frame 18)
  ✗ an answer came to a request that nobody made (id 99)  (frame 19)
  ✗ the server ended by itself, with exit code 3; its last words on…  (frame 20)

 0.001   411 ms  ✓ initialize  host asks for 2025-06-18 → tiny 2.0 speaks 2025-…
 0.413           → notifications/initialized
 0.500           ! no message:  Server ready
 0.600           | stderr:  warning: low on fuel
 1.000   300 ms  ✓ tools/call echo  message: "hi" → Echo: hi
 1.100   100 ms  ← notifications/progress ×2  1/2
 2.000   100 ms  ✗ tools/call fail → failed: it broke
 3.000   100 ms  ✗ tools/call nope → error: no such tool (-32602)
 4.000    1.0 s  ⊘ tools/call slow → cancelled
 4.100   100 ms  ◂ sampling/createMessage  maxTokens: 10 → role: "assistant"
 5.000           → notifications/cancelled  requestId: 5
 6.000        –  ? tools/list → unanswered
 6.100           ✗ an answer to nobody's request
 6.500           ✗ the server ended:  exit code 3
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
}

// Whatever a server sends, no line is wider than the terminal, and no escape sequence of its own gets through.
func TestWriteTextFits(t *testing.T) {
	nasty := header +
		`{"at":1,"from":"client","message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"日本語日本語日本語日本語\u001b[2J","arguments":{"a":"` + strings.Repeat("é", 300) + `"}}}}
{"at":1.3,"from":"server","message":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"\u202eevil\u001b[31m` + strings.Repeat("漢", 300) + `"}],"isError":true}}}
{"at":123456.5,"from":"server","stderr":"` + strings.Repeat("x", 3000) + `"}
`
	for width := 40; width < 130; width += 7 {
		var out strings.Builder
		if err := read(t, nasty).WriteText(&out, &TextOptions{Width: width, Name: strings.Repeat("n", 200)}); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(out.String(), "\x1b\u202e") {
			t.Fatalf("width %d: an escape sequence or direction mark got through:\n%s", width, out.String())
		}
		for line := range strings.Lines(out.String()) {
			if w := display.Width(strings.TrimSuffix(line, "\n")); w > width {
				t.Errorf("width %d: a line of %d: %q", width, w, line)
			}
		}
	}
}

func TestWriteJSON(t *testing.T) {
	short := header +
		`{"at":0.0005,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}}
{"at":0.00175,"from":"server","message":{"jsonrpc":"2.0","id":1,"result":{"content":[]}}}
{"at":2,"from":"client","message":{"jsonrpc":"2.0","id":2,"method":"ping"}}
{"at":3,"from":"ser`
	var out strings.Builder
	if err := read(t, short).WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	want := `{"header":` + strings.TrimSpace(header) + `,"frames":3,"seconds":2,"calls":[` +
		`{"method":"tools/call","name":"echo","at":0.0005,"durationMs":1.25,"outcome":"ok","frame":1,"answer":2},` +
		`{"method":"ping","name":"","at":2,"durationMs":null,"outcome":"unanswered","frame":3}],"serverCalls":[],` +
		`"problems":[{"text":"ping was never answered","frame":3,"count":1},` +
		`{"text":"the recording was cut off: its last line is not whole and is left out","frame":3,"count":1}],"truncated":true}` + "\n"
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
}
