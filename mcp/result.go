package mcp

import (
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// maxText is how many characters the text of a result has at most (CALL-6).
const maxText = 12000

// Result is what a tool call gave.
type Result struct {
	Raw        jsontext.Value // as it came; nil for a [FailedResult]
	Failed     bool           // the server set isError (CALL-7), or the call failed
	Text       string         // for a model or a person, at most 12 000 characters
	Structured jsontext.Value // structuredContent as it came; nil where there is none
}

// FailedResult makes a failed result of a call's error, with its words: a host always gets a result (CALL-8, CALL-9).
func FailedResult(err error) *Result {
	return &Result{Failed: true, Text: capText(strings.ToValidUTF8(err.Error(), "\uFFFD"))}
}

// Render reads the result of tools/call and makes its text (CALL-1 to CALL-7). It takes any bytes: what it does not know it
// describes in a line.
func Render(result jsontext.Value) *Result {
	r := &Result{Raw: result}
	var content jsontext.Value
	for name, v := range jsonrpc.Members(result) {
		switch string(name) {
		case "content":
			content = v
		case "structuredContent":
			if r.Structured = v; v[0] == 'n' {
				r.Structured = nil
			}
		case "isError":
			r.Failed = v[0] == 't'
		}
	}
	r.Text = capText(r.render(content))
	return r
}

// render joins the parts of a result by newlines (CALL-1).
func (r *Result) render(content jsontext.Value) string {
	if s, ok := onlyText(content); ok {
		return s
	}
	var b []byte
	parts, isText := 0, false
	for v := range jsonrpc.Elements(content) {
		if parts > 0 {
			b = append(b, '\n')
		}
		var t bool
		b, t = appendPart(b, v)
		isText = isText || t
		parts++
	}
	if isText || r.Structured == nil {
		return string(b)
	}
	// CALL-5
	s, err := jsontext.AppendFormat(nil, r.Structured, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true),
		jsontext.PreserveRawStrings(true), jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false))
	if err != nil {
		s = r.Structured
	}
	text := strings.ToValidUTF8(string(s), "\uFFFD")
	if parts > 0 {
		text += "\n" + string(b)
	}
	return text
}

// onlyText gives the text of a result that has one part, a text: the usual case, and the only big one.
func onlyText(content jsontext.Value) (text string, ok bool) {
	parts := 0
	for v := range jsonrpc.Elements(content) {
		if parts++; parts > 1 {
			return "", false
		}
		var p part
		if p.read(v); p.kind != "text" || p.text == nil {
			return "", false
		}
		text = unquote(p.text)
	}
	return text, parts == 1
}

// part is one block of a result's content.
type part struct {
	kind                            string
	text, data, mime, uri, name, of jsontext.Value
	blob                            jsontext.Value
	isObject                        bool
}

func (p *part) read(v jsontext.Value) {
	p.isObject = len(v) > 0 && v[0] == '{'
	for name, v := range jsonrpc.Members(v) {
		isString := v[0] == '"'
		switch string(name) {
		case "type":
			p.kind = kindOf(v)
		case "text":
			if isString {
				p.text = v
			}
		case "data":
			if isString {
				p.data = v
			}
		case "blob":
			if isString {
				p.blob = v
			}
		case "mimeType":
			if isString {
				p.mime = v
			}
		case "uri":
			if isString {
				p.uri = v
			}
		case "name":
			if isString {
				p.name = v
			}
		case "resource":
			p.of = v
		}
	}
}

func kindOf(v jsontext.Value) string {
	if string(v) == `"text"` {
		return "text"
	}
	return text(v)
}

// unquote is text without a copy where the string holds no escapes and is UTF-8.
func unquote(v jsontext.Value) string {
	if v == nil {
		return ""
	}
	in := v[1 : len(v)-1]
	for _, c := range in {
		if c == '\\' || c >= 0x80 {
			return text(v)
		}
	}
	return string(in)
}

// appendPart renders one part and says whether it is text.
func appendPart(b []byte, v jsontext.Value) ([]byte, bool) {
	var p part
	p.read(v)
	switch p.kind {
	case "text":
		if p.text != nil {
			return append(b, unquote(p.text)...), true
		}
	case "image", "audio":
		return appendMedia(b, p.kind, p.mime, p.data), false // CALL-2
	case "resource":
		return appendResource(b, p.of)
	case "resource_link":
		b = append(append(b, "[resource link: "...), unquote(p.name)...)
		b = append(append(b, ", "...), unquote(p.uri)...)
		if p.mime != nil {
			b = append(append(b, ", "...), unquote(p.mime)...)
		}
		return append(b, ']'), false
	}
	if !p.isObject {
		return append(b, "[content that is no object, not shown]"...), false
	}
	if p.kind == "" {
		return fmt.Appendf(b, "[content without a type, %d bytes of JSON, not shown]", len(v)), false
	}
	return fmt.Appendf(b, "[%s: %d bytes of JSON, not shown]", p.kind, len(v)), false
}

func appendMedia(b []byte, kind string, mime, data jsontext.Value) []byte {
	b = append(append(append(b, '['), kind...), ": "...)
	if m := unquote(mime); m != "" {
		b = append(append(b, m...), ", "...)
	}
	return append(append(b, size(data)...), ", not shown]"...)
}

func appendResource(b []byte, v jsontext.Value) ([]byte, bool) {
	var p part
	p.read(v)
	if p.text != nil {
		return append(b, unquote(p.text)...), true // CALL-3
	}
	b = append(append(b, "[resource: "...), unquote(p.uri)...) // CALL-4
	if m := unquote(p.mime); m != "" {
		b = append(append(b, ", "...), m...)
	}
	return append(append(append(b, ", "...), size(p.blob)...), ", not shown]"...), false
}

// size says how many bytes a base64 string holds.
func size(data jsontext.Value) string {
	if data == nil {
		return "0 bytes"
	}
	n, ok := decodedLen(unquote(data))
	if !ok {
		return "not valid base64"
	}
	return strconv.Itoa(n) + " bytes"
}

// decodedLen decodes base64 and counts the bytes.
func decodedLen(s string) (int, bool) {
	var out [3 << 10]byte
	total := 0
	r := base64.NewDecoder(base64.StdEncoding, strings.NewReader(s))
	for {
		n, err := r.Read(out[:])
		total += n
		if err != nil {
			return total, err == io.EOF
		}
	}
}

// capText cuts a text to maxText characters, the line that says so included (CALL-6).
func capText(s string) string {
	if len(s) <= maxText {
		return s
	}
	all := utf8.RuneCountInString(s)
	if all <= maxText {
		return s
	}
	last := fmt.Sprintf("\n[cut: %d characters in all]", all)
	keep := maxText - len(last)
	for i := range s {
		if keep == 0 {
			return s[:i] + last
		}
		keep--
	}
	return s
}
