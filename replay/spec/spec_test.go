package spec

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/replay"
)

func cassette(t *testing.T, version string, frames ...string) *replay.Cassette {
	t.Helper()
	lines := `{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"test","transport":"stdio","server":{"command":"x","args":[]},"rules":{"built-in":1},"vary":["tools/call:load /result/structuredContent/load","tools/call:drop /result/structuredContent/cores"]}` + "\n"
	frames = append([]string{`"id":1,"method":"initialize"`,
		`"id":1,"result":{"protocolVersion":"` + version + `","capabilities":{"tools":{}},"serverInfo":{"name":"notes","version":"1"}}`}, frames...)
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

func TestWrite(t *testing.T) {
	c := cassette(t, "2025-06-18",
		`"id":2,"method":"tools/list"`, `"id":2,"result":{"tools":[{"name":"read","annotations":{"readOnlyHint":true},"inputSchema":{"required":["title"]}},{"name":"drop","annotations":{"destructiveHint":true}},{"name":"load","annotations":{"readOnlyHint":true}}]}`,
		`"id":3,"method":"tools/call","params":{"name":"read","arguments":{"title":"a | b","n":5,"s":"5"},"_meta":{"progressToken":1}}`, `"id":3,"result":{"content":[{"type":"text","text":"one"}]}`,
		`"id":4,"method":"tools/call","params":{"name":"read","arguments":{"title":"long"}}`, `"id":4,"result":{"content":[{"type":"text","text":"read at 2026-12-01 10:00\nby nobody at all"}]}`,
		`"id":5,"method":"tools/call","params":{"name":"load"}`, `"id":5,"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{"load":7,"cores":2,"since":"2026-12-01T10:00:00Z"}}`,
		`"id":6,"method":"tools/call","params":{"name":"load"}`, `"id":6,"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{"load":7,"cores":2,"since":"2026-12-01T10:00:00Z"}}`,
		`"id":7,"method":"resources/read","params":{"uri":"note:///a"}`, `"id":7,"result":{"contents":[{"uri":"note:///a","text":"A"}]}`,
		`"id":8,"method":"tools/call","params":{"name":"drop","arguments":{"deep":{"a":"{x}"}}}`, `"id":8,"result":{"content":[{"type":"text","text":"Dropped \"a\""}]}`,
		`"id":9,"method":"tools/call","params":{"name":"read","arguments":{"title":"a"}}`, `"id":9,"result":{"content":[{"type":"text","text":"no such note"}],"isError":true}`,
		`"id":10,"method":"tools/call","params":{"name":"nope"}`, `"id":10,"error":{"code":-32602,"message":"Unknown tool: nope"}`,
		`"id":11,"method":"tools/call","params":{"name":"read","arguments":{"title":"slow"}}`,
	)
	var out strings.Builder
	notes, err := Write(&out, c, &Options{Name: "notes.jsonl"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"tools/call read (frame 21) was unanswered"}, notes); d != "" {
		t.Error(d)
	}
	want := `Feature: notes, as recorded
  Written by mcp-replay spec from notes.jsonl, recorded 2026-12-01 over stdio.
  Run it with mcp-replay test FEATURE --cassettes notes.jsonl, or with a server in place of the cassette.

  Background:
    Given the server is started

  Scenario: The server introduces itself
    Then the server is "notes"
    And the session speaks protocol version "2025-06-18"
    And the server offers "tools"

  Scenario: The tools that it offers
    When the host lists the tools
    Then the tools are:
      | read |
      | drop |
      | load |
    And the tool "read" is read-only
    And the tool "read" requires:
      | title |
    And the tool "drop" is destructive
    And the tool "load" is read-only

  Scenario: read with title a | b, n 5, s 5
    When the host calls the tool "read" with:
      | title | a \| b |
      | n     | 5      |
      | s     | "5"    |
    Then the result is "one"

  Scenario: read with title long
    When the host calls the tool "read" with:
      | title | long |
    Then the result contains "read at"

  Scenario: load
    When the host calls the tool "load"
    Then the structured content has "/cores" equal to 2

  Scenario: resources/read note:///a
    When the host sends the request "resources/read" with:
      | uri | note:///a |
    Then the call succeeds
    And the answer has "/contents/0/uri" equal to "note:///a"
    And the answer has "/contents/0/text" equal to "A"

  Scenario: From drop on, in the order of the recording
    When the host calls the tool "drop" with:
      | deep | {"a":"{x}"} |
    Then the result is:
      """
      Dropped "a"
      """
    When the host calls the tool "read" with:
      | title | a |
    Then the call fails with "no such note"
    When the host calls the tool "nope"
    Then the call fails with a text that contains "Unknown tool: nope"
    And the call fails with the code -32602
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
}

func TestSessionWithoutInitialize(t *testing.T) {
	c, err := replay.Parse([]byte(`{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"test","transport":"stdio","server":{"command":"x","args":[]},"rules":{"built-in":1}}
{"at":1,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}}
{"at":2,"from":"server","message":{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"]}}}
`), "test.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Write(&strings.Builder{}, c, nil)
	var version *VersionError
	if !errors.As(err, &version) || version.Version != "2026-07-28" {
		t.Errorf("err %v", err)
	}
}

func TestVersionThatNoClientTakes(t *testing.T) {
	_, err := Write(&strings.Builder{}, cassette(t, "2025-11-25"), nil)
	var version *VersionError
	if !errors.As(err, &version) || version.Version != "2025-11-25" {
		t.Errorf("err %v", err)
	}
}

// What a feature cannot hold, or a client does not take, is left out and said; the rest can be read back.
func TestOddContent(t *testing.T) {
	long := strings.Repeat("x", maxParams)
	c := cassette(t, "2025-06-18",
		`"id":2,"method":"tools/list"`, `"id":2,"result":{"tools":[{"name":"read","annotations":{"readOnlyHint":true},"inputSchema":{"required":[" a"]}},{"name":"read","annotations":{"destructiveHint":true}},{"name":""},{"name":" lead"}]}`,
		`"id":3,"method":"tools/call","params":{"name":"read","arguments":{"quotes":"\"\"\"","deep":{"hidden":"a`+"\u202e"+`b"},"more":{"text":"so that this stands in a docstring, not in a cell of a table"}}}`,
		`"id":3,"result":{"content":[{"type":"text","text":"three \"\"\""}]}`,
		`"id":4,"method":"tools/call","params":{"name":"read","arguments":{"hidden":"a`+"\u202e"+`b"}}`, `"id":4,"result":{"content":[{"type":"text","text":"three \\\"\\\"\\\""}]}`,
		`"id":5,"method":"tools/call","params":{"name":"read","arguments":[1]}`, `"id":5,"result":{"content":[]}`,
		`"id":6,"method":"tools/call","params":{"name":"read","arguments":{"long":"`+long+`"}}`, `"id":6,"result":{"content":[]}`,
		`"id":7,"method":"tools/call","params":{"name":"read"}`, `"id":7,"result":{"content":[{"type":"text","text":"none"}]}`,
		`"id":8,"method":"tools/call","params":{"name":"read","arguments":{}}`, `"id":8,"result":{"content":[{"type":"text","text":"still none"}]}`,
		`"id":9,"method":"ping2"`, `"id":9,"result":{}`, `"id":10,"method":"ping3"`, `"id":10,"result":{}`,
	)
	var out strings.Builder
	notes, err := Write(&out, c, &Options{Name: "odd.jsonl", Max: 4})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{
		"tools/call read (frame 9) carries what is no object, which no step can send",
		"tools/call read (frame 11) carries 16423 bytes, which nobody would read in a feature",
		"2 calls over the limit of 4",
		"the whole list of tools: no table can hold a name in it",
	}, notes); d != "" {
		t.Error(d)
	}
	_, got, _ := strings.Cut(out.String(), "Scenario: The tools that it offers\n")
	const want = `    When the host lists the tools
    Then there is a tool "read"
    And the tool "read" is read-only

  Scenario: read with quotes """, deep {"hidden":"a‹U+202E right-to-left override›b"}, more {"text":"so that th…
    When the host calls the tool "read" with:
      """
      {
        "quotes": "\u0022\u0022\u0022",
        "deep": {
          "hidden": "a\u202eb"
        },
        "more": {
          "text": "so that this stands in a docstring, not in a cell of a table"
        }
      }
      """
    Then the result is:
      """
      three \"\"\"
      """

  Scenario: read with hidden a‹U+202E right-to-left override›b
    When the host calls the tool "read" with:
      | hidden | "a\\u202eb" |
    Then the call succeeds

  Scenario: From read on, in the order of the recording
    When the host calls the tool "read"
    Then the result is "none"
    When the host calls the tool "read"
    Then the result is "still none"
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestMoreToolsThanAClientTakes(t *testing.T) {
	var tools []string
	for i := range maxTools + 1 {
		tools = append(tools, fmt.Sprintf(`{"name":"t%d"}`, i))
	}
	c := cassette(t, "2025-06-18", `"id":2,"method":"tools/list"`, `"id":2,"result":{"tools":[`+strings.Join(tools, ",")+`]}`)
	var out strings.Builder
	if _, err := Write(&out, c, nil); err != nil {
		t.Fatal(err)
	}
	if s := out.String(); strings.Contains(s, "the tools are:") || strings.Count(s, "there is a tool") != maxToolDetails {
		t.Error(s)
	}
}

// The answers to one request come in their order in every session, so one that is asked again is not asked alone.
func TestOrder(t *testing.T) {
	for calls, want := range map[string]string{
		"a=1 b=1 a=1 b=1":         "a b",
		"a=1 a=2":                 "| a a",
		"b=1 a=1 set=1 a=2":       "b | a set a",
		"a=1 b=1 a=2 a=1 b=2":     "| a b a a b",
		"b=1 a=1 c=1 a=2 c=1 b=1": "b | a c a c b",
		"c=1 a=1 b=1 a=2 c=2":     "| c a b a c",
		"a=1 a=1 b=1 set=1 a=1":   "a b | set a",
		"a=1 set=1":               "a set",
	} {
		frames := []string{`"id":2,"method":"tools/list"`, `"id":2,"result":{"tools":[{"name":"a","annotations":{"readOnlyHint":true}},{"name":"b","annotations":{"readOnlyHint":true}},{"name":"c","annotations":{"readOnlyHint":true}}]}`}
		for i, call := range strings.Fields(calls) {
			name, text, _ := strings.Cut(call, "=")
			frames = append(frames, fmt.Sprintf(`"id":%d,"method":"tools/call","params":{"name":%q}`, i+10, name),
				fmt.Sprintf(`"id":%d,"result":{"content":[{"type":"text","text":%q}]}`, i+10, text))
		}
		s := &session{cassette: cassette(t, "2025-06-18", frames...), max: 40}
		if err := s.read(); err != nil {
			t.Fatal(err)
		}
		alone, together := s.split()
		var got []string
		for _, c := range alone {
			got = append(got, c.name)
		}
		for i, c := range together {
			if i == 0 {
				got = append(got, "|")
			}
			got = append(got, c.name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, not %q", calls, strings.Join(got, " "), want)
		}
	}
}
