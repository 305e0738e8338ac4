package main

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/settings"
	"github.com/imurun/mcp-replay/replay"
)

// target is the server that a command line names, in one of three ways: -- COMMAND ARG…, --url, or --server.
type target struct {
	command []string
	env     []string
	cwd     string
	url     string
	headers []string
	server  string

	timeout        int
	connectTimeout int
}

// flags adds the flags that name a server.
func (t *target) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&t.env, "env", nil, "variable for the server: `K=V`, or NAME to pass one on (repeatable)")
	f.StringVar(&t.cwd, "cwd", "", "`folder` to start the server in")
	f.StringVar(&t.url, "url", "", "`address` of a Streamable HTTP server")
	f.StringArrayVar(&t.headers, "header", nil, "header to send, as `'K: V'` (repeatable)")
	f.StringVar(&t.server, "server", "", "`id` of a server in the settings")
	f.IntVar(&t.timeout, "timeout", 60, "`seconds` that a call may take, 1 to 600")
	f.IntVar(&t.connectTimeout, "connect-timeout", 20, "`seconds` that connecting may take, 1 to 600")
}

// positional splits the arguments at the dash: what stands before it, and the server's command line after it.
func (t *target) positional(cmd *cobra.Command, args []string) []string {
	dash := cmd.ArgsLenAtDash()
	if dash < 0 {
		return args
	}
	t.command = args[dash:]
	return args[:dash]
}

// check refuses a command line that does not name exactly one server.
func (t *target) check() error {
	const hint = "name the server: -- COMMAND ARG…, --url URL, or --server ID"
	n := 0
	for _, named := range []bool{len(t.command) > 0, t.url != "", t.server != ""} {
		if named {
			n++
		}
	}
	switch {
	case n == 0:
		return usageError(hint, "no server is named")
	case n > 1:
		return usageError(hint, "the server is named more than once")
	case t.url == "" && len(t.headers) > 0 && t.server == "":
		return usageError("--header goes with --url", "--header has no use for a server that is a command")
	case len(t.command) == 0 && (len(t.env) > 0 || t.cwd != ""):
		return usageError("--env and --cwd go with -- COMMAND", "--env and --cwd have no use without a command")
	case t.timeout < 1 || t.timeout > 600:
		return usageError("give 1 to 600 seconds", "--timeout %d: out of range", t.timeout)
	case t.connectTimeout < 1 || t.connectTimeout > 600:
		return usageError("give 1 to 600 seconds", "--connect-timeout %d: out of range", t.connectTimeout)
	}
	if t.url != "" {
		if err := settings.CheckURL(t.url); err != nil { // CFG-6
			return usageError("use https://, or http:// on 127.0.0.1, localhost or ::1", "--url: %v", err)
		}
	}
	_, err := t.header()
	return err
}

// header reads the --header flags.
func (t *target) header() (http.Header, error) {
	h := http.Header{}
	for _, line := range t.headers {
		name, value, found := strings.Cut(line, ":")
		if !found || strings.TrimSpace(name) == "" {
			return nil, usageError("write it as 'Name: value'", "--header: no name and colon in it")
		}
		h.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	return h, nil
}

// childEnv is the whole environment of the server's process: the parent's without credentials (CFG-19), then what
// --env gives or passes on.
func (t *target) childEnv() ([]string, error) {
	own, err := t.ownEnv()
	if err != nil {
		return nil, err
	}
	return settings.ChildEnv(os.Environ(), own), nil
}

// ownEnv reads the --env flags.
func (t *target) ownEnv() (map[string]string, error) {
	own := map[string]string{}
	for _, e := range t.env {
		name, value, given := strings.Cut(e, "=")
		if !given {
			var set bool
			if value, set = os.LookupEnv(name); !set {
				return nil, usageError("set it, or write --env NAME=VALUE", "--env %s: no such variable is set", name)
			}
		}
		own[name] = value
	}
	return own, nil
}

// connectTo makes the transport to the server; tap, where it is not nil, is told what passes on the wire.
func (t *target) transport(s *streams, tap mcp.Tap) (mcp.Transport, error) {
	if t.url != "" {
		h, err := t.header()
		if err != nil {
			return nil, err
		}
		return &mcp.HTTP{URL: t.url, Header: h, Tap: tap}, nil
	}
	env, err := t.childEnv()
	if err != nil {
		return nil, err
	}
	return &mcp.Command{Path: t.command[0], Args: t.command[1:], Env: env, Dir: t.cwd, Tap: tap}, nil
}

// options are the client's, as the flags say.
func (t *target) options(s *streams) *mcp.Options {
	return &mcp.Options{
		Name: "mcp-replay", Version: version,
		Timeout:        time.Duration(t.timeout) * time.Second,
		ConnectTimeout: time.Duration(t.connectTimeout) * time.Second,
	}
}

// line names the server in a cassette's header.
func (t *target) line() replay.ServerLine {
	if t.url != "" {
		return replay.ServerLine{URL: t.url}
	}
	return replay.ServerLine{Command: t.command[0], Args: slices.Clone(t.command[1:])}
}
