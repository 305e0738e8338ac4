package steps

import (
	"errors"
	"net/http"
	"os"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/settings"
)

// Target names the server that "the server is started" starts: one of the first four is set.
type Target struct {
	Command  []string // a command line, word by word
	URL      string   // a Streamable HTTP endpoint
	Cassette string   // the path of a cassette, which is played

	// Dial makes the transport to a server that is reached in another way, such as one in this program; a tap that is not nil
	// is to be told what passes.
	Dial func(tap mcp.Tap) (mcp.Transport, error)

	Env    []string    // Command: its whole environment; nil means this program's, without what looks like a credential
	Dir    string      // Command: the folder to start it in; empty means the current one
	Header http.Header // URL: sent with every request

	Timeout        time.Duration // for each call; 0 means 60 s
	ConnectTimeout time.Duration // for connecting; 0 means 20 s
}

// targetState is what the scenario's steps have said about its server.
type targetState struct {
	target         Target
	set            bool
	timeout        time.Duration
	connectTimeout time.Duration
}

// SetTarget says which server the scenario speaks of.
func (w *World) SetTarget(t Target) {
	s := State[targetState](w)
	s.target, s.set = t, true
}

// Target is the server that the scenario speaks of: the one that its steps have named, else the run's.
func (w *World) Target() Target {
	s := State[targetState](w)
	t := w.Config.Target
	if s.set {
		t = s.target
	}
	if s.timeout != 0 {
		t.Timeout = s.timeout
	}
	if s.connectTimeout != 0 {
		t.ConnectTimeout = s.connectTimeout
	}
	return t
}

var errNoTarget = &HintError{
	Err:  errors.New("no server is named"),
	Hint: "name it on the command line (-- COMMAND, --url URL or --cassettes DIR), or begin with a step that names one",
}

// transport makes the transport to a live target; tap, where it is not nil, is told what passes.
func (t Target) transport(tap mcp.Tap) (mcp.Transport, error) {
	switch {
	case t.Dial != nil:
		return t.Dial(tap)
	case len(t.Command) > 0:
		env := t.Env
		if env == nil {
			env = settings.ChildEnv(os.Environ(), nil) // CFG-19
		}
		return &mcp.Command{Path: t.Command[0], Args: t.Command[1:], Env: env, Dir: t.Dir, Tap: tap}, nil
	case t.URL != "":
		return &mcp.HTTP{URL: t.URL, Header: t.Header, Tap: tap}, nil
	}
	return nil, errNoTarget
}
