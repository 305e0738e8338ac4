package mcp_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// connectClient starts a session of the client.
func connectClient(t *testing.T, transport mcp.Transport, o *mcp.Options) *mcp.Client {
	t.Helper()
	client, err := mcp.Connect(t.Context(), transport, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// TestHTTPSessionEnds is theme J, 65: five calls whose session has ended share one new handshake, and each is sent
// again once.
func TestHTTPSessionEnds(t *testing.T) {
	var mu sync.Mutex
	sessions, left, taken := 0, 0, 0
	f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case m.Method == "initialize":
			if r.Header.Get("Mcp-Session-Id") != "" || r.Header.Get("Mcp-Protocol-Version") != "" {
				t.Error("initialize came with the headers of a session")
			}
			sessions++
			left = 3
			w.Header().Set("Mcp-Session-Id", fmt.Sprint("s", sessions))
			writeJSON(w, m, `{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"f","version":"1"}}`)
		case r.Method != "POST" || m.ID == nil:
			return false
		case r.Header.Get("Mcp-Session-Id") != fmt.Sprint("s", sessions) || sessions == 1 && left == 0:
			http.Error(w, "no such session", http.StatusNotFound)
		default:
			left--
			taken++
			return false
		}
		return true
	})
	c := connectClient(t, &mcp.HTTP{URL: f.URL}, nil)
	call := func() error {
		_, err := c.Call(t.Context(), "tools/call", nil)
		return err
	}
	for range 3 {
		if err := call(); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			if err := call(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if sessions != 2 || taken != 8 {
		t.Errorf("%d sessions and %d calls, want 2 and 8", sessions, taken)
	}
}

// TestHTTPSessionNeverLives: a server that forgets every session at once is asked once more, and no more.
func TestHTTPSessionNeverLives(t *testing.T) {
	f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
		if m.Method == "tools/call" {
			http.Error(w, "no such session", http.StatusNotFound)
		}
		return m.Method == "tools/call"
	})
	c := connectClient(t, &mcp.HTTP{URL: f.URL}, nil)
	_, err := c.Call(t.Context(), "tools/call", nil)
	if !errors.Is(err, mcp.ErrSessionEnded) {
		t.Error(err)
	}
	n := 0
	for _, r := range f.requests() {
		if r == "POST initialize" || r == "POST tools/call" {
			n++
		}
	}
	if n < 4 || n > 5 {
		t.Errorf("%v", f.requests())
	}
}

// TestHTTPStatus is HTTP-6, and theme J, 72.
func TestHTTPStatus(t *testing.T) {
	long := strings.Repeat("é", 501)
	for _, test := range []struct {
		status int
		header http.Header
		body   string
		want   string
	}{
		{500, nil, "out of paper\n", "HTTP 500 Internal Server Error: out of paper"},
		{503, http.Header{"Retry-After": {"1"}}, "", "HTTP 503 Service Unavailable (Retry-After: 1)"},
		{429, http.Header{"Retry-After": {"120"}}, "slow down", "HTTP 429 Too Many Requests: slow down (Retry-After: 120)"},
		{418, nil, long, "HTTP 418 I'm a teapot: " + long[:1000]},
		{599, nil, "a\xff", "HTTP 599: a\uFFFD"},
		{404, nil, "nothing here", "HTTP 404 Not Found: nothing here; is URL/mcp the server's address?"},
		{401, http.Header{"Www-Authenticate": {`Bearer error="invalid_token"`}}, "", `HTTP 401 Unauthorized: WWW-Authenticate: Bearer error="invalid_token"; set a header such as Authorization through ${env:NAME} to a credential that the server takes`},
		{403, http.Header{"Www-Authenticate": {"Basic", "Bearer"}}, "your token hidden-value-1 is no good", `HTTP 403 Forbidden: WWW-Authenticate: Basic, Bearer: your token ******** is no good; set a header such as Authorization through ${env:NAME} to a credential that the server takes`},
		{401, http.Header{"Www-Authenticate": {`Bearer resource_metadata="https://h/.well-known/oauth-protected-resource"`}}, "", `HTTP 401 Unauthorized: the server wants OAuth, which is not supported: WWW-Authenticate: Bearer resource_metadata="https://h/.well-known/oauth-protected-resource"; if the server takes a fixed token, too, set a header such as Authorization to it through ${env:NAME}`},
		{304, nil, "", "HTTP 304 Not Modified"},
	} {
		f := answering(t, func(w http.ResponseWriter) {
			for name, values := range test.header {
				w.Header()[name] = values
			}
			w.WriteHeader(test.status)
			io.WriteString(w, test.body)
		})
		c := connectHTTP(t, &mcp.HTTP{URL: f.URL + "/mcp?q=1", Header: http.Header{"Authorization": {"Bearer hidden-value-1"}}})
		err := c.fails(1, "tools/call")
		wantText(t, err, strings.ReplaceAll(test.want, "URL", f.URL))
		var status *mcp.HTTPError
		if !errors.As(err, &status) || status.Status != test.status || status.NeedsCredentials() != (test.status == 401 || test.status == 403) {
			t.Errorf("%#v", err)
		}
		if oauth := strings.Contains(test.want, "OAuth"); errors.Is(err, mcp.ErrOAuth) != oauth {
			t.Errorf("%d: ErrOAuth: %v", test.status, !oauth)
		}
		if n := len(f.requests()); n != 1 {
			t.Errorf("%d: %d requests", test.status, n)
		}
	}
}

// TestHTTPLegacy is HTTP-10: a server of 2024-11-05 takes no POST, and begins its stream with the event endpoint.
func TestHTTPLegacy(t *testing.T) {
	for _, status := range []int{400, 404, 405} {
		f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
			if r.Method == "POST" {
				w.WriteHeader(status)
				return true
			}
			writeChunks(w, eventStream, "event: endpoint\ndata: /messages?session=1\n\n")
			<-r.Context().Done()
			return true
		})
		_, err := mcp.Connect(t.Context(), &mcp.HTTP{URL: f.URL + "/sse"}, nil)
		if !errors.Is(err, mcp.ErrLegacySSE) {
			t.Errorf("%d: %v", status, err)
		}
		if status == 405 {
			wantText(t, err, "initialize: HTTP 405 Method Not Allowed: the server speaks only the HTTP+SSE transport of 2024-11-05, which is not supported; see whether it has another address for Streamable HTTP, often one that ends in /mcp")
		}
		if diff := cmp.Diff([]string{"POST initialize", "GET"}, f.requests()); diff != "" {
			t.Error(diff)
		}
	}
	f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
		http.NotFound(w, r)
		return true
	})
	_, err := mcp.Connect(t.Context(), &mcp.HTTP{URL: f.URL + "/nowhere"}, nil)
	wantText(t, err, "initialize: HTTP 404 Not Found: 404 page not found; is "+f.URL+"/nowhere the server's address?")
}

// TestHTTPTransient is theme J, 71: what fails one request fails that one alone.
func TestHTTPTransient(t *testing.T) {
	var n atomic.Int32
	f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
		if m.Method != "tools/call" {
			return false
		}
		switch n.Add(1) {
		case 2:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 4:
			reset(w)
		case 6:
			<-r.Context().Done()
		case 8:
			w.WriteHeader(http.StatusTooManyRequests)
		case 10:
			w.Header().Set("Content-Length", "500")
			io.WriteString(w, `{"jsonrpc"`)
			w.(http.Flusher).Flush()
			reset(w)
		default:
			return false
		}
		return true
	})
	c := connectClient(t, &mcp.HTTP{URL: f.URL}, &mcp.Options{Timeout: time.Second})
	wants := []string{
		"", "tools/call: HTTP 503 Service Unavailable",
		"", "tools/call: outcome unknown: POST " + f.URL + ": EOF",
		"", "tools/call: timeout: no answer within 1s",
		"", "tools/call: HTTP 429 Too Many Requests",
		"", "tools/call: outcome unknown: unexpected EOF",
		"",
	}
	for i, want := range wants {
		_, err := c.Call(t.Context(), "tools/call", nil)
		if want != "" {
			wantText(t, err, want)
		} else if err != nil {
			t.Errorf("call %d: %v", i+1, err)
		}
	}
	calls, inits := 0, 0
	for _, r := range f.requests() {
		switch r {
		case "POST tools/call":
			calls++
		case "POST initialize":
			inits++
		}
	}
	if calls != len(wants) || inits != 1 {
		t.Errorf("%d calls and %d handshakes", calls, inits)
	}
}
