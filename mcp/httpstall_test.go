package mcp_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
)

// TestHTTPServerStopsReading holds RPC-9 over HTTP: a request that the server does not take fails alone and in time, and
// closing does not wait for it.
func TestHTTPServerStopsReading(t *testing.T) {
	release := make(chan struct{})
	f := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > 1<<20 {
			<-release
			return
		}
		body, _ := io.ReadAll(r.Body)
		if answer := echoed(body); answer != nil {
			w.Header().Set("Content-Type", "application/json")
			w.Write(answer)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	}))
	defer f.Close()
	defer close(release)
	c := connectClient(t, &mcp.HTTP{URL: f.URL}, &mcp.Options{Timeout: 300 * time.Millisecond})
	args := jsontext.Value(`{"text":"` + strings.Repeat("x", 16<<20) + `"}`)
	_, err := c.CallTool(t.Context(), "echo", args)
	wantText(t, err, "tools/call: timeout: no answer within 300ms")
	if got := callText(t, c); got != "ok" {
		t.Errorf("the call after it gives %q", got)
	}
	began := time.Now()
	going := make(chan error, 1)
	go func() {
		_, err := c.CallTool(t.Context(), "echo", args)
		going <- err
	}()
	c.Close()
	if err := <-going; !errors.Is(err, mcp.ErrClosed) && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the call that is under way: %v", err)
	}
	if d := time.Since(began); d > 5*time.Second {
		t.Errorf("closing took %v", d)
	}
}
