package steps

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/imurun/mcp-replay/mcp/registry"
)

// namesSteps is about tools as the host sees them.
var namesSteps = []Step{{
	Pattern: `^the host offers the tools:$`,
	Example: "Then the host offers the tools:\n  | mcp_a_echo | a | echo |",
	Doc:     "Waits up to 5 seconds for exactly these tools in this order: the name that the host sees, the server's id, the server's name for it; the last two may be left out.",
	Do:      hostOffers,
}, {
	Pattern: `^the host offers (\d+) tools$`,
	Example: `Then the host offers 14 tools`,
	Doc:     "Waits up to 5 seconds for so many tools of all servers together.",
	Do: func(ctx context.Context, w *World, want int) error {
		r, err := host(w).up()
		if err != nil {
			return err
		}
		return Eventually(ctx, func() error {
			if got := len(r.Tools()); got != want {
				return fmt.Errorf("it offers %d", got)
			}
			return nil
		})
	},
}, {
	Pattern: `^the host's tool "([^"]*)" has "([^"]*)" equal to (.*)$`,
	Example: `Then the host's tool "mcp_a_echo" has "/description" equal to "[MCP A] Says it again."`,
	Doc:     "Waits up to 5 seconds until a part of a tool, as the host sees it, is the given JSON.",
	Do: func(ctx context.Context, w *World, name, pointer, want string) error {
		return Eventually(ctx, func() error {
			t, err := hostTool(w, name)
			if err != nil {
				return err
			}
			text, err := encode(t)
			if err != nil {
				return err
			}
			return jsonHas(text, pointer, want)
		})
	},
}, {
	Pattern: `^the input schema of the host's tool "([^"]*)" is, byte for byte:$`,
	Example: "Then the input schema of the host's tool \"mcp_a_echo\" is, byte for byte:\n  \"\"\"\n  { \"type\" : \"object\" }\n  \"\"\"",
	Doc:     "Compares the bytes of a tool's input schema.",
	Do: func(_ context.Context, w *World, name string, want Doc) error {
		t, err := hostTool(w, name)
		if err != nil {
			return err
		}
		return sameText(string(t.InputSchema), string(want))
	},
}}

func hostOffers(ctx context.Context, w *World, table Table) error {
	r, err := host(w).up()
	if err != nil {
		return err
	}
	var want []string
	for _, row := range table {
		want = append(want, strings.Join(row, " "))
	}
	return Eventually(ctx, func() error {
		var got []string
		for i, t := range r.Tools() {
			cells := []string{t.Name, t.Server, t.Tool}
			if i < len(table) && len(table[i]) < len(cells) {
				cells = cells[:len(table[i])]
			}
			got = append(got, strings.Join(cells, " "))
		}
		return sameText(strings.Join(got, "\n"), strings.Join(want, "\n"))
	})
}

// hostTool is the tool that the host offers by the name.
func hostTool(w *World, name string) (registry.Tool, error) {
	r, err := host(w).up()
	if err != nil {
		return registry.Tool{}, err
	}
	var names []string
	for _, t := range r.Tools() {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return registry.Tool{}, errors.New("it is not offered; there are: " + strings.Join(names, ", "))
}
