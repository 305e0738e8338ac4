package mcp_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
)

func TestRender(t *testing.T) {
	for _, c := range []struct{ name, result, text string }{
		{"texts", `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b\nc"},{"text":"d","type":"text"}]}`, "a\nb\nc\nd"},
		{"an image and audio", `{"content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"},{"type":"audio","data":"T2dnUw==","mimeType":"audio/ogg"}]}`,
			"[image: image/png, 8 bytes, not shown]\n[audio: audio/ogg, 4 bytes, not shown]"},
		{"broken base64", `{"content":[{"type":"image","data":"abc","mimeType":"image/png"},{"type":"image","data":"%%%%","mimeType":"image/png"}]}`,
			"[image: image/png, not valid base64, not shown]\n[image: image/png, not valid base64, not shown]"},
		{"no data, no type", `{"content":[{"type":"image"}]}`, "[image: 0 bytes, not shown]"},
		{"resources", `{"content":[{"type":"resource","resource":{"uri":"fx://a","text":"r"}},{"type":"resource","resource":{"uri":"fx://b","blob":"AAEC","mimeType":"application/x"}},{"type":"resource","resource":{"uri":"fx://c","blob":"AA=="}}]}`,
			"r\n[resource: fx://b, application/x, 3 bytes, not shown]\n[resource: fx://c, 1 bytes, not shown]"},
		{"links", `{"content":[{"type":"resource_link","uri":"fx://c","name":"c","size":12},{"type":"resource_link","uri":"fx://d","name":"d","mimeType":"text/plain"}]}`,
			"[resource link: c, fx://c]\n[resource link: d, fx://d, text/plain]"},
		{"what is not known", `{"content":[{"type":"x-future","v":{"deep":[1]}},{"text":"no type"},null,7]}`,
			"[x-future: 36 bytes of JSON, not shown]\n[content without a type, 18 bytes of JSON, not shown]\n[content that is no object, not shown]\n[content that is no object, not shown]"},
		{"structured only", `{"content":[],"structuredContent":{"total": 36, "n": 1.0, "big": 9007199254740993}}`, `{"total":36,"n":1.0,"big":9007199254740993}`},
		{"structured, content null", `{"content":null,"structuredContent":{"a":1}}`, `{"a":1}`},
		{"structured, content absent, an array", `{"structuredContent":[1, 2]}`, `[1,2]`},
		{"structured beside a text", `{"content":[{"type":"text","text":""}],"structuredContent":{"a":1}}`, ""},
		{"structured beside a text resource", `{"content":[{"type":"resource","resource":{"uri":"u","text":"r"}}],"structuredContent":{"a":1}}`, "r"},
		{"structured beside an image", `{"content":[{"type":"image","data":"","mimeType":"image/png"}],"structuredContent":{"a":1,"a":"\ud800"}}`, "{\"a\":1,\"a\":\"\\ud800\"}\n[image: image/png, 0 bytes, not shown]"},
		{"structured null", `{"content":[],"structuredContent":null}`, ""},
		{"nothing", `{}`, ""},
		{"no object", `[1]`, ""},
		{"no UTF-8", "{\"content\":[{\"type\":\"text\",\"text\":\"a\xff\\ud800b\"}]}", "a\uFFFD\uFFFDb"},
	} {
		if got := mcp.Render(jsontext.Value(c.result)); got.Text != c.text || got.Failed {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got.Text, c.text)
		}
	}
	if r := mcp.Render(jsontext.Value(`{"content":[{"type":"text","text":"no"}],"isError":true,"structuredContent":{"a":1.0}}`)); !r.Failed || r.Text != "no" || string(r.Structured) != `{"a":1.0}` {
		t.Errorf("%+v", r)
	}
}

func TestTextIsCapped(t *testing.T) {
	for _, c := range []struct {
		length int
		char   string
	}{{12000, "x"}, {12001, "x"}, {40000, "x"}, {12000, "🚀"}, {12001, "é"}} {
		text := strings.Repeat(c.char, c.length)
		got := mcp.Render(jsontext.Value(`{"content":[{"type":"text","text":"` + text + `"}]}`)).Text
		if n := utf8.RuneCountInString(got); n != min(c.length, 12000) {
			t.Errorf("%d of %s: %d characters", c.length, c.char, n)
		}
		if last := "\n[cut: 40000 characters in all]"; c.length == 40000 && got != text[:12000-len(last)]+last {
			t.Errorf("it ends %q", got[11950:])
		}
		if c.length == 12000 && got != text {
			t.Error("a text that fits was cut")
		}
	}
}

// FuzzRender holds that no result panics, and that a text is valid UTF-8 of at most 12 000 characters.
func FuzzRender(f *testing.F) {
	f.Add([]byte(`{"content":[{"type":"text","text":"a\u00e9"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}],"isError":true}`))
	f.Add([]byte(`{"content":[{"type":"resource","resource":{"uri":"u","blob":"AA=="}},{"type":"resource_link","uri":"u","name":"n"},{"type":"x"},null]}`))
	f.Add([]byte(`{"structuredContent":{"a":[1.0,"\ud800"]},"content":{}}`))
	f.Add([]byte("{\"content\":[{\"type\":\"text\",\"text\":\"\xff\"},{\"type\":1}]}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := mcp.Render(data)
		if !utf8.ValidString(r.Text) {
			t.Errorf("%q becomes %q", data, r.Text)
		}
		if n := utf8.RuneCountInString(r.Text); n > 12000 {
			t.Errorf("%d characters", n)
		}
	})
}

// FuzzCoerce holds that no schema and no arguments panic, and that JSON stays JSON.
func FuzzCoerce(f *testing.F) {
	f.Add([]byte(`{"properties":{"n":{"type":"integer"},"o":{"$ref":"#"}}}`), []byte(`{"n":"5","o":"{\"n\":\"6\"}"}`))
	f.Add([]byte(`{"anyOf":[{"$ref":"#/x"},{"properties":{"k":{"const":1}}}],"x":{"items":{"type":["string","null"]}}}`), []byte(`{"k":"1","a":[1,true]}`))
	f.Add([]byte(`{"$ref":"#a","allOf":[{"$anchor":"a","patternProperties":{"^a":{"enum":[1,"2"]}}}]}`), []byte(`"{\"a\":\"1\"}"`))
	f.Fuzz(func(t *testing.T, schema, args []byte) {
		before := string(args)
		got := mcp.Coerce(schema, args)
		if string(args) != before {
			t.Error("the arguments were changed in place")
		}
		lenient := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
		if jsontext.Value(args).IsValid(lenient...) && !got.IsValid(lenient...) {
			t.Errorf("%s with %s becomes %s", args, schema, got)
		}
	})
}
