package steps

import (
	"fmt"
	"io"
	"strings"
)

// printWidth is how long a line of documentation gets.
const printWidth = 110

// Print writes the vocabulary for people: each step as a feature would have it, below a comment that says what it
// does, under a heading for its area.
func (v *Vocabulary) Print(out io.Writer) error {
	area := ""
	for i, e := range v.entries {
		if e.Area != area {
			if i > 0 {
				if _, err := fmt.Fprintln(out); err != nil {
					return err
				}
			}
			area = e.Area
			if _, err := fmt.Fprintf(out, "# ---- %s ----\n", area); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(out, "\n%s%s\n", comment(e.Doc), e.Example); err != nil {
			return err
		}
	}
	return nil
}

// comment wraps a text into lines of comment.
func comment(text string) string {
	var b strings.Builder
	line := "#"
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > printWidth {
			b.WriteString(line + "\n")
			line = "#"
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}
