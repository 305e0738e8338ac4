package demo

import (
	"context"
	_ "embed" // the sketch and the hum
	"errors"
	"net/url"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

//go:embed sketch.png
var sketch []byte

//go:embed hum.wav
var hum []byte

const (
	titleInput  = `{"type":"object","properties":{"title":{"type":"string","description":"title of the note"}},"required":["title"],"additionalProperties":false}`
	addInput    = `{"type":"object","properties":{"title":{"type":"string","description":"title of the note"},"text":{"type":"string","description":"what stands in it"}},"required":["title","text"],"additionalProperties":false}`
	openInput   = `{"type":"object","properties":{"open":{"type":"boolean","description":"whether the archive is open"}},"required":["open"],"additionalProperties":false}`
	bindInput   = `{"type":"object","properties":{"pages":{"type":"integer","minimum":1,"maximum":1000,"default":5},"pause_ms":{"type":"integer","minimum":0,"maximum":10000,"default":100,"description":"how long one page takes"}},"additionalProperties":false}`
	printInput  = `{"type":"object","properties":{"characters":{"type":"integer","minimum":0,"maximum":20000000,"default":40000}},"additionalProperties":false}`
	countOutput = `{"type":"object","properties":{"notes":{"type":"integer"},"characters":{"type":"integer"}},"required":["notes","characters"]}`
)

func yes() *bool {
	b := true
	return &b
}

// tools are those that the server offers from the start.
func (n *notebook) tools(server *sdk.Server) []tool {
	reads := &sdk.ToolAnnotations{ReadOnlyHint: true}
	return []tool{
		{name: "list_notes", title: "List notes", description: "Lists the titles of all notes.", hints: reads, call: n.listNotes},
		{name: "read_note", title: "Read a note", description: "Gives the text of a note.", hints: reads, input: titleInput, call: n.readNote},
		{name: "add_note", title: "Add a note", description: "Writes a note, over an older one of the same title.", input: addInput, call: n.addNote},
		{name: "delete_note", title: "Delete a note", description: "Tears a note out, for good.", hints: &sdk.ToolAnnotations{DestructiveHint: yes()}, input: titleInput, call: n.deleteNote},
		{name: "count_notes", title: "Count notes", description: "Counts the notes and their characters; answers with structured content only.", hints: reads, output: countOutput, call: n.countNotes},
		{name: "attach_note", title: "Attach a note", description: "Gives a note as an embedded text resource.", hints: reads, input: titleInput, call: n.attachNote},
		{name: "link_note", title: "Link a note", description: "Gives a link to a note.", hints: reads, input: titleInput, call: n.linkNote},
		{name: "show_sketch", title: "Show the sketch", description: "Gives a sketch (PNG) and a hum (WAV).", hints: reads, call: showSketch},
		{name: "attach_scan", title: "Attach the scan", description: "Gives a scan as an embedded binary resource.", hints: reads, call: attachScan},
		{name: "read_diary", title: "Read the diary", description: "Fails: the diary is locked.", hints: reads, call: readDiary},
		{name: "bind_notebook", title: "Bind the notebook", description: "Binds page by page: slow, and tells its progress.", input: bindInput, call: bindNotebook},
		{name: "print_notebook", title: "Print the notebook", description: "Gives a long text: 40 000 characters, or as many as wanted.", hints: reads, input: printInput, call: printNotebook},
		{name: "open_archive", title: "Open or close the archive", description: "Adds the tool read_archive to the list, or takes it away.", input: openInput, call: archive{server}.open},
	}
}

func (n *notebook) listNotes(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	return text("%s", n.titles()), nil
}

func (n *notebook) readNote(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	found, err := n.wanted(req)
	if err != nil {
		return nil, err
	}
	return text("%s", found.Text), nil
}

func (n *notebook) addNote(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var args struct {
		Title string `json:"title"`
		Text  string `json:"text"`
	}
	if err := arguments(req, &args); err != nil {
		return nil, err
	}
	replaced, err := n.add(note(args))
	switch {
	case err != nil:
		return nil, err
	case replaced:
		return text("Replaced %q.", args.Title), nil
	}
	return text("Added %q.", args.Title), nil
}

func (n *notebook) deleteNote(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	found, err := n.wanted(req)
	if err != nil {
		return nil, err
	}
	if err := n.remove(found.Title); err != nil {
		return nil, err
	}
	return text("Deleted %q.", found.Title), nil
}

func (n *notebook) countNotes(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var counted struct {
		Notes      int `json:"notes"`
		Characters int `json:"characters"`
	}
	counted.Notes, counted.Characters = n.count()
	return &sdk.CallToolResult{Content: []sdk.Content{}, StructuredContent: counted}, nil
}

func (n *notebook) attachNote(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	found, err := n.wanted(req)
	if err != nil {
		return nil, err
	}
	return content(&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: found.uri(), MIMEType: "text/plain", Text: found.Text}}), nil
}

func (n *notebook) linkNote(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	found, err := n.wanted(req)
	if err != nil {
		return nil, err
	}
	return content(&sdk.ResourceLink{URI: found.uri(), Name: found.Title, MIMEType: "text/plain"}), nil
}

func showSketch(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	return content(
		&sdk.ImageContent{Data: sketch, MIMEType: "image/png"},
		&sdk.AudioContent{Data: hum, MIMEType: "audio/wav"},
	), nil
}

func attachScan(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	scan := make([]byte, 256) // every byte there is
	for i := range scan {
		scan[i] = byte(i)
	}
	return content(&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "note:///scan", MIMEType: "application/octet-stream", Blob: scan}}), nil
}

func readDiary(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	return nil, errors.New("the diary is locked")
}

// bindNotebook tells its progress after each page to a caller that asked for it, and stops when the call is cancelled.
func bindNotebook(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	args := struct {
		Pages   int `json:"pages"`
		PauseMS int `json:"pause_ms"`
	}{Pages: 5, PauseMS: 100}
	if err := errors.Join(arguments(req, &args), within("pages", args.Pages, 1, 1000), within("pause_ms", args.PauseMS, 0, 10_000)); err != nil {
		return nil, err
	}
	token := req.Params.GetProgressToken()
	for page := 1; page <= args.Pages; page++ {
		select {
		case <-time.After(time.Duration(args.PauseMS) * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if token == nil {
			continue
		}
		if err := req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: token, Progress: float64(page), Total: float64(args.Pages), Message: "bound a page",
		}); err != nil {
			return nil, err
		}
	}
	return text("Bound %d pages.", args.Pages), nil
}

func printNotebook(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	args := struct {
		Characters int `json:"characters"`
	}{Characters: 40_000}
	if err := errors.Join(arguments(req, &args), within("characters", args.Characters, 0, 20_000_000)); err != nil {
		return nil, err
	}
	return text("%s", printed(args.Characters)), nil
}

// archive is the tool that comes and goes.
type archive struct{ server *sdk.Server }

func (a archive) open(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var args struct {
		Open bool `json:"open"`
	}
	if err := arguments(req, &args); err != nil {
		return nil, err
	}
	if !args.Open {
		a.server.RemoveTools("read_archive")
		return text("The archive is closed."), nil
	}
	tool{
		name: "read_archive", title: "Read the archive", description: "Gives what the archive holds, while it is open.",
		hints: &sdk.ToolAnnotations{ReadOnlyHint: true}, call: readArchive,
	}.addTo(a.server)
	return text("The archive is open."), nil
}

func readArchive(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	return text("Nothing but dust."), nil
}

// wanted is the note whose title the caller gave.
func (n *notebook) wanted(req *sdk.CallToolRequest) (note, error) {
	var args struct {
		Title string `json:"title"`
	}
	if err := arguments(req, &args); err != nil {
		return note{}, err
	}
	return n.find(args.Title)
}

// uri is the name of the note among resources.
func (n note) uri() string { return "note:///" + url.PathEscape(n.Title) }
