package replay

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
)

// startProxy puts a recording proxy before a server and gives its address; finish gives what was recorded.
func startProxy(t *testing.T, server http.Handler, o *ProxyOptions) (address string, finish func() []string) {
	t.Helper()
	return startProxyTo(t, filepath.Join(t.TempDir(), "h.jsonl"), server, o)
}

func startProxyTo(t *testing.T, path string, server http.Handler, o *ProxyOptions) (address string, finish func() []string) {
	t.Helper()
	upstream := httptest.NewServer(server)
	t.Cleanup(upstream.Close)
	var own http.Header
	if o != nil {
		own = o.Header
	}
	rec, err := Create(path, &RecordOptions{Transport: "http", Server: ServerLine{URL: upstream.URL + "/rpc?key=upstream-1"},
		Redact: &RedactOptions{Folders: &Folders{}, Header: own}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProxy(upstream.URL+"/rpc?key=upstream-1", rec, o)
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(p)
	t.Cleanup(front.Close)
	t.Cleanup(func() { p.Close() })
	return front.URL, func() []string {
		front.Close()
		if err := rec.Close(); err != nil {
			t.Error(err)
		}
		return told(t, openCassette(t, path))
	}
}

func post(t *testing.T, url, body string, header http.Header) *http.Response {
	t.Helper()
	r, err := http.NewRequest("POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	answer, err := (&http.Transport{DisableCompression: true}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	return answer
}

// REP-3: what the server and the host see of each other is what they see without the proxy.
func TestProxyChangesNothing(t *testing.T) {
	var seen *http.Request
	var seenBody []byte
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r
		seenBody, _ = io.ReadAll(r.Body)
		w.Header()["Content-Type"] = []string{"application/json; charset=utf-8"}
		w.Header()["X-Twice"] = []string{"a", "b"}
		w.Header().Set("Mcp-Session-Id", "session-0001")
		w.Header().Set("Set-Cookie", "sid=cookie-0001; Path=/")
		w.WriteHeader(http.StatusTeapot)
		io.WriteString(w, " {\"jsonrpc\":\"2.0\",\r\n\"id\":1.0,\"result\":{ } } ")
	})
	url, finish := startProxy(t, server, &ProxyOptions{Header: http.Header{"Authorization": {"Bearer added-0001"}}})
	answer := post(t, url+"/mcp?page=1&token=abc", `{"jsonrpc":"2.0","id":1.0,"method":"initialize" }`,
		http.Header{"Accept": {"a", "b"}, "Content-Type": {"application/json"}, "Connection": {"X-Hop"}, "X-Hop": {"1"}, "User-Agent": {"host/1"}})
	body, _ := io.ReadAll(answer.Body)
	if answer.StatusCode != http.StatusTeapot || string(body) != " {\"jsonrpc\":\"2.0\",\r\n\"id\":1.0,\"result\":{ } } " {
		t.Errorf("answered %d %q", answer.StatusCode, body)
	}
	answer.Header.Del("Date")
	if diff := cmp.Diff(http.Header{"Content-Type": {"application/json; charset=utf-8"}, "X-Twice": {"a", "b"}, "Mcp-Session-Id": {"session-0001"},
		"Set-Cookie": {"sid=cookie-0001; Path=/"}, "Content-Length": {strconv.Itoa(len(body))}}, answer.Header); diff != "" {
		t.Errorf("the answer's header (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(http.Header{"Accept": {"a", "b"}, "Content-Type": {"application/json"}, "User-Agent": {"host/1"},
		"Content-Length": {"49"}, "Authorization": {"Bearer added-0001"}}, seen.Header); diff != "" {
		t.Errorf("the request's header (-want +got):\n%s", diff)
	}
	if seen.RequestURI != "/rpc?key=upstream-1&page=1&token=abc" || string(seenBody) != `{"jsonrpc":"2.0","id":1.0,"method":"initialize" }` {
		t.Errorf("the server sees %s %s", seen.RequestURI, seenBody)
	}

	answer = post(t, url+"/mcp", `{"jsonrpc":"2.0","method":"n"}`, http.Header{"Mcp-Session-Id": {"session-0001"}, "User-Agent": {""}})
	if answer.Body.Close(); seen.Header["User-Agent"] != nil {
		t.Errorf("the proxy names itself: %q", seen.Header["User-Agent"])
	}
	got := finish()
	want := []string{
		`"from":"client","exchange":1,"http":{"method":"POST","path":"/mcp?page=1&token=[redacted:token:N]","header":{"Accept":["a","b"],"Connection":["X-Hop"],"Content-Length":["49"],"Content-Type":["application/json"],"User-Agent":["host/1"],"X-Hop":["1"]}}`,
		`"from":"client","exchange":1,"message":{"jsonrpc":"2.0","id":1.0,"method":"initialize" }`,
		`"from":"server","session":1,"exchange":1,"http":{"status":418,"header":{"Content-Length":["44"],"Content-Type":["application/json; charset=utf-8"],"Set-Cookie":["sid=[redacted:set-cookie:N]; Path=/"],"X-Twice":["a","b"]}}`,
		`"from":"server","session":1,"exchange":1,"text":" {\"jsonrpc\":\"2.0\",\r\n\"id\":1.0,\"result\":{ } } "`,
		`"from":"server","session":1,"exchange":1,"end":"complete"`,
		`"from":"client","session":1,"exchange":2,"http":{"method":"POST","path":"/mcp","header":{"Content-Length":["30"]}}`,
	}
	for i := range got {
		got[i] = anyNumber(dropDate(got[i]))
	}
	for i, line := range want {
		if i >= len(got) || got[i] != line {
			t.Errorf("line %d:\n got %s\nwant %s", i, got[min(i, len(got)-1)], line)
		}
	}
	if all := strings.Join(got, "\n"); strings.Contains(all, "-0001") || strings.Contains(all, "abc") {
		t.Errorf("secrets stay:\n%s", all)
	}
}

func dropDate(line string) string {
	before, rest, ok := strings.Cut(line, `"Date":["`)
	if !ok {
		return line
	}
	_, after, _ := strings.Cut(rest, `"],`)
	return before + after
}

// Streams are passed on as they come, and each event is recorded before its end is passed on.
func TestProxyStreams(t *testing.T) {
	steps, gone := make(chan string), make(chan struct{})
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		for {
			var s string
			select {
			case s = <-steps:
			case <-r.Context().Done():
				close(gone)
				return
			}
			if s == "reset" {
				panic(http.ErrAbortHandler)
			}
			io.WriteString(w, s)
			w.(http.Flusher).Flush()
		}
	})
	url, finish := startProxy(t, server, nil)
	read := func(answer *http.Response, want string) {
		t.Helper()
		got := make([]byte, len(want))
		if _, err := io.ReadFull(answer.Body, got); err != nil || string(got) != want {
			t.Fatalf("read %q, %v; want %q", got, err, want)
		}
	}
	answer := post(t, url+"/mcp", `{}`, http.Header{})
	for _, chunk := range []string{"id: 1\nevent: message\ndata: {\"jsonrpc\":\"2.0\",", "\ndata: \"method\":\"a\"}", "\n\n: comment\r\n\r\n", "retry: 5\n\ndata: text\n\n"} {
		steps <- chunk
		read(answer, chunk) // at once, in the middle of an event
	}
	steps <- "data: half"
	read(answer, "data: half")
	steps <- "reset"
	if rest, err := io.ReadAll(answer.Body); err == nil {
		t.Errorf("the stream ends cleanly after %q", rest)
	}
	answer = post(t, url+"/mcp", `{}`, http.Header{})
	steps <- "data: {}\n\n"
	read(answer, "data: {}\n\n")
	answer.Body.Close() // the host hangs up
	for listening := true; listening; {
		select {
		case steps <- "data: {}\n\n":
			time.Sleep(time.Millisecond)
		case <-gone:
			listening = false
		}
	}

	var got []string
	for _, line := range finish() {
		if strings.Contains(line, `"from":"server"`) && !strings.Contains(line, `"status"`) {
			got = append(got, strings.TrimPrefix(line, `"from":"server",`))
		}
	}
	want := []string{
		`"exchange":1,"sse":{"event":"message","id":"1"},"text":"{\"jsonrpc\":\"2.0\",\n\"method\":\"a\"}"`,
		`"exchange":1,"sse":{"comment":"comment"}`,
		`"exchange":1,"sse":{"retry":"5"}`,
		`"exchange":1,"sse":{},"body":"text"`,
		`"exchange":1,"end":"reset"`,
		`"exchange":2,"sse":{},"message":{}`,
	}
	if len(got) < len(want)+1 || !slices.Contains(got, `"exchange":2,"end":"client"`) {
		t.Fatalf("recorded:\n%s", strings.Join(got, "\n"))
	}
	if diff := cmp.Diff(want, got[:len(want)]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// packers are the content encodings that are recorded decoded.
var packers = map[string]func(io.Writer) packer{
	"gzip":    func(w io.Writer) packer { return gzip.NewWriter(w) },
	"deflate": func(w io.Writer) packer { return zlib.NewWriter(w) },
	"br":      func(w io.Writer) packer { return brotli.NewWriter(w) },
}

type packer = interface {
	io.WriteCloser
	Flush() error
}

// A compressed body passes as it is; the cassette has it decoded. What cannot be decoded is told from what can.
func TestProxyCompressed(t *testing.T) {
	var packed []byte
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", r.Header.Get("X-Encoding"))
		w.Write(packed)
	})
	url, finish := startProxy(t, server, nil)
	exchange := func(encoding string) {
		answer := post(t, url+"/mcp", "", http.Header{"X-Encoding": {encoding}, "Accept-Encoding": {"gzip, br"}})
		if body, _ := io.ReadAll(answer.Body); !bytes.Equal(body, packed) || answer.Header.Get("Content-Encoding") != encoding {
			t.Errorf("%s: %q", encoding, body)
		}
	}
	for encoding, pack := range packers {
		var b bytes.Buffer
		z := pack(&b)
		fmt.Fprintf(z, `{"jsonrpc":"2.0","id":%q,"result":{"password":"hunter2"}}`, encoding)
		z.Close()
		packed = b.Bytes()
		exchange(encoding)
	}
	packed = []byte("\x00not packed at all")
	broken := []string{"compress", "gzip", "br", "gzip, br"}
	for _, encoding := range broken {
		exchange(encoding)
	}
	lines := finish()
	all := anyNumber(strings.Join(lines, "\n"))
	for encoding := range packers {
		want := fmt.Sprintf(`"message":{"jsonrpc":"2.0","id":%q,"result":{"password":"[redacted:password:N]"}}`, encoding)
		if !strings.Contains(all, want) {
			t.Errorf("%s: recorded:\n%s", encoding, all)
		}
	}
	for _, encoding := range broken {
		want := fmt.Sprintf(`"body":"[%d bytes in the encoding \"%s\", which cannot be recorded: `, len(packed), encoding)
		if !strings.Contains(all, want) {
			t.Errorf("%s: recorded:\n%s", encoding, all)
		}
	}
}

// Of a compressed event stream, what has been flushed is passed on and recorded at once.
func TestProxyCompressedStream(t *testing.T) {
	for encoding, pack := range packers {
		t.Run(encoding, func(t *testing.T) {
			next := make(chan bool)
			server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				w.Header().Set("Content-Encoding", encoding)
				z := pack(w)
				for n := range 3 {
					fmt.Fprintf(z, "id: %d\ndata: {\"n\":%d}\n\n", n, n)
					z.Flush()
					w.(http.Flusher).Flush()
					<-next
				}
				z.Close()
			})
			path := filepath.Join(t.TempDir(), "h.jsonl")
			url, finish := startProxyTo(t, path, server, nil)
			answer := post(t, url+"/mcp", `{}`, http.Header{})
			unpacked, err := decoder(answer.Body, answer.Header)
			if err != nil {
				t.Fatal(err)
			}
			events := mcp.NewEventReader(unpacked, 0)
			for n := range 3 {
				if e, err := events.Next(); err != nil || string(e.Data) != fmt.Sprintf(`{"n":%d}`, n) {
					t.Fatalf("event %d: %+v, %v", n, e, err)
				}
				want := fmt.Sprintf(`"exchange":1,"sse":{"id":"%d"},"message":{"n":%d}`, n, n)
				if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), want) {
					t.Errorf("%v: the cassette has no %s:\n%s", err, want, text)
				}
				next <- true
			}
			if _, err := io.ReadAll(answer.Body); err != nil {
				t.Fatal(err)
			}
			finish()
		})
	}
}

// Several sessions, GET, DELETE, other paths, large bodies of unknown length, and a server that is not there.
func TestProxyRequests(t *testing.T) {
	big := strings.Repeat("x", 3<<20)
	var seen []string
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen = append(seen, fmt.Sprintf("%s %s %d", r.Method, r.RequestURI, len(body)))
		w.WriteHeader(http.StatusAccepted)
	})
	url, finish := startProxy(t, server, nil)
	for _, request := range []struct{ method, path, session string }{
		{"POST", "/mcp", "s-1"}, {"GET", "/mcp", "s-2"}, {"DELETE", "/mcp", "s-1"}, {"GET", "/.well-known/x?a=b", ""},
	} {
		r, _ := http.NewRequest(request.method, url+request.path, nil)
		if request.method == "POST" {
			r.Body = io.NopCloser(struct{ io.Reader }{strings.NewReader(big)})
		}
		if request.session != "" {
			r.Header.Set("Mcp-Session-Id", request.session)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	if diff := cmp.Diff([]string{"POST /rpc?key=upstream-1 3145728", "GET /rpc?key=upstream-1 0", "DELETE /rpc?key=upstream-1 0", "GET /.well-known/x?a=b 0"}, seen); diff != "" {
		t.Errorf("the server sees (-want +got):\n%s", diff)
	}
	var sessions []string
	for _, line := range finish() {
		if strings.Contains(line, `"method"`) {
			before, _, _ := strings.Cut(line, `,"exchange"`)
			sessions = append(sessions, before)
		}
	}
	if diff := cmp.Diff([]string{`"from":"client","session":1`, `"from":"client","session":2`, `"from":"client","session":1`, `"from":"client"`}, sessions); diff != "" {
		t.Errorf("sessions (-want +got):\n%s", diff)
	}

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener.Close()
	var file bytes.Buffer
	rec, err := NewRecorder(&file, &RecordOptions{Transport: "http"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProxy("http://"+listener.Addr().String()+"/mcp", rec, nil)
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(p)
	defer front.Close()
	if answer := post(t, front.URL+"/mcp", "{}", http.Header{}); answer.StatusCode != http.StatusBadGateway {
		t.Errorf("answered %d", answer.StatusCode)
	}
	if !strings.HasSuffix(strings.TrimSpace(file.String()), `"from":"server","exchange":1,"end":"reset"}`) {
		t.Errorf("recorded %s", file.String())
	}
	if _, err := NewProxy("ftp://h/", rec, nil); err == nil {
		t.Error("ftp is taken")
	}
}

var _ mcp.Tap = (*Recorder)(nil)

// REP-2: the last events of a stream are recorded before they are passed on, also where they come together with the stream's end.
func TestStreamsEndIsRecordedFirst(t *testing.T) {
	recorded, passed := 0, ""
	through := &passThrough{src: iotest.DataErrReader(strings.NewReader("data: 1\n\ndata: 2\n\n")), left: -1, flush: func() error { return nil },
		dst: writerFunc(func(b []byte) (int, error) {
			passed += string(b)
			if recorded < strings.Count(passed, "\n\n") {
				t.Errorf("%q is passed on, with %d events recorded", passed, recorded)
			}
			return len(b), nil
		})}
	for events := mcp.NewEventReader(through, 0); ; recorded++ {
		if _, err := events.Next(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if recorded != 2 || passed != "data: 1\n\ndata: 2\n\n" {
		t.Errorf("%d events are recorded, and %q passed on", recorded, passed)
	}
}
