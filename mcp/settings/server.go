package settings

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The transports.
const (
	Stdio = "stdio" // a child process
	HTTP  = "http"  // Streamable HTTP
)

// Bounds and default of a server's timeout, in seconds (CFG-9).
const (
	MinTimeout     = 1
	MaxTimeout     = 600
	DefaultTimeout = 60
)

// Server is one server of the settings, with its placeholders as they stand.
type Server struct {
	ID          string            `json:"id"`
	Name        string            `json:"name"` // the id where none is given
	Transport   string            `json:"transport"`
	Command     string            `json:"command,omitzero"` // stdio
	Args        []string          `json:"args,omitzero"`    // stdio
	Env         map[string]string `json:"env,omitzero"`     // stdio
	Cwd         string            `json:"cwd,omitzero"`     // stdio; empty means the program's own folder
	URL         string            `json:"url,omitzero"`     // http
	Headers     map[string]string `json:"headers,omitzero"` // http
	Enabled     bool              `json:"enabled"`
	AutoApprove []string          `json:"auto_approve"`
	Timeout     int               `json:"timeout"`           // seconds that a call may take
	BuiltIn     bool              `json:"built_in,omitzero"` // comes with the program

	// Err says why the entry cannot be used; such a server is listed, and never connected (CFG-4).
	Err error `json:"-"`
}

// FieldError says which field of which server cannot be as it is, and why. It never holds a value that may be
// secret.
type FieldError struct {
	Server  string // the id, or the place in the list where there is none
	Field   string // such as "timeout" or "env.MODE"
	Problem string
}

// Error gives server, field and problem.
func (e *FieldError) Error() string {
	return fmt.Sprintf("server %s: %s: %s", e.Server, e.Field, e.Problem)
}

var (
	idForm     = lazily(`^[a-z0-9_-]{1,32}$`)
	headerForm = lazily("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
)

// lazily compiles an expression when it is first asked for: compiling them all at the start of a program takes longer than most of its
// runs need them for.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// CheckID refuses an id that is no server's (CFG-3).
func CheckID(id string) error {
	if idForm().MatchString(id) {
		return nil
	}
	return &FieldError{Server: fmt.Sprintf("%.40q", id), Field: "id", Problem: "must be 1 to 32 characters of a-z, 0-9, - and _"}
}

// Check says whether the server may be saved and connected: nil, or a [*FieldError] for the first field that is
// wrong.
func (s *Server) Check() error {
	if err := CheckID(s.ID); err != nil {
		return err
	}
	for _, check := range []func() (field, problem string){
		s.checkTransport, s.checkTexts, s.checkNames, s.checkPlaceholders, s.checkAddress,
	} {
		if field, problem := check(); problem != "" {
			return &FieldError{Server: s.ID, Field: field, Problem: problem}
		}
	}
	return nil
}

// checkTransport: each transport has its own fields, and one that it cannot do without (CFG-5); and CFG-9.
func (s *Server) checkTransport() (field, problem string) {
	var foreign []string
	switch s.Transport {
	case Stdio:
		if s.Command == "" {
			return "command", "is missing; a server on stdio needs one"
		}
		foreign = s.set("url", "headers")
	case HTTP:
		if s.URL == "" {
			return "url", "is missing; a server on http needs one"
		}
		foreign = s.set("command", "args", "env", "cwd")
	case "":
		if s.Command != "" && s.URL != "" {
			return "transport", "is missing; must be stdio for the command, or http for the url"
		}
		return "transport", "is missing; give a command for stdio, or a url for http"
	default:
		return "transport", "must be stdio or http"
	}
	if len(foreign) > 0 {
		other := map[string]string{Stdio: HTTP, HTTP: Stdio}[s.Transport]
		return foreign[0], fmt.Sprintf("belongs to the transport %s, and this server is on %s", other, s.Transport)
	}
	if s.Timeout < MinTimeout || s.Timeout > MaxTimeout {
		return "timeout", fmt.Sprintf("must be a whole number of seconds from %d to %d", MinTimeout, MaxTimeout)
	}
	return "", ""
}

// set tells which of the fields have a value.
func (s *Server) set(fields ...string) []string {
	has := map[string]bool{
		"command": s.Command != "", "args": len(s.Args) > 0, "env": len(s.Env) > 0, "cwd": s.Cwd != "",
		"url": s.URL != "", "headers": len(s.Headers) > 0,
	}
	return slices.DeleteFunc(fields, func(f string) bool { return !has[f] })
}

// checkTexts: what goes to the operating system or into a header must be able to stand there.
func (s *Server) checkTexts() (field, problem string) {
	for f := range s.texts() {
		if strings.ContainsRune(f.text, 0) {
			return f.name, "holds a NUL character"
		}
		if f.header && strings.ContainsAny(f.text, "\r\n") {
			return f.name, "holds a line break"
		}
	}
	return "", ""
}

func (s *Server) checkNames() (field, problem string) {
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return "env", fmt.Sprintf("%.40q cannot be the name of a variable", name)
		}
	}
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		if !headerForm().MatchString(name) {
			return "headers", fmt.Sprintf("%.40q cannot be the name of a header", name)
		}
		if low := strings.ToLower(name); seen[low] {
			return "headers." + name, "stands twice, in different case"
		} else {
			seen[low] = true
		}
	}
	if slices.Contains(s.AutoApprove, "") {
		return "auto_approve", "holds an empty name"
	}
	return "", ""
}

func (s *Server) checkPlaceholders() (field, problem string) {
	for f := range s.texts() {
		if problem := checkPlaceholders(f.text, !f.secret); problem != "" {
			return f.name, problem // CFG-13
		}
	}
	return "", ""
}

func (s *Server) checkAddress() (field, problem string) {
	if s.Transport != HTTP {
		return "", ""
	}
	if err := checkStoredURL(s.URL); err != nil {
		return "url", err.Error()
	}
	return "", ""
}

// text is a text of a server in which placeholders may stand (CFG-11).
type text struct {
	name   string // of the field
	text   string
	secret bool // never to be shown
	header bool
	put    func(*Server, string) // writes it back
}

// texts gives every text in which placeholders may stand, in a fixed order.
func (s *Server) texts() func(yield func(text) bool) {
	return func(yield func(text) bool) {
		if !yield(text{name: "command", text: s.Command, put: func(s *Server, v string) { s.Command = v }}) {
			return
		}
		for i, arg := range s.Args {
			if !yield(text{name: fmt.Sprintf("args[%d]", i), text: arg, put: func(s *Server, v string) { s.Args[i] = v }}) {
				return
			}
		}
		for _, name := range slices.Sorted(maps.Keys(s.Env)) {
			if !yield(text{name: "env." + name, text: s.Env[name], secret: true, put: func(s *Server, v string) { s.Env[name] = v }}) {
				return
			}
		}
		if !yield(text{name: "cwd", text: s.Cwd, put: func(s *Server, v string) { s.Cwd = v }}) {
			return
		}
		if !yield(text{name: "url", text: s.URL, put: func(s *Server, v string) { s.URL = v }}) {
			return
		}
		for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
			if !yield(text{name: "headers." + name, text: s.Headers[name], secret: true, header: true, put: func(s *Server, v string) { s.Headers[name] = v }}) {
				return
			}
		}
	}
}

// Clone gives a copy that shares nothing with s.
func (s Server) Clone() Server {
	s.Args, s.AutoApprove = slices.Clone(s.Args), slices.Clone(s.AutoApprove)
	s.Env, s.Headers = maps.Clone(s.Env), maps.Clone(s.Headers)
	return s
}

// Equal says whether two servers have the same settings.
func (s *Server) Equal(o *Server) bool {
	errText := func(err error) string {
		if err == nil {
			return ""
		}
		return err.Error()
	}
	return s.ID == o.ID && s.Name == o.Name && s.Transport == o.Transport && s.Command == o.Command &&
		slices.Equal(s.Args, o.Args) && maps.Equal(s.Env, o.Env) && s.Cwd == o.Cwd && s.URL == o.URL &&
		maps.Equal(s.Headers, o.Headers) && s.Enabled == o.Enabled && slices.Equal(s.AutoApprove, o.AutoApprove) &&
		s.Timeout == o.Timeout && s.BuiltIn == o.BuiltIn && errText(s.Err) == errText(o.Err)
}
