package formats_test

import (
	"fmt"
	"os"

	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/formats"
)

func ExampleImport() {
	data := []byte(`{"ts":1796095223.5,"dir":"client->server","msg":{"jsonrpc":"2.0","id":1,"method":"ping"},"pid":7}
{"ts":1796095223.75,"dir":"server->client","msg":{"jsonrpc":"2.0","id":1,"result":{}}}
`)
	rec, err := formats.Import(data, &formats.ImportOptions{Name: "session.jsonl", By: "example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	redactor, err := replay.NewRedactor(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := rec.Write(os.Stdout, redactor); err != nil {
		fmt.Println(err)
	}
	fmt.Println(rec.Notes)
	// Output:
	// {"cassette":1,"recorded":"2026-12-01T03:20:23.5Z","by":"example from mcp-rec","transport":"stdio","server":{},"rules":{"built-in":1}}
	// {"at":0.000000,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"ping"}}
	// {"at":0.250000,"from":"server","message":{"jsonrpc":"2.0","id":1,"result":{}}}
	// [line 1: not carried over: pid]
}
