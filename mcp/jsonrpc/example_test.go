package jsonrpc_test

import (
	"fmt"
	"strings"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

func ExampleParse() {
	m, err := jsonrpc.Parse([]byte(`{"jsonrpc":"2.0","id":7,"result":{"n":1.0}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Kind() == jsonrpc.Response, m.ID, m.Result)
	// Output: true 7 {"n":1.0}
}

func ExampleLineReader() {
	l := jsonrpc.NewLineReader(strings.NewReader("one\r\ntwo\nthe last"), 0)
	for {
		line, err := l.ReadLine()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s %q\n", line, l.End())
	}
	// Output:
	// one "\r\n"
	// two "\n"
	// the last ""
	// EOF
}

func ExampleSniffID() {
	id, ok := jsonrpc.SniffID([]byte(`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","te`))
	fmt.Println(id, ok)
	// Output: 7 true
}
