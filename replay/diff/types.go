package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// values compares which types and which values two schemas take.
func (w *walk) values(pointer string, a, b jsontext.Value) {
	w.types(pointer+"/type", meaning.At(a, "type"), meaning.At(b, "type"))
	was, listed := enumOf(a)
	now, listedNow := enumOf(b)
	at := pointer + "/enum"
	if meaning.At(b, "enum") == nil && meaning.At(b, "const") != nil {
		at = pointer + "/const"
	}
	switch {
	case !listed && !listedNow:
	case !listed:
		w.change(narrower, at, "only these values are taken now: "+list(now), nil, meaning.At(b, "enum"))
	case !listedNow:
		w.change(wider, at, "any value is taken, not only "+list(was), meaning.At(a, "enum"), nil)
	default:
		gone, added := set(was, now)
		if len(gone) > 0 {
			w.change(narrower, at, "no longer taken: "+list(gone), enumValue(a), enumValue(b))
		}
		if len(added) > 0 {
			w.change(wider, at, "newly taken: "+list(added), enumValue(a), enumValue(b))
		}
	}
}

// enumOf gives the values that a schema lists; const is a list of one.
func enumOf(schema jsontext.Value) ([]jsontext.Value, bool) {
	if v := meaning.At(schema, "const"); v != nil {
		return []jsontext.Value{v}, true
	}
	v := jsontext.Value(meaning.At(schema, "enum"))
	return elements(v), v != nil
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

// reference follows references that lead elsewhere than before. One that is the same on both sides stops nothing: what
// stands at its end is compared among the definitions.
func (w *walk) reference(pointer string, a, b jsontext.Value, depth int) bool {
	from, to := meaning.Text(meaning.At(a, "$ref")), meaning.Text(meaning.At(b, "$ref"))
	if from == to {
		return false
	}
	key := [2]string{from, to}
	if w.under[key] {
		return true
	}
	was, ok := w.resolve(0, from, a)
	now, okNow := w.resolve(1, to, b)
	if !ok || !okNow {
		w.change(other, pointer+"/$ref", changedWhat("$ref", meaning.At(a, "$ref"), meaning.At(b, "$ref")), a, b)
		return true
	}
	if w.under == nil {
		w.under = map[[2]string]bool{}
	}
	w.under[key] = true
	w.schema(pointer, was, now, depth+1)
	delete(w.under, key)
	return true
}

// resolve gives what a reference within the schema leads to, or the schema itself where there is no reference.
func (w *walk) resolve(side int, ref string, schema jsontext.Value) (jsontext.Value, bool) {
	if ref == "" {
		return schema, true
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
