package main

import (
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/mcp/settings"
	"github.com/imurun/mcp-replay/replay"
)

// redactFlags are the user's own redaction rules. A cassette names them by their digest, so whatever reads it by
// meaning must be given the same.
type redactFlags struct {
	patterns []string
	pointers []string
}

func (r *redactFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&r.patterns, "redact", nil, "what else is secret, as `KIND=REGEXP` or REGEXP (repeatable)")
	f.StringArrayVar(&r.pointers, "redact-pointer", nil, "where else a secret stands in messages, as a JSON `pointer`; a segment * stands for any (repeatable)")
}

var kindAndExpr = regexp.MustCompile(`^([a-z0-9-]+)=(.+)$`)

func (r *redactFlags) rules() replay.Rules {
	rules := replay.Rules{Pointers: r.pointers}
	for _, p := range r.patterns {
		if m := kindAndExpr.FindStringSubmatch(p); m != nil {
			rules.Patterns = append(rules.Patterns, replay.Pattern{Name: m[1], Expr: m[2]})
		} else {
			rules.Patterns = append(rules.Patterns, replay.Pattern{Expr: p})
		}
	}
	return rules
}

// digest names the rules, once they are known to be good ones.
func (r *redactFlags) digest() (string, error) {
	rules := r.rules()
	if _, err := replay.NewRedactor(&replay.RedactOptions{Rules: rules}); err != nil {
		return "", usageError("patterns are regular expressions of Go's package regexp, pointers start with /", "--redact: %v", err)
	}
	return rules.Digest(), nil
}

// recordOptions say what a recording of t tells of the server, and what it keeps out of the file: what --env and
// --header give, and what the environment holds under a credential's name.
func (t *target) recordOptions(r *redactFlags) (*replay.RecordOptions, error) {
	own, err := t.ownEnv()
	if err != nil {
		return nil, err
	}
	header, err := t.header()
	if err != nil {
		return nil, err
	}
	redact := &replay.RedactOptions{Inherited: os.Environ(), Header: header, Rules: r.rules()}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		redact.Env = append(redact.Env, name+"="+own[name])
	}
	o := &replay.RecordOptions{By: "mcp-replay " + version, Transport: "stdio", Server: t.line(), Redact: redact}
	if t.address() != "" {
		o.Transport = "http"
	}
	return o, nil
}

// recordingOf says the same of a server of the settings.
func recordingOf(server *settings.Resolved, warn func(string)) *replay.RecordOptions {
	redact := &replay.RedactOptions{Inherited: os.Environ(), Header: http.Header{}}
	for _, name := range slices.Sorted(maps.Keys(server.Env)) {
		redact.Env = append(redact.Env, name+"="+server.Env[name])
	}
	for _, value := range server.Secrets.Values() { // of placeholders too, wherever they stand
		redact.Env = append(redact.Env, "SERVER_SECRET="+value)
	}
	for name, value := range server.Headers {
		redact.Header.Set(name, value)
	}
	o := &replay.RecordOptions{By: "mcp-replay " + version, Transport: server.Transport, Redact: redact, NextFree: true, Warn: warn}
	if server.Transport == settings.HTTP {
		o.Server.URL = server.URL
	} else {
		o.Server.Command, o.Server.Args = server.Command, server.Args
	}
	return o
}

// warn prints what a person should know.
func (s *streams) warn(text string) {
	_, _ = s.err.Write([]byte("mcp-replay: " + strings.TrimSpace(text) + "\n"))
}
