package settings

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// readEntry reads one server. Whatever stands there gives some Server; Err says what is wrong with it.
func readEntry(doc *document, n *node, index int, program string) Server {
	place := fmt.Sprintf("number %d of the list", index+1)
	if n.kind != '{' {
		return Server{Err: &FieldError{Server: place, Field: "entry", Problem: "must be an object"}}
	}
	id := ""
	if v := n.find("id"); v != nil && v.kind == '"' {
		id = doc.string(v)
	}
	s, overridden := builtIn(program, id)
	if !overridden {
		s = Server{Name: id, Enabled: true, Timeout: DefaultTimeout} // CFG-7, CFG-9
	} else {
		s.overlay(n)
	}
	s.ID = id
	if CheckID(id) == nil {
		place = id
	}
	r := entryReader{doc: doc, server: &s, place: place}
	r.read(n)
	s.inferTransport()
	if s.Err = r.err; s.Err == nil {
		s.Err = s.Check()
	}
	if CheckID(s.ID) != nil {
		s.ID = "" // what is no id cannot stand in an address
		if s.Name == id {
			s.Name = ""
		}
	}
	return s
}

// overlay drops from a built-in server what the entry for it replaces as a whole: how it is reached.
func (s *Server) overlay(n *node) {
	if n.find("command") != nil {
		s.Args = nil
	}
	if n.find("url") != nil {
		s.Command, s.Args, s.Transport = "", nil, HTTP
	}
}

// inferTransport fills in a transport that is not named, where only one fits.
func (s *Server) inferTransport() {
	if s.Transport != "" {
		return
	}
	switch {
	case s.Command != "" && s.URL == "":
		s.Transport = Stdio
	case s.URL != "" && s.Command == "":
		s.Transport = HTTP
	}
}

// entryReader reads the members of one entry, and keeps the first error.
type entryReader struct {
	doc    *document
	server *Server
	place  string
	err    error
}

func (r *entryReader) fail(field, problem string) {
	if r.err == nil {
		r.err = &FieldError{Server: r.place, Field: field, Problem: problem}
	}
}

func (r *entryReader) read(n *node) {
	if name := n.twice(entryFields...); name != "" {
		r.fail(name, "stands twice")
	}
	s := r.server
	if r.doc != nil && n.find("id") == nil {
		r.fail("id", "is missing")
	}
	for _, m := range n.members {
		if m.value.kind == 'n' {
			continue // the same as absent
		}
		switch m.name {
		case "id":
			r.text(m, new(string)) // read before
		case "name":
			r.text(m, &s.Name)
		case "transport":
			r.text(m, &s.Transport)
		case "command":
			r.text(m, &s.Command)
		case "args":
			r.list(m, &s.Args)
		case "env":
			r.table(m, &s.Env)
		case "cwd":
			r.text(m, &s.Cwd)
		case "url":
			r.text(m, &s.URL)
		case "headers":
			r.table(m, &s.Headers)
		case "enabled":
			r.truth(m, &s.Enabled)
		case "auto_approve":
			r.list(m, &s.AutoApprove)
		case "timeout":
			r.seconds(m, &s.Timeout)
		}
	}
}

func (r *entryReader) text(m member, to *string) {
	if m.value.kind != '"' {
		r.fail(m.name, "must be a text")
		return
	}
	*to = r.plain(m.name, m.value)
}

// plain reads a string, and refuses what is not UTF-8: it would not come out as it went in.
func (r *entryReader) plain(field string, n *node) string {
	if !utf8.Valid(r.doc.text(n)) {
		r.fail(field, "is not valid UTF-8")
	}
	return r.doc.string(n)
}

func (r *entryReader) truth(m member, to *bool) {
	if m.value.kind != 't' && m.value.kind != 'f' {
		r.fail(m.name, "must be true or false")
		return
	}
	*to = m.value.kind == 't'
}

func (r *entryReader) seconds(m member, to *int) {
	seconds, err := strconv.ParseFloat(string(r.doc.text(m.value)), 64)
	if m.value.kind != '0' || err != nil || seconds != math.Trunc(seconds) || seconds < MinTimeout || seconds > MaxTimeout {
		r.fail(m.name, fmt.Sprintf("must be a whole number of seconds from %d to %d", MinTimeout, MaxTimeout))
		return
	}
	*to = int(seconds)
}

func (r *entryReader) list(m member, to *[]string) {
	if m.value.kind != '[' {
		r.fail(m.name, "must be a list of texts")
		return
	}
	list := make([]string, 0, len(m.value.elems))
	for i, n := range m.value.elems {
		name := fmt.Sprintf("%s[%d]", m.name, i)
		if n.kind != '"' {
			r.fail(name, "must be a text")
			continue
		}
		list = append(list, r.plain(name, n))
	}
	*to = list
}

func (r *entryReader) table(m member, to *map[string]string) {
	if m.value.kind != '{' {
		r.fail(m.name, "must be an object of texts")
		return
	}
	table := make(map[string]string, len(m.value.members))
	for _, v := range m.value.members {
		name := m.name + "." + v.name
		if v.value.kind != '"' {
			r.fail(name, "must be a text")
			continue
		}
		if _, twice := table[v.name]; twice {
			r.fail(name, "stands twice")
		}
		table[v.name] = r.plain(name, v.value)
	}
	*to = table
}
