package jsonrpc

import (
	"errors"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text                              string
		kind                              Kind
		id, method, params, result, error string
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, Request, "1", "ping", "", "", ""},
		{` { "jsonrpc" : "2.0" , "\u0069d" : "a" , "method" : "x\/y", "params" : [ ] } `, Request, `"a"`, "x/y", "[ ]", "", ""},
		{`{"jsonrpc":"2.0","method":"notifications/message","params":null}`, Notification, "", "notifications/message", "null", "", ""},
		{`{"jsonrpc":"2.0","id":null,"method":"n"}`, Notification, "null", "n", "", "", ""},
		{`{"result":{"a":[1,{"b":2}]},"jsonrpc":"2.0","id":-3}`, Response, "-3", "", "", `{"a":[1,{"b":2}]}`, ""},
		{`{"jsonrpc":"2.0","id":1,"result":null,"error":null}`, Response, "1", "", "", "null", ""},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}}`, Response, "null", "", "", "", `{"code":-32700,"message":"parse"}`},
		{`{"jsonrpc":"2.0","id":1,"id":2,"result":{}}`, Response, "2", "", "", "{}", ""},
	} {
		m, err := Parse([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		got := []string{string(m.ID), m.Method, string(m.Params), string(m.Result), string(m.Error)}
		want := []string{c.id, c.method, c.params, c.result, c.error}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: part %d is %q, want %q", c.text, i, got[i], want[i])
			}
		}
		if m.Kind() != c.kind {
			t.Errorf("%s: kind %v, want %v", c.text, m.Kind(), c.kind)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{`{}`, `[]`, `42`, `"ready"`, `{"id":1,"result":{}}`, `{"jsonrpc":"2.0","id":1}`,
		`{"jsonrpc":"2.0","id":[1],"result":1}`, `{"jsonrpc":"2.0","method":1}`, `{"jsonrpc":2.0,"method":"x"}`,
		`{"jsonrpc":"2.0","id":"zzz"}`} {
		if _, err := Parse([]byte(text)); !errors.Is(err, ErrNotMessage) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{``, ` `, `{`, `{"a"`, `{"a":1,}`, `{"jsonrpc":"2.0","id":1,"result":{}}{}`, `{"a":tru}`, "{\"a\":\"\n\"}", `{"a":1 "b":2}`} {
		if _, err := Parse([]byte(text)); err == nil || errors.Is(err, ErrNotMessage) || errors.Is(err, errSyntax) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestSplit(t *testing.T) {
	ms, bad, err := Split([]byte(`[{"jsonrpc":"2.0","method":"a"},{"id":"zzz"},{"jsonrpc":"2.0","id":2,"result":{}},7]`))
	if err != nil || bad != 2 || len(ms) != 2 || ms[0].Method != "a" || string(ms[1].ID) != "2" {
		t.Errorf("%v, %d bad, %v", ms, bad, err)
	}
	if _, _, err := Split([]byte("[]")); !errors.Is(err, ErrNotMessage) {
		t.Error(err)
	}
}
