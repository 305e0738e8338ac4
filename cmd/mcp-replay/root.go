package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/mcp/registry"
)

// run is the program: it runs the command that args name and returns the exit code.
func run(ctx context.Context, args []string, s *streams) int {
	if len(args) > 0 && args[0] == superviseVerb {
		return registry.Supervise(args[1:])
	}
	results := &resultWriter{to: s.out}
	own := *s
	own.out = results
	verb := ""
	if len(args) > 0 {
		verb = args[0]
	}
	root := newRoot(&own, verb)
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(results)
	root.SetErr(s.err)
	err := execute(ctx, root, verb)
	if err == nil {
		err = results.failure()
	}
	return report(ctx, s.err, err)
}

// computing are the verbs that have no eye on signals while they read and compare, and how long they may go on when the program is told
// to stop: diff may have a server to close.
var computing = map[string]time.Duration{"show": 0, "diff": 3 * time.Second, "spec": 0, "redact": 0, "import": 0, "export": 0}

// execute runs the command. A verb that computes is given up when the program is told to stop.
func execute(ctx context.Context, root *cobra.Command, verb string) error {
	limit, computes := computing[verb]
	if !computes {
		return root.ExecuteContext(ctx)
	}
	done := make(chan error, 1)
	go func() { done <- root.ExecuteContext(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(limit):
		return context.Cause(ctx)
	}
}

// verbs are the commands, in the order of their help.
var verbs = []struct {
	name string
	make func(*streams) *cobra.Command
}{
	{"demo", newDemoCommand},
	{"record", newRecordCommand},
	{"tools", newToolsCommand},
	{"call", newCallCommand},
	{"show", newShowCommand},
	{"play", newPlayCommand},
	{"verify", newVerifyCommand},
	{"diff", newDiffCommand},
	{"spec", newSpecCommand},
	{"shrink", newShrinkCommand},
	{"redact", newRedactCommand},
	{"import", newImportCommand},
	{"export", newExportCommand},
	{"test", newTestCommand},
	{"server", newServerCommand},
	{"servers", newServersCommand},
	{"serve", newServeCommand},
}

// newRoot makes the command, with the one verb that is asked for, since a host waits for it to start; where that is none, with all.
func newRoot(s *streams, verb string) *cobra.Command {
	var showVersion bool
	root := &cobra.Command{
		Use:   "mcp-replay",
		Short: "Record, play, check and inspect sessions of the Model Context Protocol",
		Long: strings.TrimSpace(`
mcp-replay records real sessions between a host and an MCP server, plays them back as the server or drives them
as the client, and runs behaviour specs against either.

A server is named in one of three ways: -- COMMAND ARG…, --url URL, or --server ID from the settings.

Exit codes: 0 as wanted; 1 what was checked does not hold; 2 wrong use or unreadable input; 3 the server could not
be reached or started, or broke off; 130 interrupted.`),
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError("mcp-replay --help lists the commands", "unknown command %q%s", args[0], didYouMean(cmd, args[0]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if showVersion {
				fmt.Fprintln(s.out, "mcp-replay "+version)
				return nil
			}
			return cmd.Help()
		},
	}
	// By hand, since a template of cobra's brings in package text/template, with which the linker keeps every method there is.
	root.Flags().BoolVarP(&showVersion, "version", "v", false, "version for mcp-replay")
	root.SetHelpCommand(newHelpCommand(root))
	for _, v := range verbs {
		if v.name == verb {
			root.AddCommand(v.make(s))
			return root
		}
	}
	for _, v := range verbs {
		root.AddCommand(v.make(s))
	}
	return root
}

// newHelpCommand is cobra's own, but that asking for what is not there is wrong use.
func newHelpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		RunE: func(_ *cobra.Command, args []string) error {
			found, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usageError("mcp-replay --help lists the commands", "no help for %q: no such command", strings.Join(args, " "))
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// didYouMean ends the message about an unknown command with the nearest ones.
func didYouMean(cmd *cobra.Command, name string) string {
	cmd.SuggestionsMinimumDistance = 2
	near := cmd.SuggestionsFor(name)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}
