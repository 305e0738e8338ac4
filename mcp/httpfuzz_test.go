package mcp_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// FuzzHTTPAnswer answers a request with anything: the request gets its answer or fails, no later than its time.
func FuzzHTTPAnswer(f *testing.F) {
	f.Add(200, "application/json", "", []byte(ok1))
	f.Add(200, "text/event-stream", "", []byte("id: 1\nretry: 1\ndata: "+ok1+"\n\n"))
	f.Add(200, "text/event-stream", "gzip", []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00"))
	f.Add(200, "", "deflate", []byte("x\x9c\x03\x00"))
	f.Add(200, "text/html", "br", []byte("<!doctype html>"))
	f.Add(202, "", "", []byte{})
	f.Add(307, "", "", []byte("/elsewhere"))
	f.Add(404, "application/json", "", []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}}`))
	f.Add(401, "Bearer resource_metadata=x", "identity", []byte("\xff\xfe"))
	f.Fuzz(func(t *testing.T, status int, kind, encoding string, body []byte) {
		if status < 100 || status > 999 {
			return
		}
		transport := answers(func(r *http.Request) *http.Response {
			if r.Method != http.MethodPost {
				return &http.Response{StatusCode: http.StatusMethodNotAllowed, Body: http.NoBody}
			}
			return &http.Response{
				StatusCode: status, ContentLength: -1, Body: io.NopCloser(strings.NewReader(string(body))),
				Header: http.Header{
					"Content-Type": {kind}, "Content-Encoding": {encoding}, "Www-Authenticate": {kind},
					"Location": {string(body)}, "Mcp-Session-Id": {encoding}, "Retry-After": {kind},
				},
			}
		})
		conn, err := (&mcp.HTTP{URL: "http://server.example/mcp", Client: &http.Client{Transport: transport}, Tap: deaf{}}).Connect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if err := conn.Write(ctx, jsonrpc.Message{Raw: []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`), ID: []byte("1"), Method: "initialize"}); err != nil {
			if ctx.Err() != nil {
				return // a slow machine
			}
			t.Fatal(err)
		}
		wait, stop := context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		for {
			m, err := conn.Read(wait)
			var failed *mcp.RequestError
			switch {
			case errors.As(err, &failed):
				if failed.Err == nil || failed.Error() == "" {
					t.Error("it fails without a reason")
				}
				return
			case err != nil:
				t.Fatalf("neither answer nor failure: %v", err)
			case m.Kind() == jsonrpc.Response && (string(m.ID) == "1" || string(m.ID) == `"1"`):
				return
			}
		}
	})
}

// deaf is a Tap that looks at what it is told and keeps nothing.
type deaf struct{}

func (deaf) Frame(f mcp.Frame) {
	if f.Exchange < 1 || f.Kind == 0 || f.From == 0 {
		panic("a frame without its place")
	}
}
