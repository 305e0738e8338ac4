package demo

import (
	"context"
	"errors"
	"io"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Name is the name by which the server introduces itself.
const Name = "mcp-replay-demo"

// version changes when a tool or an answer does: recordings of the server stand beside it.
const version = "1.0.0"

const instructions = "A small notebook for demos and tests. Two notes are in it from the start: Groceries and Birthdays."

// pageSize is how many tools one page of tools/list has: fewer than there are, so that a client has to follow the
// cursor.
const pageSize = 10

// New makes a server with a notebook of its own. It does nothing until it is connected.
func New() *sdk.Server {
	server := sdk.NewServer(
		&sdk.Implementation{Name: Name, Title: "Demo notebook", Version: version},
		&sdk.ServerOptions{
			Instructions: instructions,
			PageSize:     pageSize,
			Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}},
		})
	n := newNotebook()
	for _, t := range n.tools(server) {
		t.addTo(server)
	}
	return server
}

// Run serves one client on in and out, a message a line, until in ends and what was asked is answered, or ctx is done. It
// closes both.
func Run(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	err := New().Run(ctx, drained{&sdk.IOTransport{Reader: in, Writer: out}})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// HandlerOptions says how [Handler] answers. The zero value is a server with sessions that answers with event streams.
type HandlerOptions struct {
	JSON      bool // answer requests with application/json instead of a stream; progress is then not sent
	Stateless bool // no sessions: every request meets a notebook as it is at the start
}

// Handler serves the notebook over Streamable HTTP, whatever the path.
func Handler(o *HandlerOptions) http.Handler {
	if o == nil {
		o = &HandlerOptions{}
	}
	return sdk.NewStreamableHTTPHandler(
		func(*http.Request) *sdk.Server { return New() },
		&sdk.StreamableHTTPOptions{JSONResponse: o.JSON, Stateless: o.Stateless})
}
