package formats

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dnaeon/go-vcr/v2/recorder"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	ours "github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
)

type greeting struct {
	Name string `json:"name"`
}

// A session that was recorded over HTTP is replayed by go-vcr alone, under our own client and with no server.
func TestGoVCRReplaysAnExport(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "greeter", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "greet"}, func(_ context.Context, _ *mcp.CallToolRequest, g greeting) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Hello, " + g.Name}}}, nil, nil
	})
	live := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	path := filepath.Join(t.TempDir(), "session.jsonl")
	tape, err := replay.Create(path, &replay.RecordOptions{By: "test", Transport: "http", Server: replay.ServerLine{URL: live.URL + "/mcp"}})
	if err != nil {
		t.Fatal(err)
	}
	drive(t, &ours.HTTP{URL: live.URL + "/mcp", Tap: tape})
	live.Close()
	if err := tape.Close(); err != nil {
		t.Fatal(err)
	}

	c, err := replay.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	name := filepath.Join(t.TempDir(), "exported")
	file, err := os.Create(name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Export(file, "go-vcr", c, nil); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}

	vcr, err := recorder.NewAsMode(name, recorder.ModeReplaying, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer vcr.Stop()
	drive(t, &ours.HTTP{URL: live.URL + "/mcp", Client: &http.Client{Transport: vcr}})
}

// drive is the session: two calls and a list.
func drive(t *testing.T, transport ours.Transport) {
	t.Helper()
	client, err := ours.Connect(t.Context(), transport, &ours.Options{Name: "test", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if info := client.ServerInfo(); info.Name != "greeter" {
		t.Errorf("the server is %q", info.Name)
	}
	list, err := client.ListTools(t.Context())
	if err != nil || len(list.Tools) != 1 || list.Tools[0].Name != "greet" {
		t.Fatalf("tools %+v, %v", list, err)
	}
	for _, who := range []string{"Ada", "Grace"} {
		result, err := client.CallTool(t.Context(), "greet", []byte(`{"name":"`+who+`"}`))
		if err != nil || !strings.Contains(result.Text, "Hello, "+who) {
			t.Errorf("%+v, %v", result, err)
		}
	}
}
