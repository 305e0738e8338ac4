package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/replay/diff"
)

// diffOptions are the flags of diff.
type diffOptions struct {
	target target
	format string
	failOn string
	output string
	force  bool
}

// newDiffCommand is the verb diff: what changed between two recordings or two servers' tools.
func newDiffCommand(s *streams) *cobra.Command {
	var o diffOptions
	cmd := &cobra.Command{
		Use:   "diff A B | diff A [flags] -- COMMAND ARG…",
		Short: "Say what changed between two recordings or two servers' tools, worst first",
		Long: strings.TrimSpace(`
diff compares two sides. A and B are each a cassette, a JSON file with a list of tools (as mcp-replay tools --json or
a tools/list answer has it), the address of a server (http://… or https://…), or a command line in quotes after
cmd: as in 'cmd:npx -y some-server'. A server named by -- COMMAND, --url or --server takes the place of B.

Changes have a class:
  breaking    a tool or argument is gone, an argument is newly required, a type takes less, the output is another
  permission  a hint was dropped or flipped, so that a host would no longer ask before a call (the rug pull)
  behaviour   whatever else a program could notice, such as another answer to the same request
  wording     titles and descriptions, shown in full; invisible and bidirectional characters in them are named

Exit code 1 from the class that --fail-on names, or a worse one.`),
		Example: `  mcp-replay diff monday.jsonl tuesday.jsonl
  mcp-replay diff session.jsonl --fail-on permission -- npx -y @modelcontextprotocol/server-everything
  mcp-replay diff 'cmd:npx -y server@1' 'cmd:npx -y server@2' --format json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runDiff(cmd.Context(), s, &o, o.target.positional(cmd, args))
		},
	}
	o.target.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "text", "`text` or json")
	f.StringVar(&o.failOn, "fail-on", "wording", "the `class` from which the exit code is 1: breaking, permission, behaviour, wording, none")
	f.StringVarP(&o.output, "output", "o", "", "`file` to write to, instead of stdout")
	f.BoolVar(&o.force, "force", false, "write over an output file that exists")
	return cmd
}

func runDiff(ctx context.Context, s *streams, o *diffOptions, names []string) error {
	const hint = "mcp-replay diff A B, or mcp-replay diff A -- COMMAND"
	if o.format != "text" && o.format != "json" {
		return usageError("the formats are text and json", "--format %s: not known", o.format)
	}
	failOn, err := diff.ParseClass(o.failOn)
	if err != nil {
		return usageError("breaking, permission, behaviour, wording or none", "--fail-on %s: not known", o.failOn)
	}
	live := len(o.target.command) > 0 || o.target.url != "" || o.target.server != ""
	want := 2
	if live {
		want = 1
	}
	switch {
	case len(names) < want:
		return usageError(hint, "two sides are compared, and only %d named", len(names)+2-want)
	case len(names) > want:
		return usageError(hint, "unexpected argument %q", names[want])
	}
	d := &differ{ctx: ctx, streams: s, flags: &o.target}
	defer d.close()
	before, err := d.side(names[0])
	if err != nil {
		return err
	}
	var after *diff.Side
	if live {
		if err := o.target.check(); err != nil {
			return err
		}
		after, err = d.server(&o.target)
	} else {
		after, err = d.side(names[1])
	}
	if err != nil {
		return err
	}
	report, err := diff.Compare(before, after)
	if err != nil {
		return asUsage(err)
	}
	err = writeOutput(s, "", o.output, o.force, func(w io.Writer, color bool) error {
		if o.format == "json" {
			return report.WriteJSON(w)
		}
		return report.WriteText(w, &diff.TextOptions{Width: s.width, Color: color})
	})
	if err == nil && failOn != diff.None && report.Worst() >= failOn {
		return exitWith(exitFailed)
	}
	return err
}

// differ opens the sides of a comparison.
type differ struct {
	ctx     context.Context
	streams *streams
	flags   *target
	open    []io.Closer
}

func (d *differ) close() {
	for _, c := range d.open {
		c.Close()
	}
}

func (d *differ) side(name string) (*diff.Side, error) {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		t := *d.flags
		t.command, t.url = nil, name
		if err := t.check(); err != nil {
			return nil, err
		}
		return d.server(&t)
	}
	if line, ok := strings.CutPrefix(name, "cmd:"); ok {
		words, err := splitCommand(line)
		if err != nil {
			return nil, err
		}
		t := *d.flags
		t.command, t.url, t.headers, t.server = words, "", nil, ""
		return d.server(&t)
	}
	if tools, ok := readToolsFile(name); ok {
		return diff.FromServer(nil, tools), nil
	}
	c, err := openCassette(d.streams, name)
	if err != nil {
		return nil, err
	}
	d.open = append(d.open, c)
	side, err := diff.FromCassette(c)
	return side, asUsage(err)
}

// server asks a live server for its tools.
func (d *differ) server(t *target) (*diff.Side, error) {
	s, err := connect(d.ctx, t, nil)
	if err != nil {
		return nil, err
	}
	var tools []jsontext.Value
	for _, tool := range s.tools.Tools {
		tools = append(tools, slices.Clone(tool.Raw))
	}
	side := diff.FromServer(slices.Clone(s.client.Initialize()), tools)
	s.client.Close() // what it says of its end is no matter here
	return side, nil
}

// readToolsFile reads a JSON file that holds a list of tools: as "mcp-replay tools --json" prints it, as tools/list
// answers it, or the bare list.
func readToolsFile(name string) ([]jsontext.Value, bool) {
	const most = 64 << 20 // no list of tools is larger, and a cassette may be
	info, err := os.Stat(name)
	if err != nil || info.IsDir() || info.Size() > most {
		return nil, false
	}
	data, err := os.ReadFile(name)
	if err != nil || len(bytes.TrimSpace(data)) == 0 {
		return nil, false
	}
	lenient := json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	var list []jsontext.Value
	if json.Unmarshal(data, &list, lenient) == nil {
		return list, true
	}
	var whole struct {
		Tools  []jsontext.Value `json:"tools"`
		Result struct {
			Tools []jsontext.Value `json:"tools"`
		} `json:"result"`
	}
	if json.Unmarshal(data, &whole, lenient) != nil {
		return nil, false
	}
	if whole.Tools == nil {
		whole.Tools = whole.Result.Tools
	}
	for i, tool := range whole.Tools {
		whole.Tools[i] = serverTool(tool)
	}
	return whole.Tools, whole.Tools != nil
}

// serverTool gives a tool as the server has it: "mcp-replay tools --json" has the host's name beside the server's.
func serverTool(raw jsontext.Value) jsontext.Value {
	var t struct {
		Tool string `json:"tool"`
	}
	if json.Unmarshal(raw, &t) != nil || t.Tool == "" {
		return raw
	}
	var m map[string]jsontext.Value
	if json.Unmarshal(raw, &m) != nil {
		return raw
	}
	m["name"] = m["tool"]
	for _, ours := range []string{"tool", "decision", "rule"} {
		delete(m, ours)
	}
	out, err := json.Marshal(m, json.Deterministic(true))
	if err != nil {
		return raw
	}
	return out
}

// splitCommand splits a command line at its spaces; '…' and "…" keep a word together.
func splitCommand(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, open := rune(0), false
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, open = c, true
		case quote == 0 && (c == ' ' || c == '\t'):
			if open {
				words = append(words, word.String())
				word.Reset()
			}
			open = false
		default:
			word.WriteRune(c)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	if quote != 0 || len(words) == 0 {
		return nil, usageError("write it as 'cmd:COMMAND ARG…'", "cmd:%s: not a command line", line)
	}
	return words, nil
}
