package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/policy"
	"github.com/imurun/mcp-replay/replay"
)

// callOptions are the flags of call.
type callOptions struct {
	target target
	args   string // --args
	yes    bool
	json   bool
	record string
}

// newCallCommand is the verb call: calls one tool.
func newCallCommand(s *streams) *cobra.Command {
	var o callOptions
	cmd := &cobra.Command{
		Use:   "call TOOL [k=v…] [flags] -- COMMAND ARG…",
		Short: "Call one tool, asking on the terminal where the policy says ask",
		Long: strings.TrimSpace(`
call calls one tool of a server and prints the result.

TOOL is the tool's name as the server or as the host has it. Arguments are k=v (a string, brought to the type that
the tool's schema wants), k:=JSON, or all of them at once with --args JSON, --args @FILE, or --args - for stdin.

Where the policy says ask, the question comes on the terminal; without a terminal the call is refused, unless
--yes is given.`),
		Example: `  mcp-replay call read_file path=notes.txt -- npx -y @modelcontextprotocol/server-filesystem .
  mcp-replay call add --args '{"a": 1, "b": 2}' --url http://127.0.0.1:3001/mcp`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			rest := o.target.positional(cmd, args)
			if len(rest) == 0 {
				return usageError("mcp-replay tools lists them", "no tool is named")
			}
			if err := o.target.check(); err != nil {
				return err
			}
			callArgs, err := readArguments(s, rest[1:], o.args)
			if err != nil {
				return err
			}
			return runCall(cmd.Context(), s, &o, rest[0], callArgs)
		},
	}
	o.target.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.args, "args", "", "all arguments as `JSON`, @FILE, or - for stdin")
	f.BoolVar(&o.yes, "yes", false, "call without asking")
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.StringVar(&o.record, "record", "", "write the session's cassette to `FILE`")
	return cmd
}

// readArguments makes the arguments object of a call from k=v pairs, k:=JSON pairs, or the --args flag.
func readArguments(s *streams, pairs []string, whole string) (jsontext.Value, error) {
	const hint = "write k=v for a string, k:=JSON for anything else"
	if whole != "" {
		if len(pairs) > 0 {
			return nil, usageError("use one of the two", "arguments are given both as --args and as pairs")
		}
		return wholeArguments(s, whole)
	}
	args := map[string]jsontext.Value{}
	for _, pair := range pairs {
		name, value, found := strings.Cut(pair, "=")
		name, isJSON := strings.CutSuffix(name, ":")
		if !found || name == "" {
			return nil, usageError(hint, "argument %q: no name and = in it", pair)
		}
		if _, twice := args[name]; twice {
			return nil, usageError(hint, "argument %s: given twice", name)
		}
		if isJSON {
			v := jsontext.Value(value)
			if !v.IsValid(jsontext.AllowDuplicateNames(true)) {
				return nil, usageError(hint, "argument %s: not valid JSON", name)
			}
			args[name] = v
			continue
		}
		text, err := jsontext.AppendQuote(nil, value)
		if err != nil {
			return nil, usageError("arguments are UTF-8", "argument %s: not valid UTF-8", name)
		}
		args[name] = text
	}
	return json.Marshal(args, json.Deterministic(true), jsontext.AllowDuplicateNames(true))
}

func wholeArguments(s *streams, whole string) (jsontext.Value, error) {
	data := []byte(whole)
	var err error
	if path, isFile := strings.CutPrefix(whole, "@"); isFile {
		data, err = os.ReadFile(path)
	} else if whole == "-" {
		data, err = io.ReadAll(s.in)
	}
	if err != nil {
		return nil, usageError("give JSON, @FILE, or - for stdin", "--args: %w", err)
	}
	v := jsontext.Value(bytes.TrimSpace(data))
	if !v.IsValid(jsontext.AllowDuplicateNames(true)) || v.Kind() != '{' {
		return nil, usageError("give JSON, @FILE, or - for stdin", "--args: not a JSON object")
	}
	return v, nil
}

// callOutput is the JSON of call.
type callOutput struct {
	Tool       string         `json:"tool"`
	Failed     bool           `json:"failed"`
	Text       string         `json:"text"`
	Structured jsontext.Value `json:"structured,omitzero"`
	Error      string         `json:"error,omitzero"`
	DurationMs float64        `json:"durationMs"`
}

func runCall(ctx context.Context, s *streams, o *callOptions, name string, args jsontext.Value) error {
	if o.record == "" {
		_, err := makeCall(ctx, s, o, name, args, nil)
		return err
	}
	options, err := o.target.recordOptions(&redactFlags{})
	if err != nil {
		return err
	}
	options.NextFree, options.Warn = true, s.warn
	recorder, err := replay.Create(o.record, options)
	if err != nil {
		return createError(err)
	}
	began, err := makeCall(ctx, s, o, name, args, recorder)
	if !began { // a recording of nothing is no use to anybody
		recorder.Discard()
		return err
	}
	if closing := recorder.Close(); closing != nil {
		return recordingError(closing)
	}
	fmt.Fprintf(s.err, "wrote %s\n", recorder.Path())
	return err
}

// makeCall makes the call in a session of its own, and says whether that began.
func makeCall(ctx context.Context, s *streams, o *callOptions, name string, args jsontext.Value, tap mcp.Tap) (began bool, err error) {
	session, err := connect(ctx, &o.target, tap)
	if err != nil {
		return false, err
	}
	defer session.client.Close()
	tool, err := session.tool(o.target.id(), name)
	if err != nil {
		return true, err
	}
	if err := o.consent(s, &tool, args); err != nil {
		return true, err
	}
	start := time.Now()
	result, callErr := session.client.CallTool(ctx, tool.Name, args)
	callErr = o.target.blank(callErr)
	out := callOutput{Tool: tool.Name, DurationMs: float64(time.Since(start).Microseconds()) / 1000}
	if callErr != nil {
		out.Failed, out.Error = true, callErr.Error()
		out.Text = mcp.FailedResult(callErr).Text
	} else {
		out.Failed, out.Text, out.Structured = result.Failed, result.Text, result.Structured
	}
	if err := printCall(s, o, &out); err != nil {
		return true, err
	}
	switch {
	case callErr != nil:
		return true, callError(callErr)
	case out.Failed:
		return true, exitWith(exitFailed)
	}
	return true, nil
}

func printCall(s *streams, o *callOptions, out *callOutput) error {
	if o.json {
		return writeJSON(s, out)
	}
	if out.Error != "" {
		return nil // it is said as the error that the program ends with
	}
	text := out.Text
	if s.outTTY {
		text = plain(text)
	}
	_, err := fmt.Fprintln(s.out, text)
	return err
}

// consent asks on the terminal where the policy says ask. Without a terminal the call is refused, unless --yes is
// given.
func (o *callOptions) consent(s *streams, tool *mcp.Tool, args jsontext.Value) error {
	d := o.target.decide(tool)
	if o.yes || d.Action == policy.ActionAllow {
		return nil
	}
	if !s.inTTY || !s.errTTY {
		return failedError("--yes calls without asking", "%s: refused: the policy says ask (%s), and there is no terminal to ask on", tool.Name, d.Rule)
	}
	fmt.Fprintf(s.err, "%s: %s\nCall %s with %s? [y/N] ", d.Rule, plainLine(d.Why()), plainLine(tool.Name), plainLine(string(args)))
	answer, err := bufio.NewReader(s.in).ReadString('\n')
	if answer = strings.ToLower(strings.TrimSpace(answer)); err != nil || answer != "y" && answer != "yes" {
		return failedError("", "%s: refused", tool.Name)
	}
	return nil
}
