package settings

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/policy"
)

// Settings is what the settings file says.
type Settings struct {
	Policy  policy.Level
	Network bool // HTTP servers may be reached (PERM-8)

	// Servers in the order of the file, those with an Err included, and after them the built-in ones that the file
	// does not mention.
	Servers []Server

	// Problems says what in the section is not as it should be, and what holds instead: the stricter.
	Problems []string
}

// Server finds a server that can be used or shown by its id; where several entries have it, the first.
func (s *Settings) Server(id string) (Server, bool) {
	if i := slices.IndexFunc(s.Servers, func(x Server) bool { return x.ID == id }); i >= 0 {
		return s.Servers[i].Clone(), true
	}
	return Server{}, false
}

// section is the name of our part of the file; every other part is another program's.
const section = "mcp"

// entryFields are the names that a server's entry knows; any other is kept and not read.
var entryFields = []string{
	"id", "name", "transport", "command", "args", "env", "cwd", "url", "headers", "enabled", "auto_approve", "timeout",
}

// read reads the settings from a document; path is for errors.
func (doc *document) read(path, program string) (*Settings, error) {
	s := &Settings{Policy: policy.Ask, Network: true}
	if doc != nil {
		list, err := doc.servers(path)
		if err != nil {
			return nil, err
		}
		s.readSwitches(doc, doc.root.find(section))
		if list != nil {
			for i, n := range list.elems {
				s.Servers = append(s.Servers, readEntry(doc, n, i, program))
			}
		}
	}
	refuseTwins(s.Servers)
	for _, b := range BuiltIns(program) {
		if _, found := s.Server(b.ID); !found {
			s.Servers = append(s.Servers, b)
		}
	}
	return s, nil
}

// servers finds the list of servers; nil where there is none. What stands in its place and is none is an error: the
// file is not what it should be, and writing to it could lose something.
func (doc *document) servers(path string) (*node, error) {
	wrong := func(n *node, problem string) error {
		e := doc.place(path, &jsontext.SyntacticError{ByteOffset: int64(n.start), Err: fmt.Errorf("%s", problem)})
		return e
	}
	if doc.root.kind != '{' {
		return nil, wrong(doc.root, "must hold a JSON object")
	}
	if doc.root.twice(section) != "" {
		return nil, wrong(doc.root.find(section), `the section "mcp" stands twice`)
	}
	mcp := doc.root.find(section)
	if mcp == nil || mcp.kind == 'n' {
		return nil, nil
	}
	if mcp.kind != '{' {
		return nil, wrong(mcp, `the section "mcp" must be an object`)
	}
	if name := mcp.twice("servers", "policy", "network"); name != "" {
		return nil, wrong(mcp.find(name), fmt.Sprintf("%q stands twice in the section %q", name, section))
	}
	list := mcp.find("servers")
	if list == nil || list.kind == 'n' {
		return nil, nil
	}
	if list.kind != '[' {
		return nil, wrong(list, `"servers" in the section "mcp" must be a list`)
	}
	return list, nil
}

// readSwitches reads policy and network. What cannot be understood gives the stricter.
func (s *Settings) readSwitches(doc *document, mcp *node) {
	if n := mcp.find("policy"); n != nil && n.kind != 'n' {
		level, err := policy.ParseLevel("")
		if n.kind == '"' {
			level, err = policy.ParseLevel(doc.string(n))
		}
		if s.Policy = level; err != nil {
			s.Problems = append(s.Problems, `"policy" must be ask, allow-reads or allow-all; ask holds until it is`)
		}
	}
	if n := mcp.find("network"); n != nil && n.kind != 'n' {
		s.Network = n.kind == 't'
		if n.kind != 't' && n.kind != 'f' {
			s.Problems = append(s.Problems, `"network" must be true or false; it is off until it is`)
		}
	}
}

// refuseTwins marks every server whose id another one has too (CFG-4).
func refuseTwins(servers []Server) {
	count := map[string]int{}
	for _, s := range servers {
		count[s.ID]++
	}
	for i := range servers {
		if s := &servers[i]; s.ID != "" && count[s.ID] > 1 {
			s.Err = &FieldError{Server: s.ID, Field: "id", Problem: fmt.Sprintf("%d servers have the id %q; give each its own", count[s.ID], s.ID)}
		}
	}
}

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

// string reads a string; what is not UTF-8 in it becomes U+FFFD.
func (doc *document) string(n *node) string {
	plain, _ := jsontext.AppendUnquote(nil, doc.text(n))
	return string(plain)
}
