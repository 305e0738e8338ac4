package mcp_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// An answer is one wherever it comes: a server may take the stream that is open for its own messages for the one that resumes
// a call's, and answer there.
func TestHTTPAnswerOnAnotherStream(t *testing.T) {
	asked := make(chan jsonrpc.Message, 1)
	f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
		switch {
		case r.Method == "GET":
			writeChunks(w, eventStream, ": open\n\n")
			select {
			case call := <-asked:
				writeChunks(w, eventStream, "data: "+response(call, `{"content":[]}`)+"\n\n")
			case <-r.Context().Done():
			}
			<-r.Context().Done()
		case m.Method == "tools/call":
			writeChunks(w, eventStream, ": the answer is not here\n\n")
			asked <- m
			<-r.Context().Done()
		default:
			return false
		}
		return true
	})
	c := connectClient(t, &mcp.HTTP{URL: f.URL}, &mcp.Options{Timeout: 5 * time.Second})
	start := time.Now()
	if _, err := c.CallTool(t.Context(), "any", nil); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("it took %s", took)
	}
}
