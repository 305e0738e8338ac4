package run

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

// junit writes the XML that CI systems read: a suite for each feature, a case for each scenario.
type junit struct{ w io.Writer }

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	File     string      `xml:"file,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`

	took time.Duration
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	File    string        `xml:"file,attr"`
	Line    int           `xml:"line,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitProblem `xml:"failure,omitempty"`
	Error   *junitProblem `xml:"error,omitempty"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func (j *junit) start([]*Case)     {}
func (j *junit) scenario(*Outcome) {}

func (j *junit) finish(r *Result) error {
	all := junitSuites{Name: "mcp-replay test", Time: seconds(r.Took)}
	byFile := make(map[string]int)
	for _, o := range r.Scenarios {
		file := o.Case.Feature.File
		at, ok := byFile[file]
		if !ok {
			at = len(all.Suites)
			byFile[file] = at
			all.Suites = append(all.Suites, junitSuite{Name: printable(o.Case.Feature.Name), File: printable(file)})
		}
		all.Suites[at].add(o)
	}
	for i := range all.Suites {
		s := &all.Suites[i]
		s.Time = seconds(s.took)
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
	}
	out, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(j.w, "%s%s\n", xml.Header, out)
	return err
}

// add counts a scenario: what does not hold is a failure, a step that cannot run is an error.
func (s *junitSuite) add(o *Outcome) {
	c := junitCase{
		Class: s.Name, Name: printable(o.Case.Name), File: s.File, Line: o.Case.Line, Time: seconds(o.Took),
	}
	s.Tests++
	s.took += o.Took
	if o.Status != Passed {
		var text bytes.Buffer
		(&report{w: &text}).failure(o)
		message, _, _ := strings.Cut(text.String(), "\n")
		p := &junitProblem{Message: printable(message), Type: o.Status.String(), Text: printable(text.String())}
		if o.Status == Failed {
			c.Failure = p
			s.Failures++
		} else {
			c.Error = p
			s.Errors++
		}
	}
	s.Cases = append(s.Cases, c)
}

// printable replaces what XML cannot hold.
func printable(text string) string {
	return strings.Map(func(c rune) rune {
		if c < 0x20 && c != '\n' && c != '\t' || c == 0xFFFE || c == 0xFFFF || c >= 0xD800 && c <= 0xDFFF {
			return '\uFFFD'
		}
		return c
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
