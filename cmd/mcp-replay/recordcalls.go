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
	"github.com/imurun/mcp-replay/replay"
)

// scriptedCall is one line of a file of calls.
type scriptedCall struct {
	Tool      string         `json:"tool"`
	Arguments jsontext.Value `json:"arguments"`
	Method    string         `json:"method"`
	Params    jsontext.Value `json:"params"`
}

// A callScript is a file of calls.
type callScript []scriptedCall

// readCalls reads a file of calls: one JSON object a line; blank lines do not count.
func readCalls(path string) (callScript, error) {
	const hint = `a line is {"tool": NAME, "arguments": {…}} or {"method": NAME, "params": {…}}`
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, usageError(hint, "--calls: %v", err)
	}
	var calls callScript
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

// drive lists the tools, makes the calls one after the other, and closes the session.
func (calls callScript) drive(ctx context.Context, s *streams, o *recordOptions, recorder *replay.Recorder) (began bool, err error) {
	session, err := connect(ctx, &o.target, recorder)
	if err != nil {
		return false, err
	}
	err = calls.make(ctx, s, session, &o.target)
	if closing := session.client.Close(); err == nil && closing != nil {
		err = unreachableError(o.target.blank(closing))
	}
	return true, err
}

// make makes the calls in turn. A result that failed, or an answer that is an error, is recorded like any other;
// what ends it is a server that does not answer.
func (calls callScript) make(ctx context.Context, s *streams, session *session, t *target) error {
	for i, call := range calls {
		outcome := "ok"
		var err error
		name := call.Method
		if call.Tool != "" {
			name = call.Tool
			var result *mcp.Result
			if result, err = session.client.CallTool(ctx, call.Tool, call.Arguments); err == nil && result.Failed {
				outcome = "failed: " + clip(plainLine(result.Text), s.width)
			}
		} else {
			_, err = session.client.Call(ctx, call.Method, call.Params)
		}
		if refused, ok := errors.AsType[*jsonrpc.Error](err); ok {
			outcome, err = refused.Error(), nil
		}
		if err != nil {
			return callError(fmt.Errorf("call %d, %s: %w", i+1, name, t.blank(err)))
		}
		fmt.Fprintf(s.err, "%s: %s\n", name, outcome)
	}
	return nil
}
