package diff

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

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
		{"choices between types are a union", `{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}`, `{"type":["string","null"],"default":null}`, nil},
		{"an optional string with a limit", `{"type":["string","null"],"maxLength":5,"title":"x"}`, `{"anyOf":[{"type":"string","maxLength":5},{"type":"null"}],"title":"x"}`, nil},
		{"one of several types", `{"oneOf":[{"type":"string"},{"type":["integer","null"]}]}`, `{"type":["integer","null","string"]}`, nil},
		{"choices and a union that takes less", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"type":"string"}`,
			[]string{`breaking /inputSchema/type: no longer taken: null`}},
		{"choices with a limit and a union with another", `{"type":["string","null"],"maxLength":5}`, `{"anyOf":[{"type":"string","maxLength":4},{"type":"null"}]}`,
			[]string{`breaking /inputSchema/maxLength: maxLength was 5 and is 4`}},
		{"a listed value beside a type is no union", `{"anyOf":[{"type":"string","enum":["a"]},{"type":"null"}]}`, `{"type":["string","null"],"enum":["a"]}`,
			[]string{`breaking /inputSchema/enum: only these values are taken now: "a"`, `behaviour /inputSchema/anyOf: anyOf is gone`}},
		{"types that overlap are no union in oneOf", `{"oneOf":[{"type":"number"},{"type":"integer"}]}`, `{"type":"number"}`,
			[]string{`breaking /inputSchema/type: no longer taken: array, boolean, null, object, string`, `behaviour /inputSchema/oneOf: oneOf is gone`}},

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

		{"what not refuses is new", `{}`, `{"not":{"type":"string"}}`, []string{`breaking /inputSchema/not: what it names is refused now: {"type":"string"}`}},
		{"what not refuses is gone", `{"not":{"required":["a"]}}`, `{}`, []string{`behaviour /inputSchema/not: what it names is no longer refused: {"required":["a"]}`}},
		{"a condition that holds more often", `{"if":{"maximum":5},"then":false}`, `{"if":{"maximum":6},"then":false}`,
			[]string{`breaking /inputSchema/if/maximum: maximum was 5 and is 6`}},
		{"a condition in other words", `{"if":{"description":"x"}}`, `{"if":{"description":"y"}}`, []string{`wording /inputSchema/if/description: the description is another`}},
		{"a list of values says its type", `{"properties":{"q":{"enum":["a","b"]}}}`, `{"properties":{"q":{"type":"string","enum":["b","a"]}}}`, nil},
		{"a const says its type", `{"properties":{"q":{"type":"integer","const":1}}}`, `{"properties":{"q":{"const":1.0}}}`, nil},
		{"a list of values for a type", `{"properties":{"q":{"type":"string"}}}`, `{"properties":{"q":{"enum":["a",1]}}}`, []string{
			`breaking /inputSchema/properties/q/enum: only these values are taken now: "a", 1`, `behaviour /inputSchema/properties/q/enum: newly taken: 1`}},
		{"a type for a list of values", `{"properties":{"q":{"enum":["a",1]}}}`, `{"properties":{"q":{"type":"string"}}}`, []string{
			`breaking /inputSchema/properties/q/enum: no longer taken: 1`, `behaviour /inputSchema/properties/q/enum: any value is taken, not only "a", 1`}},
		{"a type that takes less of a list", `{"enum":["a",1]}`, `{"enum":["a",1],"type":"string"}`, []string{`breaking /inputSchema/enum: no longer taken: 1`}},
		{"no list at all", `{"enum":null}`, `{}`, nil},
		{"arguments are an object in any case", `{}`, `{"type":"object"}`, nil},
		{"arguments were an object in any case", `{"type":"object"}`, `{}`, nil},
		{"below, an object is less than anything", `{"properties":{"q":{}}}`, `{"properties":{"q":{"type":"object"}}}`,
			[]string{`breaking /inputSchema/properties/q/type: no longer taken: array, boolean, integer, null, number, string`}},
		{"the least that there is", `{}`, `{"minLength":0,"minItems":0,"minProperties":0}`, nil},
		{"the least that there was", `{"minLength":0}`, `{"minLength":1}`, []string{`breaking /inputSchema/minLength: minLength was 0 and is 1`}},
		{"a limit that is switched off", `{"minimum":1}`, `{"minimum":1,"exclusiveMinimum":false}`, nil},
		{"a limit that was exclusive", `{"exclusiveMinimum":5}`, `{"minimum":5}`, []string{`behaviour /inputSchema/minimum: exclusiveMinimum was 5, and minimum is 5`}},
		{"a limit that is exclusive now", `{"maximum":5}`, `{"exclusiveMaximum":5}`, []string{`breaking /inputSchema/exclusiveMaximum: maximum was 5, and exclusiveMaximum is 5`}},
		{"a finer step", `{"multipleOf":10}`, `{"multipleOf":2.5}`, []string{`behaviour /inputSchema/multipleOf: multipleOf was 10 and is 2.5`}},
		{"another step", `{"multipleOf":10}`, `{"multipleOf":4}`, []string{`breaking /inputSchema/multipleOf: multipleOf was 10 and is 4`}},
		{"what an argument asks for is a set", `{"dependentRequired":{"a":["b","c"]},"dependencies":{"a":["b","c"]}}`,
			`{"dependentRequired":{"a":["c","b"]},"dependencies":{"a":["c","b"]}}`, nil},
		{"an argument asks for more", `{"dependentRequired":{"a":["b"]}}`, `{"dependentRequired":{"a":["b","c"]}}`,
			[]string{`breaking /inputSchema/dependentRequired/a: "c" is newly required`}},
		{"an argument asks for less", `{"dependencies":{"a":["b"]}}`, `{}`, []string{`behaviour /inputSchema/dependencies/a: "b" is no longer required`}},
		{"a pattern of names gone, where no others are taken", `{"additionalProperties":false,"patternProperties":{"^x":{"type":"string"}}}`, `{"additionalProperties":false}`,
			[]string{`breaking /inputSchema/patternProperties/^x: nothing is taken any more`}},
		{"a pattern of names new, where no others were taken", `{"additionalProperties":false}`, `{"additionalProperties":false,"patternProperties":{"^x":{}}}`,
			[]string{`behaviour /inputSchema/patternProperties/^x: what was refused is taken now`}},
		{"a place gone, where no others are taken", `{"prefixItems":[{},{}],"items":false}`, `{"prefixItems":[{}],"items":false}`,
			[]string{`breaking /inputSchema/prefixItems/1: nothing is taken any more`}},
		{"beside another reference", `{"$ref":"#/$defs/A","maxLength":5,"$defs":{"A":{"type":"string"}}}`, `{"$ref":"#/$defs/B","maxLength":3,"$defs":{"B":{"type":"string"}}}`,
			[]string{`breaking /inputSchema/maxLength: maxLength was 5 and is 3`}},
		{"beside a reference written out", `{"properties":{"r":{"$ref":"#/$defs/X","maxLength":5}},"$defs":{"X":{"type":"string"}}}`, `{"properties":{"r":{"type":"string","maxLength":7}}}`,
			[]string{`behaviour /inputSchema/properties/r/maxLength: maxLength was 5 and is 7`}},
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

// References that fork at every step lead to more places than could ever be walked.
func TestForkingReferences(t *testing.T) {
	schema := func(letter, leaf string) string {
		defs := fmt.Sprintf(`"%s25":{"type":%q}`, letter, leaf)
		for i := range 25 {
			next := fmt.Sprintf(`{"$ref":"#/$defs/%s%d"}`, letter, i+1)
			defs += fmt.Sprintf(`,"%s%d":{"properties":{"a":%s,"b":%s}}`, letter, i, next, next)
		}
		return fmt.Sprintf(`{"$ref":"#/$defs/%s0","$defs":{%s}}`, letter, defs)
	}
	if d := cmp.Diff([]string(nil), changes(inputTool(schema("A", "string")), inputTool(schema("B", "string")))); d != "" {
		t.Error(d)
	}
	got := changes(inputTool(schema("A", "string")), inputTool(schema("B", "null")))
	if len(got) == 0 || len(got) > 1000 || !strings.HasPrefix(got[0], "breaking ") {
		t.Errorf("%d changes", len(got))
	}
}

// Tools and choices by the thousand that are all new are compared in a moment.
func TestManyTools(t *testing.T) {
	list := func(prefix string) (tools []jsontext.Value) {
		for i := range 20_000 {
			tools = append(tools, jsontext.Value(fmt.Sprintf(`{"name":"%s_%d_with_a_name_as_long_as_they_are"}`, prefix, i)))
		}
		return tools
	}
	began := time.Now()
	if r := Tools(list("old"), list("new")); r.Count(Breaking) != 20_000 || r.Count(Behaviour) != 20_000 {
		t.Errorf("%d gone, %d new", r.Count(Breaking), r.Count(Behaviour))
	}
	choices := func(from int) string {
		var all []string
		for i := range 20_000 {
			all = append(all, fmt.Sprintf(`{"const":%d}`, from+i))
		}
		return inputTool(`{"anyOf":[` + strings.Join(all, ",") + `]}`)
	}
	if n := len(changes(choices(0), choices(20_000))); n != 40_000 {
		t.Errorf("%d changes of choices", n)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}
