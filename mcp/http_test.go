package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// request is what a fake server was sent.
type request struct {
	method, uri string
	header      http.Header
	body        string
}

// fakeHTTP is a Streamable HTTP server. What answer leaves alone, by returning false, it answers as good servers do.
type fakeHTTP struct {
	*httptest.Server
	answer func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool

	mu   sync.Mutex
	seen []request
}

func newFakeHTTP(t *testing.T, answer func(http.ResponseWriter, *http.Request, jsonrpc.Message) bool) *fakeHTTP {
	f := &fakeHTTP{answer: answer}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *fakeHTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	f.mu.Lock()
	f.seen = append(f.seen, request{r.Method, r.RequestURI, r.Header.Clone(), string(body)})
	f.mu.Unlock()
	var m jsonrpc.Message
	if len(body) > 0 {
		if m, err = jsonrpc.Parse(body); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
	}
	if f.answer != nil && f.answer(w, r, m) {
		return
	}
	switch {
	case r.Method == http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case r.Method == http.MethodDelete:
		w.WriteHeader(http.StatusNoContent)
	case m.Method == "initialize":
		w.Header().Set("Mcp-Session-Id", "s1")
		writeJSON(w, m, `{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"fake","version":"1"}}`)
	case m.ID == nil || m.Method == "":
		w.WriteHeader(http.StatusAccepted)
	default:
		writeJSON(w, m, `{"ok":true}`)
	}
}

// requests are those sent so far, each as its method and the method of its message.
func (f *fakeHTTP) requests() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []string
	for _, r := range f.seen {
		m, _ := jsonrpc.Parse([]byte(r.body))
		all = append(all, strings.TrimSpace(r.method+" "+m.Method))
	}
	return all
}

func (f *fakeHTTP) request(i int) request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen[i]
}

func writeJSON(w http.ResponseWriter, m jsonrpc.Message, result string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, response(m, result))
}

func response(m jsonrpc.Message, result string) string {
	return `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + result + `}`
}

// writeChunks sends each chunk by itself.
func writeChunks(w http.ResponseWriter, contentType string, chunks ...string) {
	w.Header().Set("Content-Type", contentType)
	for _, c := range chunks {
		io.WriteString(w, c)
		w.(http.Flusher).Flush()
		time.Sleep(2 * time.Millisecond)
	}
}

// rawHTTP is a connection on which the test says itself what is sent.
type rawHTTP struct {
	t *testing.T
	mcp.Conn
}

func connectHTTP(t *testing.T, transport *mcp.HTTP) rawHTTP {
	t.Helper()
	conn, err := transport.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return rawHTTP{t, conn}
}

func (c rawHTTP) write(text string) error {
	m, err := jsonrpc.Parse([]byte(text))
	if err != nil {
		c.t.Fatal(err)
	}
	return c.Write(c.t.Context(), m)
}

// next reads one message.
func (c rawHTTP) next() (string, error) {
	ctx, cancel := context.WithTimeout(c.t.Context(), 10*time.Second)
	defer cancel()
	m, err := c.Read(ctx)
	return string(m.Raw), err
}

// call sends a request and reads what comes next.
func (c rawHTTP) call(id int, method string) (string, error) {
	if err := c.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q}`, id, method)); err != nil {
		return "", err
	}
	return c.next()
}

// fails sends a request and returns the error that answers it.
func (c rawHTTP) fails(id int, method string) error {
	c.t.Helper()
	answer, err := c.call(id, method)
	var failed *mcp.RequestError
	if !errors.As(err, &failed) {
		c.t.Fatalf("%s: got %q and %v, want a RequestError", method, answer, err)
	}
	if string(failed.ID) != fmt.Sprint(id) {
		c.t.Errorf("%s: the error is for request %s", method, failed.ID)
	}
	return failed.Err
}

func (c rawHTTP) initialize() {
	c.t.Helper()
	if _, err := c.call(0, "initialize"); err != nil {
		c.t.Fatal(err)
	}
	if err := c.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); err != nil {
		c.t.Fatal(err)
	}
}

// wantText checks the text of an error.
func wantText(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("error\n got %v\nwant %s", err, want)
	}
}

// eventually waits for what another goroutine does.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within 5 s: %s", what)
		}
	}
}

func TestHTTPSession(t *testing.T) {
	f := newFakeHTTP(t, nil)
	c := connectHTTP(t, &mcp.HTTP{URL: f.URL + "/mcp", Header: http.Header{"X-Own": {"a", "b"}, "Accept": {"*/*"}}})
	c.initialize()
	eventually(t, "the GET", func() bool { return len(f.requests()) == 3 })
	if got, err := c.call(1, "ping"); got != `{"jsonrpc":"2.0","id":1,"result":{"ok":true}}` || err != nil {
		t.Errorf("ping: %s, %v", got, err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	want := []string{"POST initialize", "POST notifications/initialized", "GET", "POST ping", "DELETE"}
	if diff := cmp.Diff(want, f.requests()); diff != "" {
		t.Fatal(diff)
	}
	for i, r := range f.seen {
		h := r.header
		session, version := "s1", "2025-06-18"
		if i == 0 {
			session, version = "", ""
		}
		if h.Get("Mcp-Session-Id") != session || h.Get("MCP-Protocol-Version") != version {
			t.Errorf("%s: session %q, version %q", want[i], h.Get("Mcp-Session-Id"), h.Get("MCP-Protocol-Version"))
		}
		if diff := cmp.Diff([]string{"a", "b"}, h.Values("X-Own")); diff != "" {
			t.Error(want[i], diff)
		}
		if r.method != "POST" {
			continue
		}
		if diff := cmp.Diff([]string{"application/json, text/event-stream"}, h.Values("Accept")); diff != "" {
			t.Error(want[i], diff)
		}
		if h.Get("Content-Type") != "application/json" {
			t.Error(want[i], h.Get("Content-Type"))
		}
	}
	if _, err := c.next(); err != mcp.ErrClosed {
		t.Errorf("Read after Close: %v", err)
	}
	if err := c.write(`{"jsonrpc":"2.0","id":9,"method":"ping"}`); err != mcp.ErrClosed {
		t.Errorf("Write after Close: %v", err)
	}
}

func TestHTTPCloseWaitsNoLongerThanTwoSeconds(t *testing.T) {
	f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, _ jsonrpc.Message) bool {
		if r.Method == "DELETE" {
			<-r.Context().Done()
			return true
		}
		return false
	})
	c := connectHTTP(t, &mcp.HTTP{URL: f.URL})
	c.initialize()
	start := time.Now()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if d := time.Since(start); d < 1900*time.Millisecond || d > 5*time.Second {
		t.Errorf("Close took %v", d)
	}
}

func TestHTTPURLAsWritten(t *testing.T) {
	for written, want := range map[string]string{
		"/mcp/":               "/mcp/",
		"/mcp?x=a%2Fb&y=":     "/mcp?x=a%2Fb&y=",
		"":                    "/",
		"/a%2Fb//c/../d;v=1?": "/a%2Fb//c/../d;v=1?",
		"/mcp?a b#part":       "/mcp?a%20b",
		"/%6Dcp":              "/%6Dcp",
	} {
		f := newFakeHTTP(t, nil)
		c := connectHTTP(t, &mcp.HTTP{URL: "  " + f.URL + written + "\n"})
		if _, err := c.call(1, "ping"); err != nil {
			t.Fatal(err)
		}
		if got := f.request(0).uri; got != want {
			t.Errorf("%q asks for %q, want %q", written, got, want)
		}
	}
}

func TestHTTPConnectRefuses(t *testing.T) {
	for _, test := range []struct {
		http mcp.HTTP
		want string
	}{
		{mcp.HTTP{URL: "ftp://h/mcp"}, `url: scheme "ftp": only http and https are spoken`},
		{mcp.HTTP{URL: "h/mcp"}, `url: scheme "": only http and https are spoken`},
		{mcp.HTTP{URL: "http:///mcp"}, `url: it names no host`},
		{mcp.HTTP{URL: "http://u:secret@h:port/"}, `url: invalid port ":port" after host`},
		{mcp.HTTP{URL: "http://h", Header: http.Header{"X Y": {"v"}}}, `headers: "X Y" is no name for a header`},
		{mcp.HTTP{URL: "http://h", Header: http.Header{"X": {"secret\n"}}}, `headers: X: its value holds a character that no header may hold, such as a line end`},
	} {
		_, err := test.http.Connect(t.Context())
		wantText(t, err, test.want)
	}
}
