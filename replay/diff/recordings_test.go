package diff

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/replay"
)

func cassette(t *testing.T, vary string, frames ...string) *replay.Cassette {
	t.Helper()
	lines := `{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"test","transport":"stdio","server":{"command":"x"},"rules":{"built-in":1}` + vary + "}\n"
	for i, f := range frames {
		side := "client"
		if strings.Contains(f, `"result"`) || strings.Contains(f, `"error"`) {
			side = "server"
		}
		lines += fmt.Sprintf(`{"at":%d,"from":%q,"message":{"jsonrpc":"2.0",%s}}`+"\n", i, side, f)
	}
	c, err := replay.Parse([]byte(lines), "test.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRecordings(t *testing.T) {
	before := cassette(t, "",
		`"id":1,"method":"initialize"`, `"id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"s","version":"1"},"instructions":"Be kind."}`,
		`"id":2,"method":"tools/list"`, `"id":2,"result":{"tools":[{"name":"a"}],"nextCursor":"x"}`,
		`"id":3,"method":"tools/list","params":{"cursor":"x"}`, `"id":3,"result":{"tools":[{"name":"b"}]}`,
		`"id":4,"method":"tools/call","params":{"name":"a","arguments":{"n":1}}`, `"id":4,"result":{"content":[{"type":"text","text":"one"}]}`,
		`"id":5,"method":"tools/call","params":{"name":"a","arguments":{"n":1}}`, `"id":5,"result":{"content":[{"type":"text","text":"two"}]}`,
		`"id":6,"method":"tools/call","params":{"name":"b"}`, `"id":6,"result":{"content":[],"at":"noon","n":1.0}`,
		`"id":7,"method":"tools/call","params":{"name":"gone"}`, `"id":7,"result":{}`,
	)
	after := cassette(t, `,"vary":["tools/call:b /result/at","tools/call:b /result/content/0/text"]`,
		`"id":"i","method":"initialize"`, `"id":"i","result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"version":"2","name":"s"},"instructions":"Be quick."}`,
		`"id":2,"method":"tools/list"`, `"id":2,"result":{"tools":[{"name":"b"},{"name":"a"}]}`,
		`"id":6,"method":"tools/call","params":{"name":"b","_meta":{"progressToken":1}}`, `"id":6,"result":{"content":[],"at":"midnight","n":1}`,
		`"id":4,"method":"tools/call","params":{"arguments":{"n":1.0},"name":"a"}`, `"id":4,"result":{"content":[{"type":"text","text":"uno"}]}`,
		`"id":5,"method":"tools/call","params":{"name":"a","arguments":{"n":1}}`, `"id":5,"error":{"code":-1,"message":"no"}`,
	)
	r, err := Recordings(before, after)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := r.WriteText(&out, nil); err != nil {
		t.Fatal(err)
	}
	want := `1 breaking, 3 behaviour, 1 wording; 3 requests compared, 1 only in the first

BREAKING
  server: the capability logging is gone
    at /result/capabilities/logging

BEHAVIOUR
  server: the server's version was "1" and is "2"
    at /result/serverInfo/version
  a: the answer to a({"n":1}) is another
    at /result/content/0/text
    - "one"
    + "uno"
  a: a({"n":1}) was ok and is error

WORDING
  server: the text of the instructions is another
    at /result/instructions
    - Be kind.
    + Be quick.
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
}

func TestWriteJSON(t *testing.T) {
	r := Tools(nil, nil)
	r.add(Change{Class: Permission, Tool: "t", Pointer: "/x", What: "w", After: []byte("1")})
	var out strings.Builder
	if err := r.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	want := `{"worst":"permission","changes":[{"class":"permission","tool":"t","pointer":"/x","what":"w","after":1}]}` + "\n"
	if out.String() != want {
		t.Errorf("got %s", out.String())
	}
}

// Since 2026-07-28 a server says in its answer to server/discover what it says in initialize before.
func TestDiscovered(t *testing.T) {
	side := func(capabilities, version string) *replay.Cassette {
		return cassette(t, "", `"id":1,"method":"server/discover"`,
			`"id":1,"result":{"capabilities":`+capabilities+`,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"`+version+`"}}}`)
	}
	r, err := Recordings(side(`{"tools":{},"logging":{}}`, "1"), side(`{"tools":{}}`, "2"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range r.Changes {
		got = append(got, fmt.Sprintf("%s %s: %s", c.Class, c.Pointer, c.What))
	}
	if d := cmp.Diff([]string{
		"breaking /result/capabilities/logging: the capability logging is gone",
		`behaviour /result/_meta/io.modelcontextprotocol~1serverInfo/version: the server's version was "1" and is "2"`,
	}, got); d != "" {
		t.Error(d)
	}
}
