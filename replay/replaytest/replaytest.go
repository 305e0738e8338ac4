// Package replaytest lets a Go test meet a recorded MCP server instead of a live one.
//
// [Open] gives a transport. In the usual mode it plays the cassette, without a process and without the network; a test that does not ask
// for all that was recorded fails, and shows what it left out.
//
//	func TestNotes(t *testing.T) {
//		server := replaytest.Open(t, "testdata/notes.jsonl", &mcp.Command{Path: "notes-server"}, nil)
//		client, err := mcp.Connect(t.Context(), server, nil)
//		if err != nil {
//			t.Fatal(err)
//		}
//		defer client.Close()
//		…
//	}
//
// The first time, and whenever the server has changed, it is recorded:
//
//	MCP_REPLAY_MODE=record go test ./...
//
// A test that uses the official Go SDK wraps the transport: package gosdk does it.
package replaytest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
)

// Mode says where the answers come from.
type Mode string

const (
	// ModeReplay plays the cassette, which must be there; nothing goes to the live server. It is the mode where none is set.
	ModeReplay Mode = "replay"
	// ModeOnce plays the cassette where there is one, and records it where there is none.
	ModeOnce Mode = "once"
	// ModeRecord records a new cassette. It takes the place of the old one once the test has passed.
	ModeRecord Mode = "record"
	// ModeLive talks to the live server, and neither reads nor writes a cassette.
	ModeLive Mode = "live"
)

// EnvMode is the environment variable that sets the mode of a test run. What a test sets itself comes before it.
const EnvMode = "MCP_REPLAY_MODE"

// Options say how a cassette is used. The zero value is what most tests want.
type Options struct {
	// Mode, where it is set, is the test's own, whatever the environment says.
	Mode Mode

	// Play says how the cassette is played; its Warn is the test's log where it is nil.
	Play *replay.PlayOptions

	// Redact says which secrets a recording must not hold, beside what is always looked for.
	Redact *replay.RedactOptions

	// AllowUnplayed lets a test pass that did not ask for all that was recorded.
	AllowUnplayed bool
}

// Open gives the transport to a server that is played from the cassette at path, recorded into it, or live, as the mode says. It fails
// the test where the cassette cannot be used. What it opens is closed when the test ends.
//
// Live is the real server; it may be nil where nothing is ever recorded. Whatever transport it is, it is recorded: commands and HTTP with
// their wire, any other message by message.
func Open(t testing.TB, path string, live mcp.Transport, o *Options) mcp.Transport {
	t.Helper()
	if o == nil {
		o = new(Options)
	}
	switch mode := mode(t, path, o); {
	case mode == ModeReplay:
		return play(t, path, o)
	case live == nil:
		t.Fatalf("replaytest: mode %s needs a live server, and the test gives none", mode)
	case mode == ModeRecord:
		return record(t, path, live, o)
	}
	return live
}

// mode settles whether to play or to record.
func mode(t testing.TB, path string, o *Options) Mode {
	t.Helper()
	mode := o.Mode
	if mode == "" {
		mode = Mode(os.Getenv(EnvMode))
	}
	switch mode {
	case "":
		return ModeReplay
	case ModeReplay, ModeRecord, ModeLive:
		return mode
	case ModeOnce:
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return ModeRecord
		}
		return ModeReplay
	}
	t.Fatalf("replaytest: mode %q is none of replay, once, record and live", string(mode))
	return ""
}

func play(t testing.TB, path string, o *Options) mcp.Transport {
	t.Helper()
	cassette, err := replay.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("replaytest: %v; %s=once records it", err, EnvMode)
	}
	if err != nil {
		t.Fatalf("replaytest: %v", err)
	}
	t.Cleanup(func() { cassette.Close() })
	var options replay.PlayOptions
	if o.Play != nil {
		options = *o.Play
	}
	if options.Warn == nil {
		options.Warn = func(text string) { t.Log("replay: " + text) }
	}
	if o.Redact != nil {
		options.UserRules = o.Redact.Rules.Digest()
	}
	player, err := replay.NewPlayer(cassette, &options)
	if err != nil {
		t.Fatalf("replaytest: %v", err)
	}
	if !o.AllowUnplayed {
		t.Cleanup(func() { complain(t, path, player.Unplayed()) })
	}
	return player
}

// complain fails the test for what it has left out.
func complain(t testing.TB, path string, left []replay.Unplayed) {
	t.Helper()
	const most = 5
	for i, u := range left {
		if i == most {
			t.Errorf("%s: %d more frames were not played", path, len(left)-most)
			return
		}
		what := "was never asked for"
		if u.From == mcp.FromServer {
			what = "was never sent"
		}
		t.Errorf("%s: frame %d: %s %s:\n%s", path, u.Frame, u.Title, what, shown(u.Message))
	}
}

func shown(message []byte) string {
	const most = 2000
	if len(message) > most {
		return string(message[:most]) + "…"
	}
	return string(message)
}

// record writes beside the cassette, and puts the new one in its place where the test passes.
func record(t testing.TB, path string, live mcp.Transport, o *Options) mcp.Transport {
	t.Helper()
	draft := path + ".recording"
	options := &replay.RecordOptions{By: "mcp-replay " + t.Name(), Redact: o.Redact, Force: true, Warn: func(text string) { t.Log("record: " + text) }}
	describe(options, live)
	recorder, err := replay.Create(draft, options)
	if err != nil {
		t.Fatalf("replaytest: %v", err)
	}
	t.Cleanup(func() {
		err := recorder.Close()
		if err == nil && !t.Failed() {
			err = os.Rename(draft, filepath.Clean(path))
		} else {
			os.Remove(draft)
		}
		if err != nil {
			t.Errorf("replaytest: %v", err)
		}
	})
	return replay.Record(live, recorder)
}

// describe says in the header what is recorded, and which of its settings are secret.
func describe(o *replay.RecordOptions, live mcp.Transport) {
	redact := new(replay.RedactOptions)
	if o.Redact != nil {
		*redact = *o.Redact
	}
	switch live := live.(type) {
	case *mcp.Command:
		o.Server = replay.ServerLine{Command: live.Path, Args: live.Args}
		if redact.Inherited == nil {
			if redact.Inherited = live.Env; live.Env == nil {
				redact.Inherited = os.Environ()
			}
		}
	case *mcp.HTTP:
		o.Transport = "http"
		o.Server = replay.ServerLine{URL: live.URL}
		if redact.Header == nil {
			redact.Header = live.Header
		}
	}
	o.Redact = redact
}
