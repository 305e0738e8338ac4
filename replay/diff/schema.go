package diff

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// walk compares two JSON Schemas of one tool.
type walk struct {
	report *Report
	tool   string
	output bool // the schema of what comes back, else of the arguments
	negate bool // below a "not": what takes less there takes more in all
	unsure bool // below an "if": it cannot be told what taking less there does
	roots  [2]jsontext.Value

	followed map[followed]bool // what was compared by following references, and whether it has changed
	repeated int               // how often a change at the end of a reference was told again
}

// maxSchemaDepth is how deep the walk looks for the place of a change; below it, schemas are told apart as a whole.
const maxSchemaDepth = 64

// effect is what a change does to what a schema takes.
type effect uint8

const (
	narrower effect = iota // something that was taken is refused now
	wider                  // something that was refused is taken now
	other                  // it cannot be told: something may be refused
)

// change reports a change of what the schema takes. For arguments only what is refused now breaks a caller; a reader
// of the output relies on all of its shape.
func (w *walk) change(e effect, pointer, what string, a, b jsontext.Value) {
	if w.unsure {
		e = other
	}
	if w.negate && e != other {
		e = narrower + wider - e
	}
	class := Breaking
	if e == wider && !w.output {
		class = Behaviour
	}
	w.report.add(Change{Class: class, Tool: w.tool, Pointer: pointer, What: what, Before: a, After: b})
}

// schema compares two schemas; nil takes everything, as true and {} do.
func (w *walk) schema(pointer string, a, b jsontext.Value, depth int) {
	if same(a, b) {
		return
	}
	if depth > maxSchemaDepth {
		w.change(other, pointer, "the schema is another, deep below", a, b)
		return
	}
	never, neverNow := a.Kind() == 'f', b.Kind() == 'f'
	switch {
	case never && neverNow:
		return
	case never:
		w.change(wider, pointer, "what was refused is taken now", a, b)
		return
	case neverNow:
		w.change(narrower, pointer, "nothing is taken any more", a, b)
		return
	}
	if w.reference(pointer, a, b, depth) {
		return
	}
	a, b = alike(a, b)
	w.values(pointer, a, b)
	w.limits(pointer, a, b)
	for key, pair := range pairs(a, b) {
		w.keyword(pointer+"/"+meaning.Escape(key), key, pair[0], pair[1], [2]jsontext.Value{a, b}, depth)
	}
}

// keyword compares one keyword of two schemas, of.
func (w *walk) keyword(pointer, key string, a, b jsontext.Value, of [2]jsontext.Value, depth int) {
	switch key {
	case "type", "enum", "const": // compared together, by values
	case "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum": // compared together, by limits
	case "title", "description", "$comment", "examples", "deprecated":
		if !sameText(a, b) {
			w.report.add(wordingChange(w.tool, pointer, textWhat("the "+strings.TrimPrefix(key, "$"), a, b), a, b))
		}
	case "properties", "patternProperties", "dependentSchemas":
		w.properties(pointer, key, a, b, of, depth)
	case "dependentRequired", "dependencies":
		w.dependent(pointer, a, b, depth)
	case "$defs", "definitions":
		w.definitions(pointer, a, b, depth)
	case "required":
		w.required(pointer, a, b)
	case "additionalProperties", "unevaluatedProperties", "propertyNames", "items", "additionalItems", "unevaluatedItems",
		"contains", "then", "else", "contentSchema":
		w.sub(pointer, a, b, of, depth)
	case "if":
		unsure := w.unsure
		w.unsure = true
		w.sub(pointer, a, b, of, depth)
		w.unsure = unsure
	case "not":
		w.not(pointer, a, b, of, depth)
	case "prefixItems":
		w.places(pointer, a, b, rest("items", of), depth)
	case "anyOf", "oneOf", "allOf":
		w.choices(pointer, key, a, b, depth)
	case "minLength", "minItems", "minProperties", "minContains":
		w.bound(pointer, key, a, b, narrower)
	case "maxLength", "maxItems", "maxProperties", "maxContains":
		w.bound(pointer, key, a, b, wider)
	case "pattern", "multipleOf", "format", "uniqueItems", "contentEncoding", "contentMediaType":
		w.constraint(pointer, key, a, b)
	case "$schema", "$id", "$anchor", "$ref", "$dynamicRef", "$dynamicAnchor":
		// names, not what is taken; a reference that leads elsewhere has been followed
	default:
		if !same(a, b) {
			w.report.add(Change{Class: Behaviour, Tool: w.tool, Pointer: pointer, What: changedWhat(key, a, b), Before: a, After: b})
		}
	}
}

// sub compares a keyword that holds a schema, or (items, before 2020) a list of them.
func (w *walk) sub(pointer string, a, b jsontext.Value, of [2]jsontext.Value, depth int) {
	if a.Kind() == '[' || b.Kind() == '[' {
		others := rest("additionalItems", of)
		for i, v := range [2]jsontext.Value{a, b} {
			if v.Kind() != '[' {
				others[i] = open(v)
			}
		}
		w.places(pointer, a, b, others, depth)
		return
	}
	w.schema(pointer, open(a), open(b), depth+1)
}

// not compares what two schemas refuse. Without a "not" that is nothing, while an empty schema there refuses all.
func (w *walk) not(pointer string, a, b jsontext.Value, of [2]jsontext.Value, depth int) {
	switch {
	case isNull(a) && isNull(b):
	case isNull(a):
		w.change(narrower, pointer, "what it names is refused now: "+short(b), nil, b)
	case isNull(b):
		w.change(wider, pointer, "what it names is no longer refused: "+short(a), a, nil)
	default:
		w.negate = !w.negate
		w.sub(pointer, a, b, of, depth)
		w.negate = !w.negate
	}
}

// rest gives what two schemas take where they name nothing of its own for a name or a place.
func rest(key string, of [2]jsontext.Value) [2]jsontext.Value {
	return [2]jsontext.Value{open(meaning.At(of[0], key)), open(meaning.At(of[1], key))}
}

// open gives a schema that takes everything as nil: absent, true, {} and null say the same.
func open(v jsontext.Value) jsontext.Value {
	if isNull(v) || v.Kind() == 't' {
		return nil
	}
	if m, _ := members(v); v.Kind() == '{' && len(m) == 0 {
		return nil
	}
	return v
}

func (w *walk) properties(pointer, key string, a, b jsontext.Value, of [2]jsontext.Value, depth int) {
	noun := "argument"
	if w.output || strings.Count(pointer, "/properties") > 1 || key != "properties" {
		noun = "property"
	}
	var others [2]jsontext.Value
	if key == "patternProperties" {
		others = rest("additionalProperties", of)
	}
	for name, pair := range pairs(a, b) {
		at := pointer + "/" + meaning.Escape(name)
		switch {
		case pair[1] == nil && key == "properties":
			w.change(narrower, at, fmt.Sprintf("the %s %q is gone", noun, name), pair[0], nil)
		case pair[0] == nil && key == "properties":
			w.change(wider, at, fmt.Sprintf("the %s %q is new", noun, name), nil, pair[1])
			w.hidden(at, pair[1])
		default:
			for i := range pair {
				if pair[i] == nil {
					pair[i] = others[i]
				} else {
					pair[i] = open(pair[i])
				}
			}
			w.schema(at, pair[0], pair[1], depth+1)
		}
	}
}

// hidden points out what hides in the words of a new part.
func (w *walk) hidden(pointer string, v jsontext.Value) {
	if notes := hiddenNotes(nil, v); notes != nil {
		w.report.add(Change{Class: Wording, Tool: w.tool, Pointer: pointer, What: "the new words hide something", After: v, Notes: notes})
	}
}

func (w *walk) required(pointer string, a, b jsontext.Value) {
	gone, added := set(elements(a), elements(b))
	for _, name := range added {
		w.change(narrower, pointer, fmt.Sprintf("%s is newly required", short(name)), a, b)
	}
	for _, name := range gone {
		w.change(wider, pointer, fmt.Sprintf("%s is no longer required", short(name)), a, b)
	}
}

// dependent compares what the presence of one argument asks for: others that are required then, or a schema.
func (w *walk) dependent(pointer string, a, b jsontext.Value, depth int) {
	for name, pair := range pairs(a, b) {
		at := pointer + "/" + meaning.Escape(name)
		if pair[0].Kind() == '[' || pair[1].Kind() == '[' {
			w.required(at, pair[0], pair[1])
		} else {
			w.schema(at, open(pair[0]), open(pair[1]), depth+1)
		}
	}
}

// places compares lists of schemas; others is what is taken at a place that has none.
func (w *walk) places(pointer string, a, b jsontext.Value, others [2]jsontext.Value, depth int) {
	was, now := elements(a), elements(b)
	for i := range max(len(was), len(now)) {
		pair := others
		if i < len(was) {
			pair[0] = open(was[i])
		}
		if i < len(now) {
			pair[1] = open(now[i])
		}
		w.schema(fmt.Sprintf("%s/%d", pointer, i), pair[0], pair[1], depth+1)
	}
}

// choices compares the members of anyOf, oneOf or allOf as sets. Where as many went as came, they are compared with
// each other in their order, so that a change inside of one is told at its place.
func (w *walk) choices(pointer, key string, a, b jsontext.Value, depth int) {
	was, now := elements(a), elements(b)
	gone, added := set(was, now)
	placeWas, placeNow := placesOf(was), placesOf(now)
	fewer, more := narrower, wider
	if key == "allOf" {
		fewer, more = wider, narrower
	}
	switch {
	case isNull(a) && !isNull(b):
		w.change(narrower, pointer, fmt.Sprintf("%s is new", key), nil, b)
		return
	case isNull(b) && !isNull(a):
		w.change(wider, pointer, fmt.Sprintf("%s is gone", key), a, nil)
		return
	case len(gone) == len(added):
		for i := range gone {
			w.schema(fmt.Sprintf("%s/%d", pointer, placeNow[meaning.Hash(added[i])]), gone[i], added[i], depth+1)
		}
		return
	}
	for _, v := range gone {
		w.change(fewer, fmt.Sprintf("%s/%d", pointer, placeWas[meaning.Hash(v)]), fmt.Sprintf("%s has one member less: %s", key, short(v)), v, nil)
	}
	for _, v := range added {
		w.change(more, fmt.Sprintf("%s/%d", pointer, placeNow[meaning.Hash(v)]), fmt.Sprintf("%s has one member more: %s", key, short(v)), nil, v)
	}
}

// placesOf gives where each value stands first, by its hash.
func placesOf(values []jsontext.Value) map[uint64]int {
	at := make(map[uint64]int, len(values))
	for i, v := range values {
		h := meaning.Hash(v)
		if _, ok := at[h]; !ok {
			at[h] = i
		}
	}
	return at
}
