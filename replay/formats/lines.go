package formats

import (
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// readRec reads yubinkim444/mcp-rec: {"ts":float,"dir":"client->server","msg":{…}}.
func readRec(in *input) error {
	return in.each(func(entry string, v jsontext.Value) {
		in.rec.unknown(entry, v, "ts", "dir", "msg")
		in.directed(entry, in.since(instant(meaning.At(v, "ts"))), v, meaning.At(v, "msg"))
	})
}

// readToddegray reads toddegray/mcp-recorder: {seq, t, dir, msg} and a last {type:"summary"}, which names the server.
func readToddegray(in *input) error {
	return in.each(func(entry string, v jsontext.Value) {
		if text(v, "type") == "summary" {
			in.rec.Header.Server = serverOf(meaning.At(v, "server"))
			return // the rest of it is counted from the messages
		}
		in.rec.unknown(entry, v, "seq", "t", "dir", "msg")
		in.directed(entry, in.since(instant(meaning.At(v, "t"))), v, meaning.At(v, "msg"))
	})
}

func serverOf(v jsontext.Value) replay.ServerLine {
	return replay.ServerLine{Command: text(v, "command"), Args: texts(v, "args")}
}

// readTape reads mcp-tape, from its description: a meta line, lines with what passed, and the end.
func readTape(in *input) error {
	return in.each(func(entry string, v jsontext.Value) {
		at := number(meaning.At(v, "t"), time.Millisecond)
		switch text(v, "type") {
		case "meta":
			in.rec.unknown(entry, v, "v", "type", "startedAt", "command")
			in.begin(instant(meaning.At(v, "startedAt")))
			in.rec.Header.Server = command(meaning.At(v, "command"))
			return
		case "end":
			in.rec.unknown(entry, v, "type", "exitCode", "durationMs", "t")
			if code := meaning.At(v, "exitCode"); !isEmpty(code) {
				in.add(mcp.Frame{At: max(at, number(meaning.At(v, "durationMs"), time.Millisecond)), From: mcp.FromServer,
					Kind: mcp.FrameExit, Exit: &mcp.ExitStatus{Code: int(number(code, 1))}})
			}
			return
		}
		in.rec.unknown(entry, v, "t", "dir", "raw", "type")
		in.directed(entry, at, v, unquoted(meaning.At(v, "raw")))
	})
}

func isTape(v jsontext.Value) bool {
	return text(v, "type") == "meta" && meaning.At(v, "v") != nil || text(v, "dir") != "" && meaning.At(v, "raw") != nil
}

// unquoted gives the JSON that a string holds, or the value itself.
func unquoted(v jsontext.Value) jsontext.Value {
	if s := meaning.Text(v); jsonrpc.Valid([]byte(s)) {
		return jsontext.Value(s)
	}
	return v
}

// readNachiket reads Nachiket-Roy/mcp-vcr: {meta, messages[]{t, dir, payload}}.
func readNachiket(in *input) error {
	meta := jsontext.Value(meaning.At(in.whole, "meta"))
	in.rec.unknown("meta", meta, "version", "recorded_at", "server_command", "protocol_version", "schema_version", "client_hint", "session_id")
	in.begin(instant(meaning.At(meta, "recorded_at")))
	in.rec.Header.Server = command(meaning.At(meta, "server_command"))
	for i, v := range elements(in.whole, "messages") {
		entry := fmt.Sprintf("message %d", i+1)
		in.rec.unknown(entry, v, "t", "dir", "payload")
		in.directed(entry, number(meaning.At(v, "t"), time.Millisecond), v, meaning.At(v, "payload"))
	}
	return nil
}

// readSnoop reads kerlenton/mcpsnoop: a line for each thing that passed, with its session.
func readSnoop(in *input) error {
	session, err := in.pick(func(v jsontext.Value) string { return text(v, "session_id") })
	if err != nil {
		return err
	}
	return in.each(func(entry string, v jsontext.Value) {
		if text(v, "session_id") != session {
			return
		}
		at := in.since(instant(meaning.At(v, "ts")))
		if text(v, "transport") == "http" && in.rec.Header.Transport == "" {
			in.rec.http("")
		}
		raw := jsontext.Value(meaning.At(v, "raw"))
		in.rec.unknown(entry, v, "session_id", "server_label", "seq", "ts", "direction", "transport", "raw", "text", "mcp_method", "redacted", "status")
		if string(meaning.At(v, "redacted")) == "true" {
			in.rec.note(entry, "mcpsnoop had redacted it: what it took out is not in the cassette")
		}
		switch text(v, "direction") {
		case "meta":
			in.rec.unknown(entry, raw, "command", "url")
			if address := text(raw, "url"); address != "" {
				in.rec.http(address)
			} else {
				in.rec.Header.Server = command(meaning.At(raw, "command"))
			}
		case "stderr":
			in.add(mcp.Frame{At: at, From: mcp.FromServer, Kind: mcp.FrameStderr, Data: []byte(text(v, "text") + "\n")})
		default:
			if raw == nil {
				raw = meaning.At(v, "text")
			}
			in.directed(entry, at, jsontext.Value(`{"dir":`+string(meaning.At(v, "direction"))+`}`), raw)
		}
	})
}

// readPorter reads openclaw/mcporter: bare messages, to each of which the tool has added "_meta".
func readPorter(in *input) error {
	server, err := in.pick(func(v jsontext.Value) string { return text(v, "_meta", "server") })
	if err != nil {
		return err
	}
	return in.each(func(entry string, v jsontext.Value) {
		meta := jsontext.Value(meaning.At(v, "_meta"))
		if text(meta, "server") != server {
			return
		}
		in.rec.unknown(entry, meta, "dir", "server", "ts")
		at := in.since(instant(meaning.At(meta, "ts")))
		switch method := text(v, "method"); {
		case method == "$transport/start":
		case method == "$transport/close":
			in.add(mcp.Frame{At: at, From: mcp.FromClient, Kind: mcp.FrameClose})
		default:
			in.directed(entry, at, meta, dropMember(v, "_meta"))
		}
	})
}

// dropMember gives an object without one of its members.
func dropMember(v jsontext.Value, without string) jsontext.Value {
	out := []byte{'{'}
	for name, value := range jsonrpc.Members(v) {
		if string(name) == without {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out, _ = jsontext.AppendQuote(out, name)
		out = append(append(out, ':'), value...)
	}
	return append(out, '}')
}

// each goes through the lines; an entry is called by its line.
func (in *input) each(f func(entry string, v jsontext.Value)) error {
	for i, line := range in.lines {
		f(fmt.Sprintf("line %d", i+1), line)
	}
	return nil
}

// directed adds the message of an entry whose "dir" tells the side.
func (in *input) directed(entry string, at time.Duration, v, message jsontext.Value) {
	from, ok := direction(text(v, "dir"))
	switch {
	case !ok:
		in.rec.note(entry, "the direction %q is not known, left out", text(v, "dir"))
	case message == nil:
		in.rec.note(entry, "without a message, left out")
	default:
		in.message(entry, at, from, message)
	}
}

// pick gives the one session or server of the file, or the one that was asked for.
func (in *input) pick(nameOf func(v jsontext.Value) string) (string, error) {
	var names []string
	for _, line := range in.lines {
		if name := nameOf(line); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	switch {
	case in.o.Pick != "" && slices.Contains(names, in.o.Pick):
		for _, name := range names {
			if name != in.o.Pick {
				in.rec.note("", "%s is in the file, too, and is left out", name)
			}
		}
		return in.o.Pick, nil
	case len(names) == 1 && in.o.Pick == "":
		return names[0], nil
	}
	return "", &SeveralError{Name: in.o.Name, Names: names}
}

func elements(v jsontext.Value, names ...string) []jsontext.Value {
	return slices.Collect(jsonrpc.Elements(meaning.At(v, names...)))
}
