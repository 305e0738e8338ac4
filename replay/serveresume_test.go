package replay

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

const resumedTape = `
	{"from":"client","exchange":1,"http":{"method":"POST","path":"/mcp","header":{}}}
	{"from":"client","exchange":1,"message":{"jsonrpc":"2.0","id":1,"method":"initialize"}}
	{"from":"server","exchange":1,"session":1,"http":{"status":200,"header":{"Content-Type":["application/json"]}}}
	{"from":"server","exchange":1,"session":1,"message":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}}
	{"from":"server","exchange":1,"session":1,"end":"complete"}
	{"from":"client","exchange":2,"session":1,"http":{"method":"POST","path":"/mcp","header":{}}}
	{"from":"client","exchange":2,"session":1,"message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"long"}}}
	{"from":"server","exchange":2,"session":1,"http":{"status":200,"header":{"Content-Type":["text/event-stream"]}}}
	{"from":"server","exchange":2,"session":1,"sse":{"id":"s-0","retry":"10"}}
	{"from":"server","exchange":2,"session":1,"end":"complete"}
	{"from":"client","exchange":3,"session":1,"http":{"method":"GET","path":"/mcp","header":{"Last-Event-Id":["s-0"]}}}
	{"from":"server","exchange":3,"session":1,"http":{"status":200,"header":{"Content-Type":["text/event-stream"]}}}
	{"from":"server","exchange":3,"session":1,"sse":{"id":"s-1"},"message":{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"half"}}}
	{"from":"server","exchange":3,"session":1,"sse":{"id":"s-2"},"message":{"jsonrpc":"2.0","id":2,"result":"done"}}
	{"from":"server","exchange":3,"session":1,"end":"complete"}`

// 62, 64: a stream that ended before its answer ends there again, and what followed comes to who resumes it, as often as one does.
func TestPlayHTTPResumes(t *testing.T) {
	h := serve(t, tapeOf(t, httpHeader, resumedTape), nil)
	h.want(`200 application/json {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}`, h.ask(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`))
	h.want("200 text/event-stream retry: 10\nid: s-0", h.ask(`{"jsonrpc":"2.0","id":"l","method":"tools/call","params":{"name":"long"}}`))
	for range 2 {
		h.want("200 text/event-stream id: s-1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"half\"}}\n\n"+
			"id: s-2\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"l\",\"result\":\"done\"}", h.get("s-0"))
	}
	h.want("200 text/event-stream id: s-2\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"l\",\"result\":\"done\"}", h.get("s-1"))
	h.want("405 text/plain; charset=utf-8 this method has nothing to do here", h.get("s-9"))
}

// What was resumed over HTTP is one answer on stdio.
func TestPlayResumedOnStdio(t *testing.T) {
	out, _, _ := play(t, tapeOf(t, httpHeader, resumedTape), nil, `
		{"jsonrpc":"2.0","id":1,"method":"initialize"}
		{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"long"}}`)
	want := unindent(`
		{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}
		{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"half"}}
		{"jsonrpc":"2.0","id":2,"result":"done"}
		`)
	if d := cmp.Diff(want, out); d != "" {
		t.Error(d)
	}
}

// This project's client resumes a played stream as it does a live one.
func TestClientResumesPlayedStream(t *testing.T) {
	h := serve(t, tapeOf(t, httpHeader, resumedTape), nil)
	conn, err := (&mcp.HTTP{URL: h.url}).Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, line := range []string{`{"jsonrpc":"2.0","id":1,"method":"initialize"}`, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"long"}}`} {
		m, err := jsonrpc.Parse([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.Write(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		for {
			got, err := conn.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got.Kind() == jsonrpc.Response {
				m = got
				break
			}
		}
		if string(m.ID) == "2" && string(m.Result) != `"done"` {
			t.Errorf("the answer is %s", m.Raw)
		}
	}
}

const brokenTape = `
	{"from":"client","exchange":1,"http":{"method":"POST","path":"/mcp","header":{}}}
	{"from":"client","exchange":1,"message":{"jsonrpc":"2.0","id":1,"method":"json"}}
	{"from":"server","exchange":1,"http":{"status":200,"header":{"Content-Type":["application/json"]}}}
	{"from":"server","exchange":1,"body":"{\"jsonrpc\":"}
	{"from":"server","exchange":1,"end":"reset"}
	{"from":"client","exchange":2,"http":{"method":"POST","path":"/mcp","header":{}}}
	{"from":"client","exchange":2,"message":{"jsonrpc":"2.0","id":2,"method":"stream"}}
	{"from":"server","exchange":2,"http":{"status":200,"header":{"Content-Type":["text/event-stream"]}}}
	{"from":"server","exchange":2,"sse":{},"message":{"jsonrpc":"2.0","method":"notifications/message","params":{}}}
	{"from":"server","exchange":2,"end":"reset"}
	{"from":"client","exchange":3,"http":{"method":"POST","path":"/mcp","header":{}}}
	{"from":"client","exchange":3,"message":{"jsonrpc":"2.0","id":3,"method":"busy"}}
	{"from":"server","exchange":3,"http":{"status":503,"header":{"Retry-After":["7"]}}}
	{"from":"server","exchange":3,"body":"later"}
	{"from":"server","exchange":3,"end":"complete"}
	{"from":"client","exchange":4,"http":{"method":"POST","path":"/mcp","header":{}}}
	{"from":"client","exchange":4,"message":{"jsonrpc":"2.0","id":4,"method":"well"}}
	{"from":"server","exchange":4,"http":{"status":200,"header":{"Content-Type":["application/json"]}}}
	{"from":"server","exchange":4,"message":{"jsonrpc":"2.0","id":4,"result":"well"}}
	{"from":"server","exchange":4,"end":"complete"}`

// REP-8: what had come before the connection broke comes again, and then it breaks.
func TestPlayHTTPBreaksOffInTheMiddle(t *testing.T) {
	h := serve(t, tapeOf(t, httpHeader, brokenTape), nil)
	for _, c := range []struct{ method, want string }{
		{"json", `200 application/json {"jsonrpc":`},
		{"stream", `200 text/event-stream data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}`},
	} {
		resp := h.do("POST", `{"jsonrpc":"2.0","id":1,"method":"`+c.method+`"}`)
		data, err := io.ReadAll(resp.Body)
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: the body ends with %v", c.method, err)
		}
		h.want(c.want, resp.Status[:3]+" "+resp.Header.Get("Content-Type")+" "+strings.TrimSpace(string(data)))
	}
}

// In this program a broken exchange and a status fail their request alone, as they do over HTTP.
func TestPlayInProcessBreaksOff(t *testing.T) {
	p, err := NewPlayer(tapeOf(t, httpHeader, brokenTape), nil)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := p.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ask := func(id, method string) (jsonrpc.Message, error) {
		m, _ := jsonrpc.Parse([]byte(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `"}`))
		if err := conn.Write(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		for {
			m, err := conn.Read(t.Context())
			if err != nil || m.Kind() == jsonrpc.Response {
				return m, err
			}
		}
	}
	for _, c := range []struct{ id, method, want string }{
		{`"a"`, "json", `request "a": the recorded answer broke off: unexpected EOF`},
		{`"b"`, "stream", `request "b": the recorded answer broke off: unexpected EOF`},
		{`"c"`, "busy", `request "c": HTTP 503 Service Unavailable: later (Retry-After: 7)`},
	} {
		_, err := ask(c.id, c.method)
		var failed *mcp.RequestError
		if !errors.As(err, &failed) || err.Error() != c.want {
			t.Errorf("%s: %v", c.method, err)
		}
	}
	if m, err := ask("4", "well"); err != nil || string(m.Result) != `"well"` {
		t.Errorf("after them: %s, %v", m.Raw, err)
	}
}

// What a host looked up beside the endpoint comes back: OAuth's metadata, a page of health.
func TestPlayHTTPAside(t *testing.T) {
	h := serve(t, tapeOf(t, httpHeader, brokenTape+`
		{"from":"client","exchange":5,"http":{"method":"GET","path":"/.well-known/oauth-protected-resource","header":{}}}
		{"from":"server","exchange":5,"http":{"status":200,"header":{"Content-Type":["application/json"],"Content-Length":["9"]}}}
		{"from":"server","exchange":5,"message":{"resource":"here"}}
		{"from":"server","exchange":5,"end":"complete"}
		{"from":"client","exchange":6,"http":{"method":"GET","path":"/health?deep=1","header":{}}}
		{"from":"server","exchange":6,"http":{"status":503,"header":{"Content-Type":["text/plain"]}}}
		{"from":"server","exchange":6,"body":"starting"}
		{"from":"server","exchange":6,"end":"complete"}
		{"from":"client","exchange":7,"http":{"method":"GET","path":"/health?deep=1","header":{}}}
		{"from":"server","exchange":7,"http":{"status":200,"header":{}}}
		{"from":"server","exchange":7,"body":"well"}
		{"from":"server","exchange":7,"end":"complete"}
		{"from":"client","exchange":8,"http":{"method":"POST","path":"/register","header":{}}}
		{"from":"client","exchange":8,"message":{"name":"me"}}
		{"from":"server","exchange":8,"end":"reset"}`), nil)
	h.url = strings.TrimSuffix(h.url, "/mcp")
	at := func(method, path, body string) string {
		aside := &host{t: t, url: h.url + path}
		resp := aside.do(method, body)
		data, _ := io.ReadAll(resp.Body)
		return resp.Status[:3] + " " + resp.Header.Get("Content-Type") + " " + string(data)
	}
	h.want(`200 application/json {"resource":"here"}`, at("GET", "/.well-known/oauth-protected-resource", ""))
	h.want(`503 text/plain starting`, at("GET", "/health?deep=1", ""))
	h.want(`200 text/plain; charset=utf-8 well`, at("GET", "/health?deep=1", ""))
	h.want(`200 text/plain; charset=utf-8 well`, at("GET", "/health?deep=1", ""))
	h.want("404 text/plain; charset=utf-8 404 page not found\n", at("GET", "/.well-known/other", ""))
	h.want(`200 application/json {"jsonrpc":"2.0","id":4,"result":"well"}`, at("POST", "/anywhere", `{"jsonrpc":"2.0","id":4,"method":"well"}`))
}

// Hosts without sessions share ids: an answer belongs to the request of its exchange.
func TestPlaySharedIDs(t *testing.T) {
	post := func(exchange, method string) string {
		return `
		{"from":"client","exchange":` + exchange + `,"http":{"method":"POST","path":"/mcp","header":{}}}
		{"from":"client","exchange":` + exchange + `,"message":{"jsonrpc":"2.0","id":1,"method":"` + method + `"}}`
	}
	answer := func(exchange, result string) string {
		return `
		{"from":"server","exchange":` + exchange + `,"http":{"status":200,"header":{}}}
		{"from":"server","exchange":` + exchange + `,"message":{"jsonrpc":"2.0","id":1,"result":"` + result + `"}}
		{"from":"server","exchange":` + exchange + `,"end":"complete"}`
	}
	h := serve(t, tapeOf(t, httpHeader, post("1", "slow")+post("2", "fast")+answer("2", "fast")+answer("1", "slow")), nil)
	h.want(`200 application/json {"jsonrpc":"2.0","id":8,"result":"fast"}`, h.ask(`{"jsonrpc":"2.0","id":8,"method":"fast"}`))
	h.want(`200 application/json {"jsonrpc":"2.0","id":9,"result":"slow"}`, h.ask(`{"jsonrpc":"2.0","id":9,"method":"slow"}`))
}

// What a server refuses with a status may stand in a header alone.
func TestPlayRefusalByHeader(t *testing.T) {
	post := func(exchange, version, status, body string) string {
		return `
		{"from":"client","exchange":` + exchange + `,"http":{"method":"POST","path":"/mcp","header":{"Mcp-Protocol-Version":["` + version + `"]}}}
		{"from":"client","exchange":` + exchange + `,"message":{"jsonrpc":"2.0","id":1,"method":"server/discover"}}
		{"from":"server","exchange":` + exchange + `,"http":{"status":` + status + `,"header":{"Content-Type":["application/json"]}}}
		{"from":"server","exchange":` + exchange + `,"message":{"jsonrpc":"2.0","id":1,` + body + `}}
		{"from":"server","exchange":` + exchange + `,"end":"complete"}`
	}
	h := serve(t, tapeOf(t, httpHeader, post("1", "v999", "400", `"error":{"code":-32020,"message":"no"}`)+post("2", "2026-07-28", "200", `"result":{}`)), nil)
	discover := `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`
	h.want(`200 application/json {"jsonrpc":"2.0","id":1,"result":{}}`, h.ask(discover, "Mcp-Protocol-Version", "2026-07-28"))
	h.want(`400 application/json {"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"no"}}`, h.ask(discover, "Mcp-Protocol-Version", "v999"))
	h.want(`400 application/json {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"unsupported protocol version \"v1\": supported are 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28"}}`,
		h.ask(discover, "Mcp-Protocol-Version", "v1"))
}
