package run

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/cucumber/messages/go/v34"
)

// cases joins the pickles of a feature with the places they come from. A line other than 0 keeps the scenario or the example
// that stands there.
func (f *Feature) cases(pickles []*messages.Pickle, line int) []*Case {
	index := f.index()
	var cases []*Case
	for _, p := range pickles {
		where := index.scenarios[p.AstNodeIds[0]]
		c := &Case{
			Feature: f, Rule: where.rule, Keyword: strings.TrimSpace(where.scenario.Keyword),
			Name: p.Name, Line: int(where.scenario.Location.Line), pickle: p,
		}
		begin := c.Line
		if p.Location != nil {
			c.Line = int(p.Location.Line)
		}
		if line != 0 && line != c.Line && line != begin {
			continue
		}
		for _, t := range p.Tags {
			c.Tags = append(c.Tags, t.Name)
		}
		for _, s := range p.Steps {
			ast := index.steps[s.AstNodeIds[0]]
			c.Steps = append(c.Steps, CaseStep{
				Keyword: strings.TrimSpace(ast.Keyword), Text: s.Text,
				Line: int(ast.Location.Line), Column: int(ast.Location.Column), pickle: s,
			})
		}
		cases = append(cases, c)
	}
	return cases
}

// index finds the nodes of a feature by their ids.
type index struct {
	scenarios map[string]place
	steps     map[string]*messages.Step
}

type place struct {
	scenario *messages.Scenario
	rule     string
}

func (f *Feature) index() index {
	i := index{scenarios: make(map[string]place), steps: make(map[string]*messages.Step)}
	add := func(rule string, b *messages.Background, s *messages.Scenario) {
		if b != nil {
			for _, st := range b.Steps {
				i.steps[st.Id] = st
			}
		}
		if s != nil {
			i.scenarios[s.Id] = place{scenario: s, rule: rule}
			for _, st := range s.Steps {
				i.steps[st.Id] = st
			}
		}
	}
	for _, c := range f.doc.Feature.Children {
		add("", c.Background, c.Scenario)
		if c.Rule == nil {
			continue
		}
		for _, rc := range c.Rule.Children {
			add(c.Rule.Name, rc.Background, rc.Scenario)
		}
	}
	return i
}

// ParseError says where a feature is no Gherkin.
type ParseError struct {
	File  string
	Lines []string
	Err   error
}

// position finds the places in the parser's message: "(3:5): expected: …".
var position = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\((\d+):(\d+)\): (.*)$`) })

// Error gives each problem with its place and the line that it is in.
func (e *ParseError) Error() string {
	found := position().FindAllStringSubmatch(e.Err.Error(), -1)
	if len(found) == 0 {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	var problems []string
	for _, m := range found {
		line, _ := strconv.Atoi(m[1])
		column, _ := strconv.Atoi(m[2])
		problems = append(problems, fmt.Sprintf("%s:%d:%d: %s\n%s", e.File, line, column, plain(m[3]), excerpt(e.Lines, line, column, 1)))
	}
	return strings.Join(problems, "\n")
}

func (e *ParseError) Unwrap() error { return e.Err }

// plain replaces the parser's list of the tokens that it could have taken.
func plain(problem string) string {
	if strings.HasPrefix(problem, "expected: ") && strings.Contains(problem, ", got '") {
		return "no line of Gherkin, at least not here; a step begins with Given, When, Then, And, But or *"
	}
	return problem
}

// excerpt shows a line with its number and a caret below the part that is meant.
func excerpt(lines []string, line, column, width int) string {
	if line < 1 || line > len(lines) {
		return ""
	}
	number := strconv.Itoa(line)
	text := strings.TrimRight(lines[line-1], "\r")
	indent := strings.Repeat(" ", max(column-1, 0))
	return fmt.Sprintf("  %s | %s\n  %s | %s%s", number, text, strings.Repeat(" ", len(number)), indent, strings.Repeat("^", max(width, 1)))
}
