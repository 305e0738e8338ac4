package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/imurun/mcp-replay/mcp"
)

// callsPerRound bounds the rounds of the player, whose cassette holds as many answers as are asked for.
const callsPerRound = 4000

// measurePlay holds the player against a server made with the Go SDK, with the floor's client before both.
func measurePlay(p *programs) error {
	cassette := p.file("echo.jsonl")
	if err := writeEchoes(cassette, 2*(rounds+1)*callsPerRound); err != nil {
		return err
	}
	cs, err := servers([]string{"go-sdk", "mcp-replay play"}, []*exec.Cmd{rawServer("sdk"), p.play(cassette)})
	if err != nil {
		return err
	}
	defer closeAll(cs)
	for _, callers := range []int{1, 32} {
		w := workload{name: fmt.Sprintf("a server on stdio, %d callers", callers), callers: callers, most: callsPerRound}
		r, err := w.measure(cs)
		if err != nil {
			return err
		}
		goal("time of a call by the SDK's", r.ratio("mcp-replay play", "go-sdk"), 0.5, " ")
	}
	return nil
}

// serveSDK is the raw server's tool echo, made with the Go SDK in the way that leaves it the least to do.
func serveSDK() error {
	s := sdk.NewServer(&sdk.Implementation{Name: "sdk", Version: "1"}, nil)
	s.AddTool(&sdk.Tool{Name: "echo", InputSchema: map[string]any{"type": "object"}},
		func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "hello"}}}, nil
		})
	return s.Run(context.Background(), &sdk.StdioTransport{})
}

// writeEchoes writes the cassette of a session with so many calls of echo.
func writeEchoes(path string, calls int) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	s, err := newSession(file)
	if err != nil {
		return err
	}
	for id := range calls {
		request := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`, id, params(0))
		s.message(mcp.FromClient, request)
		s.message(mcp.FromServer, answer(nil, request))
	}
	return s.end()
}
