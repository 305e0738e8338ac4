package demo

import (
	"context"
	"encoding/base64"
	"io"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// connect gives a client of a new notebook, in memory.
func connect(t *testing.T, o *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	near, far := sdk.NewInMemoryTransports()
	if _, err := New().Connect(t.Context(), far, nil); err != nil {
		t.Fatal(err)
	}
	return session(t, near, o)
}

func session(t *testing.T, transport sdk.Transport, o *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	s, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, o).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// call gives the result as the JSON that a client sees, with its names in order.
func call(t *testing.T, s *sdk.ClientSession, tool, arguments string) string {
	t.Helper()
	result, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: jsontext.Value(arguments)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	// What a server of a later revision adds to each result, whatever the tool, is not the tool's.
	result.Meta = nil
	var whole map[string]any
	raw, err := json.Marshal(result)
	if err == nil {
		err = json.Unmarshal(raw, &whole)
	}
	if err != nil {
		t.Fatal(err)
	}
	delete(whole, "resultType")
	out, err := json.Marshal(whole, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestEveryToolAnswersTheSameEachTime(t *testing.T) {
	everyByte := make([]byte, 256)
	for i := range everyByte {
		everyByte[i] = byte(i)
	}
	b64 := base64.StdEncoding.EncodeToString
	tests := []struct{ name, tool, arguments, want string }{
		{"only reads", "list_notes", `{}`, `{"content":[{"text":"Groceries\nBirthdays","type":"text"}]}`},
		{"only reads, with an argument", "read_note", `{"title":"Groceries"}`, `{"content":[{"text":"Milk, bread, apples.","type":"text"}]}`},
		{"says nothing of itself", "add_note", `{"title":"New","text":"x"}`, `{"content":[{"text":"Added \"New\".","type":"text"}]}`},
		{"over an old one", "add_note", `{"title":"Groceries","text":"x"}`, `{"content":[{"text":"Replaced \"Groceries\".","type":"text"}]}`},
		{"without a title", "add_note", `{}`, `{"content":[{"text":"a note needs a title","type":"text"}],"isError":true}`},
		{"destroys", "delete_note", `{"title":"Birthdays"}`, `{"content":[{"text":"Deleted \"Birthdays\".","type":"text"}]}`},
		{"structured content only", "count_notes", `{}`, `{"content":[],"structuredContent":{"characters":56,"notes":2}}`},
		{"embedded text", "attach_note", `{"title":"Groceries"}`, `{"content":[{"resource":{"mimeType":"text/plain","text":"Milk, bread, apples.","uri":"note:///Groceries"},"type":"resource"}]}`},
		{"embedded bytes", "attach_scan", `{}`, `{"content":[{"resource":{"blob":"` + b64(everyByte) + `","mimeType":"application/octet-stream","uri":"note:///scan"},"type":"resource"}]}`},
		{"a link", "link_note", `{"title":"Birthdays"}`, `{"content":[{"mimeType":"text/plain","name":"Birthdays","type":"resource_link","uri":"note:///Birthdays"}]}`},
		{"image and sound", "show_sketch", `{}`, `{"content":[{"data":"` + b64(sketch) + `","mimeType":"image/png","type":"image"},{"data":"` + b64(hum) + `","mimeType":"audio/wav","type":"audio"}]}`},
		{"fails", "read_diary", `{}`, `{"content":[{"text":"the diary is locked","type":"text"}],"isError":true}`},
		{"slow", "bind_notebook", `{"pages":2,"pause_ms":1}`, `{"content":[{"text":"Bound 2 pages.","type":"text"}]}`},
		{"as long as wanted", "print_notebook", `{"characters":60}`, `{"content":[{"text":"The notebook goes on, line after line – naïve, but exact.\nTh","type":"text"}]}`},
		{"no such note", "read_note", `{"title":"Dreams"}`, `{"content":[{"text":"no note is named \"Dreams\"","type":"text"}],"isError":true}`},
		{"of the wrong type", "read_note", `{"title":5}`, `{"content":[{"text":"the argument title does not fit the schema","type":"text"}],"isError":true}`},
		{"unknown argument", "read_note", `{"name":"x"}`, `{"content":[{"text":"the argument name does not fit the schema","type":"text"}],"isError":true}`},
		{"no object", "read_note", `[1]`, `{"content":[{"text":"the arguments do not fit the schema","type":"text"}],"isError":true}`},
		{"out of range", "bind_notebook", `{"pages":0}`, `{"content":[{"text":"pages: 0 is not between 1 and 1000","type":"text"}],"isError":true}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := call(t, connect(t, nil), test.tool, test.arguments); got != test.want {
				t.Errorf("%s %s\n got %s\nwant %s", test.tool, test.arguments, got, test.want)
			}
		})
	}
}

func TestPrintedNotebookIsCountedInCharacters(t *testing.T) {
	s := connect(t, nil)
	result, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "print_notebook"})
	if err != nil {
		t.Fatal(err)
	}
	text := result.Content[0].(*sdk.TextContent).Text
	if n := utf8.RuneCountInString(text); n != 40_000 {
		t.Errorf("%d characters, want 40000", n)
	}
	if !strings.HasPrefix(text, line+line) {
		t.Errorf("begins with %q", text[:120])
	}
}

func TestToolsStandOnTwoPages(t *testing.T) {
	s := connect(t, nil)
	first, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Tools) != pageSize || first.NextCursor == "" {
		t.Fatalf("first page: %d tools, cursor %q", len(first.Tools), first.NextCursor)
	}
	second, err := s.ListTools(t.Context(), &sdk.ListToolsParams{Cursor: first.NextCursor})
	if err != nil {
		t.Fatal(err)
	}
	if len(second.Tools) != 3 || second.NextCursor != "" {
		t.Fatalf("second page: %d tools, cursor %q", len(second.Tools), second.NextCursor)
	}
}

func TestNotebooksAreNotShared(t *testing.T) {
	one, other := connect(t, nil), connect(t, nil)
	call(t, one, "delete_note", `{"title":"Groceries"}`)
	call(t, one, "delete_note", `{"title":"Birthdays"}`)
	if got, want := call(t, one, "list_notes", `{}`), `{"content":[{"text":"The notebook is empty.","type":"text"}]}`; got != want {
		t.Errorf("got %s", got)
	}
	if got, want := call(t, other, "count_notes", `{}`), `{"content":[],"structuredContent":{"characters":56,"notes":2}}`; got != want {
		t.Errorf("got %s", got)
	}
}

func TestProgressIsToldPageByPage(t *testing.T) {
	told := make(chan sdk.ProgressNotificationParams, 8)
	s := connect(t, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) { told <- *req.Params },
	})
	params := &sdk.CallToolParams{Name: "bind_notebook", Arguments: map[string]int{"pages": 3, "pause_ms": 1}}
	params.SetProgressToken("p1")
	if _, err := s.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	for page := 1; page <= 3; page++ {
		want := sdk.ProgressNotificationParams{ProgressToken: "p1", Progress: float64(page), Total: 3, Message: "bound a page"}
		got := <-told
		got.Meta = nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestSlowToolStopsWhenItIsCancelled(t *testing.T) {
	s := connect(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "bind_notebook", Arguments: map[string]int{"pages": 1000, "pause_ms": 10_000}})
	if err == nil {
		t.Fatal("a cancelled call has an answer")
	}
}

func TestTheArchiveComesAndGoes(t *testing.T) {
	changed := make(chan struct{}, 8)
	s := connect(t, &sdk.ClientOptions{
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { changed <- struct{}{} },
	})
	if got := names(t, s); strings.Contains(got, "read_archive") {
		t.Fatalf("offered from the start: %s", got)
	}
	call(t, s, "open_archive", `{"open":true}`)
	<-changed
	if got, want := call(t, s, "read_archive", `{}`), `{"content":[{"text":"Nothing but dust.","type":"text"}]}`; got != want {
		t.Errorf("got %s", got)
	}
	call(t, s, "open_archive", `{"open":false}`)
	<-changed
	if got := names(t, s); strings.Contains(got, "read_archive") {
		t.Errorf("still offered: %s", got)
	}
}

func names(t *testing.T, s *sdk.ClientSession) string {
	t.Helper()
	var all []string
	for tool, err := range s.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, tool.Name)
	}
	return strings.Join(all, " ")
}

func TestHints(t *testing.T) {
	want := map[string]string{
		"add_note": "", "bind_notebook": "", "open_archive": "",
		"delete_note": "destructive",
		"attach_note": "reads", "attach_scan": "reads", "count_notes": "reads", "link_note": "reads", "list_notes": "reads",
		"print_notebook": "reads", "read_diary": "reads", "read_note": "reads", "show_sketch": "reads",
	}
	got := map[string]string{}
	for tool, err := range connect(t, nil).Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		switch a := tool.Annotations; {
		case a == nil:
			got[tool.Name] = ""
		case a.ReadOnlyHint:
			got[tool.Name] = "reads"
		case a.DestructiveHint != nil && *a.DestructiveHint:
			got[tool.Name] = "destructive"
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRunEndsWithItsInput(t *testing.T) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- Run(t.Context(), in, out) }()
	s := session(t, &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if got, want := call(t, s, "list_notes", `{}`), `{"content":[{"text":"Groceries\nBirthdays","type":"text"}]}`; got != want {
		t.Errorf("got %s", got)
	}
	toServer.Close()
	if err := <-ended; err != nil {
		t.Errorf("Run: %v", err)
	}
}

// A request that is piped in is answered before the end.
func TestRunAnswersWhatWasAskedBeforeTheEnd(t *testing.T) {
	const asked = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"bind_notebook","arguments":{"pages":2,"pause_ms":20}}}
`
	var out strings.Builder
	if err := Run(t.Context(), io.NopCloser(strings.NewReader(asked)), nopCloser{&out}); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(out.String(), "\n"); lines != 2 || !strings.Contains(out.String(), "Bound 2 pages.") {
		t.Errorf("%d answers: %s", lines, out.String())
	}
}

// A call that takes too long does not hold the end up.
func TestRunEndsInTheMiddleOfACall(t *testing.T) {
	const asked = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"bind_notebook","arguments":{"pages":1,"pause_ms":10000}}}
`
	began := time.Now()
	if err := Run(t.Context(), io.NopCloser(strings.NewReader(asked)), nopCloser{io.Discard}); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, toServer := io.Pipe()
	defer toServer.Close()
	cancel()
	if err := Run(ctx, in, nopCloser{io.Discard}); err != context.Canceled {
		t.Errorf("Run: %v", err)
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

func TestHandlerKeepsANotebookForEachSession(t *testing.T) {
	for name, o := range map[string]*HandlerOptions{"stream": nil, "json": {JSON: true}} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(Handler(o))
			defer server.Close()
			one := session(t, &sdk.StreamableClientTransport{Endpoint: server.URL}, nil)
			other := session(t, &sdk.StreamableClientTransport{Endpoint: server.URL}, nil)
			call(t, one, "add_note", `{"title":"Mine","text":""}`)
			if got, want := call(t, other, "count_notes", `{}`), `{"content":[],"structuredContent":{"characters":56,"notes":2}}`; got != want {
				t.Errorf("got %s", got)
			}
			one.Close()
			other.Close()
		})
	}
}

func TestDocumentNamesEveryTool(t *testing.T) {
	document, err := os.ReadFile("../../../docs/demo-server.md")
	if err != nil {
		t.Fatal(err)
	}
	s := connect(t, nil)
	call(t, s, "open_archive", `{"open":true}`)
	for _, name := range strings.Fields(names(t, s)) {
		if !strings.Contains(string(document), "| `"+name+"`") {
			t.Errorf("docs/demo-server.md has no row for %s", name)
		}
	}
}
