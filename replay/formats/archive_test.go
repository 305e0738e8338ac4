package formats

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/replay"
)

// httpSession has a session, an answer in JSON and one as a stream, a GET that is not offered, and an exchange that broke off.
const httpSession = `{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"mcp-replay 0.1.0","transport":"http","server":{"url":"http://127.0.0.1:9/mcp?key=1"},"rules":{"built-in":1}}
{"at":0.000000,"from":"client","exchange":1,"http":{"method":"POST","path":"/mcp?key=1","header":{"Content-Type":["application/json"]}}}
{"at":0.000000,"from":"client","exchange":1,"message":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}}
{"at":0.250000,"from":"server","session":1,"exchange":1,"http":{"status":200,"header":{"Content-Type":["application/json"]}}}
{"at":0.250000,"from":"server","session":1,"exchange":1,"message":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}}
{"at":0.250000,"from":"server","session":1,"exchange":1,"end":"complete"}
{"at":0.300000,"from":"client","session":1,"exchange":2,"http":{"method":"GET","path":"/mcp?key=1","header":{}}}
{"at":0.310000,"from":"server","session":1,"exchange":2,"http":{"status":405,"header":{"Allow":["POST"]}}}
{"at":0.310000,"from":"server","session":1,"exchange":2,"body":"no stream here"}
{"at":0.310000,"from":"server","session":1,"exchange":2,"end":"complete"}
{"at":1.000000,"from":"client","session":1,"exchange":3,"http":{"method":"POST","path":"/mcp?key=1","header":{"Content-Type":["application/json"]}}}
{"at":1.000000,"from":"client","session":1,"exchange":3,"message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"é","arguments":{"n":9007199254740993,"x":1.0}}}}
{"at":1.500000,"from":"server","session":1,"exchange":3,"http":{"status":200,"header":{"Content-Type":["text/event-stream"]}}}
{"at":1.500000,"from":"server","session":1,"exchange":3,"sse":{"comment":"hello"}}
{"at":1.500000,"from":"server","session":1,"exchange":3,"sse":{"event":"message","id":"a","retry":"100"},"message":{"jsonrpc":"2.0","method":"notifications/progress","params":{}}}
{"at":1.500000,"from":"server","session":1,"exchange":3,"sse":{"id":""},"message":{"jsonrpc":"2.0","id":2,"result":{}}}
{"at":1.500000,"from":"server","session":1,"exchange":3,"end":"complete"}
{"at":2.000000,"from":"client","session":1,"exchange":4,"http":{"method":"POST","path":"/mcp?key=1","header":{}}}
{"at":2.000000,"from":"client","session":1,"exchange":4,"message":{"jsonrpc":"2.0","id":3,"method":"tools/call"}}
{"at":2.500000,"from":"server","session":1,"exchange":4,"end":"reset"}
`

func export(t *testing.T, format, cassette string, o *ExportOptions) (string, []string) {
	t.Helper()
	c, err := replay.Parse([]byte(cassette), "test.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	notes, err := Export(&out, format, c, o)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), notes
}

// back imports what was exported, and writes the cassette with the header's server as it was.
func back(t *testing.T, data string) string {
	t.Helper()
	rec, err := Import([]byte(data), &ImportOptions{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	redactor, err := replay.NewRedactor(&replay.RedactOptions{Folders: &replay.Folders{}})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := rec.Write(&out, redactor); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A session that goes out as HAR comes back as it was, frame for frame; only when each event came is lost.
func TestHARThereAndBack(t *testing.T) {
	har, notes := export(t, "har", httpSession, nil)
	if notes != nil {
		t.Errorf("notes %v", notes)
	}
	want := strings.Split(httpSession, "\n")[1:]
	got := strings.Split(back(t, har), "\n")[1:]
	for i := range want {
		want[i] = withoutMarks(want[i])
	}
	for i := range got {
		got[i] = withoutMarks(got[i])
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// withoutMarks leaves out what no other format holds: the session that a request's answer will begin, and the query's placeholder.
func withoutMarks(line string) string {
	line = strings.Replace(line, `"session":1,`, "", 1)
	for _, mark := range []string{"[redacted:key:1]", "1"} {
		line = strings.Replace(line, "?key="+mark+`"`, `?key="`, 1)
	}
	return line
}

func TestGoVCRThereAndBack(t *testing.T) {
	vcr, notes := export(t, "go-vcr", httpSession, nil)
	if d := cmp.Diff([]string{"exchange 4 has no answer: go-vcr cannot hold it, left out"}, notes); d != "" {
		t.Error(d)
	}
	rec, err := Import([]byte(vcr), &ImportOptions{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"→ http", "→ initialize 1", "← http", "← answer 1", "← end", "→ http", "← http", "← body", "← end",
		"→ http", "→ tools/call 2", "← http", "← event", "← notifications/progress", "← answer 2", "← end"}
	if d := cmp.Diff(want, told(rec)); d != "" {
		t.Error(d)
	}
	if !strings.Contains(vcr, "9007199254740993") || !strings.Contains(vcr, "Mcp-Session-Id") {
		t.Errorf("numbers or the session are not in it:\n%s", vcr)
	}
}

// A session on stdio goes out as Streamable HTTP would have carried it: what the server says before its answer makes
// the answer a stream.
func TestExportStdio(t *testing.T) {
	const session = `{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"mcp-replay 0.1.0","transport":"stdio","server":{"command":"x"},"rules":{"built-in":1}}
{"at":1,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":"p"}}}}
{"at":2,"from":"server","message":{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p"}}}
{"at":3,"from":"server","message":{"jsonrpc":"2.0","id":1,"result":{"text":"[redacted:token:1] [[redacted:"}}}
{"at":4,"from":"client","message":{"jsonrpc":"2.0","id":2,"method":"ping"}}
{"at":5,"from":"server","message":{"jsonrpc":"2.0","id":2,"result":{}}}
{"at":6,"from":"server","message":{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}}
{"at":7,"from":"server","stderr":"bye\n"}
{"at":8,"from":"server","exit":{"code":0}}
`
	vcr, notes := export(t, "go-vcr", session, &ExportOptions{URL: "http://127.0.0.1:7/x"})
	wantNotes := []string{
		"the session was on stdio: it is exported as Streamable HTTP would have carried it",
		"secrets and folders stay placeholders, such as [redacted:token:1]: the other format has no words for them",
		"not carried over: 1 × stderr", "not carried over: 1 × the server's exit",
	}
	if d := cmp.Diff(wantNotes, notes); d != "" {
		t.Error(d)
	}
	want := `---
version: 1
interactions:
    - request:
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":"p"}}}'
        form: {}
        headers:
            Accept:
                - application/json, text/event-stream
            Content-Type:
                - application/json
        url: http://127.0.0.1:7/x
        method: POST
      response:
        body: |+
            event: message
            data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p"}}

            event: message
            data: {"jsonrpc":"2.0","id":1,"result":{"text":"[redacted:token:1] [redacted:"}}

        headers:
            Content-Type:
                - text/event-stream
        status: 200 OK
        code: 200
        duration: 2s
    - request:
        body: '{"jsonrpc":"2.0","id":2,"method":"ping"}'
        form: {}
        headers:
            Accept:
                - application/json, text/event-stream
            Content-Type:
                - application/json
        url: http://127.0.0.1:7/x
        method: POST
      response:
        body: '{"jsonrpc":"2.0","id":2,"result":{}}'
        headers:
            Content-Type:
                - application/json
        status: 200 OK
        code: 200
        duration: 1s
    - request:
        body: ""
        form: {}
        headers:
            Accept:
                - application/json, text/event-stream
        url: http://127.0.0.1:7/x
        method: GET
      response:
        body: |+
            event: message
            data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}

        headers:
            Content-Type:
                - text/event-stream
        status: 200 OK
        code: 200
        duration: 2s
`
	if d := cmp.Diff(want, vcr); d != "" {
		t.Error(d)
	}
}

// A browser's archive holds more than the session.
func TestHAROfABrowser(t *testing.T) {
	rec, err := Import([]byte(`{"log":{"version":"1.2","entries":[
	{"startedDateTime":"2026-12-01T10:00:00.000Z","time":1,"request":{"method":"GET","url":"https://example.com/logo.png","headers":[]},"response":{"status":200,"headers":[],"content":{}}},
	{"startedDateTime":"2026-12-01T10:00:01.000Z","time":12.5,"request":{"method":"POST","url":"https://example.com/mcp","headers":[{"name":":authority","value":"example.com"},{"name":"content-type","value":"application/json"}],"postData":{"text":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"}},"response":{"status":200,"headers":[{"name":"content-type","value":"text/event-stream"}],"content":{"size":90}}}
	]}}`), &ImportOptions{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"→ http", "→ ping 1", "← http", "← end"}, told(rec)); d != "" {
		t.Error(d)
	}
	want := []string{"entry 2: the answer's body is not in the file", "entry 1: GET https://example.com/logo.png: no message of MCP, left out", "entry 2: the events of the stream are not in the file"}
	if d := cmp.Diff(want, rec.Notes); d != "" {
		t.Error(d)
	}
}
