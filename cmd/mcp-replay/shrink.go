package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/replay/shrink"
)

// shrinkOptions are the flags of shrink.
type shrinkOptions struct {
	keep    string
	output  string
	timeout int
	maxRuns int
	force   bool
	verbose bool
}

// candidateVariable names the candidate for the command that judges it.
const candidateVariable = "MCP_REPLAY_CASSETTE"

// newShrinkCommand is the verb shrink: the smallest session that still shows a fault.
func newShrinkCommand(s *streams) *cobra.Command {
	var o shrinkOptions
	cmd := &cobra.Command{
		Use:   "shrink FILE --keep 'CMD'",
		Short: "Find the smallest session for which a command still succeeds",
		Long: strings.TrimSpace(`
shrink makes a cassette that shows a fault small enough to be read and to be reported: it leaves out exchanges, then
single frames, then members, elements and characters of arguments and answers, as long as CMD exits with 0.

CMD is a shell command that exits with 0 where the fault is there. {} in it becomes the path of the cassette that is
tried; without a {}, the path is appended. The path is in the variable MCP_REPLAY_CASSETTE, too.

The same cassette and the same answers of CMD give the same result. The output is a valid cassette at every moment:
after an interrupt it holds the smallest one so far.`),
		Example: `  mcp-replay shrink crash.jsonl --keep '! my-host --check < /dev/null -- mcp-replay play {}'
  mcp-replay shrink crash.jsonl -o small.jsonl --keep 'mcp-replay show {} | grep -q "was never answered"'`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error { return runShrink(cmd.Context(), s, &o, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.keep, "keep", "", "the `command` that exits with 0 where the fault is there")
	f.StringVarP(&o.output, "output", "o", "", "the cassette to write, as `file` (default: NAME.small.jsonl beside FILE)")
	f.IntVar(&o.timeout, "timeout", 60, "`seconds` that the command may take; later counts as no")
	f.IntVar(&o.maxRuns, "max-runs", 10_000, "how often the command is run at most")
	f.BoolVar(&o.force, "force", false, "write over an output file that exists")
	f.BoolVar(&o.verbose, "verbose", false, "show what the command prints")
	return cmd
}

func runShrink(ctx context.Context, s *streams, o *shrinkOptions, path string) error {
	if strings.TrimSpace(o.keep) == "" {
		return usageError("--keep 'CMD': it exits with 0 where the fault is there", "no command is named")
	}
	if o.timeout < 1 || o.maxRuns < 1 {
		return usageError("give 1 or more", "--timeout and --max-runs are counted from 1")
	}
	out := o.output
	if out == "" {
		out = strings.TrimSuffix(path, ".jsonl") + ".small.jsonl"
	}
	switch info, err := os.Stat(out); {
	case err == nil && !info.Mode().IsRegular():
		return usageError("name a file", "%s: a folder or a device, which holds no cassette", out)
	case !isFolder(filepath.Dir(out)):
		return usageError("name a file in a folder that can be written to", "%s: there is no such folder", out)
	}
	if _, err := os.Lstat(out); err == nil && !o.force {
		return usageError("--force writes over it", "%s: exists already", out)
	}
	c, err := openCassette(s, path)
	if err != nil {
		return err
	}
	defer c.Close()
	judge := &keeper{command: o.keep, timeout: time.Duration(o.timeout) * time.Second, streams: s, verbose: o.verbose}
	line := &progressLine{streams: s}
	result, err := shrink.Run(ctx, c, out, judge.keep, &shrink.Options{MaxRuns: o.maxRuns, Progress: line.show})
	line.end()
	if errors.Is(err, shrink.ErrNotShown) {
		return failedError("try it by hand: it must exit with 0 for a cassette that shows the fault",
			"%s: the command does not exit with 0 for the whole cassette (%s)", path, judge.last)
	}
	if result != nil && result.BytesAfter > 0 {
		fmt.Fprintf(s.out, "%s: %d of %d frames, %d of %d bytes, after %d runs\n", out,
			result.FramesAfter, result.FramesBefore, result.BytesAfter, result.BytesBefore, result.Runs)
		if !result.Complete {
			fmt.Fprintln(s.err, "the search was not finished: a smaller one may exist")
		}
	}
	return err
}

// keeper runs the user's command on candidates.
type keeper struct {
	command string
	timeout time.Duration
	streams *streams
	verbose bool
	last    string // how the command ended
}

func (k *keeper) keep(ctx context.Context, path string) (bool, error) {
	line := strings.ReplaceAll(k.command, "{}", shellQuote(path))
	if line == k.command {
		line += " " + shellQuote(path)
	}
	own, cancel := context.WithTimeout(ctx, k.timeout)
	defer cancel()
	name, flag := "sh", "-c"
	if runtime.GOOS == "windows" {
		name, flag = "cmd", "/C"
	}
	cmd := exec.CommandContext(own, name, flag, line)
	cmd.Env = append(os.Environ(), candidateVariable+"="+path)
	cmd.WaitDelay = 2 * time.Second
	ownGroup(cmd)
	if k.verbose {
		cmd.Stdout, cmd.Stderr = k.streams.err, k.streams.err
	}
	err := cmd.Run()
	endGroup(cmd)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	k.last = "exit code 0"
	switch exit := (*exec.ExitError)(nil); {
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return true, nil
	case own.Err() != nil:
		k.last = fmt.Sprintf("still running after %v", k.timeout)
	case errors.As(err, &exit):
		k.last = exit.String()
	default:
		return false, usageError("", "--keep: %w", err)
	}
	return false, nil
}

func shellQuote(path string) string {
	if runtime.GOOS == "windows" {
		return `"` + filepath.FromSlash(path) + `"`
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// progressLine says on stderr how far the search has come: on a terminal in one line that changes, elsewhere once a
// stage.
type progressLine struct {
	streams *streams
	stage   string
	shown   bool
}

func (p *progressLine) show(step shrink.Progress) {
	if step.Stage == "" {
		step.Stage = "whole"
	}
	text := fmt.Sprintf("%-9s  %d runs, %d frames, %d bytes", step.Stage, step.Runs, step.Frames, step.Bytes)
	switch {
	case p.streams.errTTY:
		fmt.Fprintf(p.streams.err, "\r\x1b[K%s", text)
		p.shown = true
	case step.Stage != p.stage:
		fmt.Fprintln(p.streams.err, text)
	}
	p.stage = step.Stage
}

func (p *progressLine) end() {
	if p.shown {
		fmt.Fprintln(p.streams.err)
	}
}
