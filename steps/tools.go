package steps

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
)

// toolsSteps is about what the server offers.
var toolsSteps = []Step{{
	Pattern: `^the host lists the tools$`,
	Example: `When the host lists the tools`,
	Doc:     "Lists the server's tools, page by page; what follows speaks of this listing.",
	Do: func(ctx context.Context, w *World) error {
		c, err := w.Client()
		if err != nil {
			return err
		}
		State[sessionState](w).tools, err = c.ListTools(ctx)
		return err
	},
}, {
	Pattern: `^the tools are:$`,
	Example: "Then the tools are:\n  | add_note    |\n  | delete_note |",
	Doc:     "Compares the names of all listed tools, in any order.",
	Do:      toolsAre,
}, {
	Pattern: `^there (?:is|are) (\d+) tools?$`,
	Example: `Then there are 13 tools`,
	Doc:     "Counts the listed tools.",
	Do: func(_ context.Context, w *World, want int) error {
		list, err := listing(w)
		if err != nil {
			return err
		}
		if n := len(list.Tools); n != want {
			return fmt.Errorf("there are %d: %s", n, strings.Join(toolNames(list), ", "))
		}
		return nil
	},
}, {
	Pattern: `^there is a tool "([^"]*)"$`,
	Example: `Then there is a tool "add_note"`,
	Doc:     "Asserts that a tool with exactly this name is listed.",
	Do: func(_ context.Context, w *World, name string) error {
		_, err := toolNamed(w, name)
		return err
	},
}, {
	Pattern: `^there is no tool "([^"]*)"$`,
	Example: `Then there is no tool "read_archive"`,
	Doc:     "Asserts that no tool with this name is listed.",
	Do: func(_ context.Context, w *World, name string) error {
		list, err := listing(w)
		if err != nil {
			return err
		}
		if slices.Contains(toolNames(list), name) {
			return errors.New("there is one")
		}
		return nil
	},
}, {
	Pattern: `^the tool "([^"]*)" is described as "([^"]*)"$`,
	Example: `Then the tool "add_note" is described as "Writes a note, over an older one of the same title."`,
	Doc:     "Compares the whole description of a listed tool.",
	Do: withTool(func(t *mcp.Tool, want string) error {
		return sameText(t.Description, want)
	}),
}, {
	Pattern: `^the tool "([^"]*)" is (read-only|destructive|idempotent|open-world)$`,
	Example: `Then the tool "delete_note" is destructive`,
	Doc:     "Asserts that the tool's annotations carry the hint with the value true.",
	Do: withTool(func(t *mcp.Tool, what string) error {
		if v := hint(t, what); v != "true" {
			return fmt.Errorf("its hint is %s", v)
		}
		return nil
	}),
}, {
	Pattern: `^the tool "([^"]*)" is not (read-only|destructive|idempotent|open-world)$`,
	Example: `Then the tool "add_note" is not read-only`,
	Doc:     "Asserts that the tool's annotations do not carry the hint, or carry it with the value false.",
	Do: withTool(func(t *mcp.Tool, what string) error {
		if v := hint(t, what); v != "false" && v != "absent" {
			return fmt.Errorf("its hint is %s", v)
		}
		return nil
	}),
}, {
	Pattern: `^the tool "([^"]*)" requires:$`,
	Example: "Then the tool \"add_note\" requires:\n  | title |\n  | text  |",
	Doc:     "Compares the arguments that the tool's input schema requires, in any order.",
	Do:      toolRequires,
}, {
	Pattern: `^the tool "([^"]*)" takes:$`,
	Example: "Then the tool \"add_note\" takes:\n  | title | string |\n  | text  | string |",
	Doc:     "Compares all arguments that the tool's input schema names, and their types, in any order.",
	Do:      toolTakes,
}, {
	Pattern: `^the (input|output) schema of the tool "([^"]*)" is:$`,
	Example: "Then the output schema of the tool \"count_notes\" is:\n  \"\"\"\n  {\"type\":\"object\"}\n  \"\"\"",
	Doc:     "Compares a whole schema, by meaning: the order of keys does not count.",
	Do: func(_ context.Context, w *World, which, name string, want Doc) error {
		return schemaHas(w, which, name, "", string(want))
	},
}, {
	Pattern: `^the (input|output) schema of the tool "([^"]*)" has "([^"]*)" equal to (.*)$`,
	Example: `Then the input schema of the tool "add_note" has "/properties/title/type" equal to "string"`,
	Doc:     "Compares what a JSON Pointer names in a schema with the given JSON, by meaning.",
	Do: func(_ context.Context, w *World, which, name, pointer, want string) error {
		return schemaHas(w, which, name, pointer, want)
	},
}, {
	Pattern: `^the tool "([^"]*)" has "([^"]*)" equal to (.*)$`,
	Example: `Then the tool "add_note" has "/title" equal to "Add a note"`,
	Doc:     "Compares what a JSON Pointer names in the whole tool, as it is listed, with the given JSON.",
	Do: func(_ context.Context, w *World, name, pointer, want string) error {
		t, err := toolNamed(w, name)
		if err != nil {
			return err
		}
		return jsonHas(t.Raw, pointer, want)
	},
}}

// listing is the last listing of the tools.
func listing(w *World) (*mcp.ToolList, error) {
	if list := State[sessionState](w).tools; list != nil {
		return list, nil
	}
	return nil, &HintError{Err: errors.New("the tools have not been listed"), Hint: "put before it: When the host lists the tools"}
}

func toolNames(list *mcp.ToolList) []string {
	names := make([]string, len(list.Tools))
	for i, t := range list.Tools {
		names[i] = t.Name
	}
	return names
}

func toolNamed(w *World, name string) (*mcp.Tool, error) {
	list, err := listing(w)
	if err != nil {
		return nil, err
	}
	for i := range list.Tools {
		if list.Tools[i].Name == name {
			return &list.Tools[i], nil
		}
	}
	return nil, fmt.Errorf("there is no tool %q, only: %s", name, strings.Join(toolNames(list), ", "))
}

// withTool makes a step's function of what looks at one listed tool.
func withTool(f func(t *mcp.Tool, want string) error) func(context.Context, *World, string, string) error {
	return func(_ context.Context, w *World, name, want string) error {
		t, err := toolNamed(w, name)
		if err != nil {
			return err
		}
		return f(t, want)
	}
}

func toolsAre(_ context.Context, w *World, table Table) error {
	list, err := listing(w)
	if err != nil {
		return err
	}
	want, err := table.Column()
	if err != nil {
		return err
	}
	return sameSet(toolNames(list), want)
}

// sameSet compares lists whose order does not count.
func sameSet(got, want []string) error {
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	return sameText(strings.Join(got, "\n"), strings.Join(want, "\n"))
}

// hint is the value of an annotation: true, false, absent, or what else stands there.
func hint(t *mcp.Tool, what string) string {
	key := map[string]string{
		"read-only": "readOnlyHint", "destructive": "destructiveHint", "idempotent": "idempotentHint", "open-world": "openWorldHint",
	}[what]
	if t.Annotations == nil {
		return "absent"
	}
	v, err := at(t.Annotations, "/"+key)
	if err != nil {
		return "absent"
	}
	return string(v)
}

func toolRequires(_ context.Context, w *World, name string, table Table) error {
	t, err := toolNamed(w, name)
	if err != nil {
		return err
	}
	want, err := table.Column()
	if err != nil {
		return err
	}
	var got []string
	if required, err := at(t.InputSchema, "/required"); err == nil {
		for _, v := range elements(required) {
			got = append(got, plainText(v))
		}
	}
	return sameSet(got, want)
}

func toolTakes(_ context.Context, w *World, name string, table Table) error {
	t, err := toolNamed(w, name)
	if err != nil {
		return err
	}
	pairs, err := table.Pairs()
	if err != nil {
		return err
	}
	var got, want []string
	for _, p := range pairs {
		want = append(want, p[0]+": "+p[1])
	}
	properties, err := at(t.InputSchema, "/properties")
	if err != nil {
		properties = jsontext.Value("{}")
	}
	for _, m := range members(properties) {
		kind := "any"
		if v, ok := child(m.value, "type"); ok {
			kind = plainText(v)
		}
		got = append(got, m.name+": "+kind)
	}
	return sameSet(got, want)
}

func schemaHas(w *World, which, name, pointer, want string) error {
	t, err := toolNamed(w, name)
	if err != nil {
		return err
	}
	schema := t.InputSchema
	if which == "output" {
		schema = t.OutputSchema
	}
	if schema == nil {
		return fmt.Errorf("it has no %s schema", which)
	}
	return jsonHas(schema, pointer, want)
}
