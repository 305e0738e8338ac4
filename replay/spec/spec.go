// Package spec writes a behaviour spec from a cassette: a feature file in the built-in steps of mcp-replay, which
// passes against the recording that it was written from, and is meant to be read, pruned and kept.
//
//	notes, err := spec.Write(file, cassette, &spec.Options{Name: "notebook.jsonl"})
//
// Not everything that was recorded is worth asserting. The spec holds who the server is and what it offers, its
// tools with the hints on which permissions rest, and for each call what a person would look at: a short result as a
// whole, of a long one a line, of structured content some values. Values that will be others next time (times,
// identifiers, what was redacted) are left out.
package spec

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/policy"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/internal/display"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
	"github.com/imurun/mcp-replay/replay/timeline"
)

// Options say what is written.
type Options struct {
	Name string // of the cassette, for the feature's description
	Max  int    // calls at most; 0 means 40
}

// A VersionError says that the recorded session speaks a version of the protocol that the steps' client does not.
type VersionError struct{ Version string }

func (e *VersionError) Error() string {
	return fmt.Sprintf("the recorded session speaks protocol version %q, which the steps' client does not: no spec could pass", e.Version)
}

// versions are those that the client takes (INIT-2).
var versions = []string{"2025-06-18", "2025-03-26", "2024-11-05"}

// Write writes the spec, and says what of the recording is not in it.
func Write(w io.Writer, c *replay.Cassette, o *Options) (notes []string, err error) {
	if o == nil {
		o = &Options{}
	}
	s := &session{cassette: c, max: o.Max}
	if s.max == 0 {
		s.max = 40
	}
	if err := s.read(); err != nil {
		return nil, err
	}
	if s.init == nil && s.discovered != "" {
		return nil, &VersionError{s.discovered}
	}
	if s.init == nil {
		return nil, fmt.Errorf("the recording has no answer to initialize: there is no session to speak of")
	}
	if version := text(s.init, "protocolVersion"); !slices.Contains(versions, version) {
		return nil, &VersionError{version}
	}
	f := &feature{out: bufio.NewWriter(w), session: s, names: map[string]int{}}
	f.write(o.Name)
	return s.notes, f.out.Flush()
}

// session is what a spec is about: one session of the cassette.
type session struct {
	cassette   *replay.Cassette
	max        int
	init       jsontext.Value
	discovered string // the version of a session without initialize
	tools      []jsontext.Value
	listed     bool // the first listing is whole
	more       bool // it holds more tools than a client takes
	calls      []call
	over       int // calls over the limit
	notes      []string
}

// What a client takes of a listing (LIST-2).
const (
	maxTools = 500
	maxPages = 20
)

// call is a request worth a scenario.
type call struct {
	method, name string
	params       jsontext.Value
	answer       jsonrpc.Message
	outcome      timeline.Outcome
	key          uint64
	reads        bool // it changes nothing
}

func (s *session) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

func (s *session) read() error {
	t, err := timeline.Of(s.cassette)
	if err != nil {
		return err
	}
	if t.Sessions > 1 {
		s.note("only the first of %d sessions", t.Sessions)
	}
	pages := 0 // of the first listing; less than zero once it is over
	for row := range t.AllCalls(mcp.FromClient) {
		if row.Session > 1 {
			continue
		}
		request, answer, err := timeline.Messages(s.cassette, &row)
		if err != nil {
			return err
		}
		switch row.Method {
		case "ping":
		case "initialize":
			if s.init == nil {
				s.init = answer.Result
			}
		case "server/discover":
			s.discovered = text(request.Params, "_meta", "io.modelcontextprotocol/protocolVersion")
		case "tools/list":
			pages = s.list(&request, &answer, pages)
		default:
			s.add(&row, &request, &answer)
		}
	}
	if s.over > 0 {
		s.note("%d calls over the limit of %d", s.over, s.max)
	}
	s.markReads()
	return nil
}

// list takes a page of the first listing, which is what a new session sees.
func (s *session) list(request, answer *jsonrpc.Message, pages int) int {
	first := meaning.At(request.Params, "cursor") == nil
	if pages < 0 || first && pages > 0 || answer.Result == nil {
		return -1
	}
	for tool := range jsonrpc.Elements(meaning.At(answer.Result, "tools")) {
		name := text(tool, "name")
		switch {
		case name == "" || slices.ContainsFunc(s.tools, func(t jsontext.Value) bool { return text(t, "name") == name }): // LIST-3
		case len(s.tools) == maxTools || pages >= maxPages:
			s.more = true
		default:
			s.tools = append(s.tools, tool)
		}
	}
	s.listed = text(answer.Result, "nextCursor") == ""
	return pages + 1
}

func (s *session) add(row *timeline.Call, request, answer *jsonrpc.Message) {
	what := strings.TrimSpace(display.Cut(display.Plain(row.Method), 60) + " " + display.Cut(display.Plain(row.Name), 60))
	switch {
	case row.Outcome == timeline.Cancelled || row.Outcome == timeline.Unanswered:
		s.note("%s (frame %d) was %s", what, row.Frame, row.Outcome)
		return
	case answer.Raw == nil:
		s.note("%s (frame %d) was answered without a message", what, row.Frame)
		return
	case !sayable(row.Name) || !sayable(row.Method):
		s.note("%s (frame %d) has a name that no step can hold", what, row.Frame)
		return
	case len(request.Params) > maxParams:
		s.note("%s (frame %d) carries %d bytes, which nobody would read in a feature", what, row.Frame, len(request.Params))
		return
	case row.Method == "tools/call" && !isObject(meaning.At(request.Params, "arguments")), row.Method != "tools/call" && !isObject(request.Params):
		s.note("%s (frame %d) carries what is no object, which no step can send", what, row.Frame)
		return
	case len(s.calls) == s.max:
		s.over++
		return
	}
	key := meaning.HashText(row.Method)
	for name, value := range jsonrpc.Members(request.Params) {
		if string(name) != "_meta" && (string(name) != "arguments" || hasMembers(value)) {
			key += meaning.Mix(meaning.HashText(string(name)), meaning.Hash(value))
		}
	}
	s.calls = append(s.calls, call{method: row.Method, name: row.Name, params: request.Params, answer: *answer, outcome: row.Outcome, key: key})
}

// maxParams is how many bytes of params a call of a spec carries at most.
const maxParams = 16 << 10

// isObject says whether v is an object, or not there.
func isObject(v jsontext.Value) bool { return len(v) == 0 || v.Kind() == '{' || v.Kind() == 'n' }

// hasMembers says whether v is more than an empty object, which is as good as none.
func hasMembers(v jsontext.Value) bool {
	for range jsonrpc.Members(v) {
		return true
	}
	return false
}

// markReads tells the calls that change nothing from the others.
func (s *session) markReads() {
	reads := map[string]bool{}
	for _, t := range s.tools {
		h := policy.ReadHints(meaning.At(t, "annotations"))
		reads[text(t, "name")] = h.ReadOnly && !h.Destructive
	}
	for i := range s.calls {
		c := &s.calls[i]
		c.reads = reads[c.name] || c.method != "tools/call"
	}
}

// split parts the calls: those that can each be made in a session of their own, and those that must be made in one, in
// their order, because what comes before changes what comes after.
func (s *session) split() (alone, together []call) {
	from := s.ordered()
	seen := map[uint64]bool{}
	for _, c := range s.calls[:from] {
		if !seen[c.key] { // else it is the same once more
			seen[c.key] = true
			alone = append(alone, c)
		}
	}
	return alone, s.calls[from:]
}

// ordered finds the call from which on the order counts: one that changes what a later one sees. Of requests that are
// answered in different ways the first answer comes first in any session, so all of them stand behind it.
func (s *session) ordered() int {
	first, differs := map[uint64]int{}, map[uint64]bool{}
	answers := map[uint64]uint64{}
	from := len(s.calls)
	for i, c := range s.calls {
		hash := meaning.Hash(body(&c.answer))
		if before, again := answers[c.key]; !again {
			first[c.key], answers[c.key] = i, hash
		} else if before != hash {
			differs[c.key] = true
		}
		if from == len(s.calls) && (differs[c.key] || !c.reads && i+1 < len(s.calls) && changes(s.calls[i:])) {
			from = i
		}
	}
	for i := len(s.calls) - 1; i >= from; i-- {
		if key := s.calls[i].key; differs[key] {
			from = min(from, first[key])
		}
	}
	return from
}

// changes says whether a call that is not known to only read stands before another one that could see what it did.
func changes(calls []call) bool {
	return slices.ContainsFunc(calls[1:], func(c call) bool { return c.name != calls[0].name || c.key == calls[0].key })
}

func body(m *jsonrpc.Message) jsontext.Value {
	if m.Error != nil {
		return m.Error
	}
	return m.Result
}

func text(v jsontext.Value, names ...string) string { return meaning.Text(meaning.At(v, names...)) }
