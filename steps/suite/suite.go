package suite

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/cucumber/godog"

	"github.com/imurun/mcp-replay/steps"
)

// Options say what runs, and how. The zero value runs every feature of the current folder, in the public vocabulary.
type Options struct {
	// Paths are the features and folders to run; none means ".".
	Paths []string
	// FS is where Paths are; nil means the disk.
	FS fs.FS
	// Tags selects scenarios, in godog's own syntax: "@a && ~@b". "not @b" is refused, for godog would run nothing.
	Tags string
	// Concurrency is how many scenarios run at a time; 0 means 4.
	Concurrency int
	// Vocabulary is the steps; nil means [steps.Public].
	Vocabulary *steps.Vocabulary
	// Config is handed to every scenario's world.
	Config *steps.Config
	// Initialize registers steps and hooks of your own, for each scenario; the context of your steps carries the
	// scenario's world, see [steps.From]. Your After hooks see how the scenario ended; the world is closed by then.
	Initialize func(*godog.ScenarioContext)
	// Format is godog's; empty means "progress".
	Format string
	// Output is where the format goes; nil shows it when the suite fails.
	Output io.Writer
}

// Run runs the features as subtests of t. It fails when a scenario does, when fewer than atLeast scenarios are found, and when a
// description looks like a step.
func Run(t *testing.T, atLeast int, o *Options) {
	t.Helper()
	if err := run(t, atLeast, o); err != nil {
		t.Error(err)
	}
}

// Check is [Run] outside of a test: it returns what failed.
func Check(atLeast int, o *Options) error { return run(nil, atLeast, o) }

func run(t *testing.T, atLeast int, o *Options) error {
	if o == nil {
		o = new(Options)
	}
	b := &binding{o: *o, worlds: make(map[*steps.World]bool)}
	if b.o.Vocabulary == nil {
		b.o.Vocabulary = steps.Public()
	}
	if len(b.o.Paths) == 0 {
		b.o.Paths = []string{"."}
	}
	var output bytes.Buffer
	out := b.o.Output
	if out == nil {
		out = &output
	}
	s := godog.TestSuite{
		Name:                "features",
		ScenarioInitializer: b.initialize,
		Options: &godog.Options{
			Strict: true, Randomize: -1, NoColors: true, TestingT: t,
			Concurrency: cmp.Or(b.o.Concurrency, 4),
			Format:      cmp.Or(b.o.Format, "progress"),
			Paths:       b.o.Paths, Tags: b.o.Tags, Output: out,
		},
	}
	if b.o.FS != nil {
		s.Options.FS = b.o.FS
	}
	if err := b.inspect(s, atLeast); err != nil {
		return err
	}
	status := s.Run()
	left := b.closeAll()
	if status != 0 {
		return errors.Join(fmt.Errorf("the suite ended with status %d\n%s", status, output.String()), left)
	}
	return left
}

// inspect looks at the features before they run: godog calls a run of nothing a success.
func (b *binding) inspect(s godog.TestSuite, atLeast int) error {
	if strings.Contains(" "+b.o.Tags, " not ") {
		return fmt.Errorf("tags %q: godog reads ~@tag, and would run nothing for a not", b.o.Tags)
	}
	features, err := s.RetrieveFeatures()
	if err != nil {
		return err
	}
	var findings []error
	var scenarios []steps.Scenario
	for _, f := range features {
		for _, p := range f.Pickles {
			scenarios = append(scenarios, scenarioOf(p))
		}
		for _, finding := range b.o.Vocabulary.Lint(f.Uri, f.GherkinDocument) {
			findings = append(findings, errors.New(finding.String()))
		}
	}
	if c := b.o.Config; c != nil && c.Cassettes != nil {
		findings = append(findings, c.Cassettes.Distinct(scenarios))
	}
	if len(scenarios) < max(atLeast, 1) {
		findings = append(findings, fmt.Errorf("%d scenarios found in %s, and at least %d are wanted: is a path or tag wrong?",
			len(scenarios), strings.Join(b.o.Paths, ", "), max(atLeast, 1)))
	}
	return errors.Join(findings...)
}

// binding ties the vocabulary to godog.
type binding struct {
	o Options

	mu     sync.Mutex // guards worlds
	worlds map[*steps.World]bool
}

// initialize registers everything in one place; registering in the suite's initialiser too races.
func (b *binding) initialize(sc *godog.ScenarioContext) {
	sc.Before(func(ctx context.Context, p *godog.Scenario) (context.Context, error) {
		w := steps.NewWorld(b.o.Config, scenarioOf(p))
		b.mu.Lock()
		b.worlds[w] = true
		b.mu.Unlock()
		return steps.In(ctx, w), nil
	})
	sc.StepContext().Before(func(ctx context.Context, st *godog.Step) (context.Context, error) {
		return context.WithValue(ctx, stepKey{}, st), nil
	})
	sc.After(func(ctx context.Context, _ *godog.Scenario, err error) (context.Context, error) {
		return ctx, b.close(steps.From(ctx), err == nil)
	})
	for _, e := range b.o.Vocabulary.Entries() {
		sc.Step(e.Pattern, handler(e))
	}
	if b.o.Initialize != nil {
		b.o.Initialize(sc)
	}
}

func scenarioOf(p *godog.Scenario) steps.Scenario {
	s := steps.Scenario{Feature: p.Uri, Name: p.Name}
	if p.Location != nil {
		s.Line = int(p.Location.Line)
	}
	return s
}

// close ends a scenario's world. godog does not recover in After hooks: a panic there ends the whole program.
func (b *binding) close(w *steps.World, passed bool) (err error) {
	if w == nil {
		return nil
	}
	b.mu.Lock()
	open := b.worlds[w]
	delete(b.worlds, w)
	b.mu.Unlock()
	if !open {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the end of the scenario panicked: %v", p)
		}
	}()
	return w.Close(passed)
}

// closeAll is the second net, for scenarios whose After hook was never called.
func (b *binding) closeAll() error {
	b.mu.Lock()
	var open []*steps.World
	for w := range b.worlds {
		open = append(open, w)
	}
	b.mu.Unlock()
	var errs []error
	for _, w := range open {
		errs = append(errs, b.close(w, false))
	}
	return errors.Join(errs...)
}

// stepKey finds the running step in the context: godog drops a docstring or table that a handler has no
// parameter for, in silence, so the vocabulary looks at the step itself.
type stepKey struct{}

// handler is a function with as many string parameters as the pattern has groups, which is what godog wants.
func handler(e steps.Entry) any {
	in := []reflect.Type{reflect.TypeFor[context.Context]()}
	for range e.Pattern.NumSubexp() {
		in = append(in, reflect.TypeFor[string]())
	}
	out := []reflect.Type{reflect.TypeFor[error]()}
	f := reflect.MakeFunc(reflect.FuncOf(in, out, false), func(args []reflect.Value) []reflect.Value {
		ctx := args[0].Interface().(context.Context)
		captures := make([]string, 0, len(args)-1)
		for _, a := range args[1:] {
			captures = append(captures, a.String())
		}
		st, _ := ctx.Value(stepKey{}).(*godog.Step)
		err := e.Run(ctx, steps.From(ctx), captures, st.Argument)
		if errors.Is(err, steps.ErrPending) {
			err = godog.ErrPending
		}
		if err == nil {
			return []reflect.Value{reflect.Zero(out[0])}
		}
		return []reflect.Value{reflect.ValueOf(&err).Elem()}
	})
	return f.Interface()
}
