package run_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/cucumber/messages/go/v34"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/steps"
	"github.com/imurun/mcp-replay/steps/run"
)

func vocabulary(t testing.TB) *steps.Vocabulary {
	t.Helper()
	v, err := steps.New(steps.Area{Name: "trial", Steps: []steps.Step{
		{Pattern: `^the server is started$`, Example: "Given the server is started", Do: func(context.Context, *steps.World) error { return nil }},
		{Pattern: `^the result is "([^"]*)"$`, Example: `Then the result is "ok"`, Do: func(_ context.Context, _ *steps.World, want string) error {
			if want != "ok" {
				return &steps.HintError{Err: fmt.Errorf("it is %q, not %q", "ok", want), Hint: "look at the server's log"}
			}
			return nil
		}},
		{Pattern: `^the host calls "([^"]*)" with:$`, Example: "When the host calls \"echo\" with:\n  | a | 1 |",
			Do: func(context.Context, *steps.World, string, steps.Table) error { return nil }},
		{Pattern: `^the text:$`, Example: "Then the text:\n  \"\"\"\n  x\n  \"\"\"", Do: func(context.Context, *steps.World, steps.Doc) error { return nil }},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

var times = regexp.MustCompile(`\d+(\.\d+)?(ms|µs|s)\b|time="[\d.]+"|"(seconds|nanos)":\d+|"name":"go","version":"[^"]*"|"(os|cpu)":\{[^}]*\}`)

// TestFormats compares each format with its golden file in testdata; UPDATE=1 writes them anew.
func TestFormats(t *testing.T) {
	for _, name := range run.FormatNames() {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			result, err := run.Run(t.Context(), &run.Options{
				Paths: []string{"testdata/notes.feature"}, Vocabulary: vocabulary(t), Formats: []run.Format{{Name: name, Out: &out}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(result.Scenarios) != 6 || len(result.Failed()) != 3 {
				t.Errorf("%d scenarios, %d failed", len(result.Scenarios), len(result.Failed()))
			}
			got := times.ReplaceAllString(out.String(), "TIME")
			golden := "testdata/notes." + name + ".golden"
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(- golden, + got):\n%s", diff)
			}
		})
	}
}

func TestJUnitIsXML(t *testing.T) {
	var out bytes.Buffer
	fsys := fstest.MapFS{"a.feature": {Data: []byte("Feature: a & b\n  Scenario: \x01 <c>\n    Then the result is \"\x02]]>\"\n")}}
	if _, err := run.Run(t.Context(), &run.Options{FS: fsys, Vocabulary: vocabulary(t), Formats: []run.Format{{Name: "junit", Out: &out}}}); err != nil {
		t.Fatal(err)
	}
	var suites struct {
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Cases []struct {
				Name string `xml:"name,attr"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(out.Bytes(), &suites); err != nil {
		t.Fatal(err)
	}
	if suites.Failures != 1 || suites.Suites[0].Name != "a & b" || suites.Suites[0].Cases[0].Name != "\uFFFD <c>" {
		t.Errorf("%+v", suites)
	}
}

func TestMessagesAreCucumbers(t *testing.T) {
	var out bytes.Buffer
	if _, err := run.Run(t.Context(), &run.Options{
		Paths: []string{"testdata/notes.feature"}, Vocabulary: vocabulary(t), Formats: []run.Format{{Name: "messages", Out: &out}},
	}); err != nil {
		t.Fatal(err)
	}
	pickles, finished := 0, 0
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var e messages.Envelope
		if err := json.Unmarshal([]byte(line), &e, json.RejectUnknownMembers(true)); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if e.Pickle != nil {
			pickles++
		}
		if e.TestCaseFinished != nil {
			finished++
		}
	}
	if pickles != 6 || finished != 6 {
		t.Errorf("%d pickles, %d finished", pickles, finished)
	}
}

// What a feature or a server says reaches the terminal as text.
func TestNothingCommandsTheTerminal(t *testing.T) {
	text := "Feature: f \u202e\n  Rule: r \u200b\n  Scenario: s \u202e\n    When the host calls \"echo\" with:\n      | a | \x1b[2J |\n    Then the text:\n      \"\"\"\n      \x07\n      \"\"\"\n    Then the result is \"\u200b\x1b[31m\"\n    Then nobody \u009b\n"
	for _, name := range []string{"pretty", "progress"} {
		var out bytes.Buffer
		fsys := fstest.MapFS{"a.feature": {Data: []byte(text)}}
		if _, err := run.Run(t.Context(), &run.Options{FS: fsys, Vocabulary: vocabulary(t), Formats: []run.Format{{Name: name, Out: &out}}}); err != nil {
			t.Fatal(err)
		}
		if i := strings.IndexAny(out.String(), "\x1b\x07\u009b\u202e\u200b"); i >= 0 || out.Len() == 0 {
			t.Errorf("%s: %q", name, out.String())
		}
	}
}

// Lines of a feature end in many ways, and none is too long.
func TestLines(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	for name, text := range map[string]string{
		"a long docstring":  "Feature: f\n  Scenario: s\n    Then the text:\n      \"\"\"\n      " + long + "\n      \"\"\"\n",
		"a long cell":       "Feature: f\n  Scenario: s\n    When the host calls \"echo\" with:\n      | a | " + long + " |\n",
		"a long comment":    "Feature: f\n  # " + long + "\n  Scenario: s\n    Given the server is started\n",
		"CRLF":              "Feature: f\r\n  Scenario: s\r\n    Then the result is \"ok\"\r\n",
		"no end of line":    "Feature: f\n  Scenario: s\n    Then the result is \"ok\"",
		"a byte-order mark": "\ufeffFeature: f\n  Scenario: s\n    Then the result is \"ok\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			fsys := fstest.MapFS{"a.feature": {Data: []byte(text)}}
			result, err := run.Run(t.Context(), &run.Options{FS: fsys, Vocabulary: vocabulary(t)})
			if err != nil {
				t.Fatal(err)
			}
			if len(result.Scenarios) != 1 || len(result.Failed()) != 0 || result.Scenarios[0].Case.Steps[0].Line == 0 {
				t.Errorf("%+v", result)
			}
		})
	}
}

// TestNothingRuns is about features that cannot run: an error says where and why.
func TestNothingRuns(t *testing.T) {
	fsys := fstest.MapFS{
		"good.feature":  {Data: []byte("@a\nFeature: good\n  Scenario: one\n    Given the server is started\n")},
		"empty.feature": {Data: []byte("")},
		"broken.feature": {Data: []byte(
			"Feature: broken\n  Scenario: one\n    Given the server is started\n    Thne the result is \"ok\"\n")},
		"typo.feature": {Data: []byte("Feature: typo\n  Scenario: one\n    Givn the server is started\n    Then the result is \"ok\"\n")},
	}
	for _, c := range []struct {
		paths []string
		tags  string
		want  string
	}{
		{[]string{"good.feature"}, "@b", "no scenario is selected: none of 1 has the tags @b"},
		{[]string{"empty.feature"}, "", "no scenario is selected: there is none in empty.feature"},
		{[]string{"good.feature:2"}, "", "no scenario is selected: none begins at good.feature:2"},
		{[]string{"nowhere.feature"}, "", "open nowhere.feature: file does not exist"},
		{[]string{"broken.feature"}, "", "broken.feature:4:5: no line of Gherkin, at least not here; a step begins with Given, When, Then, And, But or *" +
			"\n  4 |     Thne the result is \"ok\"\n    |     ^"},
		{[]string{"typo.feature"}, "", "typo.feature:2: the description below looks like a step, and would not run: " +
			"\"Givn the server is started\"; a step begins with Given, When, Then, And, But or *"},
		{[]string{"good.feature"}, "a", `tags "a": unexpected a; write @a, not @a, @a and @b, @a or @b, with brackets`},
		{[]string{"good.feature"}, "@a and", `tags "@a and": it ends too early; write @a, not @a, @a and @b, @a or @b, with brackets`},
		{[]string{"good.feature"}, "(@a", `tags "(@a": a bracket is not closed; write @a, not @a, @a and @b, @a or @b, with brackets`},
		{[]string{"good.feature"}, "@a @b", `tags "@a @b": unexpected @b; write @a, not @a, @a and @b, @a or @b, with brackets`},
	} {
		t.Run(strings.Join(c.paths, ",")+" "+c.tags, func(t *testing.T) {
			_, err := run.Run(t.Context(), &run.Options{FS: fsys, Paths: c.paths, Tags: c.tags, Vocabulary: vocabulary(t)})
			if err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestTags(t *testing.T) {
	fsys := fstest.MapFS{"a.feature": {Data: []byte(`Feature: tags
  @a
  Scenario: a
    Given the server is started
  @b
  Scenario: b
    Given the server is started
  @a @b
  Scenario: ab
    Given the server is started
  Scenario: none
    Given the server is started
`)}}
	for tags, want := range map[string]string{
		"":                       "a b ab none",
		"@a":                     "a ab",
		"not @a":                 "b none",
		"~@a":                    "b none",
		"@a and @b":              "ab",
		"@a && @b":               "ab",
		"@a or @b":               "a b ab",
		"@a,@b":                  "a b ab",
		"@a and not @b":          "a",
		"@a && ~@b":              "a",
		"not (@a or @b)":         "none",
		"not @a and not @b":      "none",
		"@a,@b && ~@a":           "b",
		"@b or @a and not @b":    "a b ab",
		"(@b or @a) and not @b ": "a",
		"not not @a":             "a ab",
	} {
		result, err := run.Run(t.Context(), &run.Options{FS: fsys, Tags: tags, Vocabulary: vocabulary(t)})
		if err != nil {
			t.Errorf("%s: %v", tags, err)
			continue
		}
		if got := names(result); got != want {
			t.Errorf("%s: got %s, want %s", tags, got, want)
		}
	}
}

func names(r *run.Result) string {
	var list []string
	for _, o := range r.Scenarios {
		list = append(list, o.Case.Name)
	}
	return strings.Join(list, " ")
}

// TestShards shows that the shards of a run are all of it, and nothing twice.
func TestShards(t *testing.T) {
	seen := make(map[string]int)
	for i := 1; i <= 4; i++ {
		shard, err := run.ParseShard(fmt.Sprintf("%d/4", i))
		if err != nil {
			t.Fatal(err)
		}
		result, err := run.Run(t.Context(), &run.Options{
			Paths: []string{"testdata/notes.feature"}, Vocabulary: vocabulary(t), Shard: shard,
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range result.Scenarios {
			seen[o.Case.Name]++
		}
	}
	if len(seen) != 6 {
		t.Errorf("seen: %v", seen)
	}
	for name, n := range seen {
		if n != 1 {
			t.Errorf("%s ran %d times", name, n)
		}
	}
	for _, bad := range []string{"", "1", "0/4", "5/4", "1/4x", "-1/4", "1 /4", "1/0"} {
		if _, err := run.ParseShard(bad); err == nil {
			t.Errorf("shard %q is taken", bad)
		}
	}
}

// TestInterrupt ends the context in the middle of a run: what has not begun is left out, and the cause comes back.
func TestInterrupt(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	v, err := steps.New(steps.Area{Steps: []steps.Step{{
		Pattern: `^it waits$`, Do: func(ctx context.Context, _ *steps.World) error {
			cancel(cause)
			<-ctx.Done()
			return context.Cause(ctx)
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	text := "Feature: f\n"
	for i := range 10 {
		text += fmt.Sprintf("  Scenario: %d\n    When it waits\n", i)
	}
	result, err := run.Run(ctx, &run.Options{FS: fstest.MapFS{"f.feature": {Data: []byte(text)}}, Vocabulary: v})
	if !errors.Is(err, cause) {
		t.Errorf("the error is %v", err)
	}
	if n := len(result.Scenarios); n == 0 || n > 2 {
		t.Errorf("%d scenarios ran", n)
	}
}

// TestLine selects a scenario, and one example of an outline, by the line that it stands in.
func TestLine(t *testing.T) {
	for path, want := range map[string]string{
		"testdata/notes.feature:6":  "The note is kept",
		"testdata/notes.feature:33": "The answer to first is ok The answer to second is gone",
		"testdata/notes.feature:39": "The answer to second is gone",
	} {
		result, err := run.Run(t.Context(), &run.Options{Paths: []string{path}, Vocabulary: vocabulary(t)})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if got := names(result); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}
