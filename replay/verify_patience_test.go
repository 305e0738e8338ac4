package replay

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/imurun/mcp-replay/mcp"
)

// A server over HTTP that lets a notification hang, and one on stdio that reads nothing, hold verify up no longer than
// its timeout says (RPC-9).
func TestVerifyIsNotHeldUp(t *testing.T) {
	hang := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case strings.Contains(string(body), `"initialize"`):
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`)
		case r.Method == http.MethodPost:
			select {
			case <-hang:
			case <-r.Context().Done():
			}
		default:
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(hang) })
	recorded := initialize + "\n" + `> {"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + call("2", "a", "{}", "1")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	report, err := Verify(ctx, tape(t, recorded), &mcp.HTTP{URL: server.URL}, &VerifyOptions{
		Timeout: 200 * time.Millisecond, Consent: func([]string) bool { return true },
	})
	if ctx.Err() != nil {
		t.Fatal("verify was held up")
	}
	if err != nil {
		t.Fatal(err)
	}
	if report.OK() || report.Requests != 2 {
		t.Errorf("a server that hangs was taken for a good one: %s", report.AppendJSON(nil))
	}
}
