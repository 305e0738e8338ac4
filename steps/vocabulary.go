package steps

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Area is the steps of one domain; each stands in a file of its own.
type Area struct {
	Name   string
	Public bool // the steps are for anybody's server; the others are for the specs of mcp-replay itself
	Steps  []Step
}

// Areas is the whole vocabulary, in the order in which it is printed.
func Areas() []Area {
	return []Area{
		{Name: "server", Public: true, Steps: serverSteps},
		{Name: "tools", Public: true, Steps: toolsSteps},
		{Name: "calls", Public: true, Steps: callsSteps},
		{Name: "fakes", Steps: fakesSteps},
		{Name: "wire", Steps: wireSteps},
		{Name: "command line", Steps: cliSteps},
		{Name: "files", Steps: filesSteps},
		{Name: "client", Steps: clientSteps},
		{Name: "http", Steps: httpSteps},
		{Name: "record", Steps: recordSteps},
		{Name: "replay", Steps: replaySteps},
		{Name: "formats", Steps: formatsSteps},
		{Name: "settings", Steps: settingsSteps},
		{Name: "lifecycle", Steps: lifecycleSteps},
		{Name: "names", Steps: namesSteps},
		{Name: "permissions", Steps: permissionsSteps},
		{Name: "api", Steps: apiSteps},
	}
}

// Vocabulary is a set of steps, ready to match.
type Vocabulary struct {
	entries []Entry
}

// Entry is a step with its compiled pattern.
type Entry struct {
	Step
	Area    string
	Pattern *regexp.Regexp
}

// Match is a step that fits a text, and what its pattern captured of it.
type Match struct {
	*Entry
	Captures []string
}

// New makes a vocabulary of the areas given. It fails for a step that could never run, and names it.
func New(areas ...Area) (*Vocabulary, error) {
	v := new(Vocabulary)
	for _, area := range areas {
		for _, s := range area.Steps {
			pattern, err := s.check()
			if err != nil {
				return nil, fmt.Errorf("steps: %s: %s: %w", area.Name, s.Pattern, err)
			}
			v.entries = append(v.entries, Entry{Step: s, Area: area.Name, Pattern: pattern})
		}
	}
	return v, nil
}

var all = sync.OnceValue(func() *Vocabulary { return must(New(Areas()...)) })

var public = sync.OnceValue(func() *Vocabulary {
	return must(New(slices.DeleteFunc(Areas(), func(a Area) bool { return !a.Public })...))
})

// All is every step there is: what the specs of mcp-replay itself are written in.
func All() *Vocabulary { return all() }

// Public is the steps for anybody's server: what "mcp-replay test" knows.
func Public() *Vocabulary { return public() }

// must is for the built-in areas, which a test has checked.
func must(v *Vocabulary, err error) *Vocabulary {
	if err != nil {
		panic(err)
	}
	return v
}

// Entries is the steps of the vocabulary, in its order.
func (v *Vocabulary) Entries() []Entry { return v.entries }

// With is the vocabulary and the areas given.
func (v *Vocabulary) With(areas ...Area) (*Vocabulary, error) {
	more, err := New(areas...)
	if err != nil {
		return nil, err
	}
	return &Vocabulary{entries: slices.Concat(v.entries, more.entries)}, nil
}

// Match finds the steps that fit a text. None means that the step is undefined, several that it is ambiguous.
func (v *Vocabulary) Match(text string) []Match {
	var matches []Match
	for i := range v.entries {
		if groups := v.entries[i].Pattern.FindStringSubmatch(text); groups != nil {
			matches = append(matches, Match{Entry: &v.entries[i], Captures: groups[1:]})
		}
	}
	return matches
}

// check compiles the pattern and compares the function with it.
func (s *Step) check() (*regexp.Regexp, error) {
	if !strings.HasPrefix(s.Pattern, "^") || !strings.HasSuffix(s.Pattern, "$") {
		return nil, errors.New("the pattern has no ^ or no $")
	}
	pattern, err := regexp.Compile(s.Pattern)
	if err != nil {
		return nil, err
	}
	do := reflect.TypeOf(s.Do)
	if do == nil || do.Kind() != reflect.Func || do.NumIn() < 2 || do.In(0) != contextType || do.In(1) != worldType ||
		do.NumOut() != 1 || do.Out(0) != errorType {
		return nil, errors.New("the function is no func(context.Context, *World, …) error")
	}
	if got, want := s.captures(), pattern.NumSubexp(); got != want {
		return nil, fmt.Errorf("the pattern captures %d groups, and the function takes %d", want, got)
	}
	for i := range s.captures() {
		if _, err := convert("1", do.In(i+2)); err != nil && do.In(i+2) != durationType {
			return nil, err
		}
	}
	if colon := strings.HasSuffix(s.Pattern, ":$"); colon != (s.argument() != nil) {
		return nil, errors.New("a step ends in a colon where a docstring or table follows, and only there")
	}
	return pattern, nil
}
