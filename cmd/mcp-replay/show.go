package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/timeline"
)

// showOptions are the flags of show.
type showOptions struct {
	format string
	output string
	width  int
	calls  bool
	force  bool
}

// newShowCommand is the verb show: a person's view of a cassette.
func newShowCommand(s *streams) *cobra.Command {
	var o showOptions
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Show a cassette: timeline, calls, timings, and what went wrong",
		Long: strings.TrimSpace(`
show prints what a cassette holds: what went wrong on top, then a line for each call, notification and whatever
else passed, with times, durations and outcomes.

--format html writes one page that stands alone: a sequence diagram, a table of the calls, a search, and the raw
frames on demand. --format json is for scripts.`),
		Example: `  mcp-replay show session.jsonl
  mcp-replay show session.jsonl --format html -o session.html
  mcp-replay show session.jsonl --format json | jq '.calls[] | select(.outcome != "ok")'`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runShow(cmd.Context(), s, &o, args[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "text", "`text`, json or html")
	f.StringVarP(&o.output, "output", "o", "", "`file` to write to, instead of stdout")
	f.IntVar(&o.width, "width", 0, "`columns` of the text (default: those of the terminal)")
	f.BoolVar(&o.calls, "calls", false, "leave out all but the calls")
	f.BoolVar(&o.force, "force", false, "write over an output file that exists")
	return cmd
}

// oneFile wants exactly one argument, the cassette.
func oneFile(cmd *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return usageError("mcp-replay "+cmd.Name()+" FILE", "no cassette is named")
	case 1:
		return nil
	}
	return usageError("one cassette at a time", "unexpected argument %q", args[1])
}

func runShow(ctx context.Context, s *streams, o *showOptions, path string) error {
	switch o.format {
	case "text", "json", "html":
	default:
		return usageError("the formats are text, json and html", "--format %s: not known", o.format)
	}
	if o.width < 0 {
		return usageError("columns are counted from 1", "--width %d: not a width", o.width)
	}
	file, r, err := openReader(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return writeOutput(s, path, o.output, o.force, func(w io.Writer, color bool) error {
		if o.format == "html" {
			return asUsage(timeline.WriteHTML(w, r, &timeline.HTMLOptions{Name: filepath.Base(path)}))
		}
		t, err := timeline.Read(r)
		if err != nil {
			return asUsage(err)
		}
		if o.format == "json" {
			return t.WriteJSON(w)
		}
		width := s.width
		if o.width > 0 {
			width = o.width
		}
		return t.WriteText(w, &timeline.TextOptions{Width: width, Color: color, CallsOnly: o.calls, Name: path})
	})
}

// openReader opens a cassette for one pass.
func openReader(path string) (*os.File, *replay.Reader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, cassetteError(path, err)
	}
	r, err := replay.NewReader(file, path)
	if err != nil {
		file.Close()
		return nil, nil, cassetteError(path, err)
	}
	return file, r, nil
}

// cassetteError says what is wrong with a cassette that cannot be read, and what to do about it.
func cassetteError(path string, err error) error {
	var damaged *replay.DamageError
	var newer *replay.VersionError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return usageError("mcp-replay record -o FILE makes a cassette", "%s: no such file", path)
	case isFolder(path):
		return usageError("name one cassette in it", "%s: a folder, not a cassette", path)
	case errors.Is(err, replay.ErrEmpty):
		return usageError("record it again", "%v", err)
	case errors.As(err, &newer):
		return usageError("a newer mcp-replay reads it", "%v", err)
	case errors.As(err, &damaged):
		return usageError("a cassette's lines are JSON, as docs/cassette-format.md describes them; mcp-replay import takes other formats", "%v", err)
	}
	return usageError("", "%w", err)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// openCassette opens a cassette for reading by meaning. One that was cut off is taken up to its last whole frame, and that
// is said (REP-10).
func openCassette(s *streams, path string) (*replay.Cassette, error) {
	c, err := replay.Open(path)
	if err != nil {
		return nil, cassetteError(path, err)
	}
	if c.Cut() {
		s.warn(path + " ends inside a line, which is left out: the recording was cut off")
	}
	return c, nil
}

// asUsage gives an error of reading a cassette its exit code.
func asUsage(err error) error {
	if err == nil {
		return nil
	}
	return cassetteError("", err)
}
