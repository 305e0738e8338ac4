package jsonrpc

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// FuzzParse holds the scanner to the JSON package: both take the same texts, and a message's parts are values of it.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"\u00e9\ud83d\ude80"}]}}`,
		`{"jsonrpc":"2.0","id":"a","method":"x","params":[-0,1.0,1E2,1e400,0.1000,true,false,null]}`,
		`[{"jsonrpc":"2.0","method":"a"},7]`, `{"a":"\ud800"}`, "{\"a\":\"\xff\"}", `[[[[[]]]]]`, `{"a":{},"a":{}}`, ` 1 `, `-`, `01`, `1.`, `1e`,
		"\"0123456\x1f8\"", `"\u12g4"`, `{"":""}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		want := jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		if got := Valid(data); got != want {
			t.Fatalf("Valid is %v, the JSON package says %v: %q", got, want, data)
		}
		messages, _, err := Split(data)
		if err == nil && !want {
			t.Fatalf("a message from no JSON: %q", data)
		}
		for _, m := range messages {
			for _, v := range []jsontext.Value{m.Raw, m.ID, m.Params, m.Result, m.Error} {
				if v != nil && !Valid(v) {
					t.Fatalf("%q is no value", v)
				}
			}
			if m.Kind() == Invalid {
				t.Fatalf("no kind: %q", m.Raw)
			}
			_ = m.Err()
		}
		SniffID(data)
	})
}
