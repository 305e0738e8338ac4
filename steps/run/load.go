package run

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/cucumber/gherkin/go/v42"
	"github.com/cucumber/messages/go/v34"

	"github.com/imurun/mcp-replay/steps"
)

// Case is a scenario, or one example of an outline, to run.
type Case struct {
	Feature *Feature
	Rule    string // the title of the rule it stands in; empty where it stands in none
	Keyword string // "Scenario", or as the feature has it
	Name    string
	Line    int
	Tags    []string
	Steps   []CaseStep

	pickle *messages.Pickle
}

// CaseStep is a step as it stands in the feature.
type CaseStep struct {
	Keyword string
	Text    string // with the values of the example filled in
	Line    int
	Column  int

	pickle *messages.PickleStep
}

// Feature is a feature file.
type Feature struct {
	File  string
	Name  string
	lines []string
	doc   *messages.GherkinDocument
	text  string
}

// load reads the features and selects the scenarios to run.
func load(o *Options, v *steps.Vocabulary) ([]*Case, error) {
	tags, err := parseTags(o.Tags)
	if err != nil {
		return nil, err
	}
	l := loader{fsys: o.FS, newID: (&messages.Incrementing{}).NewId, seen: make(map[string]bool)}
	paths := o.Paths
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for _, p := range paths {
		if err := l.path(p); err != nil {
			return nil, err
		}
	}
	var findings []steps.Finding
	for _, f := range l.features {
		findings = append(findings, v.Lint(f.File, f.doc)...)
	}
	if len(findings) > 0 {
		return nil, &LintError{Findings: findings}
	}
	var cases []*Case
	for _, c := range l.cases {
		if tags.match(c.Tags) {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		return nil, noScenario(paths, o.Tags, len(l.cases))
	}
	if o.Config != nil && o.Config.Cassettes != nil {
		var all []steps.Scenario
		for _, c := range cases {
			all = append(all, c.scenario())
		}
		if err := o.Config.Cassettes.Distinct(all); err != nil {
			return nil, err
		}
	}
	return o.Shard.of(cases), nil
}

func noScenario(paths []string, tags string, before int) error {
	if before > 0 {
		return fmt.Errorf("%w: none of %d has the tags %s", ErrNoScenario, before, tags)
	}
	return fmt.Errorf("%w: there is none in %s", ErrNoScenario, strings.Join(paths, ", "))
}

// of is the shard's part of the cases: every n-th, so that a slow feature is spread.
func (s Shard) of(cases []*Case) []*Case {
	if s.Of == 0 {
		return cases
	}
	var part []*Case
	for i := s.Index - 1; i < len(cases); i += s.Of {
		part = append(part, cases[i])
	}
	return part
}

type loader struct {
	fsys     fs.FS // nil: the disk
	newID    func() string
	seen     map[string]bool
	features []*Feature
	cases    []*Case
}

// path takes a feature, a folder, or FILE:LINE.
func (l *loader) path(p string) error {
	info, err := l.stat(p)
	line := 0
	if errors.Is(err, fs.ErrNotExist) {
		if i := strings.LastIndexByte(p, ':'); i > 0 {
			if n, convErr := strconv.Atoi(p[i+1:]); convErr == nil {
				p, line = p[:i], n
				info, err = l.stat(p)
			}
		}
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return l.file(p, line)
	}
	walk := func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".feature") {
			return err
		}
		return l.file(name, 0)
	}
	if l.fsys != nil {
		return fs.WalkDir(l.fsys, p, walk)
	}
	return filepath.WalkDir(p, walk)
}

func (l *loader) stat(p string) (fs.FileInfo, error) {
	if l.fsys != nil {
		return fs.Stat(l.fsys, path.Clean(p))
	}
	return os.Stat(p)
}

func (l *loader) file(name string, line int) error {
	key := fmt.Sprintf("%s:%d", filepath.Clean(name), line)
	if l.seen[key] {
		return nil
	}
	l.seen[key] = true
	var data []byte
	var err error
	if l.fsys != nil {
		data, err = fs.ReadFile(l.fsys, path.Clean(name))
	} else {
		data, err = os.ReadFile(name)
	}
	if err != nil {
		return err
	}
	doc, err := parse(data, l.newID)
	if err != nil {
		return &ParseError{File: name, Lines: strings.Split(string(data), "\n"), Err: err}
	}
	doc.Uri = name
	f := &Feature{File: name, lines: strings.Split(string(data), "\n"), doc: doc, text: string(data)}
	if doc.Feature == nil {
		return nil
	}
	f.Name = doc.Feature.Name
	l.features = append(l.features, f)
	cases := f.cases(gherkin.Pickles(*doc, name, l.newID), line)
	if line > 0 && len(cases) == 0 {
		return fmt.Errorf("%w: none begins at %s:%d", ErrNoScenario, name, line)
	}
	l.cases = append(l.cases, cases...)
	return nil
}

// parse reads a feature. The parser's own reader of lines ends in a panic at one of 64 KiB.
func parse(data []byte, newID func() string) (*messages.GherkinDocument, error) {
	builder := gherkin.NewAstBuilder(newID)
	err := gherkin.NewParser(builder).Parse(&lines{rest: bytes.TrimPrefix(data, []byte("\ufeff"))}, gherkin.NewLanguageMatcher(gherkin.DialectsBuiltin(), gherkin.DefaultDialect))
	return builder.GetGherkinDocument(), err
}

// lines gives a feature's lines, however long they are.
type lines struct {
	rest   []byte
	number int
}

func (l *lines) Scan() (line *gherkin.Line, atEOF bool, err error) {
	text, rest, _ := bytes.Cut(l.rest, []byte{'\n'})
	atEOF = len(l.rest) == 0
	l.rest = rest
	l.number++
	s := string(bytes.TrimSuffix(text, []byte{'\r'}))
	return &gherkin.Line{LineText: s, LineNumber: l.number, TrimmedLineText: strings.TrimLeft(s, " \t"), AtEof: atEOF}, atEOF, nil
}
