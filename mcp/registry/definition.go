package registry

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/policy"
)

// definition is what a person looks at when allowing a tool. Key order and space do not count.
type definition struct{ description, schema, hints string }

func define(t *mcp.Tool) definition {
	return definition{
		description: t.Description,
		schema:      ordered(t.InputSchema) + "\n" + ordered(t.OutputSchema),
		hints:       ordered(t.Annotations),
	}
}

// ordered writes JSON with the members of objects in one order, and numbers as they are spelt.
func ordered(v jsontext.Value) string {
	if v == nil {
		return ""
	}
	v = slices.Clone(v)
	err := v.Format(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.ReorderRawObjects(true),
		jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
	if err != nil {
		return string(v)
	}
	return string(v)
}

// changes names what differs between two definitions.
func (d definition) changes(e definition) []string {
	var what []string
	if d.description != e.description {
		what = append(what, "description")
	}
	if d.schema != e.schema {
		what = append(what, "schema")
	}
	if d.hints != e.hints {
		what = append(what, "hints")
	}
	return what
}

// tool is a tool of a server, as it was listed last.
type tool struct {
	mcp.Tool
	key   toolKey
	name  string // as the host sees it; empty until it is offered
	hints policy.Hints
	def   definition
}

func newTool(server string, t mcp.Tool) *tool {
	return &tool{Tool: t, key: toolKey{server, t.Name}, hints: policy.ReadHints(t.Annotations), def: define(&t)}
}

// Tool is a tool as the host sees it.
type Tool struct {
	Name         string         `json:"name"` // NAME-1 to NAME-4
	Server       string         `json:"server"`
	Tool         string         `json:"tool"` // as the server names it
	Title        string         `json:"title,omitzero"`
	Description  string         `json:"description"`           // [MCP server name] and the server's own (NAME-6)
	InputSchema  jsontext.Value `json:"inputSchema"`           // as it came (NAME-5)
	OutputSchema jsontext.Value `json:"outputSchema,omitzero"` // as it came
	Annotations  jsontext.Value `json:"annotations,omitzero"`  // as they came
	Decision     string         `json:"decision"`              // what a call would meet now: allow, ask or deny
	Rule         string         `json:"rule"`                  // which rule decides so (PERM-10)
	Why          string         `json:"why"`                   // and what it means
	MayRemember  bool           `json:"mayRemember"`           // whether an answer would be remembered
}

// Describe writes a tool's description for the host (NAME-6).
func Describe(serverName, description string) string {
	return "[MCP " + serverName + "] " + description
}
