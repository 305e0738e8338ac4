package api

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/registry"
	"github.com/imurun/mcp-replay/mcp/settings"
)

// FuzzRequest: whatever a client with the token sends, nothing panics or hangs, the status is one of API-7, and what is
// said is JSON.
func FuzzRequest(f *testing.F) {
	for _, seed := range [][3]string{
		{"POST", "/api/mcp/servers", `{"id":"a","command":"x","args":["--token","********"],"env":{"K":"v"},"timeout":5}`},
		{"POST", "/api/mcp/servers", `{"id":"a","url":"http://u:p@127.0.0.1:1/?key=v","headers":{"A":"********"}}`},
		{"POST", "/api/mcp/servers", `{"id":null,"timeout":1e999,"args":[[]]}`},
		{"POST", "/api/mcp/tools/mcp_a_t/call", `{"arguments":{"n":1e400,"s":"\ud800"}}`},
		{"POST", "/api/mcp/approvals/1", `{"answer":"allow","remember":true}`},
		{"DELETE", "/api/mcp/servers/a", ``},
		{"GET", "/api/mcp/servers/%2e%2e/tools", ``},
		{"GET", "//api/./mcp/servers", ``},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	approvals := NewApprovals(time.Millisecond)
	r, err := registry.New(settings.In(f.TempDir()), &registry.Options{
		Ask: approvals.Ask,
		Transport: func(*settings.Resolved, mcp.Tap) (mcp.Transport, error) { // nothing that is made up is started
			return nil, errors.New("this is a test")
		},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { r.Close() })
	handler := New(r, approvals, testToken, nil)
	statuses := []int{200, 204, 301, 307, 308, 400, 401, 403, 404, 405, 409, 413, 415, 502}
	f.Fuzz(func(t *testing.T, method, path, body string) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, method, "http://127.0.0.1/", strings.NewReader(body))
		if err != nil {
			return
		}
		if request.URL, err = request.URL.Parse("http://127.0.0.1/" + strings.TrimPrefix(path, "/")); err != nil || request.URL.Path == "/api/events" {
			return
		}
		request.Header.Set("Authorization", "Bearer "+testToken)
		request.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		if !slices.Contains(statuses, answer.Code) {
			t.Errorf("%s %s is answered %d", method, path, answer.Code)
		}
		var any any
		if kind := answer.Header().Get("Content-Type"); kind == "application/json" {
			if err := json.Unmarshal(answer.Body.Bytes(), &any); err != nil {
				t.Errorf("%s %s is answered %q: %v", method, path, answer.Body, err)
			}
		}
		if ctx.Err() != nil {
			t.Errorf("%s %s hangs", method, path)
		}
	})
}
