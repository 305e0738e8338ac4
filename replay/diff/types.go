package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// values compares which types and which values two schemas take. A list of values says their types, too.
func (w *walk) values(pointer string, a, b jsontext.Value) {
	types, typesNow := jsontext.Value(meaning.At(a, "type")), jsontext.Value(meaning.At(b, "type"))
	was, listed := enumOf(a)
	now, listedNow := enumOf(b)
	at := pointer + "/enum"
	if meaning.At(b, "enum") == nil && meaning.At(b, "const") != nil {
		at = pointer + "/const"
	}
	if !listed && !listedNow {
		w.types(pointer+"/type", types, typesNow)
		return
	}
	var gone, added []jsontext.Value
	switch {
	case !listed:
		w.change(narrower, at, "only these values are taken now: "+list(now), nil, enumValue(b))
		added = beyond(now, types)
	case !listedNow:
		w.change(wider, at, "any value is taken, not only "+list(was), enumValue(a), nil)
		gone = beyond(was, typesNow)
	default:
		gone, added = set(of(was, types), of(now, typesNow))
	}
	if len(gone) > 0 {
		w.change(narrower, at, "no longer taken: "+list(gone), enumValue(a), enumValue(b))
	}
	if len(added) > 0 {
		w.change(wider, at, "newly taken: "+list(added), enumValue(a), enumValue(b))
	}
}

// of gives the values that a "type" takes, and beyond those that it does not.
func of(values []jsontext.Value, types jsontext.Value) []jsontext.Value {
	set := typeSet(types)
	return slices.DeleteFunc(slices.Clone(values), func(v jsontext.Value) bool { return !slices.Contains(set, typeOf(v)) })
}

func beyond(values []jsontext.Value, types jsontext.Value) []jsontext.Value {
	return without(values, of(values, types))
}

func typeOf(v jsontext.Value) string {
	switch v.Kind() {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	if n, ok := number(v); ok && n.IsInt() {
		return "integer"
	}
	return "number"
}

// enumOf gives the values that a schema lists; const is a list of one.
func enumOf(schema jsontext.Value) ([]jsontext.Value, bool) {
	if v := meaning.At(schema, "const"); v != nil {
		return []jsontext.Value{v}, true
	}
	v := jsontext.Value(meaning.At(schema, "enum"))
	return elements(v), !isNull(v)
}

func enumValue(schema jsontext.Value) jsontext.Value {
	if v := meaning.At(schema, "const"); v != nil {
		return v
	}
	return meaning.At(schema, "enum")
}

// allTypes are the types of JSON Schema. A number takes what an integer takes.
var allTypes = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// types compares "type" as sets, in which an integer is a number, and no type at all is every type.
func (w *walk) types(pointer string, a, b jsontext.Value) {
	was, now := typeSet(a), typeSet(b)
	if pointer == "/inputSchema/type" && (isNull(a) || isNull(b)) && slices.Contains(was, "object") && slices.Contains(now, "object") {
		return // arguments are an object in any case
	}
	gone, added := minus(was, now), minus(now, was)
	if len(gone) > 0 {
		w.change(narrower, pointer, typeWhat("no longer taken", gone, a, b), a, b)
	}
	if len(added) > 0 {
		w.change(wider, pointer, typeWhat("newly taken", added, a, b), a, b)
	}
}

func typeWhat(verb string, types []string, a, b jsontext.Value) string {
	if a.Kind() == '"' && b.Kind() == '"' {
		return fmt.Sprintf("the type was %s and is %s", short(a), short(b))
	}
	return fmt.Sprintf("%s: %s", verb, strings.Join(types, ", "))
}

func typeSet(v jsontext.Value) []string {
	if isNull(v) {
		return allTypes
	}
	var types []string
	if v.Kind() == '"' {
		types = append(types, meaning.Text(v))
	}
	for _, e := range elements(v) {
		types = append(types, meaning.Text(e))
	}
	if slices.Contains(types, "number") {
		types = append(types, "integer")
	}
	return types
}

func minus(from, what []string) []string {
	var rest []string
	for _, s := range from {
		if !slices.Contains(what, s) && !slices.Contains(rest, s) {
			rest = append(rest, s)
		}
	}
	return rest
}

// followed is a pair of schemas, by their hashes, that was compared by following references.
type followed struct {
	a, b           uint64
	negate, unsure bool
}

// maxRepeated is how often a change at the end of a reference is told again, at another place that refers to it.
const maxRepeated = 100

// reference follows references that lead elsewhere than before. One that is the same on both sides stops nothing: what
// stands at its end is compared among the definitions.
func (w *walk) reference(pointer string, a, b jsontext.Value, depth int) bool {
	from, to := meaning.Text(meaning.At(a, "$ref")), meaning.Text(meaning.At(b, "$ref"))
	if from == to {
		return false
	}
	key := followed{meaning.Hash(a), meaning.Hash(b), w.negate, w.unsure}
	if changed, ok := w.followed[key]; ok {
		if !changed || w.repeated == maxRepeated {
			return true
		}
		w.repeated++
	}
	was, ok := w.resolve(0, from, a)
	now, okNow := w.resolve(1, to, b)
	if !ok || !okNow {
		w.change(other, pointer+"/$ref", changedWhat("$ref", meaning.At(a, "$ref"), meaning.At(b, "$ref")), a, b)
		return true
	}
	if w.followed == nil {
		w.followed = map[followed]bool{}
	}
	w.followed[key] = false // until it is known, so that a circle ends
	before := len(w.report.Changes)
	w.schema(pointer, beside(was, a, from), beside(now, b, to), depth+1)
	w.followed[key] = len(w.report.Changes) > before
	return true
}

// beside adds what stands beside a reference to what it leads to.
func beside(target, schema jsontext.Value, ref string) jsontext.Value {
	siblings, names := members(schema)
	if ref == "" || len(names) < 2 || target.Kind() != '{' {
		return target
	}
	delete(siblings, "$ref")
	b := jsontext.Value{'{'}
	add := func(name string, v jsontext.Value) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b, _ = jsontext.AppendQuote(b, name)
		b = append(append(b, ':'), v...)
	}
	for name, v := range jsonrpc.Members(target) {
		if siblings[string(name)] == nil {
			add(string(name), v)
		}
	}
	for _, name := range names {
		if v := siblings[name]; v != nil && name != "$defs" && name != "definitions" {
			add(name, v)
		}
	}
	return append(b, '}')
}

// resolve gives what a reference within the schema leads to, or the schema itself where there is no reference.
func (w *walk) resolve(side int, ref string, schema jsontext.Value) (jsontext.Value, bool) {
	if ref == "" {
		return schema, true
	}
	if ref == "#" {
		return w.roots[side], true
	}
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil, false
	}
	v := w.roots[side]
	for step := range strings.SplitSeq(path, "/") {
		name := strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		if v = meaning.At(v, name); v == nil {
			return nil, false
		}
	}
	return v, true
}

// definitions compares what both sides define under one name. What only one side defines is compared where it is used.
func (w *walk) definitions(pointer string, a, b jsontext.Value, depth int) {
	for name, pair := range pairs(a, b) {
		at := pointer + "/" + meaning.Escape(name)
		switch {
		case pair[0] == nil:
			w.hidden(at, pair[1])
		case pair[1] == nil:
			if ref := strings.TrimPrefix(at, w.rootPointer()); w.refersTo("#" + ref) {
				w.change(other, at, "the definition is gone, and is still referred to", pair[0], nil)
			}
		default:
			w.schema(at, pair[0], pair[1], depth+1)
		}
	}
}

func (w *walk) rootPointer() string {
	if w.output {
		return "/outputSchema"
	}
	return "/inputSchema"
}

// refersTo says whether the new schema holds a reference to a definition.
func (w *walk) refersTo(ref string) bool {
	for start, end := range meaning.Strings(w.roots[1]) {
		if meaning.Text(w.roots[1][start:end]) == ref {
			return true
		}
	}
	return false
}
