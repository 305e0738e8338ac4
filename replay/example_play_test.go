package replay_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
)

// greetings is a recorded session: a host called one tool of a server on stdio.
const greetings = `{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"example","transport":"stdio","server":{"command":"greeter"},"rules":{"built-in":1}}
{"at":0.000001,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}}
{"at":0.000002,"from":"server","message":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"greeter","version":"1"}}}}
{"at":0.000003,"from":"client","message":{"jsonrpc":"2.0","method":"notifications/initialized"}}
{"at":0.000004,"from":"client","message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greet","arguments":{"name":"Ada"}}}}
{"at":0.000005,"from":"server","message":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"hello Ada"}]}}}
`

// A client cannot tell a cassette's player from a live server.
func ExamplePlayer() {
	cassette, err := replay.Parse([]byte(greetings), "greetings.jsonl") // or replay.Open, for a file
	if err != nil {
		log.Fatal(err)
	}
	player, err := replay.NewPlayer(cassette, nil)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	client, err := mcp.Connect(ctx, player, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	result, err := client.CallTool(ctx, "greet", []byte(`{"name":"Ada"}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Text)
	_, err = client.CallTool(ctx, "greet", []byte(`{"name":"Bob"}`))
	fmt.Println(err)
	// Output:
	// hello Ada
	// never recorded: tools/call "greet"; the nearest recorded is tools/call "greet" (frame 4), which differs at /arguments/name (code -32050)
}

// Verify sends the recorded requests to a live server; here a player of the same cassette is the server, and answers its only call late with
// an error.
func ExampleVerify() {
	cassette, err := replay.Parse([]byte(greetings), "greetings.jsonl")
	if err != nil {
		log.Fatal(err)
	}
	busy, err := replay.ParseFault("error=-32000:busy@tools/call")
	if err != nil {
		log.Fatal(err)
	}
	server, err := replay.NewPlayer(cassette, &replay.PlayOptions{Faults: []replay.Fault{busy}})
	if err != nil {
		log.Fatal(err)
	}
	report, err := replay.Verify(context.Background(), cassette, server, &replay.VerifyOptions{
		Consent: func(calls []string) bool {
			fmt.Println("may be changed by:", calls)
			return true
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := report.WriteText(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// may be changed by: [greet]
	// request 2: tools/call "greet" (frame 4)
	//   /result is gone
	//     - {"content":[{"type":"text","text":"hello Ada"}]}
	//   /error is new
	//     + {"code":-32000,"message":"busy"}
	// 2 requests: 1 the same, 1 different
}
