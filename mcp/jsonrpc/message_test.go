package jsonrpc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestAppend(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{string(AppendRequest(nil, 7, "tools/call", jsontext.Value(`{"a":1.0}`))), `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"a":1.0}}`},
		{string(AppendRequest([]byte("x"), 1, `a"b`, nil)), `x{"jsonrpc":"2.0","id":1,"method":"a\"b"}`},
		{string(AppendNotification(nil, "n", jsontext.Value(`[]`))), `{"jsonrpc":"2.0","method":"n","params":[]}`},
		{string(AppendResult(nil, jsontext.Value(`"a"`), jsontext.Value(`{}`))), `{"jsonrpc":"2.0","id":"a","result":{}}`},
		{string(AppendError(nil, nil, &Error{Code: CodeParseError, Message: "no \"JSON\""})), `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no \"JSON\""}}`},
		{string(AppendError(nil, jsontext.Value("1"), &Error{Code: 1, Message: "x", Data: jsontext.Value("[1]")})), `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x","data":[1]}}`},
	} {
		if c.got != c.want {
			t.Errorf("\n got %s\nwant %s", c.got, c.want)
		}
	}
}

func TestErr(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"code":-32602,"message":"no","data":{"a":1}}`, `no (code -32602) {"a":1}`},
		{`{"message":"a\u00e4\ud800","code":7.00}`, "aä\uFFFD (code 7) null"},
		{`{"code":1e2,"message":"x","data":null}`, `x (code -32603) null`},
		{`[1]`, `the server sent an error that cannot be read: [1] (code -32603) null`},
		{`{"code":1,"message":2}`, `the server sent an error without a message: {"code":1,"message":2} (code 1) null`},
		{`"` + strings.Repeat("x", 400) + `"`, `the server sent an error that cannot be read: "` + strings.Repeat("x", 299) + `… (code -32603) null`},
	} {
		m, err := Parse([]byte(`{"jsonrpc":"2.0","id":1,"error":` + c.text + `}`))
		if err != nil {
			t.Fatal(err)
		}
		e := m.Err()
		if got := e.Error() + " " + e.Data.String(); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
	var none Message
	if none.Err() != nil {
		t.Error("no error is one")
	}
}

func TestWalks(t *testing.T) {
	var got []string
	for name, v := range Members(jsontext.Value(` { "a" : 1.0 , "\u00e4" : [ ] , "a":{"b":2}} `)) {
		got = append(got, fmt.Sprintf("%s=%s", name, []byte(v)))
	}
	for v := range Elements(jsontext.Value(`[1 , "x",[ 2 ]]`)) {
		got = append(got, string(v))
	}
	for range Members(jsontext.Value(`[1]`)) {
		got = append(got, "a member of an array")
	}
	for range Elements(jsontext.Value(`{"a":1}`)) {
		got = append(got, "an element of an object")
	}
	for name := range Members(jsontext.Value(`{"a":1,"b":tru}`)) {
		got = append(got, string(name))
	}
	if want := `a=1.0 ä=[ ] a={"b":2} 1 "x" [ 2 ] a`; strings.Join(got, " ") != want {
		t.Errorf("%s", strings.Join(got, " "))
	}
}

func TestRewrite(t *testing.T) {
	double := func(_ []byte, v jsontext.Value) jsontext.Value {
		if v[0] == '1' {
			return jsontext.Value("22")
		}
		return v
	}
	for in, want := range map[string]string{
		`{ "a" : 1 , "b":[1], "c":1 }`: `{ "a" : 22 , "b":[1], "c":22 }`,
		`[1,2 ,1]`:                     `[22,2 ,22]`,
		`{}`:                           `{}`,
		`"1"`:                          `"1"`,
		`{"a":1,"b"`:                   `{"a":22,"b"`,
	} {
		if got := Rewrite(jsontext.Value(in), double); string(got) != want {
			t.Errorf("%s becomes %s", in, got)
		}
	}
	same := jsontext.Value(`{"a":2}`)
	if got := Rewrite(same, double); &got[0] != &same[0] {
		t.Error("what does not change is copied")
	}
}

func TestDepth(t *testing.T) {
	for depth, want := range map[int]bool{maxDepth: true, maxDepth + 1: false} {
		if text := strings.Repeat("[", depth) + strings.Repeat("]", depth); Valid([]byte(text)) != want {
			t.Errorf("%d deep: %v", depth, !want)
		}
	}
}

func TestTrimBOM(t *testing.T) {
	if got := string(TrimBOM([]byte("\ufeff{}"))); got != "{}" {
		t.Errorf("%q", got)
	}
}
