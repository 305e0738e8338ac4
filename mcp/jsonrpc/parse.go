package jsonrpc

import (
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// errSyntax stands for JSON that only this package's scanner refuses; a fuzz test holds that there is none.
var errSyntax = errors.New("invalid JSON")

// Parse reads one message. The result keeps slices of data, which the caller must not change afterwards.
// Data that is not JSON gives the JSON package's error, and other JSON gives [ErrNotMessage].
//
// Of members that stand there more than once the last counts. Unknown members are left where they are, in Raw. A
// message needs "jsonrpc":"2.0": a log line in JSON may well have an id and a method, too.
func Parse(data []byte) (Message, error) {
	from := space(data, 0)
	if from == len(data) || data[from] != '{' {
		return Message{}, refuse(data)
	}
	var m Message
	version, ok := false, true
	i := space(data, from+1)
	for first := true; ; first = false {
		if i < len(data) && data[i] == '}' && first {
			break
		}
		if i == len(data) || data[i] != '"' {
			return Message{}, refuse(data)
		}
		at, next := member(data, i, 1)
		if next < 0 || next == len(data) {
			return Message{}, refuse(data)
		}
		v := data[at.from:at.to:at.to]
		switch string(at.name(data)) {
		case "jsonrpc":
			version = string(v) == `"2.0"`
		case "id":
			m.ID = v
			ok = ok && (v[0] == '"' || v[0] == 'n' || v[0] == '-' || '0' <= v[0] && v[0] <= '9')
		case "method":
			ok = ok && v[0] == '"'
			m.Method = method(v)
		case "params":
			m.Params = v
		case "result":
			m.Result = v
		case "error":
			// A null beside a result, as JSON-RPC 1.0 had it, is no error.
			if m.Error = v; v[0] == 'n' {
				m.Error = nil
			}
		}
		if i = next; data[i] == '}' {
			break
		}
		if data[i] != ',' {
			return Message{}, refuse(data)
		}
		i = space(data, i+1)
	}
	if i++; space(data, i) != len(data) {
		return Message{}, refuse(data)
	}
	m.Raw = data[from:i:i]
	if !version || !ok || m.Kind() == Invalid {
		return Message{}, ErrNotMessage
	}
	return m, nil
}

// Split reads a frame: one message, or a batch of them. Elements of a batch that are no messages are left out and
// counted, and do not spoil the others (RPC-7); a batch without a single message is none.
func Split(data []byte) (messages []Message, bad int, err error) {
	if i := space(data, 0); i == len(data) || data[i] != '[' {
		m, err := Parse(data)
		if err != nil {
			return nil, 0, err
		}
		return []Message{m}, 0, nil
	}
	if !Valid(data) {
		return nil, 0, refuse(data)
	}
	for v := range Elements(data) {
		m, err := Parse(v)
		if err != nil {
			bad++
			continue
		}
		messages = append(messages, m)
	}
	if messages == nil {
		return nil, bad, ErrNotMessage
	}
	return messages, bad, nil
}

// refuse says why data is no message.
func refuse(data []byte) error {
	if Valid(data) {
		return ErrNotMessage
	}
	var v jsontext.Value
	if err := json.Unmarshal(data, &v, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return err
	}
	return errSyntax
}

// method unquotes the name of a method. The usual names of MCP cost no memory.
func method(v jsontext.Value) string {
	if len(v) < 2 || v[0] != '"' {
		return ""
	}
	switch string(v[1 : len(v)-1]) {
	case "ping":
		return "ping"
	case "tools/call":
		return "tools/call"
	case "tools/list":
		return "tools/list"
	case "notifications/progress":
		return "notifications/progress"
	case "notifications/message":
		return "notifications/message"
	case "notifications/cancelled":
		return "notifications/cancelled"
	case "notifications/tools/list_changed":
		return "notifications/tools/list_changed"
	}
	name, _ := jsontext.AppendUnquote(nil, v) // the error is one of UTF-8
	return string(name)
}
