package replay

import (
	"strings"
	"time"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// receive takes one frame of a host: a message or, in the one protocol version that had them, a batch. It says whether
// something is answered to it. Whatever exchange it came in is set, and open.
func (s *playing) receive(data []byte, ex *exchange) (answered bool) {
	if trimmed := strings.TrimLeft(string(data[:min(len(data), 64)]), " \t\r\n"); strings.HasPrefix(trimmed, "[") {
		return s.receiveBatch(data, ex)
	}
	m, err := jsonrpc.Parse(data)
	if err != nil {
		s.reject(ex, parseError(err))
		return true
	}
	return s.receiveOne(&m, ex, nil)
}

func parseError(err error) *jsonrpc.Error {
	if err == jsonrpc.ErrNotMessage {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "no JSON: " + err.Error()}
}

func (s *playing) receiveOne(m *jsonrpc.Message, ex *exchange, batch *liveBatch) (answered bool) {
	req := &liveRequest{method: m.Method, came: time.Now(), batch: batch, exchange: ex, cue: none}
	switch m.Kind() {
	case jsonrpc.Request:
		req.id = m.ID
		req.token = progressToken(m.Params)
		s.request(req, m)
		return true
	case jsonrpc.Notification:
		return s.notice(req, m)
	default:
		s.reply(m)
		return false
	}
}

// receiveBatch takes an array of messages: version 2025-03-26 had them, the others answer one error.
func (s *playing) receiveBatch(data []byte, ex *exchange) (answered bool) {
	messages, bad, err := jsonrpc.Split(data)
	s.mu.Lock()
	version := s.version
	s.mu.Unlock()
	switch {
	case err != nil && err != jsonrpc.ErrNotMessage:
		s.reject(ex, parseError(err))
		return true
	case version != "2025-03-26":
		s.reject(ex, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "a batch: only protocol version 2025-03-26 has them"})
		return true
	case len(messages) == 0 && bad <= 1:
		s.reject(ex, parseError(jsonrpc.ErrNotMessage))
		return true
	}
	batch := &liveBatch{left: bad}
	for i := range messages {
		if messages[i].Kind() == jsonrpc.Request {
			batch.left++
		}
	}
	answered = batch.left > 0
	for range bad {
		s.say1(utterance{data: jsonrpc.AppendError(nil, nil, parseError(jsonrpc.ErrNotMessage)), final: true,
			req: &liveRequest{exchange: ex, batch: batch, done: true}})
	}
	for i := range messages {
		s.receiveOne(&messages[i], ex, batch)
	}
	return answered
}

// reject answers what is no message, under no id.
func (s *playing) reject(ex *exchange, e *jsonrpc.Error) {
	s.say1(utterance{data: jsonrpc.AppendError(nil, nil, e), req: &liveRequest{exchange: ex, done: true, head: badRequest}, final: true})
}

func (s *playing) say1(u utterance) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.say(u)
	}
}
