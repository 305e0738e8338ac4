// Package demo is a small notebook that speaks MCP: a server for demos, behaviour specs and benchmarks.
//
// It is made to be recorded. It has a tool of every kind that a host has to cope with (one that only reads, one that
// destroys, one that says nothing about itself, images, sound, resources, structured content, a failure, a slow
// one with progress, a list of tools that changes, a text that is too long), and it answers the same calls with the
// same bytes every time: no clock, no randomness, no file, no network. docs/demo-server.md lists the tools.
//
// The command runs it as `mcp-replay server demo`, on stdin and stdout or with --listen ADDR. In a test it needs no
// process:
//
//	near, far := sdk.NewInMemoryTransports()
//	session, err := demo.New().Connect(ctx, far, nil)
//
// Every server that [New] makes has a notebook of its own. [Run] makes one for its client, [Handler] one for each
// session, so what one client writes no other one sees.
package demo
