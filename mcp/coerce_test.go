package mcp_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
)

func TestCoerce(t *testing.T) {
	for _, c := range []struct{ name, schema, args, want string }{
		{"integer", `{"properties":{"n":{"type":"integer"}}}`, `{"n":"5"}`, `{"n":5}`},
		{"negative", `{"properties":{"n":{"type":"integer"}}}`, `{"n":"-5"}`, `{"n":-5}`},
		{"no integer", `{"properties":{"n":{"type":"integer"}}}`, `{"n":"5.5"}`, `{"n":"5.5"}`},
		{"leading zero", `{"properties":{"n":{"type":"integer"}}}`, `{"n":"05"}`, `{"n":"05"}`},
		{"number", `{"properties":{"n":{"type":"number"}}}`, `{"n":"1e400"}`, `{"n":1e400}`},
		{"huge", `{"properties":{"n":{"type":"integer"}}}`, `{"n":"9007199254740993"}`, `{"n":9007199254740993}`},
		{"boolean", `{"properties":{"b":{"type":"boolean"}}}`, `{"b":"true","c":"true"}`, `{"b":true,"c":"true"}`},
		{"no boolean", `{"properties":{"b":{"type":"boolean"}}}`, `{"b":"yes"}`, `{"b":"yes"}`},
		{"string", `{"properties":{"s":{"type":"string"}}}`, `{"s":5}`, `{"s":"5"}`},
		{"string of a boolean", `{"properties":{"s":{"type":"string"}}}`, `{"s": false }`, `{"s": "false" }`},
		{"spelling of a number", `{"properties":{"s":{"type":"string"}}}`, `{"s":1.0}`, `{"s":"1.0"}`},
		{"object", `{"properties":{"o":{"type":"object","properties":{"n":{"type":"integer"}}}}}`, `{"o":"{\"n\":\"5\"}"}`, `{"o":{"n":5}}`},
		{"array", `{"properties":{"a":{"type":"array","items":{"type":"integer"}}}}`, `{"a":"[1, \"2\"]"}`, `{"a":[1, 2]}`},
		{"array of a text that is none", `{"properties":{"a":{"type":"array"}}}`, `{"a":"a,b"}`, `{"a":"a,b"}`},
		{"list of types", `{"properties":{"n":{"type":["integer","null"]}}}`, `{"n":"5","m":null}`, `{"n":5,"m":null}`},
		{"null", `{"properties":{"n":{"type":["integer","null"]}}}`, `{"n":"null"}`, `{"n":null}`},
		{"string is fine", `{"properties":{"n":{"type":["string","integer"]}}}`, `{"n":"5"}`, `{"n":"5"}`},
		{"anyOf, as pydantic writes it", `{"properties":{"n":{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null}}}`, `{"n":"5"}`, `{"n":5}`},
		{"anyOf with string", `{"properties":{"n":{"anyOf":[{"type":"integer"},{"type":"string"}]}}}`, `{"n":"5"}`, `{"n":"5"}`},
		{"oneOf told by a constant", `{"properties":{"o":{"oneOf":[{"type":"object","properties":{"k":{"const":"a"},"n":{"type":"integer"}}},{"type":"object","properties":{"k":{"const":"b"},"n":{"type":"string"}}}]}}}`,
			`{"o":{"k":"a","n":"5"}}`, `{"o":{"k":"a","n":5}}`},
		{"enum", `{"properties":{"n":{"enum":[1,2]}}}`, `{"n":"2"}`, `{"n":2}`},
		{"const", `{"properties":{"n":{"const":2}}}`, `{"n":"2"}`, `{"n":2}`},
		{"$ref to $defs", `{"$defs":{"N":{"type":"integer"}},"properties":{"n":{"$ref":"#/$defs/N"}}}`, `{"n":"5"}`, `{"n":5}`},
		{"$ref to definitions", `{"definitions":{"a/b":{"type":"integer"}},"properties":{"n":{"$ref":"#/definitions/a~1b"}}}`, `{"n":"5"}`, `{"n":5}`},
		{"$ref of the whole", `{"$ref":"#/$defs/T","$defs":{"T":{"type":"object","properties":{"n":{"type":"integer"}}}}}`, `{"n":"5"}`, `{"n":5}`},
		{"$anchor", `{"$defs":{"x":{"$anchor":"N","type":"integer"}},"properties":{"n":{"$ref":"#N"}}}`, `{"n":"5"}`, `{"n":5}`},
		{"recursive", `{"properties":{"n":{"type":"integer"},"next":{"$ref":"#"}}}`, `{"n":"1","next":{"n":"2","next":{"n":"3"}}}`, `{"n":1,"next":{"n":2,"next":{"n":3}}}`},
		{"refers to itself", `{"$ref":"#"}`, `{"n":"1"}`, `{"n":"1"}`},
		{"remote", `{"properties":{"n":{"$ref":"https://example.invalid/n.json"}}}`, `{"n":"5"}`, `{"n":"5"}`},
		{"allOf", `{"allOf":[{"properties":{"n":{"type":"integer"}}},{"properties":{"s":{"type":"string"}}}]}`, `{"n":"5","s":6}`, `{"n":5,"s":"6"}`},
		{"additionalProperties", `{"additionalProperties":{"type":"integer"}}`, `{"n":"5"}`, `{"n":5}`},
		{"patternProperties", `{"patternProperties":{"^n":{"type":"integer"}}}`, `{"n1":"5","x":"5"}`, `{"n1":5,"x":"5"}`},
		{"prefixItems", `{"properties":{"a":{"prefixItems":[{"type":"string"},{"type":"integer"}]}}}`, `{"a":["1","1","1"]}`, `{"a":["1",1,"1"]}`},
		{"items of draft-07", `{"properties":{"a":{"items":[{"type":"string"},{"type":"integer"}],"additionalItems":{"type":"boolean"}}}}`, `{"a":["1","1","true"]}`, `{"a":["1",1,true]}`},
		{"boolean schemas", `{"properties":{"a":true,"b":false,"c":null}}`, `{"a":"5","b":"5","c":"5"}`, `{"a":"5","b":"5","c":"5"}`},
		{"schema true", `true`, `{"a":"5"}`, `{"a":"5"}`},
		{"schema null", `null`, `{"a":"5"}`, `{"a":"5"}`},
		{"properties null", `{"type":"object","properties":null,"required":null}`, `{"a":"5"}`, `{"a":"5"}`},
		{"unknown type", `{"properties":{"n":{"type":"any"}}}`, `{"n":"5"}`, `{"n":"5"}`},
		{"arguments as a text", `{"type":"object","properties":{"n":{"type":"integer"}}}`, `"{\"n\":\"5\"}"`, `{"n":5}`},
		{"white space, order and doubles stay", `{"properties":{"n":{"type":"integer"}}}`, "{ \"z\" : 1.0 ,\n\"n\":\"5\",\"n\":\"6\", \"\\u0061\":1E2}", "{ \"z\" : 1.0 ,\n\"n\":5,\"n\":6, \"\\u0061\":1E2}"},
		{"no JSON", `{"properties":{"n":{"type":"integer"}}}`, `{"n":`, `{"n":`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := mcp.Coerce(jsontext.Value(c.schema), jsontext.Value(c.args)); string(got) != c.want {
				t.Errorf("%s\nbecomes %s\nwanted  %s", c.args, got, c.want)
			}
		})
	}
}

// TestCoerceIsBounded holds that no schema keeps a call from being made.
func TestCoerceIsBounded(t *testing.T) {
	var refs, choices strings.Builder
	for i := range 1200 {
		fmt.Fprintf(&refs, `{"$ref":"#a%d"},{"$ref":"#%s"},`, i, strings.Repeat("/0", i%100))
		fmt.Fprintf(&choices, `{"properties":{"n":{"type":"integer"}}},`)
	}
	deep := strings.Repeat(`{"items":[`, 190) + `{}` + strings.Repeat(`]}`, 190)
	for name, schema := range map[string]string{
		"references":   `{"allOf":[` + refs.String() + deep + `]}`,
		"alternatives": `{"anyOf":[` + choices.String() + `{}]}`,
		"depth":        strings.Repeat(`{"allOf":[`, 5000) + `{}` + strings.Repeat(`]}`, 5000),
		"recursion":    `{"anyOf":[{"$ref":"#"},{"$ref":"#"}],"allOf":[{"$ref":"#"}],"items":{"$ref":"#"},"properties":{"n":{"$ref":"#"}}}`,
	} {
		began := time.Now()
		args := `{"n":` + strings.Repeat(`[`, 500) + `"5"` + strings.Repeat(`]`, 500) + `}`
		if got := mcp.Coerce(jsontext.Value(schema), jsontext.Value(args)); string(got) != args {
			t.Errorf("%s: it becomes %.100s", name, got)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s: it took %s", name, took)
		}
	}
}
