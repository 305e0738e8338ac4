package main

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/replay"
)

// recordOptions are the flags of record.
type recordOptions struct {
	target target
	redact redactFlags
	output string
	listen string
	calls  string
	drive  string
	force  bool
	twice  bool
}

// newRecordCommand is the verb record.
func newRecordCommand(s *streams) *cobra.Command {
	var o recordOptions
	cmd := &cobra.Command{
		Use:   "record -o FILE [flags] -- COMMAND ARG…",
		Short: "Record a session, in the middle of a host and a server or as the host itself",
		Long: strings.TrimSpace(`
record stands between a host and a server and writes their session to FILE. The host speaks to it on stdin and stdout,
or with --listen on Streamable HTTP; the server is a command or an address, whichever the host speaks. Neither sees
a difference: bytes, ends of streams, exit codes and signals pass as they are. Where FILE exists it is left alone,
and the next free NAME.2.jsonl is taken.

With --calls or --drive it is the host itself: it makes the calls of a file, or runs the scenarios of a feature, and
ends. A file of calls has one JSON object a line: {"tool": NAME, "arguments": {…}} calls a tool, and
{"method": NAME, "params": {…}} sends any request. Where FILE exists that is an error, without --force.

Secrets and personal paths are replaced before anything reaches the disk: what --env and --header give, variables and
members under a credential's name, and whatever looks like a token of a known kind. --redact adds to that.`),
		Example: `  mcp-replay record -o files.jsonl -- npx -y @modelcontextprotocol/server-filesystem .
  mcp-replay record -o remote.jsonl --listen 127.0.0.1:8931 --url https://example.com/mcp
  mcp-replay record -o demo.jsonl --calls calls.jsonl -- mcp-replay server demo`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if rest := o.target.positional(cmd, args); len(rest) > 0 {
				return usageError("a server's command line stands after --", "unexpected argument %q", rest[0])
			}
			if err := o.check(); err != nil {
				return err
			}
			return runRecord(cmd.Context(), s, &o)
		},
	}
	o.target.flags(cmd)
	o.redact.flags(cmd)
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "`file` of the cassette (required)")
	f.StringVar(&o.listen, "listen", "", "let the host speak Streamable HTTP on `HOST:PORT` (port 0: any free one)")
	f.StringVar(&o.calls, "calls", "", "be the host: make the calls of a `file`")
	f.StringVar(&o.drive, "drive", "", "be the host: run the scenarios of a `feature`")
	f.BoolVar(&o.twice, "twice", false, "with --calls and --drive: do it twice, and write what varies into the header, for verify to ignore")
	f.BoolVar(&o.force, "force", false, "with --calls and --drive: write over a cassette that exists")
	return cmd
}

// driven says whether record is the host itself.
func (o *recordOptions) driven() bool { return o.calls != "" || o.drive != "" }

func (o *recordOptions) check() error {
	switch {
	case o.output == "":
		return usageError("-o FILE says where the cassette goes", "no file is named")
	case o.calls != "" && o.drive != "":
		return usageError("use one of the two", "--calls and --drive are both given")
	case o.driven() && o.listen != "":
		return usageError("use one of the two", "--listen is for a host of its own, and --calls and --drive are the host")
	case o.twice && !o.driven():
		return usageError("add --calls FILE or --drive FEATURE", "--twice has no use between a host and a server")
	case o.force && !o.driven():
		return usageError("leave --force out", "--force has no use between a host and a server: an existing file is left alone")
	}
	return o.target.check()
}

func runRecord(ctx context.Context, s *streams, o *recordOptions) error {
	switch {
	case o.calls != "":
		calls, err := readCalls(o.calls)
		if err != nil {
			return err
		}
		return recordDriven(ctx, s, o, calls.drive)
	case o.drive != "":
		return recordDriven(ctx, s, o, driveFeature)
	}
	return recordMiddle(ctx, s, o)
}

// create begins the cassette.
func (o *recordOptions) create(s *streams) (*replay.Recorder, error) {
	options, err := o.target.recordOptions(&o.redact)
	if err != nil {
		return nil, err
	}
	options.Force, options.NextFree, options.Warn = o.force, !o.driven(), s.warn
	recorder, err := replay.Create(o.output, options)
	if err != nil {
		return nil, createError(err)
	}
	return recorder, nil
}

// createError says why no recording could begin.
func createError(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return usageError("--force writes over it", "%w", err)
	}
	return usageError("name a file in a folder that can be written to", "%w", err)
}

// recordingError says what is wrong with a recording that has ended.
func recordingError(err error) error {
	if _, ok := errors.AsType[*replay.LeakError](err); ok {
		return failedError("mcp-replay redact writes the cassette anew", "%w", err)
	}
	return usageError("", "the recording is not whole: %w", err)
}
