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
	"testing"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

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
