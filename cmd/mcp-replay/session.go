package main

import (
	"context"
	"errors"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/mcp/registry"
)

// session is one connection to the server that the command line names, and the tools that it listed.
type session struct {
	client *mcp.Client
	tools  *mcp.ToolList
}

// connect starts a session; tap, where it is not nil, is told what passes on the wire.
func connect(ctx context.Context, t *target, tap mcp.Tap) (*session, error) {
	transport, err := t.transport(tap)
	if err != nil {
		return nil, err
	}
	client, err := mcp.Connect(ctx, transport, t.options())
	if err != nil {
		return nil, unreachableError(t.blank(err))
	}
	tools, err := client.ListTools(ctx)
	if err != nil {
		return nil, errors.Join(unreachableError(t.blank(err)), client.Close())
	}
	return &session{client, tools}, nil
}

// tool finds a tool by the name that the server gives it, or by the one that the host sees.
func (s *session) tool(id, name string) (mcp.Tool, error) {
	var names registry.Names
	var seen *mcp.Tool
	for i := range s.tools.Tools {
		t := &s.tools.Tools[i]
		if t.Name == name {
			return *t, nil
		}
		if names.Assign(id, t.Name) == name {
			seen = t
		}
	}
	if seen == nil {
		return mcp.Tool{}, usageError("mcp-replay tools lists them", "the server has no tool %q", name)
	}
	return *seen, nil
}

// callError gives the error of a call its exit code: 1 where the server answered or the time ran out, else 3.
func callError(err error) error {
	if _, refused := errors.AsType[*jsonrpc.Error](err); refused {
		return failedError("", "%w", err)
	}
	if _, late := errors.AsType[*mcp.TimeoutError](err); late {
		return failedError("--timeout SECONDS gives a call longer", "%w", err)
	}
	return unreachableError(err)
}
