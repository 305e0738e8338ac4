package gosdk_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/imurun/mcp-replay/replay"
)

// A stream that the recorded server ended before its answer ends there when it is played, and the SDK's client resumes it.
func TestSDKResumesPlayedStream(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"test","transport":"http","server":{"url":"http://127.0.0.1/mcp"},"rules":{"built-in":1}}` + "\n")
	for _, line := range []string{
		`"client","exchange":1,"http":{"method":"POST","path":"/mcp","header":{}}`,
		`"client","exchange":1,"message":{"jsonrpc":"2.0","id":1,"method":"initialize"}`,
		`"server","exchange":1,"session":1,"http":{"status":200,"header":{"Content-Type":["application/json"]}}`,
		`"server","exchange":1,"session":1,"message":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`,
		`"server","exchange":1,"session":1,"end":"complete"`,
		`"client","exchange":2,"session":1,"http":{"method":"POST","path":"/mcp","header":{}}`,
		`"client","exchange":2,"session":1,"message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"long","arguments":{}}}`,
		`"server","exchange":2,"session":1,"http":{"status":200,"header":{"Content-Type":["text/event-stream"]}}`,
		`"server","exchange":2,"session":1,"sse":{"id":"s-0","retry":"10"}`,
		`"server","exchange":2,"session":1,"end":"complete"`,
		`"client","exchange":3,"session":1,"http":{"method":"GET","path":"/mcp","header":{"Last-Event-Id":["s-0"]}}`,
		`"server","exchange":3,"session":1,"http":{"status":200,"header":{"Content-Type":["text/event-stream"]}}`,
		`"server","exchange":3,"session":1,"sse":{"id":"s-1"},"message":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"done"}]}}`,
		`"server","exchange":3,"session":1,"end":"complete"`,
	} {
		b.WriteString(`{"at":0,"from":` + line + "}\n")
	}
	cassette, err := replay.Parse([]byte(b.String()), "resumed")
	if err != nil {
		t.Fatal(err)
	}
	player, err := replay.NewPlayer(cassette, nil)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(player)
	defer server.Close()
	client := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: server.URL + "/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "long"})
	if err != nil {
		t.Fatal(err)
	}
	if text := result.Content[0].(*mcp.TextContent).Text; text != "done" {
		t.Errorf("the answer is %q", text)
	}
}
