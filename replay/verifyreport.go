package replay

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// A Severity says how much a difference matters.
type Severity string

// The severities of a difference.
const (
	SeverityDifference Severity = "difference" // the answer means something else: the verification fails
	SeveritySpelling   Severity = "spelling"   // a number is the same and spelt in another way: it does not fail
)

// A Difference is one place at which the live server's answer differs from the recorded one.
type Difference struct {
	Request  int            // its number, from 1
	Pointer  string         // JSON Pointer that starts at the answer message
	Recorded jsontext.Value // nil: only the live answer has the place
	Live     jsontext.Value // nil: only the recorded answer has it
	Severity Severity
}

// A Report says what a verification has found.
type Report struct {
	Requests    int          // that the recording has
	Same        int          // whose answers mean the same
	Differences []Difference // in the order of the requests
	Unanswered  []int        // requests that the live server did not answer, although the recorded one did
	Skipped     []int        // requests that were not sent
	Notes       []string     // what else there is to say

	cassette *Cassette
	asked    []askedAt      // each request
	reasons  map[int]string // why a request is skipped or unanswered
	updates  map[int][]acceptedAnswer
}

// askedAt says where a request stands, and what came of it.
type askedAt struct {
	frame   uint32
	elem    uint16
	outcome uint8
}

type acceptedAnswer struct {
	elem uint16
	data []byte
}

const (
	outcomeSame = iota + 1
	outcomeDiffers
	outcomeUnanswered
	outcomeSkipped
)

// OK tells whether the live server still does what was recorded. What was skipped does not count.
func (r *Report) OK() bool {
	return len(r.Unanswered) == 0 && !slices.ContainsFunc(r.Differences, func(d Difference) bool { return d.Severity != SeveritySpelling })
}

// begin gives the next request its number.
func (r *Report) begin(c cue) int {
	r.Requests++
	r.asked = append(r.asked, askedAt{frame: c.frame, elem: c.elem})
	return r.Requests
}

func (r *Report) set(number int, outcome uint8, reason string) {
	r.asked[number-1].outcome = outcome
	if reason != "" {
		if r.reasons == nil {
			r.reasons = make(map[int]string)
		}
		r.reasons[number] = reason
	}
}

func (r *Report) same(number int) {
	r.Same++
	r.set(number, outcomeSame, "")
}

func (r *Report) differs(number int) { r.set(number, outcomeDiffers, "") }

func (r *Report) unanswered(number int, why string) {
	r.Unanswered = append(r.Unanswered, number)
	r.set(number, outcomeUnanswered, why)
}

func (r *Report) skip(number int, why string) {
	r.Skipped = append(r.Skipped, number)
	r.set(number, outcomeSkipped, why)
}

func (r *Report) add(d Difference) { r.Differences = append(r.Differences, d) }

func (r *Report) sort() {
	slices.SortStableFunc(r.Differences, func(a, b Difference) int { return a.Request - b.Request })
	slices.Sort(r.Unanswered)
	slices.Sort(r.Skipped)
}

func (r *Report) note(notes map[string]bool) {
	for text := range notes {
		r.Notes = append(r.Notes, text)
	}
	sort.Strings(r.Notes)
}

func (r *Report) accept(frame int, elem uint16, data []byte) {
	if r.updates == nil {
		r.updates = make(map[int][]acceptedAnswer)
	}
	r.updates[frame] = append(r.updates[frame], acceptedAnswer{elem, data})
}

// Title names a request for people: its method, and what it asks for.
func (r *Report) Title(number int) string {
	m := r.request(number)
	return title(m.Method, m.Params)
}

// request reads the recorded request with a number.
func (r *Report) request(number int) jsonrpc.Message {
	asked := r.asked[number-1]
	f, err := r.cassette.Frame(int(asked.frame))
	if err != nil {
		return jsonrpc.Message{}
	}
	data := f.Data
	if asked.elem != noElem {
		data = element(data, int(asked.elem))
	}
	m, _ := jsonrpc.Parse(data)
	return m
}

func (r *Report) where(number int) string {
	return fmt.Sprintf("request %d: %s (frame %d)", number, r.Title(number), r.asked[number-1].frame+1)
}

// AppendJSON appends the report as JSON, in the shape that scripts rely on:
//
//	{"requests":3,"same":1,"differences":[{"request":2,"pointer":"/result/content/0/text","recorded":"a","live":"b",
//	"severity":"difference"}],"unanswered":[],"skipped":[3],"notes":[]}
func (r *Report) AppendJSON(b []byte) []byte {
	b = fmt.Appendf(b, `{"requests":%d,"same":%d,"differences":[`, r.Requests, r.Same)
	for i, d := range r.Differences {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"request":%d,"pointer":%s`, d.Request, quoted(d.Pointer))
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
			fmt.Fprintf(out, "%s\n  no answer: %s\n", r.where(number), reason)
		case outcomeSkipped:
			fmt.Fprintf(out, "%s\n  skipped: %s\n", r.where(number), reason)
		default:
			if next > start {
				fmt.Fprintln(out, r.where(number))
			}
		}
		for _, d := range r.Differences[start:next] {
			writeDifference(out, d)
		}
	}
	for _, note := range r.Notes {
		fmt.Fprintf(out, "note: %s\n", note)
	}
	fmt.Fprintln(out, r.Summary())
	return out.Flush()
}

// Summary says it in one line.
func (r *Report) Summary() string {
	differ, spelling := 0, 0
	for _, asked := range r.asked {
		if asked.outcome == outcomeDiffers {
			differ++
		}
	}
	for _, d := range r.Differences {
		if d.Severity == SeveritySpelling {
			spelling++
		}
	}
	s := fmt.Sprintf("%d requests: %d the same", r.Requests, r.Same)
	for _, part := range []struct {
		n    int
		text string
	}{{differ, "different"}, {len(r.Unanswered), "unanswered"}, {len(r.Skipped), "skipped"}, {spelling, "spelt in another way"}} {
		if part.n > 0 {
			s += fmt.Sprintf(", %d %s", part.n, part.text)
		}
	}
	return s
}

func writeDifference(out io.Writer, d Difference) {
	place := d.Pointer
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
		return strings.ToValidUTF8(text[:mostWide], "") + fmt.Sprintf("… (%d bytes)", len(text))
	}
	return text
}

// shownPair shows two values, of long ones the part around the place where they begin to differ.
func shownPair(recorded, live []byte) (string, string) {
	a, b := string(oneLine(recorded)), string(oneLine(live))
	if len(a) <= mostWide && len(b) <= mostWide {
		return a, b
	}
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	cut := max(0, same-mostWide/4)
	for cut > 0 && cut < len(a) && a[cut]&0xC0 == 0x80 {
		cut--
	}
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

// Update accepts the live answers that differ: it writes them, redacted, into the file of the cassette, in the place of the recorded
// ones, and nothing else. It gives how many. The verification must have run with [VerifyOptions.Update].
func (r *Report) Update(path string, redactor *Redactor) (int, error) {
	if len(r.updates) == 0 {
		return 0, nil
	}
	count := 0
	err := updateFile(path, func(file *os.File) error {
		buffered := bufio.NewWriterSize(file, 256<<10)
		w, err := NewWriter(buffered, r.cassette.Header())
		if err != nil {
			return err
		}
		i := 0
		for f, err := range r.cassette.Frames() {
			if err != nil {
				return err
			}
			for _, answer := range r.updates[i] {
				f.Data = withElement(f.Data, answer)
				count++
			}
			if r.updates[i] != nil && redactor != nil {
				f = redactor.Again(f)
			}
			if err := w.WriteFrame(&f); err != nil {
				return err
			}
			i++
		}
		return buffered.Flush()
	})
	return count, err
}

func withElement(data []byte, answer acceptedAnswer) []byte {
	if answer.elem == noElem {
		return answer.data
	}
	n := int(answer.elem)
	for m := range meaning.Members(data) {
		if n == 0 {
			return splice(data, m.Start, m.End, answer.data)
		}
		n--
	}
	return data
}

// goOnFrom makes the numbers of new placeholders go on behind those of a cassette, which new secrets are to be written into.
func (r *Redactor) goOnFrom(c *Cassette) error {
	highest := 0
	for f, err := range c.Frames() {
		if err != nil {
			return err
		}
		if bytes.Contains(f.Data, []byte(redactedMark)) {
			highest = highestNumber(f.Data, highest)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = max(r.last, highest)
	return nil
}
