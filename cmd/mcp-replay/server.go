package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/mcp/servers/demo"
)

// newServerCommand is the verb server, which runs a built-in server.
func newServerCommand(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "server NAME",
		Short: "Run a built-in server on stdin and stdout, or on an address",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError("mcp-replay server --help lists them", "no built-in server is named")
			}
			return usageError("mcp-replay server --help lists them", "no built-in server is named %q%s", args[0], didYouMean(cmd, args[0]))
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newServerDemoCommand(s))
	return cmd
}

// newServerDemoCommand is server demo, the notebook of docs/demo-server.md.
func newServerDemoCommand(s *streams) *cobra.Command {
	var listen string
	var o demo.HandlerOptions
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "A small notebook with a tool of every kind, for demos, specs and benchmarks",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if listen != "" {
				return serveHTTP(cmd.Context(), s, listen, demo.Handler(&o))
			}
			if o != (demo.HandlerOptions{}) {
				return usageError("add --listen ADDR", "--json and --stateless have no use without --listen")
			}
			return onStdio(cmd.Context(), s, demo.Run)
		},
	}
	f := cmd.Flags()
	f.StringVar(&listen, "listen", "", "serve Streamable HTTP on `HOST:PORT` (port 0: any free one) instead of stdin and stdout")
	f.BoolVar(&o.JSON, "json", false, "with --listen: answer in JSON instead of event streams")
	f.BoolVar(&o.Stateless, "stateless", false, "with --listen: keep no sessions")
	return cmd
}

// onStdio runs a built-in server on the program's own streams, which are the protocol's alone.
func onStdio(ctx context.Context, s *streams, serve func(context.Context, io.ReadCloser, io.WriteCloser) error) error {
	in, ok := s.in.(io.ReadCloser)
	if !ok {
		in = io.NopCloser(s.in)
	}
	out, ok := s.out.(io.WriteCloser)
	if !ok {
		out = leaveOpen{s.out}
	}
	if err := serve(ctx, in, out); err != nil {
		return unreachableError(fmt.Errorf("the host's messages cannot be read: %w", err))
	}
	return nil
}

func noArguments(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError("--help after the command shows what it takes", "unexpected argument %q", args[0])
	}
	return nil
}

// leaveOpen is a writer that nobody closes.
type leaveOpen struct{ io.Writer }

func (leaveOpen) Close() error { return nil }
