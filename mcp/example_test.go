package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// serveClock is a server with one tool, on its end of a pair.
func serveClock(conn mcp.Conn) {
	ctx := context.Background()
	for {
		m, err := conn.Read(ctx)
		if err != nil {
			return
		}
		var answer []byte
		switch {
		case m.Kind() != jsonrpc.Request:
			continue
		case m.Method == "initialize":
			answer = jsonrpc.AppendResult(nil, m.ID, jsontext.Value(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"clock","version":"1.0"}}`))
		case m.Method == "tools/list":
			answer = jsonrpc.AppendResult(nil, m.ID, jsontext.Value(`{"tools":[{"name":"add","description":"Adds minutes to noon.","inputSchema":{"type":"object","properties":{"minutes":{"type":"integer"}}}}]}`))
		case m.Method == "tools/call" && string(m.Params) == `{"name":"add","arguments":{"minutes":5}}`:
			answer = jsonrpc.AppendResult(nil, m.ID, jsontext.Value(`{"content":[{"type":"text","text":"12:05"}]}`))
		case m.Method == "tools/call" && string(m.Params) == `{"name":"wait","arguments":{}}`:
			continue // for ever
		default:
			answer = jsonrpc.AppendError(nil, m.ID, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no such tool"})
		}
		if answered, err := jsonrpc.Parse(answer); err == nil {
			_ = conn.Write(ctx, answered)
		}
	}
}

func Example() {
	near, far := mcp.NewPair() // to start a process instead: &mcp.Command{Path: …}
	go serveClock(far)

	ctx := context.Background()
	c, err := mcp.Connect(ctx, &mcp.Memory{Conn: near}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	fmt.Println(c.ServerInfo().Name, c.ProtocolVersion())

	list, err := c.ListTools(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, t := range list.Tools {
		fmt.Printf("%s: %s\n", t.Name, t.Description)
	}
	r, err := c.CallTool(ctx, "add", jsontext.Value(`{"minutes":"5"}`)) // becomes 5
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Text)
	// Output:
	// clock 2025-06-18
	// add: Adds minutes to noon.
	// 12:05
}

func ExampleClient_CallTool_errors() {
	near, far := mcp.NewPair()
	go serveClock(far)
	ctx := context.Background()
	c, err := mcp.Connect(ctx, &mcp.Memory{Conn: near}, &mcp.Options{Timeout: 50 * time.Millisecond})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()

	_, err = c.CallTool(ctx, "sing", nil)
	var refused *jsonrpc.Error
	if errors.As(err, &refused) {
		fmt.Println("refused with", refused.Code)
	}
	_, err = c.CallTool(ctx, "wait", nil)
	if errors.Is(err, context.DeadlineExceeded) {
		fmt.Println(err)
	}
	fmt.Println("it may have happened:", mcp.OutcomeUnknown(err))
	fmt.Println("a host shows:", mcp.FailedResult(err).Text)
	// Output:
	// refused with -32602
	// tools/call: timeout: no answer within 50ms
	// it may have happened: true
	// a host shows: tools/call: timeout: no answer within 50ms
}

func ExampleRender() {
	r := mcp.Render(jsontext.Value(`{"content":[{"type":"text","text":"A cat:"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}]}`))
	fmt.Println(r.Text)
	// Output:
	// A cat:
	// [image: image/png, 8 bytes, not shown]
}

func ExampleCoerce() {
	schema := jsontext.Value(`{"properties":{"count":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}}}}`)
	fmt.Println(mcp.Coerce(schema, jsontext.Value(`{"count": "3", "tags": "[\"a\", 7]", "else": "5"}`)))
	// Output: {"count": 3, "tags": ["a", "7"], "else": "5"}
}

// printer is a tap that shows which messages pass.
type printer struct{}

func (printer) Frame(f mcp.Frame) {
	if m, err := jsonrpc.Parse(f.Data); f.Kind == mcp.FrameMessage && err == nil {
		fmt.Println(map[mcp.Side]string{mcp.FromClient: ">", mcp.FromServer: "<"}[f.From], strings.TrimSpace(m.Method+" "+string(m.ID)))
	}
}

func ExampleTap() {
	near, far := mcp.NewPair()
	go serveClock(far)
	c, err := mcp.Connect(context.Background(), &mcp.Memory{Conn: near, Tap: printer{}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	if _, err := c.ListTools(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// > initialize 1
	// < 1
	// > notifications/initialized
	// > tools/list 2
	// < 2
}
