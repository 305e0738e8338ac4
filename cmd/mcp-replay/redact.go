package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/replay"
)

// redactOptions are the flags of redact.
type redactOptions struct {
	redact redactFlags
	env    []string
	output string
	check  bool
	force  bool
}

// newRedactCommand is the verb redact: redacts a cassette again.
func newRedactCommand(s *streams) *cobra.Command {
	var o redactOptions
	cmd := &cobra.Command{
		Use:   "redact FILE",
		Short: "Redact a cassette again, with added rules, or look for what slipped by",
		Long: strings.TrimSpace(`
redact replaces what the rules of this version, and those that you add, see as secret in a cassette. It writes the
file anew, whole or not at all; what is redacted already stays as it is.

--check only looks, and ends with exit 1 where it finds something: for CI.`),
		Example: `  mcp-replay redact session.jsonl --redact 'ticket=TICKET-[0-9]{6}'
  mcp-replay redact --check session.jsonl
  mcp-replay redact session.jsonl --env ACME_LICENCE -o clean.jsonl`,
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error { return runRedact(s, &o, args[0]) },
	}
	o.redact.flags(cmd)
	f := cmd.Flags()
	listFlag(f, &o.env, "env", "variable of this environment whose value is a secret, by its `NAME` (repeatable)")
	f.StringVarP(&o.output, "output", "o", "", "`file` to write to, instead of FILE itself")
	f.BoolVar(&o.check, "check", false, "only look, and fail on a find")
	f.BoolVar(&o.force, "force", false, "write over an output file that exists")
	return cmd
}

func runRedact(s *streams, o *redactOptions, path string) error {
	options := &replay.RedactOptions{Rules: o.redact.rules()}
	if _, err := o.redact.digest(); err != nil {
		return err
	}
	for _, name := range o.env {
		value, set := os.LookupEnv(name)
		if !set {
			return usageError("set it, so that the value stands on no command line", "--env %s: no such variable is set", name)
		}
		options.Env = append(options.Env, name+"="+value)
	}
	if o.check {
		return checkRedaction(s, path, options)
	}
	to := path
	if o.output != "" {
		to = o.output
		if _, err := os.Lstat(to); err == nil && !o.force {
			return usageError("--force writes over it", "%s: exists already", to)
		}
	}
	report, err := replay.RedactFile(path, to, options)
	if err != nil {
		return cassetteError(path, err)
	}
	printFinds(s, path, report)
	fmt.Fprintf(s.err, "wrote %s: %d frames, %d lines changed\n", to, report.Frames, len(report.Finds))
	return nil
}

func checkRedaction(s *streams, path string, options *replay.RedactOptions) error {
	report, err := replay.RedactCheck(path, options)
	if err != nil {
		return cassetteError(path, err)
	}
	printFinds(s, path, report)
	if len(report.Finds) > 0 {
		return failedError("mcp-replay redact writes the cassette anew", "%s: %d lines hold what should be redacted", path, len(report.Finds))
	}
	fmt.Fprintf(s.out, "%s: nothing found in %d frames\n", path, report.Frames)
	return nil
}

func printFinds(s *streams, path string, report *replay.RedactReport) {
	for _, find := range report.Finds {
		fmt.Fprintf(s.out, "%s:%d: %s\n", path, find.Line, strings.Join(find.Kinds, ", "))
	}
	for _, warning := range report.Warnings {
		s.warn(warning)
	}
	if report.Cut {
		s.warn(path + " ends inside a line, which is left out")
	}
}
