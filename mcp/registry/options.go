package registry

import (
	"context"
	"log/slog"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/settings"
	"github.com/imurun/mcp-replay/policy"
)

// Options are what a registry may be told. The zero values will do.
type Options struct {
	Home string // ${home}; empty means the folder of the settings file
	Repo string // ${repo}, and the folder in which servers start; empty means the folder this program runs in

	Level   *policy.Level // in place of the settings' policy, until SetLevel
	Network *bool         // in place of the settings' network, until SetNetwork

	Name, Version  string        // what servers are told of the host
	ConnectTimeout time.Duration // for connecting, first listing included; 0 means 20 s (CFG-9)
	Timeout        time.Duration // for each call, in place of the settings'; 0 means theirs

	// Ask is called where the decision is to ask, on the goroutine of the call. Nil refuses every such call.
	Ask func(context.Context, Approval) Answer

	// Tap gives the tap for a session that is about to begin, such as a recorder, and what to do when it has ended. Either
	// may be nil.
	Tap func(*settings.Resolved) (tap mcp.Tap, done func())

	// Transport makes the transport to a server, such as a player of a cassette. Where it is nil, or gives nil, the
	// server is a [mcp.Command] or [mcp.HTTP].
	Transport func(*settings.Resolved, mcp.Tap) (mcp.Transport, error)

	// Supervisor is a program and its first argument, by which it knows that it is to call [Supervise]: servers run as
	// children of that program, such as this one itself. Empty runs them as children of this one.
	Supervisor []string

	// LookupEnv finds the variables for ${env:NAME}; nil means [os.LookupEnv]. Environ is the environment that children
	// get, without its credentials; nil means [os.Environ].
	LookupEnv func(string) (string, bool)
	Environ   func() []string

	// Log gets what happens, without secrets. Nil means none.
	Log *slog.Logger
}

// Approval is a question to a person: may this tool be called?
type Approval struct {
	Server      string // the id
	ServerName  string
	Tool        string // as the server names it
	Name        string // as the host sees it
	Title       string
	Description string // the server's own
	Arguments   jsontext.Value
	Decision    policy.Decision // why it is asked, and whether the answer may be remembered
}

// Answer is a person's answer to an [Approval]. The zero value refuses.
type Answer uint8

// The answers.
const (
	Deny Answer = iota
	Allow
	AllowAndRemember // also the next calls of this tool, where the decision lets that be (PERM-6)
	Unanswered       // nobody said anything in time, which refuses too
)
