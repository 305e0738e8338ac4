package run

import (
	"strings"
)

// pretty shows every step, under the titles of its feature, rule and scenario.
type pretty struct {
	report
	feature *Feature
	rule    string
}

func (p *pretty) start([]*Case) {}

func (p *pretty) scenario(o *Outcome) {
	c := o.Case
	if c.Feature != p.feature {
		if p.feature != nil {
			p.printf("\n")
		}
		p.printf("%s %s\n", p.paint(bold, "Feature: "+visible(c.Feature.Name)), p.paint(faint, "# "+c.Feature.File))
		p.feature, p.rule = c.Feature, ""
	}
	if c.Rule != p.rule {
		if c.Rule != "" {
			p.printf("\n  %s\n", p.paint(bold, "Rule: "+visible(c.Rule)))
		}
		p.rule = c.Rule
	}
	margin := "  "
	if c.Rule != "" {
		margin = "    "
	}
	p.printf("\n%s%s: %s %s\n", margin, c.Keyword, visible(c.Name), p.paint(faint, "# line "+itoa(c.Line)))
	for _, s := range o.Steps {
		m := marks[s.Status]
		p.printf("%s  %s %s\n", margin, p.paint(m.color, m.mark), p.paintStep(s))
		p.argument(margin+"      ", s)
	}
	if o.Status != Passed {
		p.printf("\n")
		p.failure(o)
	}
}

func (p *pretty) paintStep(s StepOutcome) string {
	text := visible(s.Keyword + " " + s.Text)
	if s.Status == Skipped {
		return p.paint(faint, text)
	}
	return text
}

// argument shows the docstring or table below a step.
func (p *pretty) argument(margin string, s StepOutcome) {
	arg := s.pickle.Argument
	switch {
	case arg == nil:
	case arg.DocString != nil:
		p.printf("%s\"\"\"\n", margin)
		for _, line := range strings.Split(arg.DocString.Content, "\n") {
			p.printf("%s\n", strings.TrimRight(margin+visible(line), " "))
		}
		p.printf("%s\"\"\"\n", margin)
	case arg.DataTable != nil:
		var rows [][]string
		for _, row := range arg.DataTable.Rows {
			var cells []string
			for _, cell := range row.Cells {
				cells = append(cells, visible(cell.Value))
			}
			rows = append(rows, cells)
		}
		for _, line := range align(rows) {
			p.printf("%s%s\n", margin, line)
		}
	}
}

// align writes a table with columns of equal width.
func align(rows [][]string) []string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		var b strings.Builder
		for j, cell := range row {
			b.WriteString("| " + cell + strings.Repeat(" ", widths[j]-len([]rune(cell))+1))
		}
		lines[i] = b.String() + "|"
	}
	return lines
}

func (p *pretty) finish(r *Result) error {
	p.printf("\n")
	p.summary(r)
	return p.err
}
