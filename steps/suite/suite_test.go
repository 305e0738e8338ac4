package suite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cucumber/godog"
	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/steps"
	"github.com/imurun/mcp-replay/steps/fake"
	"github.com/imurun/mcp-replay/steps/run"
	"github.com/imurun/mcp-replay/steps/suite"
)

func TestMain(m *testing.M) {
	fake.Main()
	os.Exit(m.Run())
}

// noticeState is what "a step that leaves a notice" leaves.
type noticeState struct{ notice *steps.Notice }

func nothing(context.Context, *steps.World) error { return nil }

// trial is a vocabulary with a step for each way in which a step can end.
var trial = []steps.Step{
	{Pattern: `^a step that passes$`, Do: nothing},
	{Pattern: `^a step that is written twice$`, Do: nothing},
	{Pattern: `^a step that is written (?:twice|thrice)$`, Do: nothing},
	{Pattern: `^a step that is pending$`, Do: func(context.Context, *steps.World) error { return steps.ErrPending }},
	{Pattern: `^a step that panics$`, Do: func(context.Context, *steps.World) error { panic("out of cheese") }},
	{Pattern: `^a step that fails with "([^"]*)"$`, Do: func(_ context.Context, _ *steps.World, text string) error {
		return errors.New(text)
	}},
	{Pattern: `^a step that leaves a notice$`, Do: func(_ context.Context, w *steps.World) error {
		steps.State[noticeState](w).notice = w.Notice("the call has failed")
		return nil
	}},
	{Pattern: `^a step that mentions it$`, Do: func(_ context.Context, w *steps.World) error {
		steps.State[noticeState](w).notice.Mention()
		return nil
	}},
	{Pattern: `^a step whose clean-up fails$`, Do: func(_ context.Context, w *steps.World) error {
		w.Cleanup(func() error { return errors.New("a frame was not played") })
		return nil
	}},
	{Pattern: `^a step whose clean-up panics$`, Do: func(_ context.Context, w *steps.World) error {
		w.Cleanup(func() error { panic("out of cheese") })
		return nil
	}},
	{Pattern: `^a step that takes text:$`, Do: func(_ context.Context, _ *steps.World, text steps.Doc) error {
		return wantEqual(string(text), "text")
	}},
	{Pattern: `^a step that takes rows:$`, Do: func(_ context.Context, _ *steps.World, rows steps.Table) error {
		return wantEqual(fmt.Sprint(rows), "[[a b] [1 2]]")
	}},
	{Pattern: `^a step that takes (\d+), ([\d.]+), (\d+ m?s) and "([^"]*)"$`,
		Do: func(_ context.Context, _ *steps.World, n int, f float64, d time.Duration, s string) error {
			return wantEqual(fmt.Sprintln(n, f, d, s), "3 1.5 200ms text\n")
		}},
}

func wantEqual(got, want string) error {
	if got != want {
		return fmt.Errorf("it is %q, not %q", got, want)
	}
	return nil
}

func vocabulary(t *testing.T) *steps.Vocabulary {
	t.Helper()
	v, err := steps.New(steps.Area{Name: "trial", Steps: trial})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// verdict is how a scenario and each of its steps ended.
type verdict struct {
	Passed bool
	Steps  []string
}

// byGodog runs features under godog; a scenario that no hook speaks of has not passed.
func byGodog(t *testing.T, paths []string, tags string) (map[string]*verdict, error) {
	t.Helper()
	var mu sync.Mutex
	verdicts := make(map[string]*verdict)
	err := suite.Check(1, &suite.Options{
		Paths: paths, Tags: tags, Vocabulary: vocabulary(t),
		Initialize: func(sc *godog.ScenarioContext) {
			own := &verdict{}
			sc.StepContext().After(func(ctx context.Context, _ *godog.Step, status godog.StepResultStatus, _ error) (context.Context, error) {
				own.Steps = append(own.Steps, status.String())
				return ctx, nil
			})
			sc.After(func(ctx context.Context, p *godog.Scenario, err error) (context.Context, error) {
				own.Passed = err == nil
				mu.Lock()
				defer mu.Unlock()
				verdicts[p.Name] = own
				return ctx, nil
			})
		},
	})
	return verdicts, err
}

// byRun runs the same features by the shipped runner.
func byRun(t *testing.T, paths []string, tags string) (map[string]*verdict, *run.Result) {
	t.Helper()
	result, err := run.Run(t.Context(), &run.Options{Paths: paths, Tags: tags, Vocabulary: vocabulary(t), Jobs: 3})
	if err != nil {
		t.Fatal(err)
	}
	verdicts := make(map[string]*verdict)
	for _, o := range result.Scenarios {
		if len(o.Steps) == 0 {
			continue // godog calls no hook for it
		}
		v := &verdict{Passed: o.Status == run.Passed}
		for _, s := range o.Steps {
			v.Steps = append(v.Steps, s.Status.String())
		}
		verdicts[o.Case.Name] = v
	}
	return verdicts, result
}

// TestSameVerdicts holds the shipped runner to godog's verdicts, scenario by scenario and step by step.
func TestSameVerdicts(t *testing.T) {
	for _, c := range []struct {
		paths     []string
		tags      string
		scenarios int
		failed    int
	}{
		{[]string{"testdata/verdicts.feature"}, "", 20, 15},
		{[]string{"testdata/verdicts.feature"}, "@row", 3, 2},
		{[]string{"testdata/verdicts.feature"}, "@ruled && ~@kept", 1, 1},
		{[]string{"testdata/verdicts.feature"}, "@kept,@row", 4, 2},
		{[]string{"testdata/verdicts.feature"}, "@kept", 1, 0},
		{[]string{"testdata/empty.feature"}, "", 2, 1},
		{[]string{"testdata"}, "@whole", 20, 15},
	} {
		t.Run(strings.Join(c.paths, ",")+" "+c.tags, func(t *testing.T) {
			want, failed := byGodog(t, c.paths, c.tags)
			got, result := byRun(t, c.paths, c.tags)
			if len(result.Scenarios) != c.scenarios || len(result.Failed()) != c.failed {
				t.Errorf("%d scenarios, %d failed; want %d, %d", len(result.Scenarios), len(result.Failed()), c.scenarios, c.failed)
			}
			if (failed != nil) != (len(result.Failed()) > 0) {
				t.Errorf("godog's suite: %v; the runner: %d failed", failed, len(result.Failed()))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("verdicts differ (- godog, + the runner):\n%s", diff)
			}
		})
	}
}

// TestRed shows that what godog alone would let pass turns the suite red.
func TestRed(t *testing.T) {
	const head = "Feature: guard against silent green\n"
	for name, c := range map[string]struct {
		feature string
		tags    string
		atLeast int
		want    string
	}{
		"undefined step": { // fault 99
			feature: head + "  Scenario: a step nobody wrote\n    Given a step that has no code behind it\n",
			want:    "ended with status 1",
		},
		"no scenario": {feature: head, want: "0 scenarios found"},
		"too few scenarios": {
			feature: head + "  Scenario: one\n    Given a step that passes\n", atLeast: 2, want: "1 scenarios found",
		},
		"wrong tag": {
			feature: head + "  Scenario: one\n    Given a step that passes\n", tags: "@nowhere", want: "0 scenarios found",
		},
		"new tag syntax": {
			feature: head + "  Scenario: one\n    Given a step that passes\n", tags: "not @slow", want: "godog reads ~@tag",
		},
		"misspelt first keyword": {
			feature: head + "  Scenario: one\n    Givn a step that fails with \"x\"\n    Then a step that passes\n",
			want:    "1.feature:2: the description below looks like a step",
		},
		"misspelt first keyword of a background": {
			feature: head + "  Background:\n    Gvien all is well\n  Scenario: one\n    Then a step that passes\n",
			want:    "1.feature:2: the description below looks like a step",
		},
		"a step in the feature's description": {
			feature: head + "  Wehn a step that passes\n  Scenario: one\n    Then a step that passes\n",
			want:    "1.feature:1: the description below looks like a step",
		},
		"misspelt later keyword": {
			feature: head + "  Scenario: one\n    Given a step that passes\n    Thne a step that passes\n", want: "1.feature",
		},
		"unmentioned failure": {
			feature: head + "  Scenario: one\n    Given a step that leaves a notice\n", want: "no step has mentioned it: the call has failed",
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := suite.Check(c.atLeast, &suite.Options{
				FS: fstest.MapFS{"1.feature": {Data: []byte(c.feature)}}, Tags: c.tags, Vocabulary: vocabulary(t),
			})
			if err == nil {
				t.Fatal("the suite is green")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("it says %q, and not %q", err, c.want)
			}
		})
	}
}

// TestSharedNothing runs scenarios side by side that would see each other's state if there were any (fault 101).
func TestSharedNothing(t *testing.T) {
	type answers struct{ of map[string]string }
	own := []steps.Step{
		{Pattern: `^server "([^"]*)" answers "([^"]*)"$`, Do: func(_ context.Context, w *steps.World, server, text string) error {
			steps.State[answers](w).of = map[string]string{server: text}
			return nil
		}},
		{Pattern: `^a call to "([^"]*)" gives "([^"]*)"$`, Do: func(_ context.Context, w *steps.World, server, text string) error {
			return wantEqual(steps.State[answers](w).of[server], text)
		}},
	}
	v, err := steps.New(steps.Area{Name: "own", Steps: own})
	if err != nil {
		t.Fatal(err)
	}
	text := "Feature: scenarios do not share state\n"
	for i := range 40 {
		text += fmt.Sprintf("  Scenario: %d\n    Given server \"s\" answers \"%d\"\n    Then a call to \"s\" gives \"%d\"\n", i, i, i)
	}
	fsys := fstest.MapFS{"101.feature": {Data: []byte(text)}}
	if err := suite.Check(40, &suite.Options{FS: fsys, Vocabulary: v, Concurrency: 8}); err != nil {
		t.Error(err)
	}
	result, err := run.Run(t.Context(), &run.Options{FS: fsys, Vocabulary: v, Jobs: 8})
	if err != nil || len(result.Scenarios) != 40 || len(result.Failed()) != 0 {
		t.Errorf("the runner: %v, %v", result, err)
	}
	if !slices.IsSortedFunc(result.Scenarios, func(a, b *run.Outcome) int { return a.Case.Line - b.Case.Line }) {
		t.Error("the outcomes are not in the order of the feature")
	}
}
