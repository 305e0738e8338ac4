package replay

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// CodeMiss is the code of the error that answers a request which the cassette lacks (REP-6). Its data says why, what was
// recorded that comes nearest, and where the two differ:
//
//	{"reason":"never recorded","nearest":{"frame":7,"method":"tools/call","params":{…}},"pointers":["/arguments/a"]}
//
// The frame is the number of the frame in the cassette, from 1; the pointers start at the params.
const CodeMiss = -32050

// A miss is a request that the cassette has no answer for. Nothing in it is the host's but the method and the name of what it
// asked for: its arguments may hold secrets.
type miss struct {
	reason   string
	asked    string // for people: the host's request
	what     string // for people: the nearest recorded one
	text     string // for people, after the reason
	frame    int    // of the nearest, from 1; 0 where there is none
	nearest  jsonrpc.Message
	pointers []string
}

func (e *miss) rpcError() *jsonrpc.Error {
	b := append([]byte(`{"reason":`), quoted(e.reason)...)
	if e.frame > 0 {
		b = fmt.Appendf(b, `,"nearest":{"frame":%d,"method":%s`, e.frame, quoted(e.nearest.Method))
		if params := e.nearest.Params; params != nil && len(params) <= mostShown {
			b = append(append(b, `,"params":`...), params...)
		}
		b = append(b, '}')
	}
	b = append(b, `,"pointers":[`...)
	for i, pointer := range e.pointers {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, quoted(pointer)...)
	}
	return &jsonrpc.Error{Code: CodeMiss, Message: e.reason + ": " + e.text, Data: append(b, "]}"...)}
}

// mostShown is how long params may be that an error shows.
const mostShown = 64 << 10

func quoted(s string) jsontext.Value {
	b, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(s, "\uFFFD"))
	return b
}

// title names a request for people: "tools/call echo".
func title(method string, params []byte) string {
	if name := targetName(params); name != "" {
		return method + " " + quoteShort(name)
	}
	return method
}

func (s *playing) describe(reason string, m *jsonrpc.Message, nearest int32) *miss {
	e := &miss{reason: reason, asked: title(m.Method, m.Params), pointers: []string{}}
	if nearest != none {
		e.nearest = s.message(nearest)
		e.frame = int(s.part.cues[nearest].frame) + 1
		e.what = fmt.Sprintf("%s (frame %d)", title(e.nearest.Method, e.nearest.Params), e.frame)
	}
	return e
}

func (s *playing) usedUp(m *jsonrpc.Message, last int32) *miss {
	e := s.describe(ReasonUsedUp, m, last)
	e.text = fmt.Sprintf("%s was recorded, and has been answered as often as it was", e.asked)
	for i := s.nextRequest(0); i != none; i = s.nextRequest(i + 1) {
		if !s.has(i) {
			next := s.message(i)
			e.text += fmt.Sprintf("; not asked for so far: %s (frame %d)", title(next.Method, next.Params), s.part.cues[i].frame+1)
			break
		}
	}
	return e
}

func (s *playing) neverAnswered(req *liveRequest) *miss {
	m := s.message(req.cue)
	e := s.describe(ReasonNeverAnswered, &m, req.cue)
	e.text = fmt.Sprintf("%s was recorded (frame %d), and the recording has no answer to it", e.asked, e.frame)
	return e
}

// neverRecorded looks for the recorded request that comes nearest: of the same method and, where there are such, of the same
// name, the one that differs at the fewest places.
func (s *playing) neverRecorded(m *jsonrpc.Message, params []byte) *miss {
	const mostCompared = 200
	nearest, fewest, compared := none, []string(nil), 0
	name, named := targetName(m.Params), false
	for i, c := range s.part.cues {
		if c.kind != cueRequest || compared == mostCompared {
			continue
		}
		method, recorded := s.recorded(int32(i))
		if method != m.Method {
			continue
		}
		same := targetName(recorded) == name
		if named && !same {
			continue
		}
		compared++
		pointers := differing(matchedParams(method, recorded), params)
		if nearest == none || same && !named || len(pointers) < len(fewest) {
			nearest, fewest, named = int32(i), pointers, same
		}
	}
	e := s.describe(ReasonNeverRecorded, m, nearest)
	if nearest == none {
		e.text = fmt.Sprintf("the cassette holds no %s at all", m.Method)
		return e
	}
	e.pointers = fewest
	e.text = fmt.Sprintf("%s; the nearest recorded is %s, which differs at %s", e.asked, e.what, listed(fewest))
	return e
}

// differing gives the places at which two params mean something else.
func differing(recorded, live []byte) []string {
	if recorded == nil {
		recorded = []byte("{}")
	}
	if live == nil {
		live = []byte("{}")
	}
	c := meaning.Comparison{Max: 20, Leaf: func(_ string, recorded, live []byte) bool {
		if !meaning.HasPlaceholder(recorded) || live == nil {
			return false
		}
		_, ok := (&meaning.Pattern{Recorded: recorded}).Match(live)
		return ok
	}}
	var pointers []string
	for _, d := range c.Run("", recorded, live) {
		if !d.Spelling {
			pointers = append(pointers, d.Pointer)
		}
	}
	return pointers
}

// listed joins what is listed as people do.
func listed(items []string) string {
	switch len(items) {
	case 0:
		return "no place"
	case 1:
		if items[0] == "" {
			return "the whole"
		}
		return items[0]
	}
	return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
}
