package replay

import (
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// replies are the recorded host's answers to what a server asks, by method, in their order.
type replies struct {
	mu       sync.Mutex
	byMethod map[string][]recordedReply
	given    int
	notes    map[string]bool
}

type recordedReply struct{ request, reply jsonrpc.Message }

func (v *verifying) recordedReplies() (*replies, error) {
	r := &replies{byMethod: make(map[string][]recordedReply), notes: make(map[string]bool)}
	for _, c := range v.part.cues {
		if c.kind != cueDemand || c.peer == none {
			continue
		}
		request, err := v.message(c)
		if err != nil {
			return nil, err
		}
		reply, err := v.message(v.part.cues[c.peer])
		if err != nil {
			return nil, err
		}
		r.byMethod[request.Method] = append(r.byMethod[request.Method], recordedReply{request, reply})
	}
	return r, nil
}

// reply answers a request of the live server as the recorded host answered such a one.
func (s *verifying) reply(m *jsonrpc.Message) jsonrpc.Message {
	if recorded, ok := s.replies.take(m); ok {
		raw := withID(recorded.Raw, m.ID)
		if meaning.HasPlaceholder(raw) {
			s.mu.Lock()
			raw = s.bound.Fill(nil, raw, nil)
			s.mu.Unlock()
		}
		return parsed(raw)
	}
	if m.Method == "ping" {
		return parsed(jsonrpc.AppendResult(nil, m.ID, jsontext.Value("{}")))
	}
	s.replies.notes["the live server asks for "+m.Method+", as the recorded one did not, or not as often"] = true
	return parsed(jsonrpc.AppendError(nil, m.ID, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "Method not found"}))
}

func parsed(raw []byte) jsonrpc.Message {
	m, _ := jsonrpc.Parse(raw)
	return m
}

// take gives the recorded reply to a request like m: to one that means the same, or else the next of its method.
func (r *replies) take(m *jsonrpc.Message) (jsonrpc.Message, bool) {
	left := r.byMethod[m.Method]
	if len(left) == 0 {
		return jsonrpc.Message{}, false
	}
	key := requestKey(m.Method, matchedParams(m.Method, m.Params))
	i := max(0, slices.IndexFunc(left, func(x recordedReply) bool {
		return requestKey(m.Method, matchedParams(m.Method, x.request.Params)) == key
	}))
	r.byMethod[m.Method] = slices.Delete(slices.Clone(left), i, i+1)
	return left[i].reply, true
}

func (r *replies) add() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.given++
}

func (r *replies) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.given
}
