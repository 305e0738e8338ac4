package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// scriptedCall is one line of a file of calls.
type scriptedCall struct {
	Tool      string         `json:"tool"`
	Arguments jsontext.Value `json:"arguments"`
	Method    string         `json:"method"`
	Params    jsontext.Value `json:"params"`
}

// readCalls reads a file of calls: one JSON object a line; blank lines do not count.
func readCalls(path string) ([]scriptedCall, error) {
	const hint = `a line is {"tool": NAME, "arguments": {…}} or {"method": NAME, "params": {…}}`
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, usageError(hint, "--calls: %v", err)
	}
	var calls []scriptedCall
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var call scriptedCall
		if err := json.Unmarshal(line, &call, json.RejectUnknownMembers(true)); err != nil {
			return nil, usageError(hint, "%s:%d: %v", path, n, err)
		}
		if (call.Tool == "") == (call.Method == "") {
			return nil, usageError(hint, "%s:%d: names not exactly one of tool and method", path, n)
		}
		calls = append(calls, call)
	}
	if len(calls) == 0 {
		return nil, usageError(hint, "%s: no call in it", path)
	}
	return calls, nil
}

// recordCalls is the host itself: it lists the tools, makes the calls of a file one after the other, and ends.
func recordCalls(ctx context.Context, s *streams, o *recordOptions) error {
	calls, err := readCalls(o.calls)
	if err != nil {
		return err
	}
	recorder, err := o.create(s)
	if err != nil {
		return err
	}
	session, err := connect(ctx, &o.target, recorder)
	if err != nil {
		recorder.Discard()
		return err
	}
	err = makeCalls(ctx, s, session, calls)
	closing := session.client.Close()
	if err := recorder.Close(); err != nil {
		return recordingError(err)
	}
	fmt.Fprintf(s.err, "wrote %s\n", recorder.Path())
	if err == nil && closing != nil {
		return unreachableError(closing)
	}
	return err
}

// makeCalls makes the calls in turn. A result that failed, or an answer that is an error, is recorded like any other;
// what ends it is a server that does not answer.
func makeCalls(ctx context.Context, s *streams, session *session, calls []scriptedCall) error {
	for i, call := range calls {
		outcome := "ok"
		var err error
		name := call.Method
		if call.Tool != "" {
			name = call.Tool
			var result *mcp.Result
			if result, err = session.client.CallTool(ctx, call.Tool, call.Arguments); err == nil && result.Failed {
				outcome = "failed: " + clip(result.Text, s.width)
			}
		} else {
			_, err = session.client.Call(ctx, call.Method, call.Params)
		}
		if refused, ok := errors.AsType[*jsonrpc.Error](err); ok {
			outcome, err = refused.Error(), nil
		}
		if err != nil {
			return callError(fmt.Errorf("call %d, %s: %w", i+1, name, err))
		}
		fmt.Fprintf(s.err, "%s: %s\n", name, outcome)
	}
	return nil
}
