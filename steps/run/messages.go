package run

import (
	"fmt"
	"io"
	"regexp"
	"runtime"
	"time"

	"github.com/cucumber/messages/go/v34"
	"github.com/go-json-experiment/json"
)

// protocolVersion is that of the cucumber messages this package writes.
const protocolVersion = "34.2.1"

// testRun is the id of the one run that a file of messages tells.
const testRun = "run"

// messageWriter writes cucumber messages, a line each: what cucumber's own reports and services read.
type messageWriter struct {
	w           io.Writer
	err         error
	next        int
	definitions map[*regexp.Regexp]string // ids of the step definitions written so far
}

func newMessages(w io.Writer) formatter {
	return &messageWriter{w: w, definitions: make(map[*regexp.Regexp]string)}
}

func (m *messageWriter) write(e *messages.Envelope) {
	if m.err != nil {
		return
	}
	line, err := json.Marshal(e)
	if err != nil {
		m.err = err
		return
	}
	_, m.err = m.w.Write(append(line, '\n'))
}

func (m *messageWriter) id(kind string) string {
	m.next++
	return fmt.Sprintf("%s-%d", kind, m.next)
}

func timestamp(t time.Time) *messages.Timestamp {
	ts := messages.GoTimeToTimestamp(t)
	return &ts
}

func duration(d time.Duration) *messages.Duration {
	md := messages.GoDurationToDuration(d)
	return &md
}

// start tells what is going to run.
func (m *messageWriter) start(cases []*Case) {
	m.write(&messages.Envelope{Meta: &messages.Meta{
		ProtocolVersion: protocolVersion,
		Implementation:  &messages.Product{Name: "mcp-replay"},
		Runtime:         &messages.Product{Name: "go", Version: runtime.Version()},
		Os:              &messages.Product{Name: runtime.GOOS},
		Cpu:             &messages.Product{Name: runtime.GOARCH},
	}})
	told := make(map[*Feature]bool)
	for _, c := range cases {
		if f := c.Feature; !told[f] {
			told[f] = true
			m.write(&messages.Envelope{Source: &messages.Source{
				Uri: f.File, Data: f.text, MediaType: messages.SourceMediaType_TEXT_X_CUCUMBER_GHERKIN_PLAIN,
			}})
			m.write(&messages.Envelope{GherkinDocument: f.doc})
		}
		m.write(&messages.Envelope{Pickle: c.pickle})
	}
	m.write(&messages.Envelope{TestRunStarted: &messages.TestRunStarted{Id: testRun, Timestamp: timestamp(time.Now())}})
}

// scenario tells a whole scenario, which is over.
func (m *messageWriter) scenario(o *Outcome) {
	tc := &messages.TestCase{Id: m.id("case"), PickleId: o.Case.pickle.Id, TestRunStartedId: testRun}
	for _, s := range o.Steps {
		ts := &messages.TestStep{Id: m.id("step"), PickleStepId: s.pickle.Id}
		for _, match := range s.Matches {
			ts.StepDefinitionIds = append(ts.StepDefinitionIds, m.definition(match.Entry.Pattern))
			ts.StepMatchArgumentsLists = append(ts.StepMatchArgumentsLists, captured(s.Text, match.Entry.Pattern))
		}
		tc.TestSteps = append(tc.TestSteps, ts)
	}
	m.write(&messages.Envelope{TestCase: tc})
	started := m.id("started")
	m.write(&messages.Envelope{TestCaseStarted: &messages.TestCaseStarted{Id: started, TestCaseId: tc.Id, Timestamp: timestamp(o.Began)}})
	now := o.Began
	for i, s := range o.Steps {
		m.write(&messages.Envelope{TestStepStarted: &messages.TestStepStarted{
			TestCaseStartedId: started, TestStepId: tc.TestSteps[i].Id, Timestamp: timestamp(now),
		}})
		now = now.Add(s.Took)
		m.write(&messages.Envelope{TestStepFinished: &messages.TestStepFinished{
			TestCaseStartedId: started, TestStepId: tc.TestSteps[i].Id, Timestamp: timestamp(now),
			TestStepResult: m.result(o, i),
		}})
	}
	m.write(&messages.Envelope{TestCaseFinished: &messages.TestCaseFinished{
		TestCaseStartedId: started, Timestamp: timestamp(o.Began.Add(o.Took)),
	}})
}

// result is that of one step; what the end of the scenario found is told by its last step, since there is no other place.
func (m *messageWriter) result(o *Outcome, i int) *messages.TestStepResult {
	s := o.Steps[i]
	r := &messages.TestStepResult{Duration: duration(s.Took), Status: messageStatuses[s.Status]}
	err := s.Err
	if i == len(o.Steps)-1 && o.Err != nil && err == nil {
		err = o.Err
		r.Status = messages.TestStepResultStatus_FAILED
	}
	if err != nil {
		r.Message = err.Error()
	}
	return r
}

var messageStatuses = [...]messages.TestStepResultStatus{
	Passed:    messages.TestStepResultStatus_PASSED,
	Failed:    messages.TestStepResultStatus_FAILED,
	Skipped:   messages.TestStepResultStatus_SKIPPED,
	Undefined: messages.TestStepResultStatus_UNDEFINED,
	Pending:   messages.TestStepResultStatus_PENDING,
	Ambiguous: messages.TestStepResultStatus_AMBIGUOUS,
}

// definition is the id of a step of the vocabulary, told when it is first used.
func (m *messageWriter) definition(pattern *regexp.Regexp) string {
	if id, ok := m.definitions[pattern]; ok {
		return id
	}
	id := m.id("definition")
	m.definitions[pattern] = id
	m.write(&messages.Envelope{StepDefinition: &messages.StepDefinition{
		Id: id,
		Pattern: &messages.StepDefinitionPattern{
			Source: pattern.String(), Type: messages.StepDefinitionPatternType_REGULAR_EXPRESSION,
		},
		SourceReference: &messages.SourceReference{Uri: "mcp-replay"},
	}})
	return id
}

// captured tells what a pattern captured of a text, and where.
func captured(text string, pattern *regexp.Regexp) *messages.StepMatchArgumentsList {
	list := new(messages.StepMatchArgumentsList)
	at := pattern.FindStringSubmatchIndex(text)
	for i := 2; i+1 < len(at); i += 2 {
		g := new(messages.Group)
		if at[i] >= 0 {
			g.Start, g.Value = int64(len([]rune(text[:at[i]]))), text[at[i]:at[i+1]]
		}
		list.StepMatchArguments = append(list.StepMatchArguments, &messages.StepMatchArgument{Group: g})
	}
	return list
}

func (m *messageWriter) finish(r *Result) error {
	m.write(&messages.Envelope{TestRunFinished: &messages.TestRunFinished{
		TestRunStartedId: testRun, Success: len(r.Failed()) == 0, Timestamp: timestamp(time.Now()),
	}})
	return m.err
}
