package servers

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dnaeon/go-vcr/v2/cassette"
	"github.com/dnaeon/go-vcr/v2/recorder"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/formats"
)

// A player that is not ours plays the HTTP sessions below the client, at the round tripper: what the client sends has to be what
// it sent to the real server, header by header, and each recorded exchange has to be asked for, the DELETE too.
func TestSessionsOverHTTPPlayByGoVCR(t *testing.T) {
	played := 0
	for _, s := range servers(t) {
		if s.URL == "" {
			continue
		}
		played++
		t.Run(s.Name, func(t *testing.T) {
			vcr := exported(t, root+s.Cassette())
			client := &http.Client{Transport: vcr}
			did, err := s.Drive(t.Context(), &mcp.HTTP{URL: vcr.url, Client: client}, s.Recorded, vcr.allButDelete)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Check(did); err != nil {
				t.Error(err)
			}
			if played, held := int(vcr.played.Load()), len(vcr.interactions); played != held {
				t.Errorf("%d of %d exchanges were asked for; left: %s", played, held, vcr.left())
			}
		})
	}
	if played < 10 {
		t.Errorf("%d servers are on HTTP", played)
	}
}

// vcr is go-vcr playing the export of a cassette. It counts what it plays.
type vcr struct {
	*recorder.Recorder
	url          string
	interactions []*cassette.Interaction
	played       atomic.Int64
	methods      [3]atomic.Int64
}

var vcrMethods = [...]string{http.MethodPost, http.MethodGet, http.MethodDelete}

func exported(t *testing.T, path string) *vcr {
	t.Helper()
	recording, err := replay.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	name := filepath.Join(t.TempDir(), "session")
	file, err := os.Create(name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := formats.Export(file, "go-vcr", recording, nil); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	held, err := cassette.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	player, err := recorder.NewAsMode(name, recorder.ModeReplaying, nil)
	if err != nil {
		t.Fatal(err)
	}
	player.SkipRequestLatency = true
	player.SetMatcher(matches)
	return &vcr{Recorder: player, url: held.Interactions[0].URL, interactions: held.Interactions}
}

// RoundTrip plays an exchange.
func (v *vcr) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := v.Recorder.RoundTrip(r)
	if err == nil {
		v.played.Add(1)
		v.methods[slices.Index(vcrMethods[:], r.Method)].Add(1)
	}
	return response, err
}

// allButDelete waits until all but the end of the session has been asked for: the stream for the server's own messages is opened
// beside the calls, and what it brings is answered there.
func (v *vcr) allButDelete() {
	for range 500 {
		if left := v.left(); left == "" || left == http.MethodDelete {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// left says what was not asked for, by method.
func (v *vcr) left() string {
	var left []string
	for i, method := range vcrMethods {
		n := -int(v.methods[i].Load())
		for _, it := range v.interactions {
			if it.Request.Method == method {
				n++
			}
		}
		left = append(left, strings.Repeat(method+" ", max(n, 0)))
	}
	return strings.TrimSpace(strings.Join(left, ""))
}

// matches compares a request with a recorded one: address, the headers of the protocol, and the body to the byte.
func matches(r *http.Request, recorded cassette.Request) bool {
	if r.Method != recorded.Method || r.URL.String() != recorded.URL {
		return false
	}
	for _, name := range []string{"Accept", "Content-Type", "Mcp-Session-Id", "Mcp-Protocol-Version"} {
		if !slices.Equal(r.Header.Values(name), recorded.Headers.Values(name)) {
			return false
		}
	}
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	return string(body) == recorded.Body
}
