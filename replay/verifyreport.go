package replay

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sort"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/display"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
	"github.com/imurun/mcp-replay/replay/internal/wholefile"
)

// A Severity says how much a difference matters.
type Severity string

// The severities of a difference.
const (
	SeverityDifference Severity = "difference" // the answer means something else: the verification fails
	SeveritySpelling   Severity = "spelling"   // a number is the same and spelt in another way: it does not fail
	SeverityNotice     Severity = "notice"     // beside the answers, the server told something else or ended otherwise: it does not fail
)

// A Difference is one place at which the live server's answer differs from the recorded one, or what passed beside the answers: the
// notifications are at /notifications/METHOD (their numbers) and /notifications/METHOD/N/params, the end of the process at /exit.
type Difference struct {
	Request  int            // its number, from 1; 0 beside the answers
	Session  int            // beside the answers: the recorded session
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
	return len(r.Unanswered) == 0 && !slices.ContainsFunc(r.Differences, func(d Difference) bool { return d.Severity == SeverityDifference })
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
	slices.SortStableFunc(r.Differences, func(a, b Difference) int {
		if a.Request == 0 || b.Request == 0 {
			return b.Request - a.Request // those beside the answers come last
		}
		return a.Request - b.Request
	})
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
	return fmt.Sprintf("request %d: %s (frame %d)", number, display.Plain(r.Title(number)), r.asked[number-1].frame+1)
}

// Update accepts the live answers that differ: it writes them, redacted, into the file of the cassette, in the place of the recorded
// ones, and nothing else. It gives how many. The verification must have run with [VerifyOptions.Update].
func (r *Report) Update(path string, redactor *Redactor) (int, error) {
	if len(r.updates) == 0 {
		return 0, nil
	}
	count := 0
	err := wholefile.Replace(path, path, func(out io.Writer) error {
		w, err := NewWriter(out, r.cassette.Header())
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
		return nil
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
