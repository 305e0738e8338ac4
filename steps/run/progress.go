package run

import "strconv"

// progress shows a character a step, 70 a line, and the failures at the end.
type progress struct {
	report
	column int
}

func (p *progress) start([]*Case) {}

func (p *progress) scenario(o *Outcome) {
	for _, s := range o.Steps {
		mark := marks[s.Status].mark
		if s.Status == Passed {
			mark = "."
		}
		p.printf("%s", p.paint(marks[s.Status].color, mark))
		if p.column++; p.column%70 == 0 {
			p.printf(" %d\n", p.column)
		}
	}
}

func (p *progress) finish(r *Result) error {
	if p.column%70 != 0 {
		p.printf(" %d\n", p.column)
	}
	p.printf("\n")
	for _, o := range r.Failed() {
		p.failure(o)
		p.printf("\n")
	}
	p.summary(r)
	return p.err
}

func itoa(n int) string { return strconv.Itoa(n) }
