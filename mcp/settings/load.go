package settings

import (
	"fmt"
	"slices"

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

// string reads a string; what is not UTF-8 in it becomes U+FFFD.
func (doc *document) string(n *node) string {
	plain, _ := jsontext.AppendUnquote(nil, doc.text(n))
	return string(plain)
}
