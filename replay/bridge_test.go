//go:build unix

package replay

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// playTools is a server on stdio: a call of "count" reports progress and says how many calls this process has had, one of
// "ask" asks the client before it answers, one of "die" ends it.
func playTools() {
	lines := jsonrpc.NewLineReader(os.Stdin, 0)
	calls := 0
	var asking jsontext.Value
	say := func(b []byte) { os.Stdout.Write(append(b, '\n')) }
	for {
		line, err := lines.ReadLine()
		if err != nil {
			return
		}
		m, err := jsonrpc.Parse(line)
		if err != nil {
			fmt.Println("noise:", err)
			continue
		}
		switch {
		case m.Method == "initialize":
			say(jsonrpc.AppendResult(nil, m.ID, jsontext.Value(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)))
		case m.Method == "notifications/initialized":
			say(jsonrpc.AppendNotification(nil, "notifications/hello", nil))
		case m.Kind() == jsonrpc.Response:
			say(jsonrpc.AppendResult(nil, asking, jsontext.Value(`{"content":[{"type":"text","text":"asked"}]}`)))
		case bytes.Contains(m.Params, []byte(`"ask"`)):
			asking = m.ID
			say(jsonrpc.AppendRequest(nil, 1, "ping", nil))
		case bytes.Contains(m.Params, []byte(`"die"`)):
			os.Exit(9)
		case m.Method == "tools/call":
			calls++
			if token := member(member(m.Params, "_meta"), "progressToken"); token != nil {
				say(jsonrpc.AppendNotification(nil, "notifications/progress", jsontext.Value(fmt.Sprintf(`{"progressToken":%s,"progress":1}`, token))))
			}
			say(jsonrpc.AppendResult(nil, m.ID, jsontext.Value(fmt.Sprintf(`{"content":[{"type":"text","text":"call %d"}]}`, calls))))
		}
	}
}

func startBridge(t *testing.T) (url string, recorded *bytes.Buffer) {
	t.Helper()
	recorded = new(bytes.Buffer)
	rec, err := NewRecorder(recorded, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := NewBridge(serverPart("tools"), rec)
	front := httptest.NewServer(b)
	t.Cleanup(func() {
		b.Close()
		front.Close()
	})
	return front.URL + "/mcp", recorded
}

// Each host session on HTTP has a child of its own, and the recording tells their sides apart.
func TestBridgeSessions(t *testing.T) {
	url, recorded := startBridge(t)
	var clients []*mcp.Client
	for range 2 {
		c, err := mcp.Connect(t.Context(), &mcp.HTTP{URL: url}, nil)
		if err != nil {
			t.Fatal(err)
		}
		clients = append(clients, c)
	}
	var texts []string
	for _, call := range []struct {
		client int
		tool   string
	}{{0, "count"}, {1, "count"}, {0, "count"}, {1, "ask"}, {0, "count"}} {
		result, err := clients[call.client].CallTool(t.Context(), call.tool, nil)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, result.Text)
	}
	if diff := cmp.Diff([]string{"call 1", "call 1", "call 2", "asked", "call 3"}, texts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := clients[0].CallTool(t.Context(), "die", nil); err == nil || !strings.Contains(err.Error(), "code 9") {
		t.Errorf("the child's end is told as %v", err)
	}
	for _, c := range clients {
		c.Close()
	}
	cassette, err := Parse(recorded.Bytes(), "bridge")
	if err != nil {
		t.Fatal(err)
	}
	ends := make(map[int]string)
	for _, line := range told(t, cassette) {
		for n := range 3 {
			if strings.HasPrefix(line, fmt.Sprintf(`"from":"server","session":%d,"exit"`, n)) {
				ends[n] = line[strings.Index(line, `"exit"`):]
			}
		}
	}
	if diff := cmp.Diff(map[int]string{1: `"exit":{"code":9}`, 2: `"exit":{"code":0}`}, ends); diff != "" {
		t.Errorf("ends (-want +got):\n%s", diff)
	}
}

// What the server says by itself waits for the host's stream; progress comes with its call.
func TestBridgeStreams(t *testing.T) {
	url, _ := startBridge(t)
	do := func(method, session, body string) *http.Response {
		t.Helper()
		r, _ := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
		r.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			r.Header.Set("Mcp-Session-Id", session)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { answer.Body.Close() })
		return answer
	}
	read := func(answer *http.Response) string {
		t.Helper()
		b, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	begin := do("POST", "", `{"jsonrpc":"2.0","id":"a","method":"initialize","params":{}}`)
	session := begin.Header.Get("Mcp-Session-Id")
	if body := read(begin); session == "" || begin.Header.Get("Content-Type") != "application/json" || !strings.HasPrefix(body, `{"jsonrpc":"2.0","id":"a","result":`) {
		t.Errorf("session %q: %s", session, body)
	}
	if a := do("POST", session, `{"jsonrpc":"2.0","method":"notifications/initialized"}`); a.StatusCode != http.StatusAccepted {
		t.Errorf("a notification: %s", a.Status)
	}
	stream := bufio.NewReader(do("GET", session, "").Body)
	if line, err := stream.ReadString('\n'); line != "event: message\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if line, _ := stream.ReadString('\n'); line != `data: {"jsonrpc":"2.0","method":"notifications/hello"}`+"\n" {
		t.Errorf("%q", line)
	}
	if a := do("GET", session, ""); a.StatusCode != http.StatusConflict {
		t.Errorf("a second stream: %s", a.Status)
	}
	call := "{\"jsonrpc\":\"2.0\",\r\n\"id\":7,\"method\":\"tools/call\",\"params\":{\"_meta\":{\"progressToken\":\"p\"}}}"
	want := "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"p\",\"progress\":1}}\n\n" +
		"event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"call 1\"}]}}\n\n"
	if got := read(do("POST", session, call)); got != want {
		t.Errorf("got %q", got)
	}
	for _, bad := range []struct {
		method, session, body string
		status                int
	}{
		{"POST", session, "{", http.StatusBadRequest}, {"POST", "nobody", call, http.StatusNotFound},
		{"PUT", session, "", http.StatusMethodNotAllowed}, {"GET", "", "", http.StatusMethodNotAllowed},
		{"DELETE", session, "", http.StatusNoContent},
	} {
		if a := do(bad.method, bad.session, bad.body); a.StatusCode != bad.status {
			t.Errorf("%s %s: %s", bad.method, bad.body, a.Status)
		}
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if a := do("POST", session, call); a.StatusCode == http.StatusNotFound {
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("after the end: %s", a.Status)
		}
	}
}

// A host on stdio and a server on HTTP, which is a bridge in its turn.
func TestBridgeStdio(t *testing.T) {
	url, _ := startBridge(t)
	recorded := new(bytes.Buffer)
	rec, err := NewRecorder(recorded, &RecordOptions{Transport: "http"})
	if err != nil {
		t.Fatal(err)
	}
	in, say := io.Pipe()
	hear, out := io.Pipe()
	var done sync.WaitGroup
	done.Go(func() {
		if err := BridgeStdio(t.Context(), &mcp.HTTP{URL: url, Tap: rec}, HostStreams{In: in, Out: out}); err != nil {
			t.Error(err)
		}
	})
	lines := bufio.NewReader(hear)
	ask := func(request, want string) {
		t.Helper()
		io.WriteString(say, request+"\n")
		for {
			got, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if got == `{"jsonrpc":"2.0","method":"notifications/hello"}`+"\n" {
				continue // it comes when the stream stands
			}
			if got != want+"\n" {
				t.Errorf("%s\n got %swant %s", request, got, want)
			}
			return
		}
	}
	ask(`{"jsonrpc":"2.0","id":"x","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":"x","result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`)
	io.WriteString(say, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	ask(`{"jsonrpc":"2.0","id":2.0,"method":"tools/call","params":{"name":"count"}}`,
		`{"jsonrpc":"2.0","id":2.0,"result":{"content":[{"type":"text","text":"call 1"}]}}`)
	ask(`nonsense`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"mcp-replay: jsontext: invalid character 'o' in literal null (expecting 'u') after offset 1"}}`)
	say.Close()
	done.Wait()
	if !bytes.Contains(recorded.Bytes(), []byte(`"http":{"method":"DELETE"`)) {
		t.Errorf("the session is not ended:\n%s", recorded)
	}
}
