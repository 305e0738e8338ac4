package run

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// formatter writes what happens in one format. Outcomes come in the order of the features.
type formatter interface {
	start(cases []*Case)
	scenario(o *Outcome)
	finish(r *Result) error
}

var makers = map[string]func(w io.Writer, color bool) formatter{
	"junit":    func(w io.Writer, _ bool) formatter { return &junit{w: w} },
	"messages": func(w io.Writer, _ bool) formatter { return newMessages(w) },
	"pretty":   func(w io.Writer, color bool) formatter { return &pretty{report: report{w: w, color: color}} },
	"progress": func(w io.Writer, color bool) formatter { return &progress{report: report{w: w, color: color}} },
}

// FormatNames is the formats there are: junit (XML, for CI), messages (cucumber's own, JSON Lines), pretty (every step, for
// a person) and progress (a character a step).
func FormatNames() []string {
	names := make([]string, 0, len(makers))
	for name := range makers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// IsFormat says whether there is a format of that name.
func IsFormat(name string) bool { return makers[name] != nil }

// formatters is several formats at once.
type formatters []formatter

func newFormatters(formats []Format, color bool) (formatters, error) {
	var all formatters
	for _, f := range formats {
		newFormatter, ok := makers[f.Name]
		if !ok {
			return nil, fmt.Errorf("format %q: there are %s", f.Name, strings.Join(FormatNames(), ", "))
		}
		all = append(all, newFormatter(f.Out, color))
	}
	return all, nil
}

func (all formatters) start(cases []*Case) {
	for _, f := range all {
		f.start(cases)
	}
}

func (all formatters) scenario(o *Outcome) {
	for _, f := range all {
		f.scenario(o)
	}
}

func (all formatters) finish(r *Result) error {
	var errs []error
	for _, f := range all {
		errs = append(errs, f.finish(r))
	}
	return errors.Join(errs...)
}
