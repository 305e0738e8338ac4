// Command conformance is the client that the official conformance suite drives: it connects to the URL that is its last
// argument and does what the scenario of MCP_CONFORMANCE_SCENARIO asks of a client. The script run beside it says
// which scenarios these are; docs/conformance.md says which are left out, and why.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := run(ctx, os.Args[len(os.Args)-1], os.Getenv("MCP_CONFORMANCE_SCENARIO")); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, url, scenario string) error {
	client, err := mcp.Connect(ctx, &mcp.HTTP{URL: url}, nil)
	if err != nil {
		return err
	}
	defer client.Close()
	list, err := client.ListTools(ctx)
	if err != nil {
		return err
	}
	switch scenario {
	case "tools_call":
		err = call(ctx, client, "add_numbers", `{"a":5,"b":3}`)
	case "sse-retry":
		err = call(ctx, client, "test_reconnection", `{}`)
	case "json-schema-2020-12-preservation":
		err = echo(ctx, client, list)
	}
	if err != nil {
		return err
	}
	return client.Close()
}

func call(ctx context.Context, client *mcp.Client, tool, arguments string) error {
	result, err := client.CallTool(ctx, tool, jsontext.Value(arguments))
	if err != nil {
		return err
	}
	if result.Failed {
		return fmt.Errorf("%s: %s", tool, result.Text)
	}
	return nil
}

// echo sends the schema of one tool back, as it came.
func echo(ctx context.Context, client *mcp.Client, list *mcp.ToolList) error {
	for _, tool := range list.Tools {
		if tool.Name == "json_schema_2020_12_tool" {
			return call(ctx, client, "json_schema_echo", `{"schema":`+string(tool.InputSchema)+`}`)
		}
	}
	return fmt.Errorf("the tool whose schema is to be sent back is not listed")
}
