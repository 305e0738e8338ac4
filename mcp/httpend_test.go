package mcp_test

import (
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// TestHTTPClose: Close ends calls, streams and waits under way, may be called by many, and leaves nothing running.
func TestHTTPClose(t *testing.T) {
	f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
		switch m.Method {
		case "silence":
			<-r.Context().Done()
		case "stream":
			writeChunks(w, eventStream, ": hello\n\n")
			<-r.Context().Done()
		case "pause":
			writeChunks(w, eventStream, "id: 1\nretry: 99999999\n\n")
		default:
			return false
		}
		return true
	})
	c := connectClient(t, &mcp.HTTP{URL: f.URL}, nil)
	var all sync.WaitGroup
	for _, method := range []string{"silence", "stream", "pause", "silence"} {
		all.Go(func() {
			_, err := c.Call(t.Context(), method, nil)
			wantText(t, err, method+": outcome unknown: the connection is closed")
		})
	}
	eventually(t, "the requests", func() bool { return len(f.requests()) >= 6 })
	time.Sleep(20 * time.Millisecond)
	start := time.Now()
	for range 3 {
		all.Go(func() { c.Close() })
	}
	all.Wait()
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("Close took %v", d)
	}
}

// TestHTTPManyCallers: calls are concurrent on the wire (RPC-8), with JSON and with streams.
func TestHTTPManyCallers(t *testing.T) {
	const callers = 50
	var now, most atomic.Int32
	all := make(chan bool)
	f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
		if m.Method != "tools/call" {
			return false
		}
		if n := now.Add(1); n == callers {
			close(all)
		} else {
			most.Store(max(most.Load(), n))
		}
		<-all
		if string(m.Params) == "{}" {
			writeJSON(w, m, string(m.ID))
			return true
		}
		writeChunks(w, eventStream, "data: "+`{"jsonrpc":"2.0","method":"notifications/progress"}`+"\n\n", "data: "+response(m, string(m.ID))+"\n\n")
		return true
	})
	c := connectClient(t, &mcp.HTTP{URL: f.URL}, nil)
	var wait sync.WaitGroup
	seen := sync.Map{}
	for i := range callers {
		wait.Go(func() {
			result, err := c.Call(t.Context(), "tools/call", []byte([]string{"{}", `{"s":1}`}[i%2]))
			if err != nil {
				t.Error(err)
			}
			if _, twice := seen.LoadOrStore(string(result), true); twice {
				t.Errorf("two calls have the answer %s", result)
			}
		})
	}
	wait.Wait()
}

// TestHTTPHalfAnswers: an answer whose end never comes fails the call as soon as it is clear what it says.
func TestHTTPHalfAnswers(t *testing.T) {
	f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
		switch m.Method {
		case "status":
			w.WriteHeader(http.StatusInternalServerError)
			io.WriteString(w, "half a word")
		case "gone":
			w.WriteHeader(http.StatusNotFound)
			io.WriteString(w, "half a word")
		case "refused":
			w.Header().Set("Content-Type", eventStream)
			io.WriteString(w, `data: {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}`+"\n\n")
		default:
			return false
		}
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return true
	})
	c := connectHTTP(t, &mcp.HTTP{URL: f.URL})
	c.initialize()
	start := time.Now()
	wantText(t, c.fails(1, "status"), "HTTP 500 Internal Server Error: half a word")
	wantText(t, c.fails(2, "refused"), "what? (code -32700)")
	wantText(t, c.fails(3, "gone"), mcp.ErrSessionEnded.Error())
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("it took %v", d)
	}
	c.Close()
	for _, r := range f.requests() {
		if r == "DELETE" {
			t.Error("a session that has ended was deleted")
		}
	}
}
