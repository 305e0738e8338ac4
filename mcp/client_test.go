package mcp_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// TestMain plays the child where the test binary was started as one.
func TestMain(m *testing.M) {
	if os.Getenv("MCP_TEST_CHILD") != "" {
		child()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func child() {
	lines := jsonrpc.NewLineReader(os.Stdin, 0)
	for {
		line, err := lines.ReadLine()
		if err == io.EOF {
			return
		}
		m, err := jsonrpc.Parse(line)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(9)
		}
		if m.Kind() != jsonrpc.Request {
			continue
		}
		result := `{}`
		switch m.Method {
		case "initialize":
			result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"fx","version":"0"}}`
		case "tools/list":
			result = `{"tools":[{"name":"echo"}]}`
		case "tools/call":
			result = `{"content":[{"type":"text","text":"ok"}]}`
		}
		os.Stdout.Write(append(jsonrpc.AppendResult(nil, m.ID, jsontext.Value(result)), '\n'))
	}
}

func TestChild(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	c, err := mcp.Connect(ctx, &mcp.Command{Path: self, Env: append(os.Environ(), "MCP_TEST_CHILD=1")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := c.ListTools(ctx)
	if err != nil || len(list.Tools) != 1 {
		t.Fatal(list, err)
	}
	for range 3 {
		r, err := c.CallTool(ctx, "echo", nil)
		if err != nil || r.Text != "ok" {
			t.Fatal(r, err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}
