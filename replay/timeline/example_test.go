package timeline_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/timeline"
)

const cassette = `{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"mcp-replay 0.1.0","transport":"stdio","server":{"command":"notes","args":[]},"rules":{"built-in":1}}
{"at":0.001,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"title":"Ideas"}}}}
{"at":0.013,"from":"server","message":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"A tree house"}]}}}
{"at":1.000,"from":"client","message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read","arguments":{"title":"Diary"}}}}
{"at":1.002,"from":"server","message":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"the diary is locked"}],"isError":true}}}
`

func ExampleTimeline_WriteText() {
	r, err := replay.NewReader(strings.NewReader(cassette), "notes.jsonl")
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := timeline.Read(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := t.WriteText(os.Stdout, &timeline.TextOptions{Width: 80}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// a server that gave no name
	// stdio: notes
	// recorded 2026-12-01 10:00:00 UTC by mcp-replay 0.1.0
	// 2 calls and 4 frames in 1.0 s · 1 ok · 1 failed
	//
	// What went wrong
	//   ✗ tools/call read failed: the diary is locked  (frame 3)
	//
	//  0.001    12 ms  ✓ tools/call read  title: "Ideas" → A tree house
	//  1.000   2.0 ms  ✗ tools/call read  title: "Diary" → failed: the diary is locked
}
