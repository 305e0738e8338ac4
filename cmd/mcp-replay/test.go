package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/steps"
	runner "github.com/imurun/mcp-replay/steps/run"
)

// testOptions are the flags of test.
type testOptions struct {
	target    target
	redact    redactFlags
	cassettes string
	mode      string
	format    string
	tags      string
	shard     string
	jobs      int
	steps     string
}

// newTestCommand is the verb test: runs behaviour specs.
func newTestCommand(s *streams) *cobra.Command {
	var o testOptions
	cmd := &cobra.Command{
		Use:   "test [PATH…] [flags] [-- COMMAND ARG…]",
		Short: "Run behaviour specs against a server or its cassettes",
		Long: strings.TrimSpace(`
test runs feature files (Gherkin) with the built-in steps. PATH is a feature, FILE:LINE for one scenario of it, or a
folder; without one it is the folder features.

Each scenario starts the named server anew. With --cassettes FILE.jsonl it meets the player of that cassette
instead, and with --cassettes DIR the cassette of its own, DIR/FEATURE/SCENARIO.jsonl:

  --mode replay   plays it; without a cassette the scenario fails (the default: no process, no network)
  --mode once     plays it, or records it from the named server where there is none
  --mode record   records it anew
  --mode live     leaves cassettes alone

--steps prints the steps there are, with an example and a sentence for each.

Exit codes: 0 all scenarios passed; 1 one did not; 2 a feature or cassette cannot be read, or no scenario is
selected; 3 the server could not be started.`),
		Example: `  mcp-replay test features -- node server.js
  mcp-replay test features --url http://127.0.0.1:3001/mcp --tags 'not @slow'
  mcp-replay test --cassettes cassettes --format progress,junit:report.xml`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			paths := o.target.positional(cmd, args)
			if o.steps != "" {
				return printSteps(s, o.steps)
			}
			if err := o.check(); err != nil {
				return err
			}
			if len(paths) == 0 {
				paths = []string{"features"}
			}
			return runTest(cmd.Context(), s, &o, paths)
		},
	}
	o.target.flags(cmd)
	o.redact.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.cassettes, "cassettes", "", "`folder` of the scenarios' cassettes, or one cassette for all of them")
	f.StringVar(&o.mode, "mode", string(steps.ModeReplay), "what to do with the cassettes: replay, once, record or live")
	f.StringVar(&o.format, "format", "pretty", "`formats` to write, as NAME or NAME:FILE, with commas: "+strings.Join(runner.FormatNames(), ", "))
	f.StringVar(&o.tags, "tags", "", "`expression` over tags, such as '@smoke and not @slow'")
	f.StringVar(&o.shard, "shard", "", "run only this `part` of the scenarios, such as 1/4")
	f.IntVar(&o.jobs, "jobs", 1, "`number` of scenarios to run at a time")
	f.StringVar(&o.steps, "steps", "", "print the steps there are, and run nothing; =all adds those of this program's own specs")
	f.Lookup("steps").NoOptDefVal = "public"
	return cmd
}

func printSteps(s *streams, which string) error {
	switch which {
	case "public":
		return steps.Public().Print(s.out)
	case "all":
		return steps.All().Print(s.out)
	}
	return usageError("--steps, or --steps=all", "--steps=%s: there is no such part of the vocabulary", which)
}

// named says whether the command line names a server.
func (o *testOptions) named() bool {
	return len(o.target.command) > 0 || o.target.url != "" || o.target.server != ""
}

// check refuses flags that do not go together. A server is not always needed: a cassette, or a step, can stand in for it.
func (o *testOptions) check() error {
	mode, err := steps.ParseMode(o.mode)
	if err != nil {
		return usageError("--mode replay plays cassettes without a server", "--%v", err)
	}
	reaches := mode != steps.ModeReplay
	switch {
	case o.cassettes == "" && mode != steps.ModeReplay && mode != steps.ModeLive:
		return usageError("--cassettes DIR says where they are", "--mode %s has no use without cassettes", mode)
	case o.cassettes != "" && oneCassette(o.cassettes) && reaches:
		return usageError("give a folder to --cassettes", "--mode %s: one cassette cannot be that of every scenario", mode)
	case o.jobs < 1:
		return usageError("give 1 or more", "--jobs %d: out of range", o.jobs)
	case o.named() || o.cassettes != "" && reaches:
		return o.target.check()
	}
	return nil
}

// oneCassette tells a cassette from a folder of them.
func oneCassette(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return strings.HasSuffix(path, ".jsonl")
	}
	return !info.IsDir()
}

// config says which server the scenarios meet.
func (o *testOptions) config(s *streams) (*steps.Config, error) {
	c := &steps.Config{Version: version, Target: steps.Target{
		Timeout:        time.Duration(o.target.timeout) * time.Second,
		ConnectTimeout: time.Duration(o.target.connectTimeout) * time.Second,
	}}
	switch mode := steps.Mode(o.mode); {
	case mode == steps.ModeLive || o.cassettes == "":
	case oneCassette(o.cassettes):
		c.Target.Cassette = o.cassettes
		return c, nil
	default:
		c.Cassettes = &steps.Cassettes{Dir: o.cassettes, Mode: mode}
	}
	if !o.named() {
		return c, nil
	}
	c.Target.Dial = func(tap mcp.Tap) (mcp.Transport, error) { return o.target.transport(tap) }
	if c.Cassettes != nil {
		record, err := o.target.recordOptions(&o.redact)
		if err != nil {
			return nil, err
		}
		c.Cassettes.Record = *record
	}
	return c, nil
}

func runTest(ctx context.Context, s *streams, o *testOptions, paths []string) error {
	reports, err := parseFormats(o.format)
	if err != nil {
		return err
	}
	config, err := o.config(s)
	if err != nil {
		return err
	}
	options := &runner.Options{
		Paths: paths, Tags: o.tags, Jobs: o.jobs, Config: config, Formats: reports.formats(s), Color: s.color,
	}
	if o.shard != "" {
		if options.Shard, err = runner.ParseShard(o.shard); err != nil {
			return usageError("write PART/PARTS", "--%v", err)
		}
	}
	result, err := runner.Run(ctx, options)
	if result == nil {
		return cannotRun(err)
	}
	if err := errors.Join(err, reports.write()); err != nil {
		return err
	}
	return verdict(result)
}

// cannotRun is a run of nothing: what was given cannot be read, or selects nothing.
func cannotRun(err error) error {
	hint := ""
	if errors.Is(err, runner.ErrNoScenario) {
		hint = "a path is a feature or a folder of features; --tags selects among them"
	}
	return usageError(hint, "test: %w", err)
}

// verdict is the exit code of a run. Where nothing but the server or the cassettes is to blame, it says so.
func verdict(r *runner.Result) error {
	failed := r.Failed()
	if len(failed) == 0 {
		return nil
	}
	unreachable, unreadable := 0, 0
	for _, o := range failed {
		for _, step := range o.Steps {
			if _, ok := errors.AsType[*steps.StartError](step.Err); ok {
				unreachable++
				break
			}
			if _, ok := errors.AsType[*steps.CassetteError](step.Err); ok {
				unreadable++
				break
			}
		}
	}
	switch len(r.Scenarios) {
	case unreachable:
		return exitWith(exitUnreachable)
	case unreadable:
		return exitWith(exitUsage)
	}
	return exitWith(exitFailed)
}
