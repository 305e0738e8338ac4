package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/replay/spec"
)

// specOptions are the flags of spec.
type specOptions struct {
	output string
	max    int
	force  bool
}

// newSpecCommand is the verb spec: a feature file from a cassette.
func newSpecCommand(s *streams) *cobra.Command {
	var o specOptions
	cmd := &cobra.Command{
		Use:   "spec FILE",
		Short: "Write a behaviour spec from a cassette",
		Long: strings.TrimSpace(`
spec writes a feature file in the built-in steps, which passes against the cassette it was written from:

  mcp-replay spec session.jsonl -o session.feature
  mcp-replay test session.feature --cassettes session.jsonl

It holds the values worth asserting, not all of them: read it, throw out what does not matter, and run it against the
real server. What of the recording is not in it is said on stderr.`),
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error { return runSpec(s, &o, args[0]) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "the feature to write, as `file`; without it, stdout")
	f.IntVar(&o.max, "max", 40, "how many calls the spec holds at most")
	f.BoolVar(&o.force, "force", false, "write over an output file that exists")
	return cmd
}

func runSpec(s *streams, o *specOptions, path string) error {
	if o.max < 1 {
		return usageError("give 1 or more", "--max %d: out of range", o.max)
	}
	c, err := openCassette(s, path)
	if err != nil {
		return err
	}
	defer c.Close()
	return writeOutput(s, path, o.output, o.force, func(w io.Writer, _ bool) error {
		notes, err := spec.Write(w, c, &spec.Options{Name: filepath.Base(path), Max: o.max})
		for _, note := range notes {
			fmt.Fprintf(s.err, "%s: not in the spec: %s\n", path, note)
		}
		if version, ok := errors.AsType[*spec.VersionError](err); ok {
			return failedError("record the server with a host that speaks 2025-06-18, such as mcp-replay record --drive", "%s: %w", path, version)
		}
		if err != nil {
			return usageError("", "%s: %w", path, err)
		}
		return nil
	})
}
