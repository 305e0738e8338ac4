package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/formats"
)

// importFileOptions are the flags of import.
type importFileOptions struct {
	redact redactFlags
	from   string
	output string
	pick   string
	force  bool
}

// newImportCommand is the verb import: another tool's recording becomes a cassette.
func newImportCommand(s *streams) *cobra.Command {
	var o importFileOptions
	cmd := &cobra.Command{
		Use:   "import FILE -o CASSETTE",
		Short: "Make a cassette of another tool's recording",
		Long: strings.TrimSpace(`
import reads a recording of another tool and writes it as a cassette, redacted as every cassette is. The format is told
by the content, or by --from:

`) + "\n" + formatList(formats.Imports()) + `
What of the file a cassette cannot hold, or the file does not tell, is said on stderr, entry by entry.`,
		Example: `  mcp-replay import session.har -o session.jsonl
  mcp-replay import traffic.ndjson --pick github -o github.jsonl`,
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error { return runImport(s, &o, args[0]) },
	}
	o.redact.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.from, "from", "", "the `format` of FILE")
	f.StringVarP(&o.output, "output", "o", "", "the cassette to write, as `file`; without it, stdout")
	f.StringVar(&o.pick, "pick", "", "of a file with several sessions, the one with this `name`")
	f.BoolVar(&o.force, "force", false, "write over an output file that exists")
	return cmd
}

func formatList(list []formats.Format) string {
	var b strings.Builder
	for _, f := range list {
		fmt.Fprintf(&b, "  %-12s%s\n", f.Name, f.Doc)
	}
	return b.String()
}

func runImport(s *streams, o *importFileOptions, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return usageError("", "%w", err)
	}
	if _, err := replay.NewReader(bytes.NewReader(data), path); err == nil && o.from == "" {
		return usageError("mcp-replay show reads it as it is", "%s: a cassette already", path)
	}
	rec, err := formats.Import(data, &formats.ImportOptions{Name: path, Format: o.from, By: "mcp-replay " + version, Pick: o.pick})
	if several, ok := errors.AsType[*formats.SeveralError](err); ok {
		return usageError("pick one with --pick NAME", "%w", several)
	}
	if err != nil {
		return usageError("mcp-replay import --help lists the formats; --from names one", "%w", err)
	}
	server := rec.Header.Server
	if _, err := o.redact.digest(); err != nil {
		return err
	}
	redactor, err := replay.NewRedactor(&replay.RedactOptions{Inherited: os.Environ(), Args: server.Args, URL: server.URL, Rules: o.redact.rules()})
	if err != nil {
		return err
	}
	for _, note := range rec.Notes {
		fmt.Fprintf(s.err, "%s: %s\n", path, redactor.Text(note))
	}
	return writeOutput(s, path, o.output, o.force, func(w io.Writer, _ bool) error { return rec.Write(w, redactor) })
}
