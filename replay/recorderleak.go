package replay

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
)

// A LeakError says that secrets stand in a finished recording: they had passed before it was known that they are some.
type LeakError struct {
	File  string
	Lines []int    // where, from 1; the first hundred
	Kinds []string // of the secrets
}

func (e *LeakError) Error() string {
	return fmt.Sprintf("%s: a secret (%s) stands in line %s; it had passed before anything told that it is one: delete the file, or redact it with a rule for it", e.File,
		joinWords(e.Kinds), joinNumbers(e.Lines))
}

// leaks looks for every known secret in a finished file, on its bytes as they are: it relies on nothing that wrote it.
func (r *Redactor) leaks(path string) error {
	r.mu.RLock()
	var triggers []trigger
	escaped := []byte(`\u`) // what a line must hold for a secret to be escaped in it
	for secret, name := range r.known {
		triggers = append(triggers, literalTriggers(name, secret)...)
		if strings.ContainsFunc(secret, func(c rune) bool { return c < ' ' || c > '~' || c == '"' || c == '\\' || c == '/' }) {
			escaped = []byte{'\\'}
		}
	}
	r.mu.RUnlock()
	if triggers == nil {
		return nil
	}
	finder := newFinder(triggers)
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("look for secrets: %w", err)
	}
	defer file.Close()
	leak := &LeakError{File: path}
	kinds := make(map[string]bool)
	lines := lineReader{r: file}
	for n := 1; ; n++ {
		line, _, err := lines.next()
		if err == io.EOF {
			break
		} else if err != nil {
			return fmt.Errorf("look for secrets: %w", err)
		}
		found := finder.find(line, nil)
		if bytes.Contains(line, escaped) {
			found = finder.find(backslash.decode(line), found)
		}
		found = finder.find(percent.decode(line), found)
		if len(found) > 0 && len(leak.Lines) < 100 {
			leak.Lines = append(leak.Lines, n)
		}
		for _, f := range found {
			kinds[f.name] = true
		}
	}
	if len(leak.Lines) == 0 {
		return nil
	}
	leak.Kinds = sortedKeys(kinds)
	return leak
}
