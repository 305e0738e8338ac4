package replay

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// mostDifferences is how many differences of one answer the report keeps.
const mostDifferences = 50

// compare holds what came for a request against what was recorded.
func (s *verifying) compare(r *asked) {
	request := s.part.cues[r.cue]
	if request.peer == none {
		s.compareOutcome(r, request)
		return
	}
	if r.err != nil {
		s.report.unanswered(r.number, s.reason(r.err))
		return
	}
	recorded, err := s.messageInto(&s.room, s.part.cues[request.peer], &r.answer)
	if err != nil {
		s.report.unanswered(r.number, err.Error())
		return
	}
	if r.method == "tools/list" {
		if s.hints == nil {
			s.hints = make(map[string]bool)
		}
		noteHints(r.answer.Result, s.hints)
	}
	before := len(s.report.Differences)
	if otherType(r.answer.ID, r.id) != otherType(recorded.ID, r.recordedID) {
		s.add(r, meaning.Delta{Pointer: "/id", Recorded: recorded.ID, Live: r.answer.ID})
	}
	for _, d := range s.deltas(r, recorded.Raw, r.answer.Raw, request.peer) {
		s.add(r, d)
	}
	failed := false
	for _, d := range s.report.Differences[before:] {
		failed = failed || d.Severity != SeveritySpelling
	}
	if !failed {
		s.report.same(r.number)
		return
	}
	s.report.differs(r.number)
	if s.options.Update {
		s.accept(r, request.peer)
	}
}

// deltas gives the places at which two answers differ, but for what may.
func (s *verifying) deltas(r *asked, recorded, live []byte, answer int32) []meaning.Delta {
	c := s.comparison(func(pointer string) bool {
		if pointer == "/id" || pointer == "/jsonrpc" {
			return true
		}
		for i := range s.ignore {
			if s.ignore[i].covers(r.method, r.name, pointer) {
				return true
			}
		}
		return false
	}, answer)
	return c.Run("", recorded, live)
}

// comparison compares what was recorded at a cue with what came live: placeholders match what they stand for, and minted values each other.
func (s *verifying) comparison(skip func(pointer string) bool, at int32) meaning.Comparison {
	return meaning.Comparison{
		Max:  mostDifferences,
		Skip: skip,
		Leaf: func(pointer string, recorded, live []byte) bool {
			if len(live) > 0 && meaning.HasPlaceholder(recorded) {
				pattern := meaning.Pattern{Recorded: recorded, Bound: s.bound}
				if fresh, ok := pattern.Match(live); ok {
					s.bind(fresh)
					return true
				}
				recorded = s.bound.Fill(nil, recorded, nil)
			}
			name := pointer[strings.LastIndexByte(pointer, '/')+1:]
			return s.carry.same(name, recorded, live, at)
		},
		Set: setKey,
	}
}

// bind keeps what the live server has in the place of placeholders.
func (s *verifying) bind(fresh meaning.Bindings) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, value := range fresh {
		s.bound[name] = value
	}
}

// setKey says which arrays of an answer are sets, and by what their elements are paired: the things that are listed by their name,
// and in a tool's schemas what JSON Schema takes for a set.
func setKey(pointer string) func([]byte) uint64 {
	switch pointer {
	case "/result/tools", "/result/prompts", "/result/resources", "/result/resourceTemplates":
		return func(element []byte) uint64 {
			for _, key := range [...]string{"name", "uri", "uriTemplate"} {
				if v := meaning.At(element, key); v != nil {
					return meaning.Hash(v)
				}
			}
			return meaning.Hash(element)
		}
	}
	if strings.HasPrefix(pointer, "/result/tools/") {
		for _, keyword := range [...]string{"/required", "/enum", "/type"} {
			if strings.HasSuffix(pointer, keyword) {
				return meaning.Hash
			}
		}
	}
	return nil
}

// otherType tells whether an answer's id has another JSON type than its request's.
func otherType(answer, request []byte) bool {
	return len(answer) > 0 && len(request) > 0 && (answer[0] == '"') != (request[0] == '"')
}

// compareOutcome settles a request that was recorded without a message for an answer: with an HTTP status, or by the server's end.
func (s *verifying) compareOutcome(r *asked, request cue) {
	status := 0
	for at := request.next; at != none && status == 0; at = s.part.cues[at].next {
		if c := s.part.cues[at]; c.kind == cueHead {
			if f, err := s.score.cassette.Frame(int(c.frame)); err == nil {
				status = f.Head.Status
			}
		}
	}
	var live *mcp.HTTPError
	switch {
	case status != 0 && errors.As(r.err, &live):
		if live.Status == status {
			s.report.same(r.number)
			return
		}
		s.add(r, meaning.Delta{Pointer: "/http/status", Recorded: fmt.Append(nil, status), Live: fmt.Append(nil, live.Status)})
	case status != 0 && r.err == nil:
		s.add(r, meaning.Delta{Pointer: "/http/status", Recorded: fmt.Append(nil, status), Live: []byte("200")})
	case status == 0 && r.err == nil:
		s.add(r, meaning.Delta{Pointer: "", Live: r.answer.Raw})
	case status == 0 && s.sameExit(r.err):
		s.report.same(r.number)
		return
	default:
		s.report.unanswered(r.number, s.reason(r.err))
		return
	}
	s.report.differs(r.number)
}

// sameExit tells whether the live server ended as the recorded one did. A connection that broke is the same where that was recorded.
func (s *verifying) sameExit(err error) bool {
	if s.part.crash == none {
		return true
	}
	var exit *mcp.ExitError
	if !errors.As(err, &exit) {
		var late *mcp.TimeoutError
		return !errors.As(err, &late)
	}
	f, readErr := s.score.cassette.Frame(int(s.part.cues[s.part.crash].frame))
	return readErr == nil && f.Exit != nil && *f.Exit == exit.Status
}

// add notes one difference. What the live server sent is shown without the secrets that are known.
func (s *verifying) add(r *asked, d meaning.Delta) {
	severity := SeverityDifference
	if d.Spelling {
		severity = SeveritySpelling
	}
	s.report.add(Difference{Request: r.number, Pointer: d.Pointer, Recorded: bytes.Clone(d.Recorded),
		Live: s.hide(d.Live), Severity: severity})
}

// hide puts placeholders in the place of secrets in a live value.
func (s *verifying) hide(live []byte) []byte {
	if live == nil {
		return nil
	}
	hidden := mapLeaves("", bytes.Clone(live), func(_ string, leaf []byte) []byte {
		if leaf[0] != '"' {
			return leaf
		}
		text := meaning.Text(leaf)
		if plain := s.plain(text); plain != text {
			return quoted(plain)
		}
		return leaf
	})
	if s.options.Redactor != nil {
		f := Frame{Frame: mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameMessage, Data: hidden}}
		hidden = s.options.Redactor.Again(f).Data
	}
	return hidden
}

// plain puts placeholders in the place of the values that --fill gave.
func (s *verifying) plain(text string) string {
	for name, value := range s.options.Fill {
		if value != "" {
			text = strings.ReplaceAll(text, value, name)
		}
	}
	return text
}

// reason is why there is no answer, without secrets: a server may repeat them in an error.
func (s *verifying) reason(err error) string {
	text := s.plain(err.Error())
	if s.options.Redactor != nil {
		text = s.options.Redactor.Text(text)
	}
	return text
}

// accept keeps a live answer for the cassette: with the recorded id, and with the recorded values in the place of minted ones.
func (s *verifying) accept(r *asked, answer int32) {
	c := s.part.cues[answer]
	recorded, err := s.message(c)
	if err != nil {
		return
	}
	live := withID(s.carry.recordedFrom(r.answer.Raw, s.bound), recorded.ID)
	if _, err := jsonrpc.Parse(live); err == nil {
		s.report.accept(int(c.frame), c.elem, live)
	}
}
