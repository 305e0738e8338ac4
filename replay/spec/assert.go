package spec

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/display"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
	"github.com/imurun/mcp-replay/replay/timeline"
)

// subject is what a call is about.
func (c *call) subject() string {
	if c.method != "tools/call" {
		return strings.TrimSpace(c.method + " " + c.name)
	}
	return c.name
}

// title is what a call's scenario is called.
func (c *call) title() string {
	if c.method != "tools/call" {
		return c.subject()
	}
	var parts []string
	for name, value := range jsonrpc.Members(meaning.At(c.params, "arguments")) {
		v := meaning.Text(value)
		if value.Kind() != '"' {
			v = string(value)
		}
		if len(parts) < 3 {
			parts = append(parts, fmt.Sprintf("%s %s", name, display.Cut(strings.Join(strings.Fields(v), " "), 30)))
		}
	}
	if parts == nil {
		return c.name
	}
	return c.name + " with " + strings.Join(parts, ", ")
}

// call writes the steps that make a call and look at what comes back.
func (f *feature) call(c *call) {
	if c.method == "tools/call" {
		f.ask(fmt.Sprintf(`the host calls the tool "%s"`, c.name), meaning.At(c.params, "arguments"))
	} else {
		f.ask(fmt.Sprintf(`the host sends the request "%s"`, c.method), withoutMeta(c.params))
	}
	switch {
	case c.outcome == timeline.Error:
		f.refusal(c)
	case c.outcome == timeline.Failed:
		f.failure(mcp.Render(plain(c.answer.Result)).Text)
	case c.method == "tools/call":
		f.result(c)
	default:
		f.answer(c)
	}
}

// ask writes the request with its arguments: as a table where each is simple, else as JSON.
func (f *feature) ask(step string, args jsontext.Value) {
	var table [][]string
	simple := true
	for name, value := range jsonrpc.Members(args) {
		cell, ok := cellOf(value)
		simple = simple && ok && sayable(string(name)) && len(name) > 0
		table = append(table, []string{string(name), cell})
	}
	switch {
	case len(table) == 0:
		f.step("When", "%s", step)
	case simple:
		f.step("When", "%s with:", step)
		f.table(table)
	default:
		f.step("When", "%s with:", step)
		f.doc(indented(args))
	}
}

// cellOf writes a value as a cell of a table: a string as it is, unless it reads like JSON.
func cellOf(v jsontext.Value) (string, bool) {
	v = visible(v)
	if v.Kind() == '{' || v.Kind() == '[' {
		return string(v), len(v) < 60 && !strings.ContainsAny(string(v), "\n\r")
	}
	if v.Kind() != '"' {
		return string(v), true
	}
	s := meaning.Text(v)
	if sayable(s) && s != "" && len(s) < 80 && !jsonrpc.Valid([]byte(s)) {
		return s, true
	}
	return string(v), len(v) < 80
}

func indented(v jsontext.Value) string {
	v = v.Clone()
	if v.Indent(jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true)) != nil {
		return string(visible(v))
	}
	return string(visible(v))
}

func withoutMeta(params jsontext.Value) jsontext.Value {
	if meaning.At(params, "_meta") == nil {
		return params
	}
	b := []byte{'{'}
	for name, value := range jsonrpc.Members(params) {
		if string(name) == "_meta" {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b, _ = jsontext.AppendQuote(b, name)
		b = append(append(b, ':'), value...)
	}
	return append(b, '}')
}

// plain gives a value as the player gives it back: what no placeholder is comes back as it was.
func plain(v jsontext.Value) jsontext.Value {
	if !meaning.HasPlaceholder(v) {
		return v
	}
	return meaning.Bindings(nil).Fill(nil, v, nil)
}

// refusal is a JSON-RPC error.
func (f *feature) refusal(c *call) {
	e := c.answer.Err()
	if line := stableLine(e.Message); line != "" && sayable(line) {
		f.step("Then", `the call fails with a text that contains "%s"`, line)
	} else {
		f.step("Then", "the call fails")
	}
	f.step("Then", "the call fails with the code %d", e.Code)
}

// failure is a tool result with isError.
func (f *feature) failure(text string) {
	switch line := stableLine(text); {
	case whole(text) && sayable(text):
		f.step("Then", `the call fails with "%s"`, text)
	case whole(text):
		f.step("Then", "the call fails with:")
		f.doc(text)
	case line != "" && sayable(line):
		f.step("Then", `the call fails with a text that contains "%s"`, line)
	default:
		f.step("Then", "the call fails")
	}
}

// result is a tool's result: its structured content where it has some, else its text.
func (f *feature) result(c *call) {
	result := plain(c.answer.Result)
	if structured := jsontext.Value(meaning.At(result, "structuredContent")); structured.Kind() == '{' {
		if values := f.worthwhile(c, structured, "/result/structuredContent"); len(values) > 0 {
			for _, v := range values {
				f.step("Then", `the structured content has "%s" equal to %s`, v.pointer, v.value)
			}
			return
		}
	}
	f.text(mcp.Render(result).Text, f.textVaries(c))
}

func (f *feature) text(text string, varies bool) {
	line := stableLine(text)
	switch {
	case varies:
		f.step("Then", "the call succeeds")
	case whole(text) && sayable(text):
		f.step("Then", `the result is "%s"`, text)
	case whole(text):
		f.step("Then", "the result is:")
		f.doc(text)
	case line != "" && sayable(line):
		f.step("Then", `the result contains "%s"`, line)
	case line != "" && showable(line):
		f.step("Then", "the result contains:")
		f.doc(line)
	default:
		f.step("Then", "the call succeeds")
	}
}

// answer is the result of any other request.
func (f *feature) answer(c *call) {
	f.step("Then", "the call succeeds")
	for _, v := range f.worthwhile(c, plain(c.answer.Result), "/result") {
		f.step("Then", `the answer has "%s" equal to %s`, v.pointer, v.value)
	}
}

type value struct {
	pointer string
	value   jsontext.Value
}

// maxValues is how many values of one answer are worth asserting.
const maxValues = 5

// worthwhile gives the first values of v that can be asserted, and will be the same next time.
func (f *feature) worthwhile(c *call, v jsontext.Value, whole string) []value {
	var found []value
	var walk func(v jsontext.Value, pointer string, depth int)
	walk = func(v jsontext.Value, pointer string, depth int) {
		if len(found) == maxValues || depth > 6 || f.varies(c, whole+pointer) {
			return
		}
		switch v.Kind() {
		case '{':
			for name, child := range jsonrpc.Members(v) {
				if n := string(name); n != "_meta" && sayable(n) {
					walk(child, pointer+"/"+meaning.Escape(n), depth+1)
				}
			}
		case '[':
			i := 0
			for child := range jsonrpc.Elements(v) {
				if i < 2 { // the beginning of a list speaks for the rest
					walk(child, fmt.Sprintf("%s/%d", pointer, i), depth+1)
				}
				i++
			}
		default:
			if s := string(v); pointer != "" && len(s) <= 80 && volatile().FindString(s) == "" && !strings.ContainsAny(s, "{}\n") && len(display.Hidden(meaning.Text(v))) == 0 {
				found = append(found, value{pointer, v})
			}
		}
	}
	walk(v, "", 0)
	return found
}

// varies says whether the cassette's header names a place in the answer to a call as varying, or one that holds it.
func (f *feature) varies(c *call, pointer string) bool {
	request := &jsonrpc.Message{Method: c.method, Params: c.params}
	for at := pointer; at != ""; at = at[:strings.LastIndexByte(at, '/')] {
		if f.session.cassette.Header().Varies(request, at) {
			return true
		}
	}
	return false
}

// textVaries says whether the text of a result varies, in one of its blocks.
func (f *feature) textVaries(c *call) bool {
	n := 0
	for range jsonrpc.Elements(meaning.At(c.answer.Result, "content")) {
		if f.varies(c, fmt.Sprintf("/result/content/%d/text", n)) {
			return true
		}
		n++
	}
	return false
}

// volatile matches what will be another value next time: times, identifiers, ports, what was redacted.
var volatile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(strings.Join([]string{
		`\d{4}-\d\d-\d\d`, `\d{1,2}:\d\d(:\d\d)?`, `\b1[5-9]\d{8}(\d{3})?\b`, `\d+(\.\d+)? ?(ms|µs|s|sec|seconds|minutes)\b`,
		`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-`, `\b(?:[0-9]+[a-f]|[a-f]+[0-9])[0-9a-f]{10,}\b`, `(localhost|127\.0\.0\.1|\[::1\]):\d+`,
		`\[redacted:`, `\[path:`, `\b(pid|PID)\b`, `\d+\.\d{4,}`,
	}, "|"))
})

// whole says whether a text is short and lasting enough to be asserted as it is.
func whole(s string) bool {
	return showable(s) && len(s) <= 400 && strings.Count(s, "\n") < 12 && !volatile().MatchString(s) && !strings.Contains(s, "{")
}

// stableLine gives the first line of a text that will be the same next time, or the part of it before what will not.
func stableLine(s string) string {
	n := 0
	for line := range strings.SplitSeq(s, "\n") {
		if n++; n > 50 {
			break
		}
		line = strings.TrimSpace(line)
		if at := volatile().FindStringIndex(line); at != nil {
			line = strings.TrimSpace(line[:at[0]])
		}
		if len(line) > 160 {
			line = line[:strings.LastIndexByte(line[:160], ' ')+1]
		}
		if line = strings.TrimSpace(line); len(line) >= 4 && sayable(line) {
			return line
		}
	}
	return ""
}
