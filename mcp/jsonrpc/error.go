package jsonrpc

import (
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The error codes of JSON-RPC 2.0.
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603
)

// Error is the error of a response.
type Error struct {
	Code    int64          `json:"code"`
	Message string         `json:"message"`
	Data    jsontext.Value `json:"data,omitzero"`
}

// Error gives message and code.
func (e *Error) Error() string { return fmt.Sprintf("%s (code %d)", e.Message, e.Code) }

// Err reads the error of a response; nil where m has none. Whatever stands there gives some Error.
func (m *Message) Err() *Error {
	if m.Error == nil {
		return nil
	}
	e := new(Error)
	if err := json.Unmarshal(m.Error, e, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return &Error{Code: CodeInternalError, Message: "the server sent an error that cannot be read: " + string(m.Error)}
	}
	return e
}

// AppendError appends the response that refuses the request with the given id; a nil id is written as null.
func AppendError(b []byte, id jsontext.Value, e *Error) []byte {
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	if id == nil {
		b = append(b, "null"...)
	} else {
		b = append(b, id...)
	}
	b = append(b, `,"error":{"code":`...)
	b = strconv.AppendInt(b, e.Code, 10)
	b = append(b, `,"message":`...)
	b, _ = jsontext.AppendQuote(b, e.Message)
	if e.Data != nil {
		b = append(b, `,"data":`...)
		b = append(b, e.Data...)
	}
	return append(b, "}}"...)
}
