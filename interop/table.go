// Package interop runs the pinned real servers that mcp-replay is tested against.
//
// servers.json lists them: how each is started, what it is to be asked, what it is known to answer. The script install
// brings them here, [Server.Start] starts one, and command live surveys them, records them into cassettes/servers
// and runs the specs of features/servers against them. In "go test" the same specs run on the cassettes, and
// nothing of this is started.
package interop

import (
	_ "embed" // the table
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

//go:embed servers.json
var table []byte

// Server is one row of the table. In Command, Env, URL, Files, Prepare and the arguments of calls stand the places of
// [Running.Fill].
type Server struct {
	Name     string            `json:"name"`     // its cassette is cassettes/servers/NAME.jsonl
	Features []string          `json:"features"` // its specs are features/servers/FEATURE.feature; none: NAME
	Package  string            `json:"package"`
	Command  []string          `json:"command"`
	Env      map[string]string `json:"env"`
	Files    map[string]string `json:"files"`   // laid into its folder before it starts: name → content
	Prepare  []string          `json:"prepare"` // a command to run before it starts
	URL      string            `json:"url"`     // Streamable HTTP; empty: stdio
	Port     int               `json:"port"`    // the only port that it can listen on; 0: any
	Answers  string            `json:"answers"` // HTTP: sse or json
	Revision string            `json:"revision"`
	Tools    int               `json:"tools"`
	Calls    []Call            `json:"calls"` // what a recording holds; none: those of the server that the first feature is of
}

// Call is one tool call.
type Call struct {
	Tool      string         `json:"tool"`
	Arguments jsontext.Value `json:"arguments"`
	Progress  bool           `json:"progress"` // with a progress token
	Settle    bool           `json:"settle"`   // what the server says by itself comes after the answer: wait for it
}

// Servers is the table.
func Servers() ([]Server, error) {
	var all struct {
		Servers []Server `json:"servers"`
	}
	if err := json.Unmarshal(table, &all, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("servers.json: %w", err)
	}
	calls := make(map[string][]Call)
	for i := range all.Servers {
		s := &all.Servers[i]
		if len(s.Features) == 0 {
			s.Features = []string{s.Name}
		}
		if s.Calls == nil {
			s.Calls = calls[s.Features[0]]
		}
		if len(s.Calls) == 0 {
			return nil, fmt.Errorf("servers.json: %s: no calls", s.Name)
		}
		calls[s.Name] = s.Calls
	}
	return all.Servers, nil
}

// Cassette is where its recording is, from the root of the repository.
func (s *Server) Cassette() string { return "cassettes/servers/" + s.Name + ".jsonl" }

// Specs are the features that it has to keep, from the root of the repository.
func (s *Server) Specs() []string {
	var specs []string
	for _, feature := range s.Features {
		specs = append(specs, "features/servers/"+feature+".feature")
	}
	return specs
}
