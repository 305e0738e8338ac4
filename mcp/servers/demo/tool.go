package demo

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// tool is one tool as the server offers it. The schemas are written out: what a client sees is what stands in tools.go.
type tool struct {
	name, title, description string

	hints  *sdk.ToolAnnotations // nil: the tool says nothing about itself
	input  string               // JSON Schema of the arguments; empty: there are none
	output string               // JSON Schema of structuredContent; empty: there is none
	call   func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error)
}

const noArguments = `{"type":"object","properties":{},"additionalProperties":false}`

// addTo offers the tool on server.
func (t tool) addTo(server *sdk.Server) {
	offered := &sdk.Tool{Name: t.name, Title: t.title, Description: t.description, Annotations: t.hints}
	offered.InputSchema = jsontext.Value(noArguments)
	if t.input != "" {
		offered.InputSchema = jsontext.Value(t.input)
	}
	if t.output != "" {
		offered.OutputSchema = jsontext.Value(t.output)
	}
	server.AddTool(offered, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		result, err := t.call(ctx, req)
		if err != nil && ctx.Err() == nil { // a failure of the tool, not of the protocol
			return failed(err), nil
		}
		return result, err
	})
}

// arguments reads what the caller sent. A value that the schema does not allow is named.
func arguments(req *sdk.CallToolRequest, into any) error {
	if len(req.Params.Arguments) == 0 {
		return nil
	}
	err := json.Unmarshal(req.Params.Arguments, into, json.RejectUnknownMembers(true))
	if wrong, ok := errors.AsType[*json.SemanticError](err); ok && wrong.JSONPointer != "" {
		return fmt.Errorf("the argument %s does not fit the schema", wrong.JSONPointer.LastToken())
	}
	if err != nil {
		return errors.New("the arguments do not fit the schema")
	}
	return nil
}

// within refuses a number that is out of its range.
func within(name string, n, low, high int) error {
	if n < low || n > high {
		return fmt.Errorf("%s: %d is not between %d and %d", name, n, low, high)
	}
	return nil
}

// content is a result of those parts.
func content(parts ...sdk.Content) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: parts}
}

func text(format string, args ...any) *sdk.CallToolResult {
	return content(&sdk.TextContent{Text: fmt.Sprintf(format, args...)})
}

func failed(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: err.Error()}}}
}
