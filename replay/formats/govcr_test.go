package formats

import (
	"compress/gzip"
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dnaeon/go-vcr/v2/recorder"
	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	ours "github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
)

type greeting struct {
	Name string `json:"name"`
}

// A session that was recorded over HTTP is replayed by go-vcr alone, under our own client and with no server.
func TestGoVCRReplaysAnExport(t *testing.T) {
	server := greeter()
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

// What go-vcr has recorded of a server that packs its answers is imported unpacked.
func TestGoVCRTakesPackedAnswers(t *testing.T) {
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return greeter() },
		&mcp.StreamableHTTPOptions{JSONResponse: true, Stateless: true})
	packed := 0
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		plain := httptest.NewRecorder()
		handler.ServeHTTP(plain, r)
		maps.Copy(w.Header(), plain.Header())
		if plain.Body.Len() == 0 || r.Header.Get("Accept-Encoding") != "gzip" {
			w.WriteHeader(plain.Code)
			return
		}
		packed++
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(plain.Code)
		z := gzip.NewWriter(w)
		plain.Body.WriteTo(z)
		z.Close()
	}))
	defer live.Close()
	name := filepath.Join(t.TempDir(), "live")
	vcr, err := recorder.NewAsMode(name, recorder.ModeRecording, nil)
	if err != nil {
		t.Fatal(err)
	}
	drive(t, &ours.HTTP{URL: live.URL + "/mcp", Client: &http.Client{Transport: vcr}})
	if err := vcr.Stop(); err != nil || packed == 0 {
		t.Fatalf("%d answers were packed; %v", packed, err)
	}

	data, err := os.ReadFile(name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "imported.jsonl")
	if err := os.WriteFile(path, []byte(back(t, string(data))), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := replay.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	player, err := replay.NewPlayer(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	drive(t, player)
}

func TestGoVCRCannotUnpack(t *testing.T) {
	rec, err := Import([]byte(`version: 1
interactions:
- request: {body: '{"jsonrpc":"2.0","id":1,"method":"ping"}', url: "http://x/mcp", method: POST, headers: {Content-Type: [application/json]}}
  response: {body: !!binary CwKA/w==, headers: {Content-Type: [application/json], Content-Encoding: [br]}, status: 200 OK, code: 200}
`), &ImportOptions{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if want := "interaction 1: the answer's body is packed (br) and cannot be unpacked, left out"; !slices.Contains(rec.Notes, want) {
		t.Errorf("notes %q", rec.Notes)
	}
	if d := cmp.Diff([]string{"→ http", "→ ping 1", "← http", "← end"}, told(rec)); d != "" {
		t.Error(d)
	}
}

func greeter() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "greeter", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "greet"}, func(_ context.Context, _ *mcp.CallToolRequest, g greeting) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Hello, " + g.Name}}}, nil, nil
	})
	return server
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
