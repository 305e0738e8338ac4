package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/formats"
)

// exportOptions are the flags of export.
type exportOptions struct {
	to     string
	output string
	url    string
	force  bool
}

// newExportCommand is the verb export: a cassette becomes a file that other tools read.
func newExportCommand(s *streams) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export CASSETTE -o FILE",
		Short: "Write a cassette in the format of another tool",
		Long: strings.TrimSpace(`
export writes a cassette in another format, told by the ending of FILE (.har, .yaml) or by --to:

`) + "\n" + formatList(formats.Exports()) + `
A session on stdio is exported as Streamable HTTP would have carried it. What the other format cannot hold is said on
stderr. go-vcr replays the exported session to the client that recorded it: it gives back recorded bytes, ids
included, in their order; mcp-replay play answers any host.`,
		Example: `  mcp-replay export session.jsonl -o session.har
  mcp-replay export session.jsonl --url http://127.0.0.1:8080/mcp -o testdata/session.yaml`,
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error { return runExport(s, &o, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.to, "to", "", "the `format` to write: har or go-vcr")
	f.StringVarP(&o.output, "output", "o", "", "the `file` to write; without it, stdout")
	f.StringVar(&o.url, "url", "", "the `address` to export the requests under (default: that of the recorded server)")
	f.BoolVar(&o.force, "force", false, "write over an output file that exists")
	return cmd
}

func runExport(s *streams, o *exportOptions, path string) error {
	to := o.to
	if to == "" {
		to = map[string]string{".har": "har", ".yaml": "go-vcr", ".yml": "go-vcr"}[filepath.Ext(o.output)]
	}
	known := func(f formats.Format) bool { return f.Name == to }
	switch {
	case to == "":
		return usageError("--to har or --to go-vcr", "no format is named")
	case !slices.ContainsFunc(formats.Exports(), known):
		return usageError("--to har or --to go-vcr", "--to %s: not known", to)
	}
	c, err := replay.Open(path)
	if err != nil {
		return cassetteError(path, err)
	}
	defer c.Close()
	return writeOutput(s, path, o.output, o.force, func(w io.Writer, _ bool) error {
		notes, err := formats.Export(w, to, c, &formats.ExportOptions{URL: o.url})
		for _, note := range notes {
			fmt.Fprintf(s.err, "%s: %s\n", path, note)
		}
		if err != nil {
			return usageError("", "%w", err)
		}
		return nil
	})
}
