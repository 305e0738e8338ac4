package replay

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A host is a client that speaks HTTP by hand.
type host struct {
	t       *testing.T
	url     string
	session string
}

func serve(t *testing.T, c *Cassette, o *PlayOptions) *host {
	t.Helper()
	p, err := NewPlayer(c, o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	return &host{t: t, url: server.URL + "/mcp"}
}

func (h *host) do(method, body string, header ...string) *http.Response {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	h.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, method, h.url, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if h.session != "" {
		r.Header.Set("Mcp-Session-Id", h.session)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { resp.Body.Close() })
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
		h.session = id
	}
	return resp
}

// ask gives status, type and body of the answer to a POST.
func (h *host) ask(body string, header ...string) string {
	h.t.Helper()
	resp := h.do("POST", body, header...)
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(resp.Status[:3] + " " + resp.Header.Get("Content-Type") + " " + string(data))
}

// get gives status, type and body of the answer to a GET, which resumes after an event where that is not empty.
func (h *host) get(lastEvent string) string {
	h.t.Helper()
	resp := h.do("GET", "", "Last-Event-Id", lastEvent)
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(resp.Status[:3] + " " + resp.Header.Get("Content-Type") + " " + string(data))
}

func (h *host) want(want, got string) {
	h.t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		h.t.Error(d)
	}
}

const two = `
	> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}
	< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}
	> {"jsonrpc":"2.0","method":"notifications/initialized"}
	> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get","_meta":{"progressToken":9}}}
	< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":9,"progress":1}}
	< {"jsonrpc":"2.0","id":2,"result":"old"}
	> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get"}}
	< {"jsonrpc":"2.0","id":3,"result":"new"}`

// 84: each host has its own position, and the same ids do not meet.
func TestPlayHTTPTwoHosts(t *testing.T) {
	a := serve(t, tape(t, two), nil)
	b := &host{t: t, url: a.url}
	for _, h := range []*host{a, b} {
		h.want(`200 application/json {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}`,
			h.ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`))
		h.want("202", h.ask(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
	}
	if a.session == b.session || a.session == "" {
		t.Fatalf("sessions %q and %q", a.session, b.session)
	}
	get := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get","_meta":{"progressToken":"p"}}}`
	for _, h := range []*host{a, b} {
		h.want("200 text/event-stream event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"p\",\"progress\":1}}\n\n"+
			"event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"old\"}", h.ask(get))
	}
	a.want(`200 application/json {"jsonrpc":"2.0","id":2,"result":"new"}`, a.ask(get))
	b.want(`200 application/json {"jsonrpc":"2.0","id":2,"result":"new"}`, b.ask(get))

	resp := b.do("GET", "")
	b.want("405 POST, DELETE", resp.Status[:3]+" "+resp.Header.Get("Allow"))
	b.want("204", b.do("DELETE", "").Status[:3])
	b.want(`404 application/json {"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"session not found"}}`, b.ask(get))
	a.want("202", a.ask(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`))
}

// 69: the version's header may be missing, and must be one that exists.
func TestPlayHTTPRefusals(t *testing.T) {
	h := serve(t, tape(t, two), nil)
	h.want(`400 application/json {"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"the header Mcp-Session-Id is missing, and the cassette holds nothing that came without one"}}`,
		h.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	h.ask(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`, "Mcp-Protocol-Version", "1.0")
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	pong := `200 application/json {"jsonrpc":"2.0","id":1,"result":{}}`
	h.want(pong, h.ask(ping))
	h.want(pong, h.ask(ping, "Mcp-Protocol-Version", "2026-07-28"))
	h.want(`400 application/json {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"unsupported protocol version \"1.0\": supported are 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28"}}`,
		h.ask(ping, "Mcp-Protocol-Version", "1.0"))
	h.want(`400 application/json {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a batch: only protocol version 2025-03-26 has them"}}`, h.ask("["+ping+"]"))
	h.want(`400 application/json {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON: jsontext: invalid character 'h' at start of value"}}`, h.ask("hello"))
	h.want(`415 text/plain; charset=utf-8 the Content-Type must be application/json`, h.ask(ping, "Content-Type", "text/plain"))
	h.want(`403 text/plain; charset=utf-8 the request does not come from this machine`, h.ask(ping, "Host", "evil.example"))
	h.want(`403 text/plain; charset=utf-8 the request does not come from this machine`, h.ask(ping, "Origin", "https://evil.example"))
	h.want(pong, h.ask(ping, "Origin", "http://localhost:5173"))
	h.want(pong, h.ask(ping, "Accept", "application/json"))
}

const remote = `
	{"from":"client","exchange":1,"http":{"method":"POST","path":"/mcp","header":{}}}
	{"from":"client","exchange":1,"message":{"jsonrpc":"2.0","id":1,"method":"initialize"}}
	{"from":"server","exchange":1,"session":1,"http":{"status":200,"header":{"Content-Type":["text/event-stream"]}}}
	{"from":"server","exchange":1,"session":1,"message":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}},"sse":{"event":"message","id":"e1"}}
	{"from":"server","exchange":1,"session":1,"end":"complete"}
	{"from":"client","exchange":2,"session":1,"http":{"method":"POST","path":"/mcp","header":{}}}
	{"from":"client","exchange":2,"session":1,"message":{"jsonrpc":"2.0","method":"notifications/initialized"}}
	{"from":"server","exchange":2,"session":1,"http":{"status":202,"header":{}}}
	{"from":"server","exchange":2,"session":1,"end":"complete"}
	{"from":"client","exchange":3,"session":1,"http":{"method":"GET","path":"/mcp","header":{}}}
	{"from":"server","exchange":3,"session":1,"http":{"status":200,"header":{"Content-Type":["text/event-stream"]}}}
	{"from":"server","exchange":3,"session":1,"message":{"jsonrpc":"2.0","method":"notifications/tools/list_changed"},"sse":{}}
	{"from":"client","exchange":4,"session":1,"http":{"method":"POST","path":"/mcp","header":{}}}
	{"from":"client","exchange":4,"session":1,"message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"busy"}}}
	{"from":"server","exchange":4,"session":1,"http":{"status":503,"header":{"Content-Type":["text/plain"],"Retry-After":["7"],"Date":["x"]}}}
	{"from":"server","exchange":4,"session":1,"body":"try later"}
	{"from":"server","exchange":4,"session":1,"end":"complete"}
	{"from":"client","exchange":5,"session":1,"http":{"method":"POST","path":"/mcp","header":{}}}
	{"from":"client","exchange":5,"session":1,"message":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"reset"}}}
	{"from":"server","exchange":5,"session":1,"end":"reset"}
	{"from":"client","exchange":6,"session":1,"http":{"method":"POST","path":"/mcp","header":{}}}
	{"from":"client","exchange":6,"session":1,"message":{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"ask"}}}
	{"from":"server","exchange":6,"session":1,"http":{"status":200,"header":{"Content-Type":["text/event-stream"]}}}
	{"from":"server","exchange":6,"session":1,"message":{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}},"sse":{}}
	{"from":"server","exchange":6,"session":1,"message":{"jsonrpc":"2.0","id":"s","method":"elicitation/create"},"sse":{}}
	{"from":"client","exchange":7,"session":1,"http":{"method":"POST","path":"/mcp","header":{}}}
	{"from":"client","exchange":7,"session":1,"message":{"jsonrpc":"2.0","id":"s","result":{"action":"accept"}}}
	{"from":"server","exchange":7,"session":1,"http":{"status":202,"header":{}}}
	{"from":"server","exchange":7,"session":1,"end":"complete"}
	{"from":"server","exchange":6,"session":1,"text":"{\"jsonrpc\":\"2.0\",\n\"id\":4,\"result\":\"yes\"}","sse":{}}
	{"from":"server","exchange":6,"session":1,"end":"complete"}
	{"from":"client","exchange":8,"session":1,"http":{"method":"POST","path":"/mcp","header":{}}}
	{"from":"client","exchange":8,"session":1,"message":{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"bad"}}}
	{"from":"server","exchange":8,"session":1,"http":{"status":400,"header":{"Content-Type":["application/json"]}}}
	{"from":"server","exchange":8,"session":1,"message":{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"bad"}}}
	{"from":"server","exchange":8,"session":1,"end":"complete"}`

func TestPlayHTTPAsRecorded(t *testing.T) {
	h := serve(t, tapeOf(t, httpHeader, remote), nil)
	h.want("200 text/event-stream event: message\nid: e1\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"i\",\"result\":{\"protocolVersion\":\"2025-06-18\"}}",
		h.ask(`{"jsonrpc":"2.0","id":"i","method":"initialize"}`))
	h.want("202", h.ask(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))

	stream := bufio.NewReader(h.do("GET", "").Body)
	line, _ := stream.ReadString('\n')
	h.want("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n", line)

	resp := h.do("POST", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"busy"}}`)
	body, _ := io.ReadAll(resp.Body)
	h.want("503 text/plain 7 try later", strings.Join([]string{resp.Status[:3], resp.Header.Get("Content-Type"), resp.Header.Get("Retry-After"), string(body)}, " "))

	r, _ := http.NewRequest("POST", h.url, strings.NewReader(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"reset"}}`))
	r.Header.Set("Mcp-Session-Id", h.session)
	if _, err := http.DefaultClient.Do(r); err == nil {
		t.Error("the connection is not broken off")
	}

	resp = h.do("POST", `{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"ask"}}`)
	events := bufio.NewReader(resp.Body)
	var got []string
	for len(got) < 4 {
		line, err := events.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, line)
	}
	h.want("202", h.ask(`{"jsonrpc":"2.0","id":"s","result":{"action":"decline"}}`))
	rest, _ := io.ReadAll(events)
	h.want("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\"}}\n\n"+
		"data: {\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"elicitation/create\"}\n\n"+
		"data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":4,\"result\":\"yes\"}\n\n", strings.Join(got, "")+string(rest))

	h.want(`400 application/json {"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"bad"}}`,
		h.ask(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"bad"}}`))
}

// REP-7: what was recorded over HTTP, on stdio.
func TestPlayHTTPOnStdio(t *testing.T) {
	out, _, _ := play(t, tapeOf(t, httpHeader, remote), nil, `
		{"jsonrpc":"2.0","id":"i","method":"initialize"}
		{"jsonrpc":"2.0","method":"notifications/initialized"}
		{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"busy"}}
		{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"reset"}}
		{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"ask"}}
		{"jsonrpc":"2.0","id":"s","result":{"action":"decline"}}
		{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"bad"}}`)
	want := unindent(`
		{"jsonrpc":"2.0","id":"i","result":{"protocolVersion":"2025-06-18"}}
		{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
		{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"HTTP 503 Service Unavailable: try later","data":{"status":503}}}
		{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"the recorded answer broke off"}}
		{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}}
		{"jsonrpc":"2.0","id":"s","method":"elicitation/create"}
		{"jsonrpc":"2.0", "id":4,"result":"yes"}
		{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"bad"}}`)
	if d := cmp.Diff(want, out); d != "" {
		t.Error(d)
	}
}

// Without a session id all hosts share session 0, which starts over when it is used up. From 2026-07-28 on nobody initializes.
func TestPlayHTTPStateless(t *testing.T) {
	h := serve(t, tape(t, `
		> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
		< {"jsonrpc":"2.0","id":1,"result":1}
		> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get"}}
		< {"jsonrpc":"2.0","id":2,"result":2}`), nil)
	get := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get"}}`
	for _, want := range []string{"1", "2", "1", "2"} {
		h.want(`200 application/json {"jsonrpc":"2.0","id":7,"result":`+want+`}`, h.ask(get))
	}
}

// Hosts that come in another order than they were recorded in all begin alike; the first request of their own tells them apart.
func TestPlayHTTPHostsInAnotherOrder(t *testing.T) {
	session := func(n, tool string) string {
		return strings.NewReplacer("N", n, "TOOL", tool).Replace(`
			{"from":"client","exchange":N1,"http":{"method":"POST","path":"/mcp","header":{}}}
			{"from":"client","exchange":N1,"message":{"jsonrpc":"2.0","id":1,"method":"initialize"}}
			{"from":"server","exchange":N1,"session":N,"http":{"status":200,"header":{}}}
			{"from":"server","exchange":N1,"session":N,"message":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}}
			{"from":"client","exchange":N2,"session":N,"http":{"method":"POST","path":"/mcp","header":{}}}
			{"from":"client","exchange":N2,"session":N,"message":{"jsonrpc":"2.0","method":"notifications/initialized"}}
			{"from":"client","exchange":N3,"session":N,"http":{"method":"POST","path":"/mcp","header":{}}}
			{"from":"client","exchange":N3,"session":N,"message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"TOOL"}}}
			{"from":"server","exchange":N3,"session":N,"http":{"status":200,"header":{}}}
			{"from":"server","exchange":N3,"session":N,"message":{"jsonrpc":"2.0","id":2,"result":"TOOL"}}`)
	}
	a := serve(t, tapeOf(t, httpHeader, session("1", "red")+session("2", "green")+session("3", "blue")), nil)
	for _, tool := range []string{"blue", "red", "green", "green"} {
		h := &host{t: t, url: a.url}
		h.ask(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`)
		h.ask(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		call := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"` + tool + `"}}`
		h.want(`200 application/json {"jsonrpc":"2.0","id":2,"result":"`+tool+`"}`, h.ask(call))
		if got := h.ask(call); !strings.Contains(got, "used up") {
			t.Errorf("a second call is answered %s", got)
		}
	}
}
