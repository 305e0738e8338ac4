package steps

import (
	"context"
	"os"
	"path/filepath"
)

// formatsSteps is about import and export.
var formatsSteps = []Step{{
	Pattern: `^the recording "([^"]*)" of another tool$`,
	Example: `Given the recording "mcp-rec.jsonl" of another tool`,
	Doc:     "Puts a sample of another recorder's files, as the tool wrote it, into the scenario's folder.",
	Do:      copySample,
}}

func copySample(_ context.Context, w *World, name string) error {
	data, err := os.ReadFile(w.RootPath(filepath.Join("replay", "formats", "testdata", filepath.Base(name))))
	if err != nil {
		return err
	}
	path, err := w.Path(name)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}
