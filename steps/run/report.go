package run

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/imurun/mcp-replay/steps"
)

// report is what the formats for people share. The first error of writing is kept, and nothing is written after it.
type report struct {
	w     io.Writer
	color bool
	err   error
}

func (r *report) printf(format string, args ...any) {
	if r.err == nil {
		_, r.err = fmt.Fprintf(r.w, format, args...)
	}
}

// The colours of the terminal, by what they stand for.
const (
	green  = "32"
	red    = "31"
	yellow = "33"
	faint  = "2"
	bold   = "1"
)

func (r *report) paint(color, text string) string {
	if !r.color || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// marks and colours of a step, by its status.
var marks = [...]struct{ mark, color string }{
	Passed:    {"✓", green},
	Failed:    {"✗", red},
	Skipped:   {"-", faint},
	Undefined: {"?", yellow},
	Pending:   {"~", yellow},
	Ambiguous: {"≠", yellow},
}

// failure shows the first step that did not pass, where it stands and what to do.
func (r *report) failure(o *Outcome) {
	c := o.Case
	for _, s := range o.Steps {
		if s.Status == Passed || s.Status == Skipped {
			continue
		}
		r.printf("%s\n", r.paint(red, fmt.Sprintf("%s:%d:%d: %s: %s", c.Feature.File, s.Line, s.Column, s.Status, visible(s.Text))))
		r.printf("  in the %s %q, line %d\n", strings.ToLower(c.Keyword), c.Name, c.Line)
		width := 1
		if s.Line <= len(c.Feature.lines) {
			width = utf8.RuneCountInString(strings.TrimSpace(c.Feature.lines[s.Line-1]))
		}
		r.printf("%s\n", visible(excerpt(c.Feature.lines, s.Line, s.Column, width)))
		r.printf("%s\n", indent(s.Err.Error()))
		r.hint(s.Hint)
	}
	if o.Err != nil {
		r.printf("%s\n", r.paint(red, fmt.Sprintf("%s:%d: at the end of the %s %q", c.Feature.File, c.Line, strings.ToLower(c.Keyword), c.Name)))
		r.printf("%s\n", indent(o.Err.Error()))
		if h := new(steps.HintError); errors.As(o.Err, &h) {
			r.hint(h.Hint)
		}
	}
}

func (r *report) hint(text string) {
	if text != "" {
		r.printf("  hint: %s\n", strings.ReplaceAll(text, "\n", "\n        "))
	}
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(visible(text), "\n"), "\n", "\n  ")
}

// visible spells out what a terminal would take for a command, or a reader would not see: control, invisible and direction
// characters of features and servers. Line ends and tabs stay.
func visible(text string) string {
	hidden := func(r rune) bool {
		return r != '\n' && r != '\t' && r != '\u200d' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp))
	}
	if !strings.ContainsFunc(text, hidden) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if hidden(r) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// summary is the last line: how many scenarios and steps ended in which way.
func (r *report) summary(result *Result) {
	var scenarios, all [len(statusNames)]int
	stepCount := 0
	for _, o := range result.Scenarios {
		scenarios[o.Status]++
		for _, s := range o.Steps {
			all[s.Status]++
			stepCount++
		}
	}
	r.printf("%s%s, %s%s, %s\n", plural(len(result.Scenarios), "scenario"), r.counts(scenarios[:]),
		plural(stepCount, "step"), r.counts(all[:]), result.Took.Round(time.Millisecond))
}

func (r *report) counts(n []int) string {
	var parts []string
	for status, count := range n {
		if count > 0 {
			parts = append(parts, r.paint(marks[status].color, fmt.Sprintf("%d %s", count, Status(status))))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
