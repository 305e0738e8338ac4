package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Imported is one entry of another host's file, as it can be taken over.
type Imported struct {
	Name   string // as the other host calls it
	Server Server // as it goes into the settings
	Err    error  // why it cannot be taken; nil where it can

	Set   []Moved  // secrets that stood in plain text, now placeholders: what to set before connecting
	Notes []string // what of the entry could not be taken
}

// Moved is a secret that was moved out of the file. The value itself is not kept.
type Moved struct {
	Field    string // where it stood, such as "env.API_KEY"
	Variable string // the environment variable to set
	Input    string // what the other host asks a person for; empty where the value stood in the file
}

// ReadHosts reads the servers from a file that another host wrote: a map mcpServers, servers (also inside of mcp) or
// context_servers, with comments and trailing commas (CFG-20). Secrets in plain text become ${env:NAME}. The error is
// about the file as a whole; each entry has its own.
func ReadHosts(path string, data []byte) ([]Imported, error) {
	bom := ""
	if strings.HasPrefix(string(data), string(utf8BOM)) {
		bom = string(utf8BOM)
	}
	doc, err := parse(path, []byte(bom+string(plainJSON(data[len(bom):]))), ourPart)
	if err != nil {
		return nil, err
	}
	var found []Imported
	known := false
	for _, place := range [][]string{{"mcpServers"}, {"servers"}, {"mcp", "servers"}, {"mcp", "mcpServers"}, {"context_servers"}} {
		n := doc.root
		for _, name := range place {
			n = n.find(name)
		}
		if n == nil || n.kind != '{' {
			continue
		}
		known = true
		for _, m := range n.members {
			found = append(found, importEntry(doc, m))
		}
	}
	if !known {
		return nil, fmt.Errorf("%s: holds no map of servers: looked for mcpServers, servers, mcp.servers and context_servers", path)
	}
	nameApart(found)
	return found, nil
}

// nameApart gives entries whose names became one id their own.
func nameApart(found []Imported) {
	taken := map[string]bool{}
	for i := range found {
		s := &found[i].Server
		id := s.ID
		for n := 2; taken[s.ID]; n++ {
			suffix := fmt.Sprintf("-%d", n)
			s.ID = id[:min(len(id), 32-len(suffix))] + suffix
		}
		taken[s.ID] = true
	}
}

var notInID = lazily(`[^a-z0-9_-]+`)

// idFor makes an id of another host's name for a server.
func idFor(name string) string {
	id := strings.Trim(notInID().ReplaceAllString(strings.ToLower(name), "-"), "-")
	if len(id) > 32 {
		id = strings.Trim(id[:32], "-")
	}
	if id == "" {
		id = "server"
	}
	return id
}

// importer reads one entry of another host.
type importer struct {
	in   Imported
	read entryReader
	line []string // the arguments that stood in command
}

func importEntry(doc *document, m member) Imported {
	s := Server{ID: idFor(m.name), Name: m.name, Enabled: true, Timeout: DefaultTimeout}
	im := importer{in: Imported{Name: m.name, Server: s}}
	if m.value.kind != '{' {
		im.in.Err = &FieldError{Server: s.ID, Field: "entry", Problem: "must be an object"}
		return im.in
	}
	im.read = entryReader{doc: doc, server: &im.in.Server, place: s.ID}
	for _, f := range m.value.members {
		if f.value.kind != 'n' {
			im.field(f)
		}
	}
	im.finish()
	return im.in
}

// field takes one member of the entry over, by any of the names that hosts have for it.
func (im *importer) field(m member) {
	s := &im.in.Server
	switch m.name {
	case "type", "transport", "transportType":
		im.transport(m)
	case "command":
		im.command(m)
	case "args":
		im.read.list(m, &s.Args)
	case "env":
		im.values(m, &s.Env)
	case "cwd", "workingDirectory":
		im.read.text(m, &s.Cwd)
	case "url", "serverUrl", "httpUrl":
		im.read.text(m, &s.URL)
	case "headers", "requestHeaders":
		im.values(m, &s.Headers)
	case "enabled":
		im.read.truth(m, &s.Enabled)
	case "disabled":
		var disabled bool
		im.read.truth(m, &disabled)
		s.Enabled = !disabled
	case "autoApprove", "alwaysAllow", "auto_approve":
		im.read.list(m, &s.AutoApprove)
	case "name", "description", "title", "id", "source", "gallery", "version": // nothing that a server needs
	default:
		im.note("%s is not taken over", m.name)
	}
}

func (im *importer) note(format string, args ...any) {
	im.in.Notes = append(im.in.Notes, fmt.Sprintf(format, args...))
}

func (im *importer) transport(m member) {
	var kind string
	im.read.text(m, &kind)
	switch strings.ToLower(kind) {
	case "stdio", "local", "":
		im.in.Server.Transport = Stdio
	case "http", "streamable-http", "streamablehttp", "streamable_http", "remote":
		im.in.Server.Transport = HTTP
	case "sse":
		im.read.fail(m.name, "is the HTTP+SSE transport of 2024-11-05, which is not supported; ask the server for Streamable HTTP")
	default:
		im.read.fail(m.name, "is none that is known here")
	}
}

// command takes a program's name, or its whole command line as a list.
func (im *importer) command(m member) {
	if m.value.kind != '[' {
		im.read.text(m, &im.in.Server.Command)
		return
	}
	var line []string
	if im.read.list(m, &line); len(line) > 0 {
		im.in.Server.Command, im.line = line[0], line[1:]
	}
}

// values takes env or headers, where numbers and booleans are as good as texts.
func (im *importer) values(m member, to *map[string]string) {
	texts := member{name: m.name, value: &node{kind: m.value.kind}}
	table := map[string]string{}
	for _, v := range m.value.members {
		switch v.value.kind {
		case '0', 't', 'f':
			table[v.name] = string(im.read.doc.text(v.value))
		case 'n':
			im.note("%s.%s is null, and not taken over", m.name, v.name)
		default:
			texts.value.members = append(texts.value.members, v)
		}
	}
	im.read.table(texts, to)
	if len(table) > 0 && *to != nil {
		maps.Copy(*to, table)
	}
}

// finish brings placeholders into our form, moves secrets out, and checks the result.
func (im *importer) finish() {
	s := &im.in.Server
	if len(im.line) > 0 {
		s.Args = append(im.line, s.Args...)
	}
	s.inferTransport()
	im.translate()
	im.moveSecrets()
	if im.in.Err = im.read.err; im.in.Err == nil {
		im.in.Err = s.Check()
	}
}

var (
	hostPlaceholder = lazily(`\$\{([^}]*)\}`)
	plainVariable   = lazily(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// hostNames are placeholders of other hosts that have one of ours.
var hostNames = map[string]string{
	"workspaceFolder": "${repo}", "workspaceRoot": "${repo}", "cwd": "${repo}", "userHome": "${env:HOME}",
}

// translate rewrites the placeholders of other hosts: ${NAME}, ${NAME:-DEFAULT}, ${input:NAME}, ${workspaceFolder}.
func (im *importer) translate() {
	s := &im.in.Server
	texts := slices.Collect(s.texts())
	for _, f := range texts {
		f.put(s, hostPlaceholder().ReplaceAllStringFunc(f.text, func(whole string) string {
			name := whole[2 : len(whole)-1]
			if ours, known := hostNames[name]; known {
				return ours
			}
			if input, isInput := strings.CutPrefix(name, "input:"); isInput {
				variable := variableName(input)
				im.in.Set = append(im.in.Set, Moved{Field: f.name, Variable: variable, Input: input})
				return "${env:" + variable + "}"
			}
			if variable, _, hasDefault := strings.Cut(name, ":-"); hasDefault && plainVariable().MatchString(variable) {
				im.note("%s: the default of ${%s} is not taken over: set the variable", f.name, variable)
				return "${env:" + variable + "}"
			}
			if plainVariable().MatchString(name) && name != "python" && name != "repo" && name != "home" {
				return "${env:" + name + "}"
			}
			return whole
		}))
	}
}

// Patch gives the patch that adds the server.
func (in *Imported) Patch() Patch {
	s := in.Server.Clone()
	p := Patch{ID: s.ID, Transport: &s.Transport, Enabled: &s.Enabled}
	if s.Name != s.ID {
		p.Name = &s.Name
	}
	for name, has := range map[string]bool{
		"command": s.Command != "", "args": len(s.Args) > 0, "env": len(s.Env) > 0, "cwd": s.Cwd != "",
		"url": s.URL != "", "headers": len(s.Headers) > 0, "auto_approve": len(s.AutoApprove) > 0,
	} {
		if has {
			p.take(&s, name)
		}
	}
	return p
}
