package api

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/registry"
	"github.com/imurun/mcp-replay/mcp/settings"
)

func TestNotAnObject(t *testing.T) {
	for body, want := range map[string]string{
		`{"a":[1,{"b":2}]}`:   "",
		` {} `:                "",
		`[]`:                  "the body is not a JSON object",
		`null`:                "the body is not a JSON object",
		`{`:                   "the body is not a JSON object: at byte 2: unexpected EOF",
		"  ":                  "the body is not a JSON object: EOF",
		`{"a":1,}`:            "the body is not a JSON object: at byte 8: ",
		`{} {}`:               "the body is not a JSON object: something stands after its end",
		`{} }`:                "the body is not a JSON object: at byte 4: ",
		`{"a":{"b":1,"b":2}}`: "the body has a name twice in one object",
		"{\"a\":\"\xff\"}":    "the body is not a JSON object: at byte 7: invalid UTF-8",
	} {
		if got := notAnObject([]byte(body)); got != want && (!strings.HasSuffix(want, ": ") || !strings.HasPrefix(got, want)) {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

// TestSlowBody: a client that does not go on with its body is answered, and one that is only slow with what follows it is
// not given up.
func TestSlowBody(t *testing.T) {
	defer func(before time.Duration) { bodyTime = before }(bodyTime)
	bodyTime = 200 * time.Millisecond
	file := settings.In(t.TempDir())
	if err := os.WriteFile(file.Path, []byte(`{"mcp":{"servers":[{"id":"a","command":"x"}]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := registry.New(file, &registry.Options{Transport: func(*settings.Resolved, mcp.Tap) (mcp.Transport, error) {
		time.Sleep(2 * bodyTime)
		return nil, errors.New("it is not to be")
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	server := httptest.NewServer(New(r, NewApprovals(0), "token", nil))
	defer server.Close()
	send := func(body io.Reader) *http.Response {
		request, err := http.NewRequest("POST", server.URL+"/api/mcp/tools/mcp_a_x/call", body)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer token")
		request.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { answer.Body.Close() })
		return answer
	}
	held, hold := io.Pipe()
	defer hold.Close()
	go func() { _, _ = hold.Write([]byte(`{"arguments":`)) }()
	answer := send(bufio.NewReader(held))
	text, _ := io.ReadAll(answer.Body)
	if answer.StatusCode != http.StatusBadRequest || string(text) != `{"error":"the body could not be read to its end within 200ms"}` {
		t.Errorf("a body that does not come is answered %s, %s", answer.Status, text)
	}
	answer = send(strings.NewReader(`{}`))
	if text, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusOK || !strings.Contains(string(text), "it is not to be") {
		t.Errorf("a call that takes its time is answered %s, %s", answer.Status, text)
	}
}
