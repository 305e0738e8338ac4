package shrink_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/shrink"
)

const session = `{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"mcp-replay 0.1.0","transport":"stdio","server":{"command":"notes","args":[]},"rules":{"built-in":1}}
{"at":0.1,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"ping"}}
{"at":0.2,"from":"server","message":{"jsonrpc":"2.0","id":1,"result":{}}}
{"at":0.3,"from":"client","message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read","arguments":{"title":"Ideas"}}}}
{"at":0.4,"from":"server","message":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"A tree house on fire"}]}}}
`

func ExampleRun() {
	c, err := replay.Parse([]byte(session), "notes.jsonl")
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "small.jsonl")
	burns := func(_ context.Context, path string) (bool, error) {
		data, err := os.ReadFile(path)
		return bytes.Contains(data, []byte("fire")), err
	}
	result, err := shrink.Run(context.Background(), c, out, burns, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	data, _ := os.ReadFile(out)
	_, frames, _ := bytes.Cut(data, []byte("\n"))
	fmt.Printf("%d of %d frames\n%s", result.FramesAfter, result.FramesBefore, frames)
	// Output:
	// 1 of 4 frames
	// {"at":0.400000,"from":"server","message":{"jsonrpc":"2.0","id":2,"result":{"content":[{"text":"fire"}]}}}
}
