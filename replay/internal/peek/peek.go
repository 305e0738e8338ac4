// Package peek looks single members up in JSON that others wrote, without decoding the rest.
//
// The values it gives are slices of what it looked in. Odd JSON (names given twice, invalid UTF-8) is taken; what is
// no JSON holds nothing.
package peek

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// Member follows the names down from v; nil where there is no such member. Of a name given twice, the last counts.
func Member(v jsontext.Value, names ...string) jsontext.Value {
	for _, name := range names {
		var found jsontext.Value
		for n, value := range jsonrpc.Members(v) {
			if string(n) == name {
				found = value
			}
		}
		if v = found; v == nil {
			return nil
		}
	}
	return v
}

// String decodes a JSON string; anything else is empty.
func String(v jsontext.Value) string {
	if len(v) == 0 || v[0] != '"' {
		return ""
	}
	b, _ := jsontext.AppendUnquote(nil, v) // the error is one of UTF-8, and b is good
	return string(b)
}

// Text is the member of that name as a string; anything else is empty.
func Text(v jsontext.Value, names ...string) string { return String(Member(v, names...)) }
