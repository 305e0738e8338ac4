// Package jsonrpc reads and writes JSON-RPC 2.0 messages without changing them.
//
// A [Message] is a view on the bytes it came in: its parts are slices of [Message.Raw], so that what is only
// passed on is never re-encoded, and numbers keep their spelling. The package knows no transport and makes no
// decision about a session.
package jsonrpc

import (
	"errors"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Kind says what a message is. It is told by method, id and result or error, never by the id alone (RPC-1).
type Kind uint8

// The kinds of message.
const (
	Invalid      Kind = iota // no message of JSON-RPC 2.0
	Request                  // method and id
	Notification             // method without id
	Response                 // id and result or error
)

// Message is one JSON-RPC message: the bytes it came in, and where its parts stand in them.
type Message struct {
	Raw    []byte         // the whole message, without white space around it
	ID     jsontext.Value // the id as it is spelt; nil where there is none
	Method string         // empty in a response
	Params jsontext.Value // nil where there are none
	Result jsontext.Value // nil where there is none
	Error  jsontext.Value // nil where there is none; see [Message.Err]
}

// ErrNotMessage is what [Parse] returns for JSON that is not a JSON-RPC message.
var ErrNotMessage = errors.New("not a JSON-RPC message")

// Kind says what m is. An id of null is none where there is a method: so did JSON-RPC 1.0 write its notifications,
// and a request under it could not be answered.
func (m *Message) Kind() Kind {
	switch {
	case m.Method != "" && m.ID != nil && m.ID[0] != 'n':
		return Request
	case m.Method != "":
		return Notification
	case m.ID != nil && (m.Result != nil || m.Error != nil):
		return Response
	}
	return Invalid
}

// AppendRequest appends a request to b. Params are appended as they stand; nil leaves them out.
func AppendRequest(b []byte, id int64, method string, params jsontext.Value) []byte {
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = strconv.AppendInt(b, id, 10)
	return appendMethod(b, method, params)
}

// AppendNotification appends a notification to b.
func AppendNotification(b []byte, method string, params jsontext.Value) []byte {
	b = append(b, `{"jsonrpc":"2.0"`...)
	return appendMethod(b, method, params)
}

func appendMethod(b []byte, method string, params jsontext.Value) []byte {
	b = append(b, `,"method":`...)
	b, _ = jsontext.AppendQuote(b, method)
	if params != nil {
		b = append(b, `,"params":`...)
		b = append(b, params...)
	}
	return append(b, '}')
}

// AppendResult appends the response to the request with the given id.
func AppendResult(b []byte, id, result jsontext.Value) []byte {
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	b = append(b, `,"result":`...)
	b = append(b, result...)
	return append(b, '}')
}
