package diff

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// changes compares two definitions of the tool t and gives "class pointer: what" of each change.
func changes(before, after string) []string {
	var got []string
	for _, c := range Tools([]jsontext.Value{jsontext.Value(before)}, []jsontext.Value{jsontext.Value(after)}).Changes {
		got = append(got, fmt.Sprintf("%s %s: %s", c.Class, c.Pointer, c.What))
	}
	return got
}

func inputTool(schema string) string { return `{"name":"t","inputSchema":` + schema + `}` }

func TestInputSchema(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		want                []string
	}{
		{"required is a set", `{"required":["a","b"]}`, `{"required":["b","a"]}`, nil},
		{"enum is a set", `{"enum":[1,2]}`, `{"enum":[2.0,1]}`, nil},
		{"a union of types is a set", `{"type":["string","null"]}`, `{"type":["null","string"]}`, nil},
		{"one type alone or in a list", `{"type":"string"}`, `{"type":["string"]}`, nil},
		{"additionalProperties true is the default", `{"additionalProperties":true}`, `{}`, nil},
		{"additionalProperties {} is the default", `{"additionalProperties":{}}`, `{"additionalProperties":true}`, nil},
		{"keys have no order", `{"type":"object","title":"x"}`, `{"title":"x","type":"object"}`, nil},
		{"const is an enum of one", `{"const":"a"}`, `{"enum":["a"]}`, nil},
		{"anyOf is a set", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"null"},{"type":"string"}]}`, nil},

		{"newly required", `{"required":["a"]}`, `{"required":["a","b"]}`, []string{`breaking /inputSchema/required: "b" is newly required`}},
		{"no longer required", `{"required":["a"]}`, `{}`, []string{`behaviour /inputSchema/required: "a" is no longer required`}},
		{"type narrowed", `{"type":"number"}`, `{"type":"integer"}`, []string{`breaking /inputSchema/type: the type was "number" and is "integer"`}},
		{"type widened", `{"type":"integer"}`, `{"type":"number"}`, []string{`behaviour /inputSchema/type: the type was "integer" and is "number"`}},
		{"null no longer taken", `{"type":["string","null"]}`, `{"type":"string"}`, []string{`breaking /inputSchema/type: no longer taken: null`}},
		{"any type before", `{}`, `{"type":"string"}`, []string{`breaking /inputSchema/type: no longer taken: array, boolean, integer, null, number, object`}},
		{"type is another", `{"type":"string"}`, `{"type":"object"}`, []string{
			`breaking /inputSchema/type: the type was "string" and is "object"`, `behaviour /inputSchema/type: the type was "string" and is "object"`}},
		{"enum narrowed and widened", `{"enum":["a","b"]}`, `{"enum":["b","c"]}`, []string{
			`breaking /inputSchema/enum: no longer taken: "a"`, `behaviour /inputSchema/enum: newly taken: "c"`}},
		{"argument gone", `{"properties":{"q":{"type":"string"}}}`, `{"properties":{}}`, []string{`breaking /inputSchema/properties/q: the argument "q" is gone`}},
		{"argument new", `{}`, `{"properties":{"q":{}}}`, []string{`behaviour /inputSchema/properties/q: the argument "q" is new`}},
		{"no more others", `{}`, `{"additionalProperties":false}`, []string{`breaking /inputSchema/additionalProperties: nothing is taken any more`}},
		{"limit lowered", `{"maxLength":100}`, `{"maxLength":10}`, []string{`breaking /inputSchema/maxLength: maxLength was 100 and is 10`}},
		{"limit raised", `{"maxLength":100}`, `{"maxLength":1e3}`, []string{`behaviour /inputSchema/maxLength: maxLength was 100 and is 1e3`}},
		{"least raised", `{"minimum":9007199254740992}`, `{"minimum":9007199254740993}`, []string{`breaking /inputSchema/minimum: minimum was 9007199254740992 and is 9007199254740993`}},
		{"below not, less is more", `{"not":{"maximum":5}}`, `{"not":{"maximum":6}}`, []string{`breaking /inputSchema/not/maximum: maximum was 5 and is 6`}},
		{"pattern is another", `{"pattern":"^a"}`, `{"pattern":"^b"}`, []string{`breaking /inputSchema/pattern: pattern was "^a" and is "^b"`}},
		{"default is another", `{"default":1}`, `{"default":2}`, []string{`behaviour /inputSchema/default: default was 1 and is 2`}},
		{"a description", `{"description":"x"}`, `{"description":"y"}`, []string{`wording /inputSchema/description: the description is another`}},

		{"a change at the top hides none below", `{"properties":{"q":{"properties":{"deep":{"type":"string"}}}},"title":"a"}`,
			`{"properties":{"q":{"properties":{}}},"title":"b"}`, []string{
				`breaking /inputSchema/properties/q/properties/deep: the property "deep" is gone`, `wording /inputSchema/title: the title is another`}},
		{"a reference beside stops nothing", `{"properties":{"r":{"$ref":"#/$defs/X"},"p":{}}}`, `{"properties":{"r":{"$ref":"#/$defs/X"}}}`,
			[]string{`breaking /inputSchema/properties/p: the argument "p" is gone`}},
		{"a reference written out", `{"properties":{"r":{"$ref":"#/$defs/X"}},"$defs":{"X":{"type":"string"}}}`, `{"properties":{"r":{"type":"string"}}}`, nil},
		{"a definition narrowed", `{"$defs":{"X":{"type":["string","null"]}}}`, `{"$defs":{"X":{"type":"string"}}}`,
			[]string{`breaking /inputSchema/$defs/X/type: no longer taken: null`}},
		{"references in a circle", `{"$ref":"#/$defs/A","$defs":{"A":{"items":{"$ref":"#/$defs/A"}}}}`, `{"$ref":"#/$defs/B","$defs":{"B":{"items":{"$ref":"#/$defs/B"}}}}`, nil},
		{"one of the choices changed", `{"anyOf":[{"type":"string","maxLength":5},{"type":"null"}]}`, `{"anyOf":[{"type":"null"},{"type":"string","maxLength":4}]}`,
			[]string{`breaking /inputSchema/anyOf/1/maxLength: maxLength was 5 and is 4`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, changes(inputTool(c.before), inputTool(c.after))); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestToolChanges(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		want                []string
	}{
		{"gone", `{"name":"t"}`, `{}`, []string{"breaking : the tool is gone"}},
		{"new", `{}`, `{"name":"t"}`, []string{"behaviour : the tool is new"}},
		{"output of another shape", `{"name":"t","outputSchema":{"type":"object"}}`, `{"name":"t","outputSchema":{"type":"object","properties":{"x":{}}}}`,
			[]string{`breaking /outputSchema/properties/x: the property "x" is new`}},
		{"output gone", `{"name":"t","outputSchema":{}}`, `{"name":"t"}`, []string{"breaking /outputSchema: the output schema is gone"}},
		{"output new", `{"name":"t"}`, `{"name":"t","outputSchema":{}}`, []string{"behaviour /outputSchema: the tool has an output schema now"}},
		{"execution", `{"name":"t"}`, `{"name":"t","execution":{"taskSupport":"required"}}`, []string{`behaviour /execution: execution is new: {"taskSupport":"required"}`}},
		{"null is absent", `{"name":"t","title":null}`, `{"name":"t"}`, nil},
		{"title", `{"name":"t","title":"A"}`, `{"name":"t"}`, []string{"wording /title: the title is gone"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, changes(c.before, c.after)); d != "" {
				t.Error(d)
			}
		})
	}
}

// The rug pull: hints that say less than they did.
func TestPermission(t *testing.T) {
	const reads, approved = "under allow-reads, a host that asked before a call would no longer ask", "once it is approved or remembered, a host would no longer ask before a call"
	for _, c := range []struct {
		name, before, after string
		want                []string
	}{
		{"destructive dropped", `{"destructiveHint":true}`, `{}`, []string{"permission /annotations/destructiveHint: destructiveHint is gone: it was true: " + approved}},
		{"destructive flipped", `{"destructiveHint":true}`, `{"destructiveHint":false}`, []string{"permission /annotations/destructiveHint: destructiveHint was true and is false: " + approved}},
		{"destructive dropped, reads only", `{"destructiveHint":true,"readOnlyHint":true}`, `{"readOnlyHint":true}`,
			[]string{"permission /annotations/destructiveHint: destructiveHint is gone: it was true: " + reads}},
		{"claims to read only", `{}`, `{"readOnlyHint":true}`, []string{"permission /annotations/readOnlyHint: readOnlyHint is new: true: " + reads}},
		{"all hints gone", `{"destructiveHint":true}`, `null`, []string{"permission /annotations/destructiveHint: destructiveHint is gone: it was true: " + approved}},
		{"newly destructive", `{}`, `{"destructiveHint":true}`, []string{"behaviour /annotations/destructiveHint: destructiveHint is new: true"}},
		{"no longer reads only", `{"readOnlyHint":true}`, `{"readOnlyHint":false}`, []string{"behaviour /annotations/readOnlyHint: readOnlyHint was true and is false"}},
		{"false is as good as absent", `{"destructiveHint":false}`, `{}`, []string{"behaviour /annotations/destructiveHint: destructiveHint is gone: it was false"}},
		{"another hint", `{"idempotentHint":true}`, `{"idempotentHint":false}`, []string{"behaviour /annotations/idempotentHint: idempotentHint was true and is false"}},
		{"a title", `{"title":"A"}`, `{"title":"B"}`, []string{"wording /annotations/title: the title is another"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := changes(`{"name":"t","annotations":`+c.before+`}`, `{"name":"t","annotations":`+c.after+`}`)
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestHiddenText(t *testing.T) {
	r := Tools([]jsontext.Value{jsontext.Value(`{"name":"t","description":"Reads a file"}`)},
		[]jsontext.Value{jsontext.Value(`{"name":"t","description":"Reads a file\u200b\u202e\udb40\udc68\udb40\udc69"}`), jsontext.Value(`{"name":"T"}`)})
	want := []string{
		"hidden in the new text: zero width space (U+200B), right-to-left override (U+202E), tag characters (U+E0000–U+E007F) ×2",
		"the tag characters spell: hi",
	}
	if d := cmp.Diff(want, r.Changes[1].Notes); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{`the name reads like that of the tool "t"`}, r.Changes[0].Notes); d != "" {
		t.Error(d)
	}
}

// The pairs of fault 98.
func TestSchemaPairs(t *testing.T) {
	data, err := os.ReadFile("testdata/98-schema-diff.json")
	if err != nil {
		t.Fatal(err)
	}
	var input struct{ Pairs [][3]jsontext.Value }
	if err := json.Unmarshal(data, &input, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	for _, p := range input.Pairs {
		var want string
		if err := json.Unmarshal(p[2], &want); err != nil {
			t.Fatal(err)
		}
		got := "equal"
		if all := changes(inputTool(string(p[0])), inputTool(string(p[1]))); len(all) > 0 {
			class, pointer, _ := strings.Cut(strings.SplitN(all[0], ":", 2)[0], " ")
			got = "info"
			if class == "breaking" {
				got = "breaking at " + strings.TrimPrefix(pointer, "/inputSchema")
			}
		}
		if got != want {
			t.Errorf("%s → %s: %s, want %s", p[0], p[1], got, want)
		}
	}
}
