package steps

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// filesSteps is about files in the scenario's folder.
var filesSteps = []Step{{
	Pattern: `^a file "([^"]*)" with:$`,
	Example: "Given a file \"settings.json\" with:\n  \"\"\"\n  {\"mcp\":{\"servers\":[]}}\n  \"\"\"",
	Doc:     "Writes a file, with a newline at its end, in the scenario's folder.",
	Do:      writeFile,
}, {
	Pattern: `^the text "([^"]*)" in the file "([^"]*)" becomes "([^"]*)"$`,
	Example: `When the text "hello" in the file "session.jsonl" becomes "goodbye"`,
	Doc:     "Replaces every occurrence of the text; there is at least one.",
	Do:      replaceInFile,
}, {
	Pattern: `^the file "([^"]*)" is:$`,
	Example: "Then the file \"out.feature\" is:\n  \"\"\"\n  Feature: echo\n  \"\"\"",
	Doc:     "Compares the whole file with the text; a newline at its end does not count.",
	Do:      fileIs,
}, {
	Pattern: `^the file "([^"]*)" contains:$`,
	Example: "Then the file \"session.jsonl\" contains:\n  \"\"\"\n  \"from\":\"client\"\n  \"\"\"",
	Doc:     "Looks for the text in the file.",
	Do:      fileContains,
}, {
	Pattern: `^the file "([^"]*)" does not contain "([^"]*)"$`,
	Example: `Then the file "session.jsonl" does not contain "hunter2hunter2"`,
	Doc:     "Asserts that the file is there and the text is nowhere in it.",
	Do:      fileLacks,
}, {
	Pattern: `^the file "([^"]*)" has (\d+) lines?$`,
	Example: `Then the file "session.jsonl" has 7 lines`,
	Doc:     "Counts the file's newlines.",
	Do:      fileHasLines,
}, {
	Pattern: `^there is no file "([^"]*)"$`,
	Example: `Then there is no file "session.jsonl"`,
	Doc:     "Asserts that no file or folder has that name.",
	Do:      noFile,
}}

func writeFile(_ context.Context, w *World, name string, text Doc) error {
	path, err := w.Path(name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text+"\n"), 0o600)
}

func replaceInFile(_ context.Context, w *World, old, name, replacement string) error {
	text, err := readFile(w, name)
	if err != nil {
		return err
	}
	if !strings.Contains(text, old) {
		return fmt.Errorf("there is no %q in it:\n%s", old, text)
	}
	path, err := w.Path(name)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(strings.ReplaceAll(text, old, replacement)), 0o600)
}

func readFile(w *World, name string) (string, error) {
	path, err := w.Path(name)
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(path)
	return string(data), err
}

func fileIs(_ context.Context, w *World, name string, want Doc) error {
	got, err := readFile(w, name)
	if err != nil {
		return err
	}
	return sameText(strings.TrimSuffix(got, "\n"), string(want))
}

func fileContains(_ context.Context, w *World, name string, want Doc) error {
	got, err := readFile(w, name)
	if err != nil {
		return err
	}
	return containsText(got, string(want))
}

func fileLacks(_ context.Context, w *World, name, text string) error {
	got, err := readFile(w, name)
	if err != nil {
		return err
	}
	if at := strings.Index(got, text); at >= 0 {
		return fmt.Errorf("%s has %q in line %d", name, text, 1+strings.Count(got[:at], "\n"))
	}
	return nil
}

func fileHasLines(_ context.Context, w *World, name string, want int) error {
	got, err := readFile(w, name)
	if err != nil {
		return err
	}
	if n := strings.Count(got, "\n"); n != want {
		return fmt.Errorf("%s has %d lines:\n%s", name, n, got)
	}
	return nil
}

func noFile(_ context.Context, w *World, name string) error {
	path, err := w.Path(name)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		return fmt.Errorf("%s is there", name)
	}
	return nil
}

// sameText says how two texts differ.
func sameText(got, want string) error {
	if got == want {
		return nil
	}
	if !strings.Contains(got+want, "\n") {
		return fmt.Errorf("it is %q, not %q", got, want)
	}
	return fmt.Errorf("it differs (- wanted, + got):\n%s", difference(strings.Split(want, "\n"), strings.Split(got, "\n")))
}

func containsText(got, want string) error {
	if strings.Contains(got, want) {
		return nil
	}
	return fmt.Errorf("%q is not in it:\n%s", want, got)
}
