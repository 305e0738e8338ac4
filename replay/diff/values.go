package diff

import (
	"iter"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// pairs walks the members that two objects have between them: first those of a, then those that only b has. What
// one side lacks is nil.
func pairs(a, b jsontext.Value) iter.Seq2[string, [2]jsontext.Value] {
	return func(yield func(string, [2]jsontext.Value) bool) {
		was, order := members(a)
		now, later := members(b)
		for _, name := range order {
			if !yield(name, [2]jsontext.Value{was[name], now[name]}) {
				return
			}
		}
		for _, name := range later {
			if _, ok := was[name]; !ok && !yield(name, [2]jsontext.Value{nil, now[name]}) {
				return
			}
		}
	}
}

// members gives the members of an object by name, and the names in their order. Of a name given twice the last
// counts.
func members(v jsontext.Value) (map[string]jsontext.Value, []string) {
	m := map[string]jsontext.Value{}
	var order []string
	for name, value := range jsonrpc.Members(v) {
		key := string(name)
		if _, ok := m[key]; !ok {
			order = append(order, key)
		}
		m[key] = value
	}
	return m, order
}

func elements(v jsontext.Value) []jsontext.Value {
	return slices.Collect(jsonrpc.Elements(v))
}

// isNull says whether v is not there; null counts as absent.
func isNull(v jsontext.Value) bool { return len(v) == 0 || v.Kind() == 'n' }

// same says whether two values mean the same; null counts as absent.
func same(a, b jsontext.Value) bool {
	if isNull(a) || isNull(b) {
		return isNull(a) && isNull(b)
	}
	return meaning.Hash(a) == meaning.Hash(b)
}

// sameText is [same] for texts, where an empty one counts as absent.
func sameText(a, b jsontext.Value) bool {
	if a.Kind() == '"' && meaning.Text(a) == "" {
		a = nil
	}
	if b.Kind() == '"' && meaning.Text(b) == "" {
		b = nil
	}
	return same(a, b)
}

// set takes a list as a set: what only a has, and what only b has, each once and in its order.
func set(a, b []jsontext.Value) (gone, added []jsontext.Value) {
	return without(a, b), without(b, a)
}

func without(from, what []jsontext.Value) []jsontext.Value {
	seen := map[uint64]bool{}
	for _, v := range what {
		seen[meaning.Hash(v)] = true
	}
	var rest []jsontext.Value
	for _, v := range from {
		if h := meaning.Hash(v); !seen[h] {
			seen[h] = true
			rest = append(rest, v)
		}
	}
	return rest
}

// list writes values in a sentence.
func list(values []jsontext.Value) string {
	const most = 8
	var parts []string
	for i, v := range values {
		if i == most {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, short(v))
	}
	return strings.Join(parts, ", ")
}
