package formats

import (
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// readIvermin reads ivermin1123/mcp-cassette: a header, then frames, raw lines and answers in chunks.
func readIvermin(in *input) error {
	return in.each(func(entry string, v jsontext.Value) {
		at := number(meaning.At(v, "t"), time.Millisecond)
		switch text(v, "type") {
		case "header":
			in.rec.unknown(entry, v, "type", "cassetteVersion", "recorder", "startedAt", "transport", "command", "url", "redaction", "era", "sessioned")
			in.begin(instant(meaning.At(v, "startedAt")))
			in.rec.Header.Server = command(meaning.At(v, "command"))
			if address := text(v, "url"); address != "" || strings.Contains(text(v, "transport"), "http") {
				in.rec.http(address)
			}
			if string(meaning.At(v, "redaction", "applied")) == "true" {
				in.rec.note(entry, "mcp-cassette had redacted the recording: what it took out is not in the cassette")
			}
		case "frame":
			in.rec.unknown(entry, v, "type", "t", "dir", "frame", "http", "origin")
			if status := meaning.At(v, "http", "status"); status != nil && string(status) != "200" && string(status) != "202" {
				in.rec.note(entry, "the HTTP status %s is not carried over", status)
			}
			if text(v, "origin") != "" {
				in.rec.note(entry, "its origin %q is not carried over", text(v, "origin"))
			}
			in.directed(entry, at, v, meaning.At(v, "frame"))
		case "raw":
			in.rec.unknown(entry, v, "type", "t", "dir", "data")
			if from, _ := direction(text(v, "dir")); from == mcp.FromClient {
				in.add(mcp.Frame{At: at, From: from, Kind: mcp.FrameMessage, Data: []byte(text(v, "data"))})
				return
			}
			in.add(mcp.Frame{At: at, From: mcp.FromServer, Kind: mcp.FrameNoise, Data: []byte(strings.TrimSuffix(text(v, "data"), "\n") + "\n")})
		case "chunks":
			in.rec.unknown(entry, v, "type", "t", "id", "via", "chunks", "dir")
			for i, c := range elements(v, "chunks") {
				in.message(fmt.Sprintf("%s, chunk %d", entry, i+1), number(meaning.At(c, "t"), time.Millisecond), mcp.FromServer, meaning.At(c, "frame"))
			}
		default:
			in.rec.note(entry, "the type %q is not known, left out", text(v, "type"))
		}
	})
}

// readCheneeheng reads cheneeheng/mcp-cassette: one document with a list of messages.
func readCheneeheng(in *input) error {
	doc := in.whole
	in.rec.unknown("document", doc, "format_version", "recorded_at", "transport", "server_url", "session_id", "protocol_version", "server_info", "messages")
	in.begin(instant(meaning.At(doc, "recorded_at")))
	if address := text(doc, "server_url"); address != "" {
		in.rec.http(address)
	}
	for i, v := range elements(doc, "messages") {
		entry := fmt.Sprintf("message %d", i)
		in.rec.unknown(entry, v, "seq", "t_offset_ms", "sender", "kind", "method", "msg_id", "payload", "redacted", "exchange", "channel")
		if string(meaning.At(v, "redacted")) == "true" {
			in.rec.note(entry, "mcp-cassette had redacted it: what it took out is not in the cassette")
		}
		at := number(meaning.At(v, "t_offset_ms"), time.Millisecond)
		from, ok := direction(text(v, "sender"))
		switch payload := jsontext.Value(meaning.At(v, "payload")); {
		case !ok:
			in.rec.note(entry, "the sender %q is not known, left out", text(v, "sender"))
		case payload == nil:
			in.rec.note(entry, "without a payload, left out")
		default:
			in.message(entry, at, from, payload)
		}
	}
	return nil
}

// readDevhelm reads devhelmhq/mcp-recorder: requests beside their answers. It keeps no times but how long each took.
func readDevhelm(in *input) error {
	meta := jsontext.Value(meaning.At(in.whole, "metadata"))
	in.rec.unknown("metadata", meta, "recorded_at", "server_url", "transport_type", "protocol_version", "server_info")
	in.begin(instant(meaning.At(meta, "recorded_at")))
	if address := text(meta, "server_url"); strings.HasPrefix(address, "http") {
		in.rec.http(address)
	} else {
		words := strings.Fields(strings.TrimPrefix(address, "stdio://"))
		if len(words) > 0 {
			in.rec.Header.Server = replay.ServerLine{Command: words[0], Args: words[1:]}
		}
	}
	at := time.Duration(0)
	for i, v := range elements(in.whole, "interactions") {
		entry := fmt.Sprintf("interaction %d", i+1)
		in.rec.unknown(entry, v, "type", "request", "response", "response_is_sse", "response_status", "latency_ms", "http_method", "http_path")
		request, response := jsontext.Value(meaning.At(v, "request")), jsontext.Value(meaning.At(v, "response"))
		if text(v, "type") == "lifecycle" || isEmpty(request) {
			in.rec.note(entry, "%s %s is not carried over", text(v, "http_method"), text(v, "http_path"))
			continue
		}
		in.message(entry, at, mcp.FromClient, request)
		at += number(meaning.At(v, "latency_ms"), time.Millisecond)
		if isEmpty(response) {
			continue
		}
		if method := text(response, "method"); method != "" {
			in.rec.note(entry, "the tool kept the first event of a stream (%s) instead of the answer: it is imported as what it is, and the request has no answer", method)
		}
		in.message(entry, at, mcp.FromServer, response)
	}
	return nil
}

// readAgentVCR reads Jarvis2021/agent-vcr: the handshake, then requests with their answers and notifications.
func readAgentVCR(in *input) error {
	meta, session := jsontext.Value(meaning.At(in.whole, "metadata")), jsontext.Value(meaning.At(in.whole, "session"))
	in.rec.unknown("metadata", meta, "version", "recorded_at", "transport", "client_info", "server_info", "server_args", "server_command", "server_url")
	in.rec.unknown("session", session, "initialize_request", "initialize_response", "capabilities", "interactions")
	in.begin(instant(meaning.At(meta, "recorded_at")))
	in.rec.Header.Server = replay.ServerLine{Command: text(meta, "server_command"), Args: texts(meta, "server_args")}
	if address := text(meta, "server_url"); address != "" {
		in.rec.http(address)
	}
	if v := jsontext.Value(meaning.At(session, "initialize_request")); !isEmpty(v) {
		in.message("initialize_request", 0, mcp.FromClient, v)
	}
	if v := jsontext.Value(meaning.At(session, "initialize_response")); !isEmpty(v) {
		in.message("initialize_response", 0, mcp.FromServer, v)
	}
	for i, v := range elements(session, "interactions") {
		entry := fmt.Sprintf("interaction %d", i)
		in.rec.unknown(entry, v, "sequence", "timestamp", "direction", "request", "response", "notifications", "latency_ms")
		asked, ok := direction(text(v, "direction"))
		if !ok {
			asked = mcp.FromClient
		}
		took := number(meaning.At(v, "latency_ms"), time.Millisecond)
		at := in.since(instant(meaning.At(v, "timestamp")))
		request, response := jsontext.Value(meaning.At(v, "request")), jsontext.Value(meaning.At(v, "response"))
		if !isEmpty(request) {
			in.message(entry, at, asked, request)
		}
		for _, n := range elements(v, "notifications") {
			in.message(entry, at, mcp.FromServer, n)
		}
		if !isEmpty(response) {
			in.message(entry, at+took, mcp.FromClient+mcp.FromServer-asked, response)
		}
	}
	return nil
}
