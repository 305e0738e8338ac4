package replay

import (
	"bytes"
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
)

// appendHeader appends the first line of a cassette, with its line end.
func appendHeader(b []byte, h *Header) []byte {
	b = append(b, `{"cassette":`...)
	b = strconv.AppendInt(b, Version, 10)
	b = append(b, `,"recorded":"`...)
	b = h.Recorded.UTC().AppendFormat(b, time.RFC3339Nano)
	b = appendText(append(b, `","by":`...), h.By)
	b = appendText(append(b, `,"transport":`...), h.Transport)
	b = append(b, `,"server":{`...)
	if h.Server.Command != "" {
		b = appendText(append(b, `"command":`...), h.Server.Command)
		b = appendTexts(append(b, `,"args":`...), h.Server.Args)
	} else if h.Server.URL != "" {
		b = appendText(append(b, `"url":`...), h.Server.URL)
	}
	extra := splitExtra(h.Extra, "server", "rules")
	b = append(extra.closeWith(b, "server"), `,"rules":{"built-in":`...)
	b = strconv.AppendInt(b, int64(h.Rules.BuiltIn), 10)
	if h.Rules.User != "" {
		b = appendText(append(b, `,"user":`...), h.Rules.User)
	}
	b = extra.closeWith(b, "rules")
	if len(h.Vary) > 0 {
		b = appendTexts(append(b, `,"vary":`...), h.Vary)
	}
	return append(extra.closeWith(b, ""), '\n')
}

// appendFrame appends the line of f, with its line end. The payload comes last, so that a reader finds what it
// needs to know of a frame at the beginning of its line.
func appendFrame(b []byte, f *Frame) []byte {
	return appendFrameRest(appendFrameTime(b, f.At), f)
}

// appendFrameTime appends the beginning of a frame's line; the rest can be made before the time is known.
func appendFrameTime(b []byte, at time.Duration) []byte {
	us := max(at, 0).Round(time.Microsecond).Microseconds()
	b = append(b, `{"at":`...)
	b = strconv.AppendInt(b, us/1e6, 10)
	b = append(b, '.')
	for unit := int64(1e5); unit > 0; unit /= 10 {
		b = append(b, '0'+byte(us/unit%10))
	}
	return b
}

func appendFrameRest(b []byte, f *Frame) []byte {
	if f.From == mcp.FromClient {
		b = append(b, `,"from":"client"`...)
	} else {
		b = append(b, `,"from":"server"`...)
	}
	if f.Session != 0 {
		b = strconv.AppendInt(append(b, `,"session":`...), int64(f.Session), 10)
	}
	if f.Exchange != 0 {
		b = strconv.AppendInt(append(b, `,"exchange":`...), int64(f.Exchange), 10)
	}
	var extra extraParts
	if f.Extra != nil {
		extra = splitExtra(f.Extra, "sse", "http", "exit")
	}
	if f.Event != nil {
		b = appendSSE(b, f.Event, extra)
	}
	if members := extra.members[""]; members != nil {
		b = append(append(b, ','), members...)
	}
	return append(appendPayload(b, f, extra), "}\n"...)
}

func appendPayload(b []byte, f *Frame, extra extraParts) []byte {
	switch f.Kind {
	case mcp.FrameMessage:
		return appendMessage(b, f.Data)
	case mcp.FrameNoise:
		return appendData(b, "noise", "noise", f.Data)
	case mcp.FrameStderr:
		return appendData(b, "stderr", "stderr", f.Data)
	case mcp.FrameBody:
		return appendData(b, "body", "body", f.Data)
	case mcp.FrameClose:
		return append(b, `,"close":true`...)
	case mcp.FrameExit:
		return appendExit(b, f.Exit, extra)
	case mcp.FrameHTTP:
		return appendHead(b, f.Head, extra)
	case mcp.FrameEnd:
		return appendText(append(b, `,"end":`...), string(f.End))
	}
	return b // an event without a message, or a kind that Extra holds
}

// appendMessage writes a message as it came where a line of JSON can hold it, and else as text or base64.
func appendMessage(b, data []byte) []byte {
	if isMessageLine(data) {
		return append(append(b, `,"message":`...), data...)
	}
	return appendData(b, "text", "message", data)
}

// isMessageLine tells whether data can stand in a line as it is: valid UTF-8 JSON on one line, without space around
// it, nested less than 9 000 deep. A carriage return counts as a line end: too many tools take it for one.
func isMessageLine(data []byte) bool {
	if len(data) == 0 || data[0] <= ' ' || data[len(data)-1] <= ' ' {
		return false
	}
	end, deepest, err := scanValue(data, 0)
	return err == nil && end == len(data) && deepest < maxMessageDepth &&
		bytes.IndexByte(data, '\n') < 0 && bytes.IndexByte(data, '\r') < 0 && utf8.Valid(data)
}

// appendData writes data as the string of the given key where it is UTF-8, and else as base64 of its kind.
func appendData(b []byte, key, of string, data []byte) []byte {
	if utf8.Valid(data) {
		b = append(append(append(b, ',', '"'), key...), `":`...)
		b, _ = jsontext.AppendQuote(b, data)
		return b
	}
	b = append(append(append(b, `,"of":"`...), of...), `","bytes":"`...)
	return append(base64.StdEncoding.AppendEncode(b, data), '"')
}

func appendSSE(b []byte, e *mcp.SSE, extra extraParts) []byte {
	b = append(b, `,"sse":{`...)
	open := len(b)
	member := func(name, value string) {
		if len(b) > open {
			b = append(b, ',')
		}
		b = appendText(append(append(append(b, '"'), name...), `":`...), value)
	}
	if e.Event != "" {
		member("event", e.Event)
	}
	if e.HasID || e.ID != "" {
		member("id", e.ID)
	}
	if e.Retry != "" {
		member("retry", e.Retry)
	}
	if e.Comment != "" {
		member("comment", e.Comment)
	}
	return extra.closeWith(b, "sse")
}

func appendExit(b []byte, e *mcp.ExitStatus, extra extraParts) []byte {
	if e == nil {
		e = new(mcp.ExitStatus)
	}
	if e.Signal != "" {
		b = appendText(append(b, `,"exit":{"signal":`...), e.Signal)
	} else {
		b = strconv.AppendInt(append(b, `,"exit":{"code":`...), int64(e.Code), 10)
	}
	return extra.closeWith(b, "exit")
}

func appendHead(b []byte, h *mcp.HTTPHead, extra extraParts) []byte {
	if h == nil {
		h = new(mcp.HTTPHead)
	}
	if h.Method != "" {
		b = appendText(append(b, `,"http":{"method":`...), h.Method)
		b = appendText(append(b, `,"path":`...), h.Path)
	} else {
		b = strconv.AppendInt(append(b, `,"http":{"status":`...), int64(h.Status), 10)
	}
	b = append(b, `,"header":{`...)
	for i, name := range slices.Sorted(maps.Keys(h.Header)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendTexts(append(appendText(b, name), ':'), h.Header[name])
	}
	return extra.closeWith(append(b, '}'), "http")
}

func appendText(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, strings.ToValidUTF8(s, "\uFFFD"))
	return b
}

func appendTexts(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, s)
	}
	return append(b, ']')
}

// extraParts are the unknown keys of a line: the members of the line itself under "", those of an object inside it
// under the object's name.
type extraParts struct{ members map[string][]byte }

// splitExtra takes a Header's or Frame's Extra apart. Whatever is no object holds no keys.
func splitExtra(extra jsontext.Value, inside ...string) extraParts {
	if extra == nil {
		return extraParts{}
	}
	parts := extraParts{make(map[string][]byte)}
	if bytes.IndexByte(extra, '\n') >= 0 { // only between tokens, and a cassette has one line a frame
		extra = bytes.ReplaceAll(extra, []byte{'\n'}, []byte{' '})
	}
	_ = eachMember(extra, func(name string, value []byte) error {
		if slices.Contains(inside, name) && value[0] == '{' {
			members := bytes.TrimSpace(value)
			parts.members[name] = members[1 : len(members)-1]
			return nil
		}
		parts.members[""] = appendMember(parts.members[""], name, value)
		return nil
	})
	return parts
}

// closeWith appends the unknown members of the named object and its closing brace.
func (x extraParts) closeWith(b []byte, name string) []byte {
	if members := x.members[name]; len(members) > 0 {
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(b, members...)
	}
	return append(b, '}')
}
