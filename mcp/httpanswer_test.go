package mcp_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

const ok1 = `{"jsonrpc":"2.0","id":1,"result":{"ok":true}}`

// answering is a server that gives every POST one answer.
func answering(t *testing.T, answer func(w http.ResponseWriter)) *fakeHTTP {
	return newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, _ jsonrpc.Message) bool {
		if r.Method != http.MethodPost {
			return false
		}
		answer(w)
		return true
	})
}

// TestHTTPContentTypes is theme J, 68.
func TestHTTPContentTypes(t *testing.T) {
	sse := "event: message\ndata: " + ok1 + "\n\n"
	for _, test := range []struct{ contentType, body string }{
		{"application/json", ok1},
		{"Application/JSON;Charset=UTF-8", ok1 + "\r\n"},
		{"application/json", "\uFEFF " + ok1},
		{"text/event-stream;charset=utf-8", sse},
		{"TEXT/EVENT-STREAM", sse},
		{"", ok1},
		{"", sse},
		{"text/plain", " \r\n" + ok1},
		{"text/plain", "\uFEFF" + sse},
		{"application/octet-stream", ": hello\n\n" + sse},
		{"text/html", ok1},
		{"application/vnd.api+json", ok1},
		{"not/a;type;;", "\n\n" + sse},
	} {
		f := answering(t, func(w http.ResponseWriter) {
			w.Header()["Content-Type"] = []string{test.contentType}
			if test.contentType == "" {
				w.Header()["Content-Type"] = nil
			}
			io.WriteString(w, test.body)
		})
		c := connectHTTP(t, &mcp.HTTP{URL: f.URL})
		if got, err := c.call(1, "ping"); got != ok1 || err != nil {
			t.Errorf("%q with %q: %s, %v", test.contentType, test.body, got, err)
		}
	}
}

// TestHTTPChunks cuts an answer with a character of four bytes at every place (themes I, 59 and 61).
func TestHTTPChunks(t *testing.T) {
	want := `{"jsonrpc":"2.0","id":1,"result":{"text":"🎉"}}`
	for kind, body := range map[string]string{
		"application/json":  want,
		"text/event-stream": "\uFEFFevent: message\r\ndata: " + want + "\r\n\r\n",
	} {
		for cut := 1; cut < len(body); cut += 3 {
			f := answering(t, func(w http.ResponseWriter) { writeChunks(w, kind, body[:cut], body[cut:]) })
			c := connectHTTP(t, &mcp.HTTP{URL: f.URL})
			if got, err := c.call(1, "ping"); got != want || err != nil {
				t.Errorf("%s cut at %d: %s, %v", kind, cut, got, err)
			}
			c.Close()
			f.Close()
		}
	}
}

// TestHTTPStreamBeforeAnswer: messages before the answer come as they arrive, other events not at all (HTTP-2, HTTP-7).
func TestHTTPStreamBeforeAnswer(t *testing.T) {
	note := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}`
	sent := make(chan bool)
	f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
		if m.Kind() == jsonrpc.Response {
			sent <- true
			return false
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, ": hello\n\nretry: 50\n\nid: 1\ndata:\n\nevent: ping\ndata: %s\n\ndata\n\nfoo: bar\n\ndata: no JSON\n\ndata: %s\n\n", ok1, note)
		fmt.Fprint(w, `data: {"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n\n")
		w.(http.Flusher).Flush()
		<-sent
		fmt.Fprintf(w, "data: [%s,\ndata: {\"bad\":1},%s]\n\n", note, ok1)
		return true
	})
	c := connectHTTP(t, &mcp.HTTP{URL: f.URL})
	got, err := c.call(1, "tools/call")
	if got != note || err != nil {
		t.Fatalf("first: %s, %v", got, err)
	}
	if got, err := c.next(); got != `{"jsonrpc":"2.0","id":1,"method":"ping"}` || err != nil {
		t.Fatalf("second: %s, %v", got, err)
	}
	if err := c.write(`{"jsonrpc":"2.0","id":1,"result":{}}`); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{note, ok1} {
		if got, err := c.next(); got != want || err != nil {
			t.Fatalf("got %s, %v, want %s", got, err, want)
		}
	}
}

// TestHTTPEncodings is theme K, 76.
func TestHTTPEncodings(t *testing.T) {
	type flusher interface {
		io.WriteCloser
		Flush() error
	}
	for name, encode := range map[string]func(io.Writer) flusher{
		"gzip":    func(w io.Writer) flusher { return gzip.NewWriter(w) },
		"X-GZIP":  func(w io.Writer) flusher { return gzip.NewWriter(w) },
		"deflate": func(w io.Writer) flusher { return zlib.NewWriter(w) },
		"Deflate": func(w io.Writer) flusher { z, _ := flate.NewWriter(w, 9); return z },
	} {
		for _, kind := range []string{"application/json", "text/event-stream", ""} {
			hold := make(chan bool)
			f := answering(t, func(w http.ResponseWriter) {
				w.Header()["Content-Type"] = []string{kind}
				w.Header().Set("Content-Encoding", name)
				z := encode(w)
				if kind == "application/json" {
					io.WriteString(z, ok1)
					z.Close()
					return
				}
				fmt.Fprintf(z, "data: %s\n\n", ok1)
				z.Flush()
				w.(http.Flusher).Flush()
				<-hold // the event is there before the stream ends
				z.Close()
			})
			c := connectHTTP(t, &mcp.HTTP{URL: f.URL})
			if got, err := c.call(1, "ping"); got != ok1 || err != nil {
				t.Errorf("%s of %q: %s, %v", name, kind, got, err)
			}
			close(hold)
		}
	}
	f := answering(t, func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "br")
		w.Write([]byte{0x0b, 0x02, 0x80})
	})
	c := connectHTTP(t, &mcp.HTTP{URL: f.URL + "/mcp?key=hidden"})
	err := c.fails(1, "ping")
	wantText(t, err, "answer from "+f.URL+"/mcp: unsupported encoding br")
	var content *mcp.ContentError
	if !errors.As(err, &content) || content.Encoding != "br" {
		t.Errorf("%#v", err)
	}
	if got := f.request(0).header.Get("Accept-Encoding"); got != "gzip" {
		t.Errorf("Accept-Encoding %q", got)
	}
}

// TestHTTPNoResponse: answers of success that hold no response.
func TestHTTPNoResponse(t *testing.T) {
	for _, test := range []struct {
		status            int
		contentType, body string
		want              string
	}{
		{202, "", "", "the server answered HTTP 202 Accepted without a response"},
		{200, "application/json", "", "the server answered HTTP 200 OK without a response"},
		{204, "", "", "the server answered HTTP 204 No Content without a response"},
		{200, "application/json", `{"jsonrpc":"2.0","id":77,"result":{}}`, `the answer holds no response to the request: {"jsonrpc":"2.0","id":77,"result":{}}`},
		{200, "application/json", `{"error":"busy"}`, `the answer is no JSON-RPC message: {"error":"busy"}`},
		{200, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}`, `what? (code -32700)`},
		{200, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"what?\"}}\n\n", `what? (code -32700)`},
		{200, "text/html", "<!doctype html><title>Login</title>", "got an HTML page from URL/mcp, not a message: <!doctype html><title>Login</title>"},
		{200, "text/plain", "hello", `answer from URL/mcp: content type "text/plain", neither JSON nor an event stream: hello`},
	} {
		f := answering(t, func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", test.contentType)
			w.WriteHeader(test.status)
			io.WriteString(w, test.body)
		})
		c := connectHTTP(t, &mcp.HTTP{URL: f.URL + "/mcp"})
		if strings.Contains(test.body, "77") {
			// The stray response itself comes first, for the client to drop.
			if got, err := c.call(2, "ping"); got != test.body || err != nil {
				t.Errorf("%s, %v", got, err)
			}
			_, err := c.next()
			wantText(t, errors.Unwrap(err), test.want)
			continue
		}
		err := c.fails(1, "ping")
		wantText(t, err, strings.ReplaceAll(test.want, "URL", f.URL))
	}
}

// TestHTTPLimit: a body or event over 64 MiB fails its request alone.
func TestHTTPLimit(t *testing.T) {
	big := bytes.Repeat([]byte{'x'}, 1<<20)
	begins := map[string]string{ // what the tap is told of it
		"application/json":  "data: " + strings.Repeat("x", 4090),
		"text/event-stream": strings.Repeat("x", 4096),
	}
	for _, kind := range []string{"application/json", "text/event-stream", "length"} {
		first := true
		f := answering(t, func(w http.ResponseWriter) {
			if !first {
				io.WriteString(w, ok1)
				return
			}
			first = false
			w.Header().Set("Content-Type", kind)
			if kind == "length" {
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("Content-Length", fmt.Sprint(jsonrpc.MaxLine+1))
			}
			io.WriteString(w, "data: ")
			for range 66 {
				if _, err := w.Write(big); err != nil {
					return
				}
			}
		})
		tap := new(wiretap)
		c := connectHTTP(t, &mcp.HTTP{URL: f.URL, Tap: tap})
		err := c.fails(1, "ping")
		var tooLong *jsonrpc.TooLongError
		if !errors.As(err, &tooLong) || tooLong.Limit != 64<<20 {
			t.Errorf("%s: %v", kind, err)
		}
		sameStrings(t, kind, tap.of(mcp.FromServer, mcp.FrameBody), begins[kind]+"… [a text, too long for a message, recorded up to here]\n")
		if got, err := c.call(1, "ping"); got != ok1 || err != nil {
			t.Errorf("%s, then: %s, %v", kind, got, err)
		}
	}
}

// tape is a Tap that writes down what it is told.
type tape struct {
	frames chan string
}

func newTape() *tape { return &tape{make(chan string, 1000)} }

func (t *tape) Frame(f mcp.Frame) {
	s := fmt.Sprintf("%d %s %s", f.Exchange, f.SessionID, map[mcp.Side]string{mcp.FromClient: "client", mcp.FromServer: "server"}[f.From])
	switch f.Kind {
	case mcp.FrameHTTP:
		s += fmt.Sprintf(" http %s%s %d", f.Head.Method, f.Head.Path, f.Head.Status)
		for _, name := range []string{"Mcp-Session-Id", "X-Case", "Content-Encoding"} {
			for _, v := range f.Head.Header.Values(name) {
				s += " " + name + "=" + v
			}
		}
	case mcp.FrameMessage:
		s += " message " + string(f.Data)
	case mcp.FrameBody:
		s += " body " + string(f.Data)
	case mcp.FrameEvent:
		s += " event"
	case mcp.FrameEnd:
		s += " end " + string(f.End)
	}
	if f.Event != nil {
		s += fmt.Sprintf(" sse{%s %s %v %s %s}", f.Event.Event, f.Event.ID, f.Event.HasID, f.Event.Retry, f.Event.Comment)
	}
	t.frames <- s
}

func (t *tape) all(n int) []string {
	var all []string
	for range n {
		select {
		case f := <-t.frames:
			all = append(all, f)
		case <-time.After(5 * time.Second):
			return append(all, "nothing more in 5 s")
		}
	}
	return all
}

func TestHTTPTap(t *testing.T) {
	f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
		w.Header()["X-Case"] = []string{" a, b", "C "}
		switch {
		case m.Method == "stream":
			writeChunks(w, "text/event-stream", ": hi\n\n", "id: 4\nretry: 10\nevent: other\ndata: text\n\n", "data: "+ok1+"\n\n")
		case m.Method == "zip":
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			io.WriteString(z, ok1+"\n")
			z.Close()
		case m.Method == "moved":
			http.Redirect(w, r, "http://elsewhere.example/x", http.StatusTemporaryRedirect)
		case m.Method == "broken":
			w.WriteHeader(http.StatusBadGateway)
			io.WriteString(w, "no luck")
		default:
			return false
		}
		return true
	})
	tap := newTape()
	c := connectHTTP(t, &mcp.HTTP{URL: f.URL + "/mcp?a=b", Tap: tap})
	c.initialize()
	want := []string{
		`1  client http POST/mcp?a=b 0`,
		`1  client message {"jsonrpc":"2.0","id":0,"method":"initialize"}`,
		`1 s1 server http  200 Mcp-Session-Id=s1 X-Case=a, b X-Case=C`,
		`1 s1 server message {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"fake","version":"1"}}}`,
		`1 s1 server end complete`,
		`2 s1 client http POST/mcp?a=b 0 Mcp-Session-Id=s1`,
		`2 s1 client message {"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`2 s1 server http  202 X-Case=a, b X-Case=C`,
		`2 s1 server end complete`,
		`3 s1 client http GET/mcp?a=b 0 Mcp-Session-Id=s1`,
		`3 s1 server http  405 X-Case=a, b X-Case=C`,
		`3 s1 server end complete`,
	}
	if diff := cmp.Diff(want, tap.all(len(want))); diff != "" {
		t.Fatal(diff)
	}
	c.call(1, "stream")
	want = []string{
		`4 s1 client http POST/mcp?a=b 0 Mcp-Session-Id=s1`,
		`4 s1 client message {"jsonrpc":"2.0","id":1,"method":"stream"}`,
		`4 s1 server http  200 X-Case=a, b X-Case=C`,
		`4 s1 server event sse{  false  hi}`,
		`4 s1 server body text sse{other 4 true 10 }`,
		`4 s1 server message ` + ok1 + ` sse{  false  }`,
		`4 s1 server end complete`,
	}
	if diff := cmp.Diff(want, tap.all(len(want))); diff != "" {
		t.Fatal(diff)
	}
	c.call(1, "zip")
	want = []string{
		`5 s1 client http POST/mcp?a=b 0 Mcp-Session-Id=s1`,
		`5 s1 client message {"jsonrpc":"2.0","id":1,"method":"zip"}`,
		`5 s1 server http  200 X-Case=a, b X-Case=C`,
		`5 s1 server message ` + ok1,
		`5 s1 server end complete`,
	}
	if diff := cmp.Diff(want, tap.all(len(want))); diff != "" {
		t.Fatal(diff)
	}
	c.call(1, "moved")
	c.call(2, "broken")
	want = []string{
		`6 s1 client http POST/mcp?a=b 0 Mcp-Session-Id=s1`,
		`6 s1 client message {"jsonrpc":"2.0","id":1,"method":"moved"}`,
		`6 s1 server http  307 X-Case=a, b X-Case=C`,
		`6 s1 server end complete`,
		`7 s1 client http POST/mcp?a=b 0 Mcp-Session-Id=s1`,
		`7 s1 client message {"jsonrpc":"2.0","id":2,"method":"broken"}`,
		`7 s1 server http  502 X-Case=a, b X-Case=C`,
		`7 s1 server body no luck`,
		`7 s1 server end complete`,
	}
	if diff := cmp.Diff(want, tap.all(len(want))); diff != "" {
		t.Fatal(diff)
	}
	c.Close()
	want = []string{
		`8 s1 client http DELETE/mcp?a=b 0 Mcp-Session-Id=s1`,
		`8 s1 server http  204 X-Case=a, b X-Case=C`,
		`8 s1 server end complete`,
	}
	if diff := cmp.Diff(want, tap.all(len(want))); diff != "" {
		t.Fatal(diff)
	}
}
