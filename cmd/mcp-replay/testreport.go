package main

import (
	"bytes"
	"os"
	"strings"

	runner "github.com/imurun/mcp-replay/steps/run"
)

// reportFile is one of the formats to write; a file is written when the run is over, so that no half report stands there.
type reportFile struct {
	name string
	file string // empty means stdout
	text bytes.Buffer
}

type reportFiles []*reportFile

// parseFormats reads pretty,junit:out.xml.
func parseFormats(text string) (reportFiles, error) {
	hint := "write NAME or NAME:FILE; there are " + strings.Join(runner.FormatNames(), ", ")
	var reports reportFiles
	onStdout := ""
	for _, part := range strings.Split(text, ",") {
		name, file, hasFile := strings.Cut(strings.TrimSpace(part), ":")
		switch {
		case !runner.IsFormat(name):
			return nil, usageError(hint, "--format %s: there is no such format", name)
		case hasFile && file == "":
			return nil, usageError(hint, "--format %s: no file is named", part)
		case !hasFile && onStdout != "":
			return nil, usageError(hint, "--format: both %s and %s would go to stdout", onStdout, name)
		case !hasFile:
			onStdout = name
		}
		reports = append(reports, &reportFile{name: name, file: file})
	}
	return reports, nil
}

func (all reportFiles) formats(s *streams) []runner.Format {
	var formats []runner.Format
	for _, r := range all {
		f := runner.Format{Name: r.name, Out: s.out}
		if r.file != "" {
			f.Out = &r.text
		}
		formats = append(formats, f)
	}
	return formats
}

func (all reportFiles) write() error {
	for _, r := range all {
		if r.file == "" {
			continue
		}
		if err := os.WriteFile(r.file, r.text.Bytes(), 0o666); err != nil {
			return usageError("", "--format %s: %w", r.name, err)
		}
	}
	return nil
}
