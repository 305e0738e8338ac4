package diff

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/internal/display"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
	"github.com/imurun/mcp-replay/replay/timeline"
)

// Side is one of the two that are compared: a recording, or a server as it answers now.
type Side struct {
	cassette *replay.Cassette // nil for a server
	init     jsontext.Value   // the first result of initialize; nil where it is not known
	tools    []jsontext.Value
	listed   bool
	calls    []call
}

// FromServer is a server: its result of initialize (nil where it is not known) and its tools, each as it came.
func FromServer(initialize jsontext.Value, tools []jsontext.Value) *Side {
	return &Side{init: initialize, tools: tools, listed: true}
}

// FromCassette is a recording: the first handshake, the tools as they were listed last, and the requests with their
// answers. The answers stay in the cassette, which must stay open.
func FromCassette(c *replay.Cassette) (*Side, error) {
	t, err := timeline.Of(c)
	if err != nil {
		return nil, err
	}
	s := &Side{cassette: c}
	for row := range t.AllCalls(mcp.FromClient) {
		if err := s.add(&row); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Recordings compares what two cassettes tell.
func Recordings(before, after *replay.Cassette) (*Report, error) {
	old, err := FromCassette(before)
	if err != nil {
		return nil, err
	}
	now, err := FromCassette(after)
	if err != nil {
		return nil, err
	}
	return Compare(old, now)
}

// Compare compares what both sides tell: the handshake, the tools, and the answers to the requests that both have,
// equal ones in their order. What the headers of recordings name as varying is left out.
func Compare(old, now *Side) (*Report, error) {
	r := new(Report)
	if old.init != nil && now.init != nil {
		r.handshake(old.init, now.init)
	}
	switch {
	case old.listed && now.listed:
		r.tools(old.tools, now.tools)
	default:
		r.Notes = append(r.Notes, "the tools are not compared: not both sides list them")
	}
	if old.cassette != nil && now.cassette != nil {
		if err := r.answers(old, now); err != nil {
			return nil, err
		}
	}
	r.sort()
	return r, nil
}

// call is a request that is compared by its answer; the answer stays in the cassette.
type call struct {
	method, name  string
	key           uint64 // what the request means
	frame, answer int    // from 1; answer 0: none
	outcome       timeline.Outcome
}

func (s *Side) add(row *timeline.Call) error {
	if row.Method == "ping" {
		return nil
	}
	request, answer, err := timeline.Messages(s.cassette, row)
	if err != nil {
		return err
	}
	switch row.Method {
	case "initialize", "server/discover": // the latter in its place since 2026-07-28
		if s.init == nil {
			s.init = answer.Result
		}
	case "tools/list":
		if answer.Result == nil {
			return nil
		}
		if isNull(meaning.At(request.Params, "cursor")) {
			s.tools, s.listed = nil, true
		}
		s.tools = append(s.tools, elements(meaning.At(answer.Result, "tools"))...)
	default:
		s.calls = append(s.calls, call{method: row.Method, name: row.Name, key: requestKey(&request), frame: row.Frame, answer: row.Answer, outcome: row.Outcome})
	}
	return nil
}

func (s *Side) messages(c call) (request, answer jsonrpc.Message, err error) {
	return timeline.Messages(s.cassette, &timeline.Call{Method: c.method, Name: c.name, Frame: c.frame, Answer: c.answer})
}

// requestKey is what a request means: method and params, without _meta.
func requestKey(m *jsonrpc.Message) uint64 {
	key := meaning.HashText(m.Method)
	var sum uint64 // members have no order
	for name, value := range jsonrpc.Members(m.Params) {
		if string(name) != "_meta" && string(value) != "{}" {
			sum += meaning.Mix(meaning.HashText(string(name)), meaning.Hash(value))
		}
	}
	return meaning.Mix(key, sum)
}

// handshake compares what the servers say of themselves.
func (r *Report) handshake(before, after jsontext.Value) {
	for key, pair := range pairs(before, after) {
		a, b := pair[0], pair[1]
		pointer := "/result/" + meaning.Escape(key)
		switch {
		case key == "_meta":
			const who = "io.modelcontextprotocol/serverInfo"
			r.serverInfo(pointer+"/"+meaning.Escape(who), meaning.At(a, who), meaning.At(b, who))
		case same(a, b):
		case key == "instructions":
			r.add(wordingChange("", pointer, textWhat("the text of the instructions", a, b), a, b))
		case key == "capabilities":
			r.capabilities(pointer, a, b)
		case key == "serverInfo":
			r.serverInfo(pointer, a, b)
		default:
			r.add(Change{Class: Behaviour, Pointer: pointer, What: changedWhat(key, a, b), Before: a, After: b})
		}
	}
}

func (r *Report) serverInfo(pointer string, a, b jsontext.Value) {
	for name, part := range pairs(a, b) {
		if !same(part[0], part[1]) {
			r.add(Change{Class: Behaviour, Pointer: pointer + "/" + meaning.Escape(name), What: changedWhat("the server's "+name, part[0], part[1]), Before: part[0], After: part[1]})
		}
	}
}

func (r *Report) capabilities(pointer string, a, b jsontext.Value) {
	for name, part := range pairs(a, b) {
		c := Change{Class: Behaviour, Pointer: pointer + "/" + meaning.Escape(name), What: changedWhat("the capability "+name, part[0], part[1]), Before: part[0], After: part[1]}
		if same(part[0], part[1]) {
			continue
		}
		if isNull(part[1]) {
			c.Class, c.What = Breaking, "the capability "+name+" is gone"
		}
		r.add(c)
	}
}

const (
	maxAnswers = 200 // answers whose differences are told; the others are counted
	maxPlaces  = 5   // places told of one answer
)

// answers compares the answers to the requests that both have.
func (r *Report) answers(old, now *Side) error {
	waiting := map[uint64][]call{}
	for _, c := range now.calls {
		waiting[c.key] = append(waiting[c.key], c)
	}
	differ := 0
	for _, a := range old.calls {
		queue := waiting[a.key]
		if len(queue) == 0 {
			r.OnlyBefore++
			continue
		}
		waiting[a.key] = queue[1:]
		r.Compared++
		found, err := r.answer(old, now, a, queue[0], differ < maxAnswers)
		if err != nil {
			return err
		}
		if found {
			differ++
		}
	}
	r.OnlyAfter = len(now.calls) - r.Compared
	if differ > maxAnswers {
		r.add(Change{Class: Behaviour, What: fmt.Sprintf("%d more answers are others", differ-maxAnswers)})
	}
	return nil
}

// answer compares two answers to one request, and tells where they differ.
func (r *Report) answer(old, now *Side, a, b call, tell bool) (bool, error) {
	requestA, was, err := old.messages(a)
	if err != nil {
		return false, err
	}
	_, is, err := now.messages(b)
	if err != nil {
		return false, err
	}
	name := meaning.Text(meaning.At(requestA.Params, "name"))
	about := about(&requestA)
	if a.outcome != b.outcome {
		if tell {
			r.add(Change{Class: Behaviour, Tool: name, What: fmt.Sprintf("%s was %s and is %s", about, a.outcome, b.outcome), Before: body(&was), After: body(&is)})
		}
		return true, nil
	}
	if body(&was) == nil || body(&is) == nil {
		return false, nil
	}
	compare := meaning.Comparison{Max: maxPlaces, Skip: func(pointer string) bool {
		return old.cassette.Header().Varies(&requestA, pointer) || now.cassette.Header().Varies(&requestA, pointer)
	}}
	deltas := compare.Run(bodyPointer(&was), body(&was), body(&is))
	found := false
	for _, d := range deltas {
		if d.Spelling {
			continue
		}
		found = true
		if tell {
			r.add(Change{Class: Behaviour, Tool: name, Pointer: d.Pointer, What: "the answer to " + about + " is another",
				Before: d.Recorded, After: d.Live, Notes: hiddenNotes(d.Recorded, d.Live)})
		}
	}
	return found, nil
}

// about is a request in a sentence.
func about(m *jsonrpc.Message) string {
	switch m.Method {
	case "tools/call", "prompts/get":
		args := ""
		if v := jsontext.Value(meaning.At(m.Params, "arguments")); v != nil {
			args = short(v)
		}
		return fmt.Sprintf("%s(%s)", meaning.Text(meaning.At(m.Params, "name")), args)
	case "resources/read":
		return m.Method + " " + meaning.Text(meaning.At(m.Params, "uri"))
	}
	return display.Cut(m.Method, 80)
}

func body(m *jsonrpc.Message) jsontext.Value {
	if m.Error != nil {
		return m.Error
	}
	return m.Result
}

func bodyPointer(m *jsonrpc.Message) string {
	if m.Error != nil {
		return "/error"
	}
	return "/result"
}
