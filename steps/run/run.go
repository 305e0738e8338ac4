package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"
	"time"

	"github.com/imurun/mcp-replay/steps"
)

// Options say what runs, and how. The zero value runs every feature of the current folder.
type Options struct {
	// Paths are features (FILE, or FILE:LINE for the scenario or example that stands there) and folders; none means ".".
	Paths []string
	// FS is where Paths are; nil means the disk.
	FS fs.FS
	// Tags selects scenarios by a tag expression, "@a and not (@b or @c)", or in the older spelling "@a && ~@b".
	Tags string
	// Shard is this run's part of the scenarios; the zero value is all of them.
	Shard Shard
	// Jobs is how many scenarios run at a time; 0 means one.
	Jobs int
	// Vocabulary is the steps; nil means [steps.Public].
	Vocabulary *steps.Vocabulary
	// Config is handed to every scenario's world.
	Config *steps.Config
	// Formats say what is written where while the scenarios run.
	Formats []Format
	// Color allows colours in the formats that have some.
	Color bool
}

// Shard is part Index (from 1) of Of parts.
type Shard struct{ Index, Of int }

// ParseShard reads "1/4".
func ParseShard(text string) (Shard, error) {
	var s Shard
	if _, err := fmt.Sscanf(text, "%d/%d", &s.Index, &s.Of); err != nil || fmt.Sprintf("%d/%d", s.Index, s.Of) != text {
		return Shard{}, fmt.Errorf("shard %q: want a part and the number of parts, such as 1/4", text)
	}
	if s.Index < 1 || s.Index > s.Of {
		return Shard{}, fmt.Errorf("shard %q: the part is not one of 1 to %d", text, s.Of)
	}
	return s, nil
}

// Format is a way to write results and where it goes; see [FormatNames].
type Format struct {
	Name string
	Out  io.Writer
}

// ErrNoScenario says that nothing is selected: a run of nothing proves nothing.
var ErrNoScenario = errors.New("no scenario is selected")

// LintError says which lines look like steps and would not run.
type LintError struct{ Findings []steps.Finding }

func (e *LintError) Error() string {
	text := ""
	for i, f := range e.Findings {
		if i > 0 {
			text += "\n"
		}
		text += f.String()
	}
	return text
}

// Result is what a run found.
type Result struct {
	Scenarios []*Outcome // in the order of the features
	Took      time.Duration
}

// Failed is the scenarios that did not pass.
func (r *Result) Failed() []*Outcome {
	var failed []*Outcome
	for _, o := range r.Scenarios {
		if o.Status != Passed {
			failed = append(failed, o)
		}
	}
	return failed
}

// Run runs the selected scenarios. It returns when all are over; when ctx ends, the ones not begun are left out and
// the context's cause is returned beside the result so far.
func Run(ctx context.Context, o *Options) (*Result, error) {
	if o == nil {
		o = new(Options)
	}
	v := o.Vocabulary
	if v == nil {
		v = steps.Public()
	}
	cases, err := load(o, v)
	if err != nil {
		return nil, err
	}
	out, err := newFormatters(o.Formats, o.Color)
	if err != nil {
		return nil, err
	}
	r := runner{v: v, config: o.Config, jobs: max(o.Jobs, 1)}
	began := time.Now()
	out.start(cases)
	result := &Result{}
	for outcome := range r.run(ctx, cases) {
		result.Scenarios = append(result.Scenarios, outcome)
		out.scenario(outcome)
	}
	result.Took = time.Since(began)
	if err := out.finish(result); err != nil {
		return result, err
	}
	return result, context.Cause(ctx)
}

// runner runs cases side by side.
type runner struct {
	v      *steps.Vocabulary
	config *steps.Config
	jobs   int
}

// run gives the outcomes in the order of the cases, each as soon as it and those before it are there.
func (r *runner) run(ctx context.Context, cases []*Case) func(yield func(*Outcome) bool) {
	return func(yield func(*Outcome) bool) {
		outcomes := make([]chan *Outcome, len(cases))
		for i := range outcomes {
			outcomes[i] = make(chan *Outcome, 1)
		}
		var workers sync.WaitGroup
		defer workers.Wait()
		next := make(chan int)
		for range r.jobs {
			workers.Go(func() {
				for i := range next {
					outcomes[i] <- r.scenario(ctx, cases[i])
				}
			})
		}
		workers.Go(func() {
			defer close(next)
			for i := range cases {
				select {
				case next <- i:
				case <-ctx.Done():
					for _, c := range outcomes[i:] {
						close(c)
					}
					return
				}
			}
		})
		for _, c := range outcomes {
			if o, ok := <-c; ok {
				yield(o)
			}
		}
	}
}
