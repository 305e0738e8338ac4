package mcp

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// CallTool calls a tool and renders its result. Arguments are an object, or nil for none; where [Client.ListTools]
// has seen the tool they are coerced to its schema first (CALL-13).
//
// A result with isError is a result, with Failed set. An error means that there is no result at all: it is a
// *[jsonrpc.Error] where the server refused the call, and else what [Client.Call] says. [FailedResult] makes a
// failed result of it.
func (c *Client) CallTool(ctx context.Context, name string, args jsontext.Value) (*Result, error) {
	if args == nil || string(args) == "null" {
		args = jsontext.Value("{}")
	} else {
		if !jsonrpc.Valid(args) {
			return nil, errors.New("tools/call: the arguments are not valid JSON")
		}
		args = c.coerce(name, args)
	}
	params := make([]byte, 0, len(name)+len(args)+32)
	params = append(params, `{"name":`...)
	params, _ = jsontext.AppendQuote(params, name)
	params = append(params, `,"arguments":`...)
	params = append(params, args...)
	params = append(params, '}')
	result, err := c.call(ctx, "tools/call", params, c.o.Timeout)
	if err != nil {
		return nil, err
	}
	r := Render(result)
	if r.Structured != nil && r.Structured[0] != '{' {
		c.notes.add("a result had structuredContent that is no object")
	}
	return r, nil
}

// coerce fits arguments to the schema that the tool was listed with.
func (c *Client) coerce(name string, args jsontext.Value) jsontext.Value {
	c.mu.Lock()
	s := c.st.schemas[name]
	c.mu.Unlock()
	if s == nil {
		return args
	}
	return s.coerce(args)
}
