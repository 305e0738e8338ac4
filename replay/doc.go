// Package replay records the sessions of MCP hosts and servers in files, and plays, verifies and changes such files.
//
// A recording is a cassette: JSON Lines, a header and then one frame a line, in the order of the wire. The format is
// described in docs/cassette-format.md.
//
// # Recording
//
// A [Recorder] is an [mcp.Tap] that writes a cassette. Give it to any transport of package mcp:
//
//	recorder, err := replay.Create("session.jsonl", &replay.RecordOptions{Server: replay.ServerLine{Command: "my-server"}})
//	if err != nil {
//		return err
//	}
//	defer recorder.Close()
//	client, err := mcp.Connect(ctx, &mcp.Command{Path: "my-server", Tap: recorder}, nil)
//
// To stand between a host and a server instead, pass their bytes through [RecordStdio] where both speak on stdio, through a
// [Proxy] where both speak HTTP; where they differ, [NewBridge] serves hosts on HTTP from a command and
// [BridgeStdio] a host on stdio from a server on HTTP. All of them change nothing that either side can see, and
// have each frame in the file before its last byte is passed on.
//
// Nothing secret reaches the file: all that is written goes through a [Redactor], which knows the names and looks of credentials, and
// looks for the values that [RedactOptions] name in every encoding. [RedactFile] goes over a cassette again with further
// rules, and [RedactCheck] tells what it would find.
//
// # Reading
//
// [NewReader] reads a cassette from end to end, [Open] indexes one for random access without holding it in memory. Both
// refuse a damaged file with its line and cause, and take one that was cut off by a crash up to its last whole frame:
//
//	cassette, err := replay.Open("session.jsonl")
//	if err != nil {
//		return err
//	}
//	defer cassette.Close()
//	for frame, err := range cassette.Frames() {
//		…
//	}
//
// # Playing and verifying
//
// A [Player] is the server that a cassette recorded, over whatever transport the host likes:
//
//	player, err := replay.NewPlayer(cassette, nil)
//	if err != nil {
//		return err
//	}
//	client, err := mcp.Connect(ctx, player, nil)
//
// It finds answers by the meaning of a request ([Match]), keeps the recorded time where it is asked to ([Pace]), and lets
// go wrong what a test wants to see go wrong ([Fault]). [Verify] is the other side: it sends the recorded requests to a live server
// and reports how its answers differ. A Go test uses package replaytest, the official Go SDK package gosdk.
package replay
