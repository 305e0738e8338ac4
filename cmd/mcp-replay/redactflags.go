package main

import (
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

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
	listFlag(f, &r.patterns, "redact", "what else is secret, as `KIND=REGEXP` or REGEXP (repeatable)")
	listFlag(f, &r.pointers, "redact-pointer", "where else a secret stands in messages, as a JSON `pointer`; a segment * stands for any (repeatable)")
}

var kindAndExpr = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([a-z0-9-]+)=(.+)$`) })

func (r *redactFlags) rules() replay.Rules {
	rules := replay.Rules{Pointers: r.pointers}
	for _, p := range r.patterns {
		if m := kindAndExpr().FindStringSubmatch(p); m != nil {
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
	if t.resolved != nil {
		redact.Env = append(redact.Env, secretsOf(t.resolved)...)
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
	redact.Env = append(redact.Env, secretsOf(server)...)
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

// secretsOf gives what the settings keep secret of a server, as variables: of placeholders too, wherever they stand.
func secretsOf(server *settings.Resolved) []string {
	var env []string
	for _, value := range server.Secrets.Values() {
		env = append(env, "SERVER_SECRET="+value)
	}
	return env
}

// blank gives err with placeholders where its text repeats a secret of t, such as a header that a server echoes. What
// err is stays as it is, for the hint and the exit code.
func (t *target) blank(err error) error {
	if err == nil {
		return nil
	}
	o, cannot := t.recordOptions(&redactFlags{})
	if cannot != nil {
		return err
	}
	o.Redact.URL, o.Redact.Args = o.Server.URL, o.Server.Args
	o.Redact.Folders = &replay.Folders{} // a person wants to see paths
	redactor, cannot := replay.NewRedactor(o.Redact)
	if cannot != nil {
		return err
	}
	if text := redactor.Text(err.Error()); text != err.Error() {
		return &blankedError{err, text}
	}
	return err
}

// blankedError is an error whose text must not be shown as it is.
type blankedError struct {
	err  error
	text string
}

func (e *blankedError) Error() string { return e.text }
func (e *blankedError) Unwrap() error { return e.err }

// warn prints what a person should know.
func (s *streams) warn(text string) {
	_, _ = s.err.Write([]byte("mcp-replay: " + strings.TrimSpace(text) + "\n"))
}
