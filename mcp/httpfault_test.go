package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
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

// TestHTTPRedirects is HTTP-9, and theme K, 74.
func TestHTTPRedirects(t *testing.T) {
	elsewhere := newFakeHTTP(t, nil)
	var f *fakeHTTP
	f = newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
		code, target, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if target == "" {
			return false
		}
		switch target {
		case "loop":
			target = r.URL.Path
		case "elsewhere":
			target = elsewhere.URL + "/mcp?token=1"
		case "other-scheme":
			target = strings.Replace(f.URL, "http:", "https:", 1) + "/mcp"
		case "user":
			target = strings.Replace(f.URL, "http://", "http://user:password@", 1) + "/end"
		case "chain":
			target = "/307/chain2"
		case "chain2":
			target = "end?x=1"
		default:
			target = "/" + target
		}
		w.Header().Set("Location", target)
		fmt.Sscan(code, &code)
		status := 0
		fmt.Sscan(code, &status)
		w.WriteHeader(status)
		return true
	})
	for path, want := range map[string]string{
		"/307/end":          "",
		"/308/end":          "",
		"/307/user":         "",
		"/308/chain":        "",
		"/308/loop":         "HTTP 308 Permanent Redirect: redirect from URL/308/loop to URL/308/loop not followed: more than 5 in a row",
		"/301/mcp":          "HTTP 301 Moved Permanently: redirect from URL/301/mcp to URL/mcp not followed: it would turn POST into a GET without a body; if that is the server's address, use it as url",
		"/302/mcp":          "HTTP 302 Found: redirect from URL/302/mcp to URL/mcp not followed: it would turn POST into a GET without a body; if that is the server's address, use it as url",
		"/303/mcp":          "HTTP 303 See Other: redirect from URL/303/mcp to URL/mcp not followed: it would turn POST into a GET without a body; if that is the server's address, use it as url",
		"/307/elsewhere":    "HTTP 307 Temporary Redirect: redirect from URL/307/elsewhere to ELSE/mcp not followed: another origin: nothing was sent there",
		"/301/elsewhere":    "HTTP 301 Moved Permanently: redirect from URL/301/elsewhere to ELSE/mcp not followed: another origin: nothing was sent there",
		"/308/other-scheme": "HTTP 308 Permanent Redirect: redirect from URL/308/other-scheme to HTTPS/mcp not followed: another origin: nothing was sent there",
	} {
		f.mu.Lock()
		f.seen = nil
		f.mu.Unlock()
		c := connectHTTP(t, &mcp.HTTP{URL: f.URL + path, Header: http.Header{"X-Own": {"v"}}})
		if want == "" {
			if got, err := c.call(1, "ping"); got != ok1 || err != nil {
				t.Errorf("%s: %s, %v", path, got, err)
			}
			for i := range f.requests() {
				if r := f.request(i); r.method != "POST" || r.body != f.request(0).body || r.header.Get("X-Own") != "v" {
					t.Errorf("%s: %+v", path, r)
				}
			}
			continue
		}
		want = strings.NewReplacer("URL", f.URL, "ELSE", elsewhere.URL, "HTTPS", strings.Replace(f.URL, "http:", "https:", 1)).Replace(want)
		err := c.fails(1, "ping")
		wantText(t, err, want)
		var redirect *mcp.RedirectError
		if !errors.As(err, &redirect) {
			t.Errorf("%#v", err)
		}
		if n := len(f.requests()); path == "/308/loop" && n != 6 || path != "/308/loop" && n != 1 {
			t.Errorf("%s: %d requests", path, n)
		}
	}
	if n := len(elsewhere.requests()); n != 0 {
		t.Errorf("%d requests to another origin", n)
	}
}

// TestHTTPUnreachable: nothing was sent, and the error names every address that was tried (theme K, 78).
func TestHTTPUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	c := connectHTTP(t, &mcp.HTTP{URL: "http://user:hidden@" + address + "/mcp?key=hidden"})
	err = c.fails(1, "initialize")
	wantText(t, err, "initialize: not sent: POST http://"+address+"/mcp: dial tcp "+address+": connect: connection refused")
	if !errors.Is(err, mcp.ErrNotSent) || mcp.OutcomeUnknown(err) {
		t.Error("it counts as sent")
	}
	if _, err := net.DefaultResolver.LookupHost(context.Background(), "localhost"); err == nil {
		_, port, _ := net.SplitHostPort(address)
		c := connectHTTP(t, &mcp.HTTP{URL: "http://localhost:" + port})
		err := c.fails(1, "initialize")
		all, _ := net.LookupHost("localhost")
		for _, ip := range all {
			if len(all) > 1 && !strings.Contains(err.Error(), net.JoinHostPort(ip, port)) {
				t.Errorf("%v does not name %s", err, ip)
			}
		}
	}
}

// TestHTTPAddresses: a server on one of the loopbacks alone is found by name or literally (theme K, 78).
func TestHTTPAddresses(t *testing.T) {
	for _, ip := range []string{"127.0.0.1", "::1"} {
		l, err := net.Listen("tcp", net.JoinHostPort(ip, "0"))
		if err != nil {
			t.Logf("no %s here: %v", ip, err)
			continue
		}
		f := &fakeHTTP{}
		f.Server = httptest.NewUnstartedServer(f)
		f.Listener.Close()
		f.Listener = l
		f.Start()
		defer f.Close()
		_, port, _ := net.SplitHostPort(l.Addr().String())
		hosts := []string{net.JoinHostPort(ip, port)}
		if all, _ := net.LookupHost("localhost"); strings.Contains(strings.Join(all, " "), ip) {
			hosts = append(hosts, "localhost:"+port)
		}
		for _, host := range hosts {
			c := connectHTTP(t, &mcp.HTTP{URL: "http://" + host + "/mcp"})
			if got, err := c.call(1, "ping"); got != ok1 || err != nil {
				t.Errorf("%s: %s, %v", host, got, err)
			}
		}
	}
}

// TestHTTPVerifiesTLS: a certificate that nobody vouches for is refused before anything is sent.
func TestHTTPVerifiesTLS(t *testing.T) {
	f := &fakeHTTP{}
	f.Server = httptest.NewUnstartedServer(f)
	f.Config.ErrorLog = log.New(io.Discard, "", 0)
	f.StartTLS()
	defer f.Close()
	c := connectHTTP(t, &mcp.HTTP{URL: f.URL})
	err := c.fails(1, "initialize")
	if !errors.Is(err, mcp.ErrNotSent) || !strings.Contains(err.Error(), "certificate signed by unknown authority") {
		t.Error(err)
	}
	if n := len(f.requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
	c = connectHTTP(t, &mcp.HTTP{URL: f.URL, Client: f.Client()})
	if got, err := c.call(1, "ping"); got != ok1 || err != nil {
		t.Errorf("with its own root: %s, %v", got, err)
	}
}

// TestHTTPProxy runs this program again, since net/http reads the environment once.
func TestHTTPProxy(t *testing.T) {
	if url := os.Getenv("TEST_HTTP_PROXY_URL"); url != "" {
		c := connectHTTP(t, &mcp.HTTP{URL: url, Header: http.Header{"X-Own": {"v"}}})
		got, err := c.call(1, "ping")
		fmt.Printf("answer %s error %v\n", got, errors.Unwrap(err))
		return
	}
	proxy := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, _ jsonrpc.Message) bool {
		if r.Method == "CONNECT" {
			w.WriteHeader(http.StatusForbidden)
			return true
		}
		return false
	})
	run := func(url string, env ...string) string {
		cmd := exec.Command(os.Args[0], "-test.run=^TestHTTPProxy$")
		cmd.Env = append(append(os.Environ(), "TEST_HTTP_PROXY_URL="+url), env...)
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	out := run("http://server.invalid/mcp?a=b", "HTTP_PROXY="+proxy.URL)
	if !strings.Contains(out, "answer "+ok1) || proxy.request(0).uri != "http://server.invalid/mcp?a=b" {
		t.Errorf("http: %s", out)
	}
	out = run("https://server.invalid/mcp", "HTTPS_PROXY="+proxy.URL)
	if !strings.Contains(out, "error ping: not sent: POST https://server.invalid/mcp: the proxy answered HTTP 403 Forbidden\n") || len(proxy.requests()) != 2 || proxy.request(1).uri != "server.invalid:443" || proxy.request(1).header.Get("X-Own") != "" {
		t.Errorf("https: %s", out)
	}
	out = run("https://server.invalid/mcp", "HTTPS_PROXY="+proxy.URL, "NO_PROXY=.invalid")
	if len(proxy.requests()) != 2 {
		t.Errorf("NO_PROXY: %s", out)
	}
}

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
