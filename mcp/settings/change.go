package settings

import (
	"maps"
	"slices"

	"github.com/imurun/mcp-replay/policy"
)

// Edit changes the settings inside of [File.Update]. Each method leaves everything that it does not name as it
// stands, byte for byte (CFG-2).
type Edit struct {
	doc  *document
	file *File
}

// Settings gives the settings as they stand, with the changes so far.
func (e *Edit) Settings() *Settings {
	s, err := e.doc.read(e.file.Path, e.file.Program)
	if err != nil {
		return &Settings{} // not reached: Update has read the same
	}
	return s
}

// Put adds a server or changes one. The error is a [*FieldError] where the server cannot be so.
func (e *Edit) Put(p Patch) error {
	if err := CheckID(p.ID); err != nil {
		return err
	}
	places := e.entries(p.ID)
	if len(places) > 1 {
		return &FieldError{Server: p.ID, Field: "id", Problem: "several servers have this id; edit the file"}
	}
	base, overrides := builtIn(e.file.Program, p.ID)
	if !overrides {
		base = Server{ID: p.ID, Name: p.ID, Enabled: true, Timeout: DefaultTimeout}
	}
	stored := base
	if len(places) == 1 {
		stored = readEntry(e.doc, e.list().elems[places[0]], places[0], e.file.Program)
	}
	next, err := p.apply(stored, base)
	if err != nil {
		return err
	}
	if len(places) == 1 {
		e.rewrite(places[0], p, &stored, &next)
		return nil
	}
	entry := next.fields()
	if overrides {
		entry = object{{"id", p.ID}}
		for _, name := range changed(&base, &next) {
			entry = append(entry, field{name, next.valueOf(name)})
		}
	}
	e.doc.appendElem(e.makeList(), entry)
	return nil
}

// rewrite changes the entry at place where the two differ.
func (e *Edit) rewrite(place int, p Patch, stored, next *Server) {
	entry := func() *node { return e.list().elems[place] }
	for _, name := range p.Unset {
		e.doc.removeMember(entry, name)
	}
	for _, name := range changed(stored, next) {
		if slices.Contains(p.Unset, name) {
			continue
		}
		switch value := next.valueOf(name); {
		case isEmpty(value):
			e.doc.removeMember(entry, name)
		default:
			if table, isTable := value.(map[string]string); isTable && entry().find(name) != nil && entry().find(name).kind == '{' {
				e.rewriteTable(func() *node { return entry().find(name) }, table)
				continue
			}
			e.doc.setMember(entry(), name, value)
		}
	}
}

// rewriteTable changes the members of env or headers that differ, so that the others stay as they stand.
func (e *Edit) rewriteTable(table func() *node, next map[string]string) {
	for _, m := range table().members {
		if _, kept := next[m.name]; !kept {
			e.doc.removeMember(table, m.name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(next)) {
		if n := table().find(name); n == nil || n.kind != '"' || e.doc.string(n) != next[name] {
			e.doc.setMember(table(), name, next[name])
		}
	}
}

func isEmpty(value any) bool {
	switch v := value.(type) {
	case string:
		return v == ""
	case []string:
		return len(v) == 0
	case map[string]string:
		return len(v) == 0
	}
	return false
}

// Remove takes a server out. A built-in server cannot go: it falls back to what it was from the start.
func (e *Edit) Remove(id string) error {
	places := e.entries(id)
	if len(places) == 0 {
		if _, isBuiltIn := builtIn(e.file.Program, id); isBuiltIn {
			return &FieldError{Server: id, Field: "id", Problem: "is built in, and cannot be removed; disable it"}
		}
		return &NotFoundError{ID: id}
	}
	if len(places) > 1 {
		return &FieldError{Server: id, Field: "id", Problem: "several servers have this id; edit the file"}
	}
	e.doc.remove(e.list(), places[0])
	return nil
}

// SetPolicy sets the level of the whole program.
func (e *Edit) SetPolicy(level policy.Level) {
	e.doc.setMember(e.makeSection(), "policy", level.String())
}

// SetNetwork sets the network toggle (PERM-8).
func (e *Edit) SetNetwork(on bool) {
	e.doc.setMember(e.makeSection(), "network", on)
}

// list gives the list of servers, or nil.
func (e *Edit) list() *node { return e.doc.root.find(section).find("servers") }

// makeSection gives the section, made where it is missing.
func (e *Edit) makeSection() *node {
	if n := e.doc.root.find(section); n == nil || n.kind == 'n' {
		e.doc.setMember(e.doc.root, section, object{})
	}
	return e.doc.root.find(section)
}

// makeList gives the list of servers, made where it is missing.
func (e *Edit) makeList() *node {
	if list := e.list(); list == nil || list.kind == 'n' {
		e.doc.setMember(e.makeSection(), "servers", []string{})
	}
	return e.list()
}

// entries gives the places in the list of the servers with the id.
func (e *Edit) entries(id string) []int {
	var places []int
	list := e.list()
	if list == nil {
		return nil
	}
	for i, n := range list.elems {
		if v := n.find("id"); v != nil && v.kind == '"' && e.doc.string(v) == id {
			places = append(places, i)
		}
	}
	return places
}
