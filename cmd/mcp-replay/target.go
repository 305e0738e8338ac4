package main

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/registry"
	"github.com/imurun/mcp-replay/mcp/settings"
	"github.com/imurun/mcp-replay/policy"
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
	timeoutGiven   func() bool // the flag is there
	connectTimeout int

	host hostFlags

	// Of a server that the settings name; the zero values are right for one that they do not.
	resolved *settings.Resolved
	level    policy.Level
}

// flags adds the flags that name a server.
func (t *target) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	listFlag(f, &t.env, "env", "variable for the server: `K=V`, or NAME to pass one on (repeatable)")
	f.StringVar(&t.cwd, "cwd", "", "`folder` to start the server in")
	f.StringVar(&t.url, "url", "", "`address` of a Streamable HTTP server")
	listFlag(f, &t.headers, "header", "header to send, as `'K: V'` (repeatable)")
	f.StringVar(&t.server, "server", "", "`id` of a server in the settings")
	t.host.flags(cmd)
	f.IntVar(&t.timeout, "timeout", settings.DefaultTimeout, "`seconds` that a call may take, 1 to 600; of a --server the settings' own unless given")
	t.timeoutGiven = func() bool { return f.Changed("timeout") }
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
	case len(t.command) > 0 && t.command[0] == "":
		return usageError(hint, "the server's command is empty")
	case len(t.command) == 0 && (len(t.env) > 0 || t.cwd != ""):
		return usageError("--env and --cwd go with -- COMMAND", "--env and --cwd have no use without a command")
	case t.timeout < 1 || t.timeout > 600:
		return usageError("give 1 to 600 seconds", "--timeout %d: out of range", t.timeout)
	case t.connectTimeout < 1 || t.connectTimeout > 600:
		return usageError("give 1 to 600 seconds", "--connect-timeout %d: out of range", t.connectTimeout)
	}
	if info, err := os.Stat(t.cwd); t.cwd != "" && (err != nil || !info.IsDir()) {
		return usageError("--cwd names the folder that the server starts in", "--cwd %s: no such folder", t.cwd)
	}
	if t.url != "" {
		if err := settings.CheckURL(t.url); err != nil { // CFG-6
			return usageError("use https://, or http:// on 127.0.0.1, localhost or ::1", "--url: %v", err)
		}
	}
	var o registry.Options
	if err := t.host.options(&o); err != nil {
		return err
	}
	if o.Level != nil {
		t.level = *o.Level
	}
	if t.server != "" {
		return t.load(&o)
	}
	_, err := t.header()
	return err
}

// load finds the server in the settings and fills its placeholders in; o holds what the flags say in place of the
// settings.
func (t *target) load(o *registry.Options) error {
	file, err := t.host.file()
	if err != nil {
		return err
	}
	all, err := file.Load()
	if err != nil {
		return usageError("the file is left as it is; mend it by hand", "%w", err)
	}
	network := all.Network
	if o.Network != nil {
		network = *o.Network
	}
	server, known := all.Server(t.server)
	switch {
	case !known:
		return usageError("mcp-replay servers list shows them", "--server %s: the settings have no such server", t.server)
	case server.Err != nil:
		return usageError("mcp-replay servers add "+t.server+" replaces the entry", "--server %s: %w", t.server, server.Err)
	case !server.Enabled: // LIFE-4
		return failedError("mcp-replay servers enable "+t.server, "--server %s: %w", t.server, registry.ErrDisabled)
	case server.Transport == settings.HTTP && !network: // PERM-8
		return failedError("--network on, or the settings, switch it on", "--server %s: %w", t.server, registry.ErrNetworkOff)
	}
	if server.Transport == settings.Stdio && len(t.headers) > 0 {
		return usageError("--header goes with a server on HTTP", "--server %s: --header has no use for a server that is a command", t.server)
	}
	t.resolved, err = server.Resolve(&settings.Places{Home: filepath.Dir(file.Path), Repo: o.Repo})
	if err != nil {
		return usageError("", "--server %s: %w", t.server, err)
	}
	if o.Level == nil {
		t.level = all.Policy
	}
	if !t.timeoutGiven() {
		t.timeout = server.Timeout // CFG-9
	}
	return nil
}

// id is the server's part of its tools' names (NAME-1).
func (t *target) id() string {
	if t.server != "" {
		return t.server
	}
	return "server"
}

// decide says what a call of a tool would meet.
func (t *target) decide(tool *mcp.Tool) policy.Decision {
	approved := t.resolved != nil && slices.Contains(t.resolved.AutoApprove, tool.Name) // CFG-8
	return policy.Decide(policy.Tool{Hints: policy.ReadHints(tool.Annotations), AutoApprove: approved}, t.level, false)
}

// header reads the --header flags.
func (t *target) header() (http.Header, error) {
	h := http.Header{}
	if t.resolved != nil {
		for name, value := range t.resolved.Headers {
			h.Set(name, value)
		}
	}
	for _, line := range t.headers {
		name, value, found := strings.Cut(line, ":")
		if !found || strings.TrimSpace(name) == "" {
			return nil, usageError("write it as 'Name: value'", "--header: no name and colon in it")
		}
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if strings.ContainsAny(name, headerSeparators) || strings.ContainsFunc(name, notPrintable) {
			return nil, usageError("write it as 'Name: value'", "--header: %q is no name for a header", name)
		}
		if strings.ContainsAny(value, "\r\n\x00") {
			return nil, usageError("a value is one line", "--header %s: a line end in its value", name)
		}
		h.Add(name, value)
	}
	return h, nil
}

// headerSeparators may not stand in the name of a header.
const headerSeparators = " \t\"(),/:;<=>?@[\\]{}"

func notPrintable(r rune) bool { return r <= ' ' || r > '~' }

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
	if t.resolved != nil {
		maps.Copy(own, t.resolved.Env)
	}
	for _, e := range t.env {
		name, value, given := strings.Cut(e, "=")
		if name == "" || strings.ContainsRune(e, 0) {
			return nil, usageError("write NAME=VALUE, or NAME to pass one on", "--env: no name in it")
		}
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

// commandLine is the server's, where it is a command; cwd is the folder to start it in.
func (t *target) commandLine() (command []string, cwd string) {
	if t.resolved != nil && t.resolved.Transport == settings.Stdio {
		return append([]string{t.resolved.Command}, t.resolved.Args...), t.resolved.Cwd
	}
	return t.command, t.cwd
}

// address is the server's, where it is one; else empty.
func (t *target) address() string {
	if t.resolved != nil {
		return t.resolved.URL
	}
	return t.url
}

// transport makes the transport to the server; tap, where it is not nil, is told what passes on the wire.
func (t *target) transport(tap mcp.Tap) (mcp.Transport, error) {
	if url := t.address(); url != "" {
		h, err := t.header()
		if err != nil {
			return nil, err
		}
		return &mcp.HTTP{URL: url, Header: h, Tap: tap}, nil
	}
	env, err := t.childEnv()
	if err != nil {
		return nil, err
	}
	command, cwd := t.commandLine()
	c := &mcp.Command{Path: command[0], Args: command[1:], Env: env, Dir: cwd, Tap: tap}
	if t.resolved != nil {
		c.Secrets = t.resolved.Secrets.Values()
	}
	return c, nil
}

// options are the client's, as the flags say.
func (t *target) options() *mcp.Options {
	return &mcp.Options{
		Name: "mcp-replay", Version: version,
		Timeout:        time.Duration(t.timeout) * time.Second,
		ConnectTimeout: time.Duration(t.connectTimeout) * time.Second,
	}
}

// line names the server in a cassette's header.
func (t *target) line() replay.ServerLine {
	if url := t.address(); url != "" {
		return replay.ServerLine{URL: url}
	}
	command, _ := t.commandLine()
	return replay.ServerLine{Command: command[0], Args: slices.Clone(command[1:])}
}
