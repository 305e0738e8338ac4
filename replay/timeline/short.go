package timeline

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// nameOf is what a request is about: the tool or prompt it names, or the resource's URI.
func nameOf(method string, params jsontext.Value) string {
	switch method {
	case "tools/call", "prompts/get":
		return meaning.Text(meaning.At(params, "name"))
	case "resources/read", "resources/subscribe", "resources/unsubscribe", "notifications/resources/updated":
		return meaning.Text(meaning.At(params, "uri"))
	}
	return ""
}

// said is the short form of what a request or notification says beside its method and name.
func said(method string, params jsontext.Value) string {
	switch method {
	case "initialize":
		s := "asks for " + meaning.Text(meaning.At(params, "protocolVersion"))
		if name := meaning.Text(meaning.At(params, "clientInfo", "name")); name != "" {
			s = name + " " + s
		}
		return s
	case "tools/call", "prompts/get":
		return members(meaning.At(params, "arguments"), "")
	case "notifications/progress":
		return progress(params)
	case "notifications/message":
		level, data := meaning.Text(meaning.At(params, "level")), meaning.At(params, "data")
		if s := meaning.Text(data); s != "" {
			return level + ": " + s
		}
		return level + ": " + head(data)
	case "resources/read", "resources/subscribe", "resources/unsubscribe", "notifications/resources/updated":
		return ""
	}
	return members(params, "_meta")
}

func progress(params jsontext.Value) string {
	s := string(meaning.At(params, "progress"))
	if total := meaning.At(params, "total"); total != nil {
		s += "/" + string(total)
	}
	if text := meaning.Text(meaning.At(params, "message")); text != "" {
		s += " " + text
	}
	return s
}

// got is the short form of a result.
func got(method string, result jsontext.Value) string {
	switch method {
	case "initialize":
		name, version := meaning.Text(meaning.At(result, "serverInfo", "name")), meaning.Text(meaning.At(result, "serverInfo", "version"))
		return strings.TrimSpace(name+" "+version) + " speaks " + meaning.Text(meaning.At(result, "protocolVersion"))
	case "tools/call":
		return content(result)
	case "tools/list", "resources/list", "prompts/list", "resources/templates/list", "roots/list":
		return listed(method, result)
	}
	return members(result, "_meta")
}

// listed counts what a list holds.
func listed(method string, result jsontext.Value) string {
	noun := strings.TrimSuffix(method, "/list")
	key := noun
	if noun == "resources/templates" {
		noun, key = "templates", "resourceTemplates"
	}
	n := 0
	for range jsonrpc.Elements(meaning.At(result, key)) {
		n++
	}
	s := fmt.Sprintf("%d %s", n, noun)
	if n == 1 {
		s = strings.TrimSuffix(s, "s")
	}
	if meaning.At(result, "nextCursor") != nil {
		s += ", more to come"
	}
	return s
}

// content is the beginning of the text of a tool's result, or what the result holds where it has none.
func content(result jsontext.Value) string {
	var text string
	var others []string
	list := meaning.At(result, "content")
	for m := range meaning.Members(list) {
		kind, own, resource := contentPart(list[m.Start:m.End])
		switch kind {
		case "text":
			text = beginning(own)
		case "resource":
			text = beginning(meaning.At(resource, "text"))
			others = append(others, "[resource]")
		default:
			others = append(others, "["+kind+"]")
		}
		if text != "" || len(others) > 3 {
			break
		}
	}
	if text != "" {
		return text
	}
	if structured := meaning.At(result, "structuredContent"); structured != nil {
		return head(structured)
	}
	return strings.Join(others, " ")
}

// contentPart takes an element of a result's content apart, in one walk.
func contentPart(part []byte) (kind string, text, resource []byte) {
	for m := range meaning.Members(part) {
		value := part[m.Start:m.End]
		switch {
		case m.Is("type"):
			kind = meaning.Text(value)
		case m.Is("text"):
			text = value
		case m.Is("resource"):
			resource = value
		}
	}
	return kind, text, resource
}

// maxBeginning is how much of a long string is decoded for its short form, as it is spelt: enough for a sentence of
// what went wrong, too.
const maxBeginning = 1024

// beginning decodes a JSON string, of a long one only the beginning: an answer may be a file of many megabytes.
func beginning(v []byte) string {
	if len(v) <= maxBeginning {
		return meaning.Text(v)
	}
	end := 1
	for end < maxBeginning { // never inside an escape
		n := bytes.IndexByte(v[end:maxBeginning], '\\')
		switch {
		case n < 0:
			end = maxBeginning
		case v[end+n+1] == 'u':
			end += n + len(`\u0000`)
		default:
			end += n + len(`\n`)
		}
	}
	for !utf8.RuneStart(v[end]) {
		end--
	}
	return meaning.Text(append(v[:end:end], '"'))
}

// failure is the short form of an error.
func failure(m *jsonrpc.Message) string {
	e := m.Err()
	return fmt.Sprintf("%s (%d)", e.Message, e.Code)
}

// isFailed says whether a result has isError: true.
func isFailed(result jsontext.Value) bool { return string(meaning.At(result, "isError")) == "true" }

// members is the short form of an object, without one of its members; an empty one is nothing to show.
func members(v jsontext.Value, without string) string {
	if v.Kind() != '{' {
		return head(v)
	}
	var b strings.Builder
	for name, value := range jsonrpc.Members(v) {
		if string(name) == without {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(name) + ": " + head(value))
		if b.Len() >= maxShort {
			break
		}
	}
	return b.String()
}

// head is the beginning of a JSON value without its white space.
func head(v jsontext.Value) string {
	b := make([]byte, 0, maxShort+utf8.UTFMax)
	inString := false
	for i := 0; i < len(v) && len(b) <= maxShort; i++ {
		c := v[i]
		switch {
		case inString && c == '\\' && i+1 < len(v):
			b = append(b, c)
			i++
			c = v[i]
		case c == '"':
			inString = !inString
		case !inString && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			continue
		}
		b = append(b, c)
	}
	return string(b)
}

// cutBytes shortens s to at most n bytes, at a character's boundary.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n -= len("…")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
