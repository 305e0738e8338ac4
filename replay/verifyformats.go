package replay

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/imurun/mcp-replay/replay/internal/display"
)

// AppendJSON appends the report as JSON, in the shape that scripts rely on:
//
//	{"requests":3,"same":1,"differences":[{"request":2,"pointer":"/result/content/0/text","recorded":"a","live":"b",
//	"severity":"difference"}],"unanswered":[],"skipped":[3],"notes":[]}
//
// A difference beside the answers is one of request 0, and has the recorded session beside it: {"request":0,"session":1,"pointer":"/exit",…}.
func (r *Report) AppendJSON(b []byte) []byte {
	b = fmt.Appendf(b, `{"requests":%d,"same":%d,"differences":[`, r.Requests, r.Same)
	for i, d := range r.Differences {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"request":%d`, d.Request)
		if d.Request == 0 {
			b = fmt.Appendf(b, `,"session":%d`, d.Session)
		}
		b = append(append(b, `,"pointer":`...), quoted(d.Pointer)...)
		if d.Recorded != nil {
			b = append(append(b, `,"recorded":`...), oneLine(d.Recorded)...)
		}
		if d.Live != nil {
			b = append(append(b, `,"live":`...), oneLine(d.Live)...)
		}
		b = fmt.Appendf(b, `,"severity":%q}`, d.Severity)
	}
	b = append(b, ']')
	for _, list := range []struct {
		name    string
		numbers []int
	}{{"unanswered", r.Unanswered}, {"skipped", r.Skipped}} {
		b = fmt.Appendf(b, `,%q:[`, list.name)
		for i, n := range list.numbers {
			if i > 0 {
				b = append(b, ',')
			}
			b = fmt.Append(b, n)
		}
		b = append(b, ']')
	}
	b = append(b, `,"notes":[`...)
	for i, note := range r.Notes {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, quoted(note)...)
	}
	return append(b, "]}"...)
}

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	next := 0
	for i := range r.asked {
		number := i + 1
		start := next
		for next < len(r.Differences) && r.Differences[next].Request == number {
			next++
		}
		reason := r.reasons[number]
		switch r.asked[i].outcome {
		case outcomeUnanswered:
			fmt.Fprintf(out, "%s\n  no answer: %s\n", r.where(number), display.Plain(reason))
		case outcomeSkipped:
			fmt.Fprintf(out, "%s\n  skipped: %s\n", r.where(number), display.Plain(reason))
		default:
			if next > start {
				fmt.Fprintln(out, r.where(number))
			}
		}
		for _, d := range r.Differences[start:next] {
			writeDifference(out, d)
		}
	}
	writeBeside(out, r.Differences[next:])
	for _, note := range r.Notes {
		fmt.Fprintf(out, "note: %s\n", display.Plain(note))
	}
	fmt.Fprintln(out, r.Summary())
	return out.Flush()
}

// writeBeside writes what differs beside the answers.
func writeBeside(out io.Writer, differences []Difference) {
	for i, d := range differences {
		switch {
		case i > 0 && d.Session == differences[i-1].Session:
		case d.Session == 0:
			fmt.Fprintln(out, "beside the answers")
		default:
			fmt.Fprintf(out, "beside the answers of session %d\n", d.Session)
		}
		writeDifference(out, d)
	}
}

// Summary says it in one line.
func (r *Report) Summary() string {
	differ, spelling, beside := 0, 0, 0
	for _, asked := range r.asked {
		if asked.outcome == outcomeDiffers {
			differ++
		}
	}
	for _, d := range r.Differences {
		switch d.Severity {
		case SeveritySpelling:
			spelling++
		case SeverityNotice:
			beside++
		}
	}
	s := fmt.Sprintf("%d requests: %d the same", r.Requests, r.Same)
	for _, part := range []struct {
		n    int
		text string
	}{{differ, "different"}, {len(r.Unanswered), "unanswered"}, {len(r.Skipped), "skipped"}, {spelling, "spelt in another way"}, {beside, "different beside the answers"}} {
		if part.n > 0 {
			s += fmt.Sprintf(", %d %s", part.n, part.text)
		}
	}
	return s
}

func writeDifference(out io.Writer, d Difference) {
	place := display.Plain(d.Pointer)
	if place == "" {
		place = "the answer"
	}
	switch {
	case d.Severity == SeveritySpelling:
		fmt.Fprintf(out, "  %s: the same number, spelt %s instead of %s\n", place, d.Live, d.Recorded)
		return
	case d.Recorded == nil:
		fmt.Fprintf(out, "  %s is new\n    + %s\n", place, shown(d.Live))
		return
	case d.Live == nil:
		fmt.Fprintf(out, "  %s is gone\n    - %s\n", place, shown(d.Recorded))
		return
	}
	recorded, live := shownPair(d.Recorded, d.Live)
	fmt.Fprintf(out, "  %s\n    - %s\n    + %s\n", place, recorded, live)
}

// mostWide is how much of a value a person is shown.
const mostWide = 200

func shown(v []byte) string {
	text := string(oneLine(v))
	if len(text) > mostWide {
		return display.Plain(strings.ToValidUTF8(text[:mostWide], "")) + fmt.Sprintf("… (%d bytes)", len(text))
	}
	return display.Plain(text)
}

// shownPair shows two values, of long ones the part around the place where they begin to differ.
func shownPair(recorded, live []byte) (string, string) {
	a, b := string(oneLine(recorded)), string(oneLine(live))
	if len(a) <= mostWide && len(b) <= mostWide {
		return display.Plain(a), display.Plain(b)
	}
	cut := display.Apart(a, b, mostWide/4)
	lead := ""
	if cut > 0 {
		lead = "…"
	}
	return lead + shown([]byte(a[cut:])), lead + shown([]byte(b[cut:]))
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
	Beside   string      `xml:"system-out,omitempty"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Error   *junitMessage `xml:"error,omitempty"`
	Skipped *junitMessage `xml:"skipped,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the report as JUnit XML: a test case for each request.
func (r *Report) WriteJUnit(w io.Writer) error {
	name := strings.TrimSuffix(filepath.Base(r.cassette.Name()), ".jsonl")
	suite := junitSuite{Name: "verify " + name, Tests: r.Requests, Errors: len(r.Unanswered), Skipped: len(r.Skipped)}
	next := 0
	for i, asked := range r.asked {
		number := i + 1
		var text strings.Builder
		for ; next < len(r.Differences) && r.Differences[next].Request == number; next++ {
			writeDifference(&text, r.Differences[next])
		}
		c := junitCase{Name: r.where(number), Class: name}
		switch asked.outcome {
		case outcomeDiffers:
			suite.Failures++
			c.Failure = &junitMessage{"the answer differs from the recorded one", text.String()}
		case outcomeUnanswered:
			c.Error = &junitMessage{"no answer", r.reasons[number]}
		case outcomeSkipped:
			c.Skipped = &junitMessage{Message: r.reasons[number]}
		}
		suite.Cases = append(suite.Cases, c)
	}
	var beside strings.Builder
	writeBeside(&beside, r.Differences[next:])
	suite.Beside = beside.String()
	return suite.write(w)
}

// WriteJUnitError writes, as JUnit XML, why a cassette could not be verified.
func WriteJUnitError(w io.Writer, cassette string, err error) error {
	name := strings.TrimSuffix(filepath.Base(cassette), ".jsonl")
	failed := junitCase{Name: "the server", Class: name, Error: &junitMessage{Message: err.Error()}}
	return (&junitSuite{Name: "verify " + name, Tests: 1, Errors: 1, Cases: []junitCase{failed}}).write(w)
}

func (suite *junitSuite) write(w io.Writer) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
