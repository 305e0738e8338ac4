package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Patch is a change to one server, or a new one: the fields that are not nil. env, headers, args and auto_approve
// are replaced as a whole; a value that is [Mask] keeps the stored one (CFG-17).
type Patch struct {
	ID          string
	Name        *string
	Transport   *string
	Command     *string
	Args        *[]string
	Env         *map[string]string
	Cwd         *string
	URL         *string
	Headers     *map[string]string
	Enabled     *bool
	AutoApprove *[]string
	Timeout     *int

	// Unset names the fields to be taken out of the file, which then have their default.
	Unset []string
}

// viewFields are what a view of a server shows beside its settings; posted back they say nothing.
var viewFields = []string{"state", "error", "protocolVersion", "server", "tools", "built_in"}

// ParsePatch reads a patch from the JSON object that a person posts; null unsets a field. The error is a
// [*FieldError].
func ParsePatch(body jsontext.Value) (Patch, error) {
	doc, err := parse("body", body, everything)
	if err != nil || doc.root.kind != '{' {
		return Patch{}, &FieldError{Server: "body", Field: "body", Problem: "must be a JSON object"}
	}
	s := Server{}
	if n := doc.root.find("id"); n != nil && n.kind == '"' {
		s.ID = doc.string(n)
	}
	r := entryReader{doc: doc, server: &s, place: s.ID}
	if CheckID(s.ID) != nil {
		r.place = "body"
	}
	r.read(doc.root)
	p := Patch{ID: s.ID}
	for _, m := range doc.root.members {
		switch {
		case slices.Contains(viewFields, m.name):
		case !slices.Contains(entryFields, m.name):
			r.fail(m.name, "is no field of a server; there are "+strings.Join(entryFields, ", "))
		case m.value.kind != 'n':
			p.take(&s, m.name)
		case m.name == "id":
			r.fail("id", "is missing")
		default:
			p.Unset = append(p.Unset, m.name)
		}
	}
	if r.err == nil {
		r.err = CheckID(p.ID)
	}
	return p, r.err
}

// take makes the patch change a field to what s has.
func (p *Patch) take(s *Server, field string) {
	switch field {
	case "name":
		p.Name = &s.Name
	case "transport":
		p.Transport = &s.Transport
	case "command":
		p.Command = &s.Command
	case "args":
		p.Args = &s.Args
	case "env":
		p.Env = &s.Env
	case "cwd":
		p.Cwd = &s.Cwd
	case "url":
		p.URL = &s.URL
	case "headers":
		p.Headers = &s.Headers
	case "enabled":
		p.Enabled = &s.Enabled
	case "auto_approve":
		p.AutoApprove = &s.AutoApprove
	case "timeout":
		p.Timeout = &s.Timeout
	}
}

// apply gives the server as the patch leaves it, with every mask filled in, and checked.
func (p *Patch) apply(stored, base Server) (Server, error) {
	s := stored.Clone()
	s.ID, s.Err = p.ID, nil
	p.unset(&s, base)
	if p.Transport != nil && *p.Transport != stored.Transport {
		s.dropOther(*p.Transport)
	}
	set(&s.Name, p.Name)
	set(&s.Transport, p.Transport)
	set(&s.Command, p.Command)
	set(&s.Args, p.Args)
	set(&s.Env, p.Env)
	set(&s.Cwd, p.Cwd)
	set(&s.URL, p.URL)
	set(&s.Headers, p.Headers)
	set(&s.Enabled, p.Enabled)
	set(&s.AutoApprove, p.AutoApprove)
	set(&s.Timeout, p.Timeout)
	if s.Name == "" {
		s.Name = s.ID
	}
	s.inferTransport()
	s = s.Clone() // what follows writes into it
	if err := unmask(&s, &stored); err != nil {
		return Server{}, err
	}
	return s, s.Check()
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// unset gives the fields their defaults back.
func (p *Patch) unset(s *Server, base Server) {
	for _, field := range p.Unset {
		from := Patch{}
		from.take(&base, field)
		set(&s.Name, from.Name)
		set(&s.Transport, from.Transport)
		set(&s.Command, from.Command)
		set(&s.Args, from.Args)
		set(&s.Env, from.Env)
		set(&s.Cwd, from.Cwd)
		set(&s.URL, from.URL)
		set(&s.Headers, from.Headers)
		set(&s.Enabled, from.Enabled)
		set(&s.AutoApprove, from.AutoApprove)
		set(&s.Timeout, from.Timeout)
	}
}

// dropOther clears what belongs to the transport that the server leaves: it says how a server was reached, and
// nothing about how it is.
func (s *Server) dropOther(transport string) {
	switch transport {
	case HTTP:
		s.Command, s.Args, s.Env, s.Cwd = "", nil, nil, ""
	case Stdio:
		s.URL, s.Headers = "", nil
	}
}

// fields gives the server as members of its entry, without those that are empty.
func (s *Server) fields() object {
	o := object{{"id", s.ID}}
	add := func(name string, value any, has bool) {
		if has {
			o = append(o, field{name, value})
		}
	}
	add("name", s.Name, s.Name != s.ID)
	add("transport", s.Transport, true)
	add("command", s.Command, s.Command != "")
	add("args", s.Args, len(s.Args) > 0)
	add("env", s.Env, len(s.Env) > 0)
	add("cwd", s.Cwd, s.Cwd != "")
	add("url", s.URL, s.URL != "")
	add("headers", s.Headers, len(s.Headers) > 0)
	add("enabled", s.Enabled, true)
	add("auto_approve", s.AutoApprove, len(s.AutoApprove) > 0)
	add("timeout", s.Timeout, s.Timeout != DefaultTimeout)
	return o
}

// changed gives the fields in which two servers differ.
func changed(a, b *Server) []string {
	differs := map[string]bool{
		"name": a.Name != b.Name, "transport": a.Transport != b.Transport, "command": a.Command != b.Command,
		"args": !slices.Equal(a.Args, b.Args), "env": !maps.Equal(a.Env, b.Env), "cwd": a.Cwd != b.Cwd,
		"url": a.URL != b.URL, "headers": !maps.Equal(a.Headers, b.Headers), "enabled": a.Enabled != b.Enabled,
		"auto_approve": !slices.Equal(a.AutoApprove, b.AutoApprove), "timeout": a.Timeout != b.Timeout,
	}
	return slices.DeleteFunc(slices.Clone(entryFields), func(f string) bool { return !differs[f] })
}

// valueOf gives the value of a field, to be written.
func (s *Server) valueOf(name string) any {
	return map[string]any{
		"name": s.Name, "transport": s.Transport, "command": s.Command, "args": s.Args, "env": s.Env, "cwd": s.Cwd,
		"url": s.URL, "headers": s.Headers, "enabled": s.Enabled, "auto_approve": s.AutoApprove, "timeout": s.Timeout,
	}[name]
}

// Error for an id that no server has.
type NotFoundError struct{ ID string }

// Error names the id.
func (e *NotFoundError) Error() string { return fmt.Sprintf("no server has the id %.40q", e.ID) }
