package replay_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
)

// A recorder writes what a transport tells it, without what is secret, and the cassette can be read while it goes on.
func ExampleRecorder() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "session.jsonl")
	recorder, err := replay.Create(path, &replay.RecordOptions{
		By:     "example",
		Server: replay.ServerLine{Command: "my-server", Args: []string{"--verbose"}},
		Redact: &replay.RedactOptions{Env: []string{"API_KEY=correct horse"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	recorder.Frame(mcp.Frame{From: mcp.FromClient, Kind: mcp.FrameMessage, Data: []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)})
	recorder.Frame(mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameNoise, Data: []byte("using correct horse\n")})
	recorder.Frame(mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameMessage, Data: []byte(`{"jsonrpc":"2.0","id":1,"result":{}}`)})
	if err := recorder.Close(); err != nil {
		log.Fatal(err)
	}

	cassette, err := replay.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer cassette.Close()
	fmt.Println(cassette.Header().Server.Command, cassette.Len(), "frames")
	for frame, err := range cassette.Frames() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", bytes.TrimSpace(frame.Data))
	}
	// Output:
	// my-server 3 frames
	// {"jsonrpc":"2.0","id":1,"method":"ping"}
	// using [redacted:api-key:1]
	// {"jsonrpc":"2.0","id":1,"result":{}}
}
