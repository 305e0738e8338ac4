package diff

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/policy"
	"github.com/imurun/mcp-replay/replay/internal/display"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// Tools compares two lists of tools: the elements of "tools" in the answers to tools/list, each as it came.
func Tools(before, after []jsontext.Value) *Report {
	r := new(Report)
	r.tools(before, after)
	r.sort()
	return r
}

func (r *Report) tools(before, after []jsontext.Value) {
	was, old := byName(before)
	now, names := byName(after)
	for _, name := range old {
		if other, ok := now[name]; ok {
			r.tool(name, was[name], other)
		} else {
			r.add(Change{Class: Breaking, Tool: name, What: "the tool is gone", Before: was[name]})
		}
	}
	alike := map[string][]string{}
	for _, name := range old {
		alike[bareName(name)] = append(alike[bareName(name)], name)
	}
	for _, name := range names {
		if was[name] == nil {
			r.add(Change{Class: Behaviour, Tool: name, What: "the tool is new", After: now[name], Notes: newToolNotes(now[name], alike[bareName(name)])})
		}
	}
}

// byName gives the tools by their names, and the names in their order. A tool without a name is none (LIST-3), and
// of two with one name the first counts. What is no JSON is no tool.
func byName(tools []jsontext.Value) (map[string]jsontext.Value, []string) {
	m := make(map[string]jsontext.Value, len(tools))
	var names []string
	for _, raw := range tools {
		if !jsonrpc.Valid(raw) {
			continue
		}
		if name := toolName(raw); name != "" && m[name] == nil {
			m[name] = raw
			names = append(names, name)
		}
	}
	return m, names
}

func toolName(raw jsontext.Value) string { return meaning.Text(meaning.At(raw, "name")) }

// newToolNotes names what hides in a new tool, and the tools that it could be taken for.
func newToolNotes(raw jsontext.Value, alike []string) []string {
	notes := hiddenNotes(nil, raw)
	for _, other := range alike {
		notes = append(notes, fmt.Sprintf("the name reads like that of the tool %q", other))
	}
	return notes
}

// bareName is a name without what a reader overlooks: case, invisible characters, and which separator it has.
func bareName(name string) string {
	for _, m := range display.Hidden(name) {
		name = strings.ReplaceAll(name, string(m.Rune), "")
	}
	return strings.NewReplacer("-", "", "_", "", ".", "", " ", "").Replace(strings.ToLower(name))
}

// tool compares two definitions of one tool.
func (r *Report) tool(name string, before, after jsontext.Value) {
	for key, pair := range pairs(before, after) {
		a, b := pair[0], pair[1]
		pointer := "/" + meaning.Escape(key)
		switch key {
		case "name":
		case "title", "description":
			if !sameText(a, b) {
				r.add(wordingChange(name, pointer, textWhat("the "+key, a, b), a, b))
			}
		case "icons":
			if !same(a, b) {
				r.add(wordingChange(name, pointer, "the icons are others", a, b))
			}
		case "inputSchema":
			r.input(name, a, b)
		case "outputSchema":
			r.output(name, a, b)
		case "annotations":
			r.annotations(name, a, b)
		default:
			if !same(a, b) {
				r.add(Change{Class: Behaviour, Tool: name, Pointer: pointer, What: changedWhat(key, a, b), Before: a, After: b})
			}
		}
	}
}

func (r *Report) input(name string, a, b jsontext.Value) {
	w := &walk{report: r, tool: name, roots: [2]jsontext.Value{a, b}}
	w.schema("/inputSchema", a, b, 0)
}

func (r *Report) output(name string, a, b jsontext.Value) {
	switch {
	case isNull(a) && isNull(b):
	case isNull(a):
		r.add(Change{Class: Behaviour, Tool: name, Pointer: "/outputSchema", What: "the tool has an output schema now", After: b})
	case isNull(b):
		r.add(Change{Class: Breaking, Tool: name, Pointer: "/outputSchema", What: "the output schema is gone", Before: a})
	default:
		w := &walk{report: r, tool: name, output: true, roots: [2]jsontext.Value{a, b}}
		w.schema("/outputSchema", a, b, 0)
	}
}

// annotations compares the hints. Those on which permissions rest are compared by what a host would do.
func (r *Report) annotations(name string, a, b jsontext.Value) {
	before, after := policy.ReadHints(a), policy.ReadHints(b)
	asked := noLongerAsks(before, after)
	told := false
	for key, pair := range pairs(a, b) {
		va, vb := pair[0], pair[1]
		if same(va, vb) {
			continue
		}
		pointer := "/annotations/" + meaning.Escape(key)
		if key == "title" {
			r.add(wordingChange(name, pointer, textWhat("the title", va, vb), va, vb))
			continue
		}
		c := Change{Class: Behaviour, Tool: name, Pointer: pointer, What: changedWhat(key, va, vb), Before: va, After: vb}
		if asked != "" && (key == "destructiveHint" && before.Destructive != after.Destructive || key == "readOnlyHint" && before.ReadOnly != after.ReadOnly) {
			c.Class, c.What, told = Permission, c.What+": "+asked, true
		}
		r.add(c)
	}
	if asked != "" && !told {
		r.add(Change{Class: Permission, Tool: name, Pointer: "/annotations", What: "the hints are others: " + asked, Before: a, After: b})
	}
}

// noLongerAsks says where a host would have asked before and would not ask now; empty where there is no such case.
func noLongerAsks(before, after policy.Hints) string {
	asks := func(h policy.Hints, approved bool, level policy.Level, remembered policy.Remembered) bool {
		return policy.Decide(policy.Tool{Hints: h, AutoApprove: approved}, level, remembered).Action == policy.ActionAsk
	}
	for _, level := range []policy.Level{policy.Ask, policy.AllowReads, policy.AllowAll} {
		if asks(before, false, level, false) && !asks(after, false, level, false) {
			return fmt.Sprintf("under %s, a host that asked before a call would no longer ask", level)
		}
	}
	if asks(before, true, policy.Ask, false) && !asks(after, true, policy.Ask, false) {
		return "once it is approved or remembered, a host would no longer ask before a call"
	}
	return ""
}

func textWhat(what string, a, b jsontext.Value) string {
	switch {
	case isNull(a):
		return what + " is new"
	case isNull(b):
		return what + " is gone"
	}
	return what + " is another"
}

func changedWhat(what string, a, b jsontext.Value) string {
	switch {
	case isNull(a):
		return fmt.Sprintf("%s is new: %s", what, short(b))
	case isNull(b):
		return fmt.Sprintf("%s is gone: it was %s", what, short(a))
	}
	return fmt.Sprintf("%s was %s and is %s", what, short(a), short(b))
}

// short is a value in a sentence.
func short(v jsontext.Value) string {
	v = v.Clone()
	if v.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true)) != nil {
		return "?"
	}
	return display.Cut(string(v), 60)
}
