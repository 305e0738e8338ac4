package steps

import (
	"fmt"
	"strings"

	"github.com/cucumber/messages/go/v34"
)

// Finding is something in a feature that would pass in silence and should not.
type Finding struct {
	File string
	Line int
	What string
}

// String is the finding as a compiler would say it.
func (f Finding) String() string { return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.What) }

// Lint looks for lines that Gherkin takes for a description and that a person meant as a step: a first keyword with a
// typing error ("Givn the server is started") makes one, and the scenario passes without it.
func (v *Vocabulary) Lint(file string, doc *messages.GherkinDocument) []Finding {
	if doc == nil || doc.Feature == nil {
		return nil
	}
	l := linter{v: v, file: file}
	feature := doc.Feature
	l.prose(feature.Location, feature.Description)
	for _, c := range feature.Children {
		if c.Rule != nil {
			l.prose(c.Rule.Location, c.Rule.Description)
			for _, rc := range c.Rule.Children {
				l.child(rc.Background, rc.Scenario)
			}
		}
		l.child(c.Background, c.Scenario)
	}
	return l.findings
}

type linter struct {
	v        *Vocabulary
	file     string
	findings []Finding
}

// child looks at a Background or a Scenario, where a line that begins like a keyword is enough to be suspect.
func (l *linter) child(b *messages.Background, s *messages.Scenario) {
	if b != nil {
		l.strict(b.Location, b.Description)
	}
	if s != nil {
		l.strict(s.Location, s.Description)
		for _, e := range s.Examples {
			l.strict(e.Location, e.Description)
		}
	}
}

func (l *linter) strict(at *messages.Location, description string) {
	l.each(at, description, func(first, _ string) bool {
		return nearKeyword(first)
	})
}

// prose looks at the text of a Feature or a Rule, which may well begin a sentence with "When".
func (l *linter) prose(at *messages.Location, description string) {
	l.each(at, description, func(_, rest string) bool { return len(l.v.Match(rest)) > 0 })
}

func (l *linter) each(at *messages.Location, description string, suspect func(first, rest string) bool) {
	if description == "" {
		return
	}
	for _, line := range strings.Split(description, "\n") {
		line = strings.TrimSpace(line)
		first, rest, _ := strings.Cut(line, " ")
		if first == "" || !suspect(first, rest) && len(l.v.Match(rest)) == 0 && len(l.v.Match(line)) == 0 {
			continue
		}
		l.findings = append(l.findings, Finding{File: l.file, Line: int(at.Line), What: fmt.Sprintf(
			"the description below looks like a step, and would not run: %q; a step begins with Given, When, Then, And, But or *", line)})
	}
}

// nearKeyword says whether a word is a step keyword with at most two typing errors in it.
func nearKeyword(word string) bool {
	word = strings.ToLower(strings.TrimRight(word, ":"))
	for _, keyword := range []string{"given", "when", "then", "and", "but"} {
		limit := 1
		if len(keyword) > 4 {
			limit = 2
		}
		if distance(word, keyword) <= limit {
			return true
		}
	}
	return false
}

// distance counts the insertions, deletions, replacements and swaps of neighbours between two words.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	d := make([][]int, len(x)+1)
	for i := range d {
		d[i] = make([]int, len(y)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(x)][len(y)]
}
