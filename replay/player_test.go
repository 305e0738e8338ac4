package replay

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
)

const (
	header     = `{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"test","transport":"stdio","server":{"command":"x"},"rules":{"built-in":1}}`
	httpHeader = `{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"test","transport":"http","server":{"url":"http://127.0.0.1/mcp"},"rules":{"built-in":1}}`
)

// tape writes a cassette: a line that begins with > is a message of the client, with < one of the server, any other a frame
// as it stands. The frames are a second apart.
func tape(t testing.TB, lines string) *Cassette {
	t.Helper()
	return tapeOf(t, header, lines)
}

func tapeOf(t testing.TB, header, lines string) *Cassette {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(header + "\n")
	at := 0
	for line := range strings.SplitSeq(lines, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		at++
		side := map[byte]string{'>': "client", '<': "server"}[line[0]]
		if side == "" {
			b.WriteString(strings.Replace(line, "{", fmt.Sprintf(`{"at":%d.000000,`, at), 1) + "\n")
			continue
		}
		fmt.Fprintf(&b, "{\"at\":%d.000000,\"from\":%q,\"message\":%s}\n", at, side, strings.TrimSpace(line[1:]))
	}
	c, err := Parse(b.Bytes(), "tape")
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	return c
}

// play writes lines to a player on stdio and gives what it wrote, and how it ended.
func play(t testing.TB, c *Cassette, o *PlayOptions, lines string) (out, stderr string, status mcp.ExitStatus) {
	t.Helper()
	p, err := NewPlayer(c, o)
	if err != nil {
		t.Fatal(err)
	}
	var stdout, errOut bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	status, err = p.ServeStdio(ctx, strings.NewReader(unindent(lines)), &stdout, &errOut)
	if err != nil {
		t.Fatalf("%v; so far: %s", err, stdout.String())
	}
	return stdout.String(), errOut.String(), status
}

func unindent(lines string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(lines, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

const initialize = `
	> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}
	< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
	> {"jsonrpc":"2.0","method":"notifications/initialized"}`

func TestPlayStdio(t *testing.T) {
	tests := []struct {
		name, tape, in, out string
		options             *PlayOptions
		stderr              string
		status              mcp.ExitStatus
	}{
		{
			name: "initialize, whatever the version", tape: initialize,
			in:  `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2026-07-28"}}`,
			out: `{"jsonrpc":"2.0","id":"i","result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`,
		},
		{
			name: "92: by meaning, with the caller's id and token",
			tape: `> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"t","arguments":{"a":1,"b":1.0,"k":"[redacted:key:1]"},"_meta":{"progressToken":3}}}
				< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":3,"progress":1}}
				< {"jsonrpc":"2.0","result":{"x":1.0, "n":9007199254740993},"id":3}`,
			in: `{"jsonrpc":"2.0","id":"q-9","method":"tools/call","params":{"_meta":{"progressToken":"z","traceparent":"00"},"arguments":{"k":"anything","b":1,"a":1.0},"name":"t"}}`,
			out: `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"z","progress":1}}
				{"jsonrpc":"2.0","result":{"x":1.0, "n":9007199254740993},"id":"q-9"}`,
		},
		{
			name: "87: equal requests in their order",
			tape: `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get"}}
				< {"jsonrpc":"2.0","id":1,"result":"old"}
				> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"set","arguments":{"v":1}}}
				< {"jsonrpc":"2.0","id":2,"result":"done"}
				> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get"}}
				< {"jsonrpc":"2.0","id":3,"result":"new"}`,
			in: `{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"get","arguments":{}}}
				{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"get"}}
				{"jsonrpc":"2.0","id":13,"method":"tools/call","params":{"name":"get"}}`,
			out: `{"jsonrpc":"2.0","id":11,"result":"old"}
				{"jsonrpc":"2.0","id":12,"result":"new"}
				{"jsonrpc":"2.0","id":13,"error":{"code":-32050,"message":"used up: tools/call \"get\" was recorded, and has been answered as often as it was; not asked for so far: tools/call \"set\" (frame 3)","data":{"reason":"used up","nearest":{"frame":5,"method":"tools/call","params":{"name":"get"}},"pointers":[]}}}`,
		},
		{
			name: "95: nothing is borrowed",
			tape: `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}
				< {"jsonrpc":"2.0","id":1,"result":3}
				> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"never","arguments":{}}}`,
			in: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":5,"b":5}}}
				{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}
				{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"never"}}
				{"jsonrpc":"2.0","id":4,"method":"other"}`,
			out: `{"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"never recorded: tools/call \"add\"; the nearest recorded is tools/call \"add\" (frame 1), which differs at /arguments/a and /arguments/b","data":{"reason":"never recorded","nearest":{"frame":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}},"pointers":["/arguments/a","/arguments/b"]}}}
				{"jsonrpc":"2.0","id":2,"result":3}
				{"jsonrpc":"2.0","id":3,"error":{"code":-32050,"message":"never answered: tools/call \"never\" was recorded (frame 3), and the recording has no answer to it","data":{"reason":"never answered","nearest":{"frame":3,"method":"tools/call","params":{"name":"never","arguments":{}}},"pointers":[]}}}
				{"jsonrpc":"2.0","id":4,"error":{"code":-32050,"message":"never recorded: the cassette holds no other at all","data":{"reason":"never recorded","pointers":[]}}}`,
		},
		{
			name: "lists repeat, pings are answered",
			tape: `> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
				< {"jsonrpc":"2.0","id":1,"result":{"tools":[1]}}
				> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}
				< {"jsonrpc":"2.0","id":2,"result":{"tools":[2]}}`,
			in: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{}}}
				{"jsonrpc":"2.0","id":2,"method":"ping"}
				{"jsonrpc":"2.0","id":3,"method":"tools/list"}
				{"jsonrpc":"2.0","id":4,"method":"tools/list"}`,
			out: `{"jsonrpc":"2.0","id":1,"result":{"tools":[1]}}
				{"jsonrpc":"2.0","id":2,"result":{}}
				{"jsonrpc":"2.0","id":3,"result":{"tools":[2]}}
				{"jsonrpc":"2.0","id":4,"result":{"tools":[2]}}`,
		},
		{
			name: "a request of the server waits for its answer",
			tape: `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}
				< {"jsonrpc":"2.0","id":"s1","method":"roots/list"}
				> {"jsonrpc":"2.0","id":"s1","result":{"roots":[]}}
				< {"jsonrpc":"2.0","method":"notifications/message","params":{"data":"after"}}
				< {"jsonrpc":"2.0","id":1,"result":"a"}`,
			in: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a"}}
				{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"b"}}
				{"jsonrpc":"2.0","id":"s1","result":{"roots":[{"uri":"file:///x"}]}}`,
			out: `{"jsonrpc":"2.0","id":"s1","method":"roots/list"}
				{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"a request with the id 7 is still waiting for its answer"}}
				{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"after"}}
				{"jsonrpc":"2.0","id":7,"result":"a"}`,
		},
		{
			name: "89: another order",
			tape: `> {"jsonrpc":"2.0","id":1,"method":"m","params":{"x":"A"}}
				> {"jsonrpc":"2.0","id":2,"method":"m","params":{"x":"B"}}
				< {"jsonrpc":"2.0","id":2,"result":"b"}
				< {"jsonrpc":"2.0","method":"notifications/x"}
				< {"jsonrpc":"2.0","id":1,"result":"a"}`,
			in: `{"jsonrpc":"2.0","id":"x","method":"m","params":{"x":"B"}}
				{"jsonrpc":"2.0","id":"y","method":"m","params":{"x":"A"}}`,
			out: `{"jsonrpc":"2.0","id":"x","result":"b"}
				{"jsonrpc":"2.0","method":"notifications/x"}
				{"jsonrpc":"2.0","id":"y","result":"a"}`,
		},
		{
			name: "stderr, notifications and the exit at their place",
			tape: `{"from":"server","stderr":"up\n"}
				> {"jsonrpc":"2.0","method":"notifications/initialized"}
				< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
				{"from":"server","stderr":"ready in [path:cwd]\n"}
				{"from":"client","close":true}
				{"from":"server","stderr":"bye\n"}
				{"from":"server","exit":{"code":3}}`,
			options: &PlayOptions{Dir: "/w"},
			in:      `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			out:     `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
			stderr:  "up\nready in /w\nbye\n", status: mcp.ExitStatus{Code: 3},
		},
		{
			name: "a crash",
			tape: `> {"jsonrpc":"2.0","id":1,"method":"a"}
				> {"jsonrpc":"2.0","id":2,"method":"b"}
				{"from":"server","stderr":"boom\n"}
				{"from":"server","exit":{"signal":"SIGKILL"}}`,
			in:     `{"jsonrpc":"2.0","id":1,"method":"a"}`,
			stderr: "boom\n", status: mcp.ExitStatus{Signal: "SIGKILL"},
		},
		{
			name: "what the server sent after a notification that does not come",
			tape: `> {"jsonrpc":"2.0","id":1,"method":"a"}
				> {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
				< {"jsonrpc":"2.0","id":5,"method":"roots/list"}
				> {"jsonrpc":"2.0","id":5,"result":{}}
				< {"jsonrpc":"2.0","id":1,"result":1}`,
			in: `{"jsonrpc":"2.0","id":1,"method":"a"}
				{"jsonrpc":"2.0","id":5,"result":{}}`,
			out: `{"jsonrpc":"2.0","id":5,"method":"roots/list"}
				{"jsonrpc":"2.0","id":1,"result":1}`,
		},
		{
			name: "placeholders in answers",
			tape: `> {"jsonrpc":"2.0","id":1,"method":"login","params":{"key":"[redacted:key:1]","file":"[path:cwd]/f"}}
				< {"jsonrpc":"2.0","id":1,"result":["[redacted:key:1]","[path:cwd]","[[path:home]","[redacted:key:2]"]}
				> {"jsonrpc":"2.0","id":2,"method":"who","params":{"key":"[redacted:key:1]"}}
				< {"jsonrpc":"2.0","id":2,"result":1}`,
			options: &PlayOptions{Dir: "/w"},
			in: `{"jsonrpc":"2.0","id":1,"method":"login","params":{"key":"S\"1","file":"/other/f"}}
				{"jsonrpc":"2.0","id":2,"method":"who","params":{"key":"S2"}}
				{"jsonrpc":"2.0","id":3,"method":"who","params":{"key":"S\"1"}}`,
			out: `{"jsonrpc":"2.0","id":1,"result":["S\"1","/other","[path:home]","[redacted:key:2]"]}
				{"jsonrpc":"2.0","id":2,"error":{"code":-32050,"message":"never recorded: who; the nearest recorded is who (frame 3), which differs at no place","data":{"reason":"never recorded","nearest":{"frame":3,"method":"who","params":{"key":"[redacted:key:1]"}},"pointers":[]}}}
				{"jsonrpc":"2.0","id":3,"result":1}`,
		},
		{
			name: "17: a batch in another version", tape: initialize,
			in: `{"jsonrpc":"2.0","id":1,"method":"initialize"}
				[{"jsonrpc":"2.0","id":2,"method":"ping"}]`,
			out: `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
				{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a batch: only protocol version 2025-03-26 has them"}}`,
		},
		{
			name: "17: a batch in 2025-03-26",
			tape: `> {"jsonrpc":"2.0","id":1,"method":"initialize"}
				< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26"}}
				> [{"jsonrpc":"2.0","id":2,"method":"a"},{"jsonrpc":"2.0","id":3,"method":"b"}]
				< [{"jsonrpc":"2.0","id":3,"result":"b"},{"jsonrpc":"2.0","id":2,"result":"a"}]`,
			in: `{"jsonrpc":"2.0","id":1,"method":"initialize"}
				[{"jsonrpc":"2.0","id":2,"method":"a"},7,{"jsonrpc":"2.0","id":4,"method":"ping"}]
				{"jsonrpc":"2.0","id":9,"method":"b"}
				[]`,
			out: `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26"}}
				[{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"not a JSON-RPC message"}},{"jsonrpc":"2.0","id":2,"result":"a"},{"jsonrpc":"2.0","id":4,"result":{}}]
				{"jsonrpc":"2.0","id":9,"result":"b"}
				{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"not a JSON-RPC message"}}`,
		},
		{
			name: "strict: the order counts, lists and pings do not", options: &PlayOptions{Match: MatchStrict},
			tape: `> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
				< {"jsonrpc":"2.0","id":1,"result":"list"}
				> {"jsonrpc":"2.0","id":2,"method":"a"}
				< {"jsonrpc":"2.0","id":2,"result":"a"}
				> {"jsonrpc":"2.0","id":3,"method":"b"}
				< {"jsonrpc":"2.0","id":3,"result":"b"}`,
			in: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}
				{"jsonrpc":"2.0","id":2,"method":"tools/list"}
				{"jsonrpc":"2.0","id":3,"method":"b"}
				{"jsonrpc":"2.0","id":4,"method":"ping"}
				{"jsonrpc":"2.0","id":5,"method":"a"}
				{"jsonrpc":"2.0","id":6,"method":"b"}`,
			out: `{"jsonrpc":"2.0","id":1,"result":"list"}
				{"jsonrpc":"2.0","id":2,"result":"list"}
				{"jsonrpc":"2.0","id":3,"error":{"code":-32050,"message":"out of order: b comes later: next in the recorded order is a (frame 3)","data":{"reason":"out of order","nearest":{"frame":3,"method":"a"},"pointers":[]}}}
				{"jsonrpc":"2.0","id":4,"result":{}}
				{"jsonrpc":"2.0","id":5,"result":"a"}
				{"jsonrpc":"2.0","id":6,"result":"b"}`,
		},
		{
			name: "method: params do not count", options: &PlayOptions{Match: MatchMethod},
			tape: `> {"jsonrpc":"2.0","id":1,"method":"a","params":{"x":1}}
				< {"jsonrpc":"2.0","id":1,"result":1}
				> {"jsonrpc":"2.0","id":2,"method":"a","params":{"x":2}}
				< {"jsonrpc":"2.0","id":2,"result":2}`,
			in: `{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":2}}
				{"jsonrpc":"2.0","id":2,"method":"a"}`,
			out: `{"jsonrpc":"2.0","id":1,"result":1}
				{"jsonrpc":"2.0","id":2,"result":2}`,
		},
		{
			name: "no JSON, and no message", tape: initialize,
			in: `hello
				{"foo":1}`,
			out: `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON: jsontext: invalid character 'h' at start of value"}}
				{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"not a JSON-RPC message"}}`,
		},
		{
			name: "cancelled and never answered: so it stays",
			tape: `> {"jsonrpc":"2.0","id":1,"method":"slow"}
				> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
				> {"jsonrpc":"2.0","id":2,"method":"next"}
				< {"jsonrpc":"2.0","id":2,"result":2}`,
			in: `{"jsonrpc":"2.0","id":5,"method":"slow"}
				{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}
				{"jsonrpc":"2.0","id":6,"method":"next"}`,
			out: `{"jsonrpc":"2.0","id":6,"result":2}`,
		},
		{
			name: "cancelled and answered late",
			tape: `> {"jsonrpc":"2.0","id":1,"method":"slow"}
				> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}
				< {"jsonrpc":"2.0","id":1,"result":1}`,
			in: `{"jsonrpc":"2.0","id":5,"method":"slow"}
				{"jsonrpc":"2.0","id":6,"method":"ping"}
				{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`,
			out: `{"jsonrpc":"2.0","id":6,"result":{}}
				{"jsonrpc":"2.0","id":5,"result":1}`,
		},
		{
			name: "the host closed, and how the server ended was not recorded",
			tape: `> {"jsonrpc":"2.0","id":1,"method":"a"}
				< {"jsonrpc":"2.0","id":1,"result":1}
				{"from":"client","close":true}`,
			in:  `{"jsonrpc":"2.0","id":5,"method":"a"}`,
			out: `{"jsonrpc":"2.0","id":5,"result":1}`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out, stderr, status := play(t, tape(t, test.tape), test.options, test.in)
			if d := cmp.Diff(unindent(test.out), out); d != "" {
				t.Error(d)
			}
			if stderr != test.stderr {
				t.Errorf("stderr %q, want %q", stderr, test.stderr)
			}
			if status != test.status {
				t.Errorf("ends with %+v, want %+v", status, test.status)
			}
		})
	}
}
