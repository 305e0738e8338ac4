package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/replay"
)

// verifyOptions are the flags of verify.
type verifyOptions struct {
	target    target
	redact    redactFlags
	ignore    []string
	format    string
	fill      []string
	session   int
	yes       bool
	onlyReads bool
	update    bool
}

// newVerifyCommand is the verb verify: holds a live server against a cassette.
func newVerifyCommand(s *streams) *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify FILE [flags] -- COMMAND ARG…",
		Short: "Send the recorded requests to a live server and compare the answers",
		Long: strings.TrimSpace(`
verify is the host of the recorded session: it sends its requests to the live server, in the recorded concurrency,
and compares the answers by meaning. Values that the server mints (cursors, handles, ids) are carried from its live
answers into later requests.

What is known to vary is ignored: what the cassette's header names, and --ignore POINTER, a JSON Pointer that starts
at the answer message, such as /result/content/0/text; a step * stands for any member or element, and
'tools/call:now /result' is for the answers of one tool.

Notifications, the exit and the count of output that is no message are compared, too. They depend on time, so a difference
there is shown as a notice "beside the answers" and fails nothing; --ignore '/notifications/*', --ignore /exit and
--ignore /noise leave them out.

A recorded call that is not read-only is sent only after a question on the terminal, or with --yes; --only-reads
leaves such calls out. Redacted arguments are filled by --fill '[redacted:KIND:N]=ENVNAME'; requests that cannot be
filled are skipped, and that is said.

Exit codes: 0 the answers are the same; 1 they are not, or sending was refused; 3 the server could not be reached.`),
		Example: `  mcp-replay verify files.jsonl --only-reads -- npx -y @modelcontextprotocol/server-filesystem .
  mcp-replay verify remote.jsonl --yes --format junit --url http://127.0.0.1:3001/mcp > report.xml`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			rest := o.target.positional(cmd, args)
			if err := oneFile(cmd, rest); err != nil {
				return err
			}
			if err := o.check(); err != nil {
				return err
			}
			return runVerify(cmd.Context(), s, &o, rest[0])
		},
	}
	o.target.flags(cmd)
	o.redact.flags(cmd)
	f := cmd.Flags()
	listFlag(f, &o.ignore, "ignore", "what may differ in an answer, as a JSON `pointer` (repeatable)")
	f.StringVar(&o.format, "format", "text", "`text`, json or junit")
	listFlag(f, &o.fill, "fill", "value of a redacted argument, as `PLACEHOLDER=ENVNAME` (repeatable)")
	f.IntVar(&o.session, "session", 0, "the recorded session to verify, by its `number` (default: all)")
	f.BoolVar(&o.yes, "yes", false, "send calls that may change something without asking")
	f.BoolVar(&o.onlyReads, "only-reads", false, "leave out calls that may change something")
	f.BoolVar(&o.update, "update", false, "accept the live answers: write them into the cassette")
	return cmd
}

func (o *verifyOptions) check() error {
	switch {
	case o.format != "text" && o.format != "json" && o.format != "junit":
		return usageError("the formats are text, json and junit", "--format %s: not known", o.format)
	case o.yes && o.onlyReads:
		return usageError("use one of the two", "--yes and --only-reads are both given")
	}
	return o.target.check()
}

func runVerify(ctx context.Context, s *streams, o *verifyOptions, path string) error {
	cassette, err := openCassette(s, path)
	if err != nil {
		return err
	}
	defer cassette.Close()
	options, err := o.options(s, cassette)
	if err != nil {
		return err
	}
	transport, err := o.target.transport(nil)
	if err != nil {
		return err
	}
	report, err := replay.Verify(ctx, cassette, transport, options)
	if err != nil {
		err = verifyError(o.target.blank(err))
		if e, ok := errors.AsType[*exitError](err); ok && e.code == exitUnreachable {
			return errors.Join(err, o.writeError(s, path, e.err))
		}
		return err
	}
	if err := o.write(s, report); err != nil {
		return err
	}
	if o.update {
		n, err := report.Update(path, options.Redactor)
		if err != nil {
			return usageError("the cassette is as it was", "%w", err)
		}
		fmt.Fprintf(s.err, "accepted %d answers into %s\n", n, path)
		return nil
	}
	if !report.OK() {
		return exitWith(exitFailed)
	}
	return nil
}

// options reads the flags, once the cassette is open.
func (o *verifyOptions) options(s *streams, cassette *replay.Cassette) (*replay.VerifyOptions, error) {
	record, err := o.target.recordOptions(&o.redact)
	if err != nil {
		return nil, err
	}
	redactor, err := replay.NewRedactor(record.Redact)
	if err != nil {
		return nil, usageError("patterns are regular expressions of Go's package regexp, pointers start with /", "--redact: %w", err)
	}
	if recorded, given := cassette.Header().Rules.User, redactor.Rules().User; recorded != given {
		return nil, playError(&replay.RulesError{File: cassette.Name(), Recorded: recorded, Given: given})
	}
	fill, err := o.fillIn()
	if err != nil {
		return nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, usageError("", "%w", err)
	}
	return &replay.VerifyOptions{
		Ignore: o.ignore, Session: o.session, OnlyReads: o.onlyReads, Fill: fill, Update: o.update,
		Timeout:        time.Duration(o.target.timeout) * time.Second,
		ConnectTimeout: time.Duration(o.target.connectTimeout) * time.Second,
		Consent:        func(calls []string) bool { return o.consent(s, calls) },
		Redactor:       redactor,
		Dir:            dir,
	}, nil
}

// fillIn reads the --fill flags.
func (o *verifyOptions) fillIn() (map[string]string, error) {
	values := map[string]string{}
	for _, pair := range o.fill {
		placeholder, name, found := strings.Cut(pair, "=")
		if !found || !strings.HasPrefix(placeholder, "[redacted:") {
			return nil, usageError("write --fill '[redacted:KIND:N]=ENVNAME'", "--fill %s: no placeholder and variable in it", pair)
		}
		value, set := os.LookupEnv(name)
		if !set {
			return nil, usageError("set it, so that the value stands on no command line", "--fill: no variable %s is set", name)
		}
		values[placeholder] = value
	}
	return values, nil
}

// consent asks on the terminal whether the calls may be sent.
func (o *verifyOptions) consent(s *streams, calls []string) bool {
	if o.yes {
		return true
	}
	if !s.inTTY || !s.errTTY {
		return false
	}
	fmt.Fprintf(s.err, "These recorded calls may change something at the live server: %s\nSend them? [y/N] ", (&replay.ConsentError{Calls: calls}).List())
	answer, err := bufio.NewReader(s.in).ReadString('\n')
	answer = strings.ToLower(strings.TrimSpace(answer))
	return err == nil && (answer == "y" || answer == "yes")
}

// verifyError gives an error of verifying its exit code.
func verifyError(err error) error {
	if _, ok := errors.AsType[*replay.ConsentError](err); ok {
		return failedError("--yes sends them, --only-reads leaves them out", "%w", err)
	}
	if _, ok := errors.AsType[*replay.UsageError](err); ok {
		return usageError("", "%w", err)
	}
	if _, ok := errors.AsType[*replay.DamageError](err); ok || errors.Is(err, replay.ErrEmpty) {
		return asUsage(err)
	}
	return unreachableError(err)
}

// writeError says in the report, for whoever reads no stderr, why there is none.
func (o *verifyOptions) writeError(s *streams, path string, cause error) error {
	switch o.format {
	case "json":
		text, err := jsontext.AppendQuote(nil, strings.ToValidUTF8(cause.Error(), "\uFFFD"))
		if err == nil {
			_, err = fmt.Fprintf(s.out, "{\"error\":%s}\n", text)
		}
		return err
	case "junit":
		return replay.WriteJUnitError(s.out, path, cause)
	}
	return nil
}

func (o *verifyOptions) write(s *streams, report *replay.Report) error {
	switch o.format {
	case "json":
		_, err := s.out.Write(append(report.AppendJSON(nil), '\n'))
		return err
	case "junit":
		return report.WriteJUnit(s.out)
	}
	return report.WriteText(s.out)
}
