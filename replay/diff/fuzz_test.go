package diff

import (
	"io"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func FuzzTools(f *testing.F) {
	for _, seed := range []string{
		`{"name":"t","inputSchema":{"type":["string","null"],"properties":{"a":{"$ref":"#/$defs/X"}},"required":["a"],"$defs":{"X":{"enum":[1,2]}}}}`,
		`{"name":"t","inputSchema":{"type":"object","anyOf":[{"minimum":1e9},{}],"not":{"items":[true,false]},"additionalProperties":false}}`,
		`{"name":"t","annotations":{"destructiveHint":"yes"},"description":"\u202e","outputSchema":{"allOf":[{"const":1}]}}`,
		`{"name":"t","inputSchema":[],"annotations":7,"title":{}}`, `{"name":`, ``, `[]`,
	} {
		f.Add([]byte(seed), []byte(seed))
		f.Add([]byte(seed), []byte(`{"name":"t"}`))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		r := Tools([]jsontext.Value{a}, []jsontext.Value{b})
		if err := r.WriteText(io.Discard, nil); err != nil {
			t.Fatal(err)
		}
		if err := r.WriteJSON(io.Discard); err != nil {
			t.Fatal(err)
		}
		if same := Tools([]jsontext.Value{a}, []jsontext.Value{a}); len(same.Changes) > 0 {
			t.Errorf("a tool differs from itself: %+v", same.Changes)
		}
	})
}
