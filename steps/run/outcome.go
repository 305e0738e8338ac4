package run

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/imurun/mcp-replay/steps"
)

// Status is how a step or a scenario ended.
type Status uint8

// The ends of a step. A scenario ends as the first of its steps that did not pass.
const (
	Passed Status = iota
	Failed
	Skipped // a step after one that did not pass
	Undefined
	Pending
	Ambiguous
)

var statusNames = [...]string{"passed", "failed", "skipped", "undefined", "pending", "ambiguous"}

// String is the status as reports name it.
func (s Status) String() string { return statusNames[s] }

// Outcome is what running a case found.
type Outcome struct {
	Case   *Case
	Status Status
	Steps  []StepOutcome
	// Err is what the end of the scenario found: a notice that no step has mentioned, or a scenario without steps. It belongs to
	// no step.
	Err   error
	Began time.Time
	Took  time.Duration
}

// StepOutcome is what running a step found.
type StepOutcome struct {
	CaseStep
	Status  Status
	Err     error
	Hint    string // what to do about it
	Matches []steps.Match
	Took    time.Duration
}

// errEmpty is the verdict on a scenario without steps, as godog has it.
var errEmpty = errors.New("the scenario has no steps")

// scenario runs one case in a world of its own.
func (r *runner) scenario(ctx context.Context, c *Case) *Outcome {
	o := &Outcome{Case: c, Began: time.Now()}
	defer func() { o.Took = time.Since(o.Began) }()
	if len(c.Steps) == 0 {
		o.Status, o.Err = Undefined, errEmpty
		return o
	}
	w := steps.NewWorld(r.config, c.scenario())
	ctx, cancel := context.WithCancel(steps.In(ctx, w))
	defer cancel()
	for _, s := range c.Steps {
		so := r.step(ctx, w, s, o.Status != Passed)
		if o.Status == Passed && so.Status != Passed {
			o.Status = so.Status
		}
		o.Steps = append(o.Steps, so)
	}
	if err := closeWorld(w, o.Status == Passed); err != nil {
		o.Err = err
		if o.Status == Passed {
			o.Status = Failed
		}
	}
	return o
}

func (c *Case) scenario() steps.Scenario {
	return steps.Scenario{Feature: c.Feature.File, Name: c.Name, Line: c.Line}
}

// step runs one step; after a step that did not pass it only looks whether the step is defined.
func (r *runner) step(ctx context.Context, w *steps.World, s CaseStep, skip bool) StepOutcome {
	so := StepOutcome{CaseStep: s, Matches: r.v.Match(s.Text)}
	switch len(so.Matches) {
	case 0:
		so.Status, so.Err, so.Hint = Undefined, errors.New("no step of the vocabulary matches"), r.nearest(s.Text)
		return so
	case 1:
	default:
		so.Status, so.Err = Ambiguous, errors.New("several steps match: "+patterns(so.Matches))
		so.Hint = "word the step, or the pattern, so that one of them matches"
		return so
	}
	if skip {
		so.Status = Skipped
		return so
	}
	began := time.Now()
	so.Err = perform(ctx, w, so.Matches[0], s)
	so.Took = time.Since(began)
	switch {
	case errors.Is(so.Err, steps.ErrPending):
		so.Status = Pending
	case so.Err != nil:
		so.Status = Failed
		if h := new(steps.HintError); errors.As(so.Err, &h) {
			so.Hint = h.Hint
		}
	}
	return so
}

func patterns(matches []steps.Match) string {
	var list []string
	for _, m := range matches {
		list = append(list, m.Step.Pattern)
	}
	return strings.Join(list, ", ")
}

// perform runs a step's function; a panic in it is a failure of the step.
func perform(ctx context.Context, w *steps.World, m steps.Match, s CaseStep) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the step panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return m.Run(ctx, w, m.Captures, s.pickle.Argument)
}

func closeWorld(w *steps.World, passed bool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the end of the scenario panicked: %v", p)
		}
	}()
	return w.Close(passed)
}

// nearest is the hint for a step that nobody has written: the one that reads most like it.
func (r *runner) nearest(text string) string {
	const general = "mcp-replay test --steps lists the vocabulary"
	best, bestScore := "", 0.0
	for _, e := range r.v.Entries() {
		first, _, _ := strings.Cut(e.Example, "\n")
		_, example, _ := strings.Cut(first, " ")
		if score := likeness(text, example); score > bestScore {
			best, bestScore = first, score
		}
	}
	if bestScore < 0.5 {
		return general
	}
	return "the nearest one reads: " + best + "\n" + general
}

// likeness is the share of words that two texts have in common; what is quoted does not count.
func likeness(a, b string) float64 {
	x, y := plainWords(a), plainWords(b)
	count := make(map[string]int)
	for _, word := range x {
		count[word]++
	}
	common := 0
	for _, word := range y {
		if count[word] > 0 {
			count[word]--
			common++
		}
	}
	if len(x)+len(y) == 0 {
		return 0
	}
	return 2 * float64(common) / float64(len(x)+len(y))
}

func plainWords(text string) []string {
	var words []string
	for i, part := range strings.Split(text, `"`) {
		if i%2 == 0 {
			words = append(words, strings.Fields(strings.TrimSuffix(part, ":"))...)
		}
	}
	return words
}
