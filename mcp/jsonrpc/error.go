package jsonrpc

import (
	"fmt"
	"strconv"
	"strings"

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

// Err reads the error of a response; nil where m has none. Whatever stands there gives some Error: an odd code
// becomes [CodeInternalError], and what has no message is shown as it came.
func (m *Message) Err() *Error {
	if m.Error == nil {
		return nil
	}
	e := &Error{Code: CodeInternalError}
	for name, v := range Members(m.Error) {
		switch string(name) {
		case "code":
			if n, ok := integer(v); ok {
				e.Code = n
			}
		case "message":
			if v[0] == '"' {
				text, _ := jsontext.AppendUnquote(nil, v) // the error is one of UTF-8
				e.Message = string(text)
			}
		case "data":
			if v[0] != 'n' {
				e.Data = v
			}
		}
	}
	switch {
	case m.Error[0] != '{':
		e.Message = "the server sent an error that cannot be read: " + shown(m.Error)
	case e.Message == "":
		e.Message = "the server sent an error without a message: " + shown(m.Error)
	}
	return e
}

// integer reads a whole number, spelt with a fraction of zeros, too.
func integer(v jsontext.Value) (int64, bool) {
	whole, fraction, _ := strings.Cut(string(v), ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	return n, err == nil && strings.Trim(fraction, "0") == ""
}

// shown cuts JSON for an error's text.
func shown(v jsontext.Value) string {
	const most = 300
	text := strings.ToValidUTF8(string(v[:min(len(v), most)]), "\uFFFD")
	if len(v) > most {
		text += "…"
	}
	return text
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
