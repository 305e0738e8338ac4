package registry_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/registry"
	"github.com/imurun/mcp-replay/mcp/settings"
)

// TestTapEnds: each tap that was asked for is told its end, also where the session never began.
func TestTapEnds(t *testing.T) {
	t.Parallel()
	nowhere := filepath.ToSlash(filepath.Join(t.TempDir(), "nowhere"))
	fail := func(*settings.Resolved, mcp.Tap) (mcp.Transport, error) { return nil, errors.New("no transport") }
	for name, c := range map[string]struct {
		server     string
		transport  func(*settings.Resolved, mcp.Tap) (mcp.Transport, error)
		supervisor []string
	}{
		"no command":             {`{"id":"a","command":"no-such-command"}`, nil, nil},
		"no command, supervised": {`{"id":"a","command":"no-such-command"}`, nil, []string{os.Args[0], "__supervise"}},
		"no folder":              {`{"id":"a","command":"sh","cwd":"` + nowhere + `"}`, nil, nil},
		"no transport":           {`{"id":"a","command":"x"}`, fail, nil},
		"no server":              {`{"id":"a","url":"http://127.0.0.1:1/mcp"}`, nil, nil},
	} {
		var began, ended atomic.Int32
		h := newHost(t, `{"servers":[`+c.server+`]}`, nil, &registry.Options{
			Transport: c.transport, Supervisor: c.supervisor,
			Tap: func(*settings.Resolved) (mcp.Tap, func()) {
				began.Add(1)
				return nil, func() { ended.Add(1) }
			},
		})
		if err := h.Connect(t.Context(), "a"); err == nil {
			t.Errorf("%s: it is connected", name)
		}
		h.Close()
		if began.Load() != 1 || ended.Load() != 1 {
			t.Errorf("%s: %d taps began, and %d ended", name, began.Load(), ended.Load())
		}
	}
}
