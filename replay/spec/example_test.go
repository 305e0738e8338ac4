package spec_test

import (
	"fmt"
	"os"

	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/spec"
)

const session = `{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"mcp-replay 0.1.0","transport":"stdio","server":{"command":"notes","args":[]},"rules":{"built-in":1}}
{"at":0.1,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"initialize"}}
{"at":0.2,"from":"server","message":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"notes","version":"1"}}}}
{"at":0.3,"from":"client","message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read","arguments":{"title":"Ideas"}}}}
{"at":0.4,"from":"server","message":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"A tree house"}]}}}
`

func ExampleWrite() {
	c, err := replay.Parse([]byte(session), "notes.jsonl")
	if err != nil {
		fmt.Println(err)
		return
	}
	notes, err := spec.Write(os.Stdout, c, &spec.Options{Name: "notes.jsonl"})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println("left out:", len(notes))
	// Output:
	// Feature: notes, as recorded
	//   Written by mcp-replay spec from notes.jsonl, recorded 2026-12-01 over stdio.
	//   Run it with mcp-replay test FEATURE --cassettes notes.jsonl, or with a server in place of the cassette.
	//
	//   Background:
	//     Given the server is started
	//
	//   Scenario: The server introduces itself
	//     Then the server is "notes"
	//     And the session speaks protocol version "2025-06-18"
	//     And the server offers "tools"
	//
	//   Scenario: read with title Ideas
	//     When the host calls the tool "read" with:
	//       | title | Ideas |
	//     Then the result is "A tree house"
	// left out: 0
}
