package replay

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// perform lets one cue of the server happen.
func (s *playing) perform(cur cursor, c cue) {
	f, err := s.player.score.cassette.Frame(int(c.frame))
	if err != nil {
		s.warn(err.Error())
		if cur.req != nil && c.kind == cueAnswer {
			s.refuse(cur.req, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()})
		}
		return
	}
	data := f.Data
	if c.elem != noElem {
		data = element(data, int(c.elem))
	}
	switch c.kind {
	case cueAnswer:
		s.answer(cur, c, data, f.Event)
	case cueDemand:
		s.demand(cur, c, data, f.Event)
	case cueNews:
		if data = s.withToken(cur.req, data); data != nil {
			s.say(utterance{data: s.fill(data), req: cur.req, near: cur.near, event: f.Event})
		}
	case cueStderr:
		s.stage.stderr([]byte(s.bound.FillText(string(data), s.unbound)))
	case cueExit:
		s.stage.exit(*f.Exit)
		s.ended = true
	default:
		s.performHTTP(cur.req, c, &f)
	}
}

func (s *playing) performHTTP(req *liveRequest, c cue, f *Frame) {
	h, overHTTP := s.stage.(httpStage)
	switch c.kind {
	case cueHead:
		if req.head = f.Head; overHTTP {
			h.head(req, f.Head)
		}
	case cueBody:
		data := filled(s.bound, f, s.unbound)
		if overHTTP {
			h.body(req, data, f.Event)
		} else if req.body == nil {
			req.body = data
		}
	case cueEvent:
		if overHTTP {
			h.event(req, f.Event)
		}
	case cueBreak:
		if resumed := s.part.cues[req.cue].peer != none; !req.done && overHTTP && resumed {
			h.pause(req, f.End == mcp.EndReset)
		} else if !req.done && !resumed && f.End == mcp.EndReset {
			s.breakOff(req)
		}
	case cueReset:
		if !req.done {
			s.breakOff(req)
		}
	}
}

// breakOff ends a request whose recorded answer broke off.
func (s *playing) breakOff(req *liveRequest) {
	if h, overHTTP := s.stage.(httpStage); overHTTP {
		s.finish(req)
		h.lost(req)
		return
	}
	s.fail(req, errBrokenOff, &jsonrpc.Error{Code: -32000, Message: "the recorded answer broke off"})
}

// errBrokenOff is what a request comes to whose recorded answer broke off.
var errBrokenOff = fmt.Errorf("the recorded answer broke off: %w", io.ErrUnexpectedEOF)

// fail ends a request without an answer where the stage knows how, and else by the error that says so.
func (s *playing) fail(req *liveRequest, err error, text *jsonrpc.Error) {
	if f, ok := s.stage.(failingStage); ok {
		s.finish(req)
		f.fail(req, err)
		return
	}
	s.refuse(req, text)
}

// failStatus ends a request that was answered with an HTTP status, for a host that does not speak HTTP.
func (s *playing) failStatus(req *liveRequest) {
	err := &mcp.HTTPError{Status: req.head.Status, Authenticate: req.head.Header.Get("WWW-Authenticate"),
		RetryAfter: req.head.Header.Get("Retry-After"), Body: strings.ToValidUTF8(string(req.body[:min(len(req.body), 500)]), "")}
	text := strings.TrimSpace("HTTP " + strconv.Itoa(err.Status) + " " + http.StatusText(err.Status))
	if err.Body != "" {
		text += ": " + err.Body
	}
	s.fail(req, err, &jsonrpc.Error{Code: -32000, Message: text, Data: []byte(`{"status":` + strconv.Itoa(err.Status) + `}`)})
}

// answer gives a request its recorded answer, under the id that it came with.
func (s *playing) answer(cur cursor, c cue, data []byte, event *mcp.SSE) {
	req := cur.req
	if req.done {
		return
	}
	if req.method == "initialize" {
		s.version = meaning.Text(meaning.At(data, "result", "protocolVersion"))
	}
	if req.fault != nil && req.fault.Kind == FaultDrop {
		return // the request stays under way
	}
	s.finish(req)
	if req.cancelled && c.flags&flagLate == 0 {
		s.stage.message(utterance{req: req, final: true})
		return
	}
	if _, overHTTP := s.stage.(httpStage); c.flags&flagNullID == 0 || !overHTTP {
		data = withID(data, req.id)
	}
	s.say(utterance{data: s.fill(data), req: req, final: true, event: event, fault: req.fault})
}

// demand sends a request of the server to the host, and notes that a reply is owed.
func (s *playing) demand(cur cursor, c cue, data []byte, event *mcp.SSE) {
	if c.peer != none {
		s.owed = append(s.owed, owed{id: string(meaning.At(data, "id")), reply: c.peer})
	}
	near := cur.near
	if near == nil {
		near = s.during(cur.at)
	}
	s.say(utterance{data: s.fill(data), req: cur.req, near: near, event: event})
}

// chainEnds settles a request that has no recorded answer.
func (s *playing) chainEnds(req *liveRequest) {
	c := s.part.cues[req.cue]
	_, overHTTP := s.stage.(httpStage)
	switch {
	case req.done || req.fault != nil && req.fault.Kind == FaultDrop:
	case c.kind != cueRequest:
		s.stage.message(utterance{req: req, final: true})
	case req.head != nil && overHTTP:
		s.finish(req)
		s.stage.message(utterance{req: req, final: true})
	case req.head != nil:
		s.failStatus(req)
	case c.flags&flagCancelled != 0:
		// The recorded client gave it up, and so will this one.
	case s.part.crash > req.cue:
		s.crash(req)
	default:
		s.refuse(req, s.neverAnswered(req).rpcError())
	}
}

// crash plays the end of the server that is why a request was never answered, also where something else is recorded between the two.
func (s *playing) crash(req *liveRequest) {
	if _, overHTTP := s.stage.(httpStage); overHTTP {
		s.finish(req)
		s.stage.lost(req)
		return
	}
	anchor := s.part.crash
	for anchor > 0 && !s.part.cues[anchor].kind.anchors() {
		anchor--
	}
	if anchor != req.cue && !s.has(anchor) {
		s.mark(anchor)
		s.follow(anchor, nil)
	}
}

// refuse answers a request with an error of the player's own.
func (s *playing) refuse(req *liveRequest, e *jsonrpc.Error) {
	s.finish(req)
	s.say(utterance{data: jsonrpc.AppendError(nil, req.id, e), req: req, final: true})
}

func (s *playing) finish(req *liveRequest) {
	req.done = true
	if i := slices.Index(s.live, req); i >= 0 {
		s.live = slices.Delete(s.live, i, i+1)
	}
}

// under gives the request that is under way with an id; nil where there is none.
func (s *playing) under(id []byte) *liveRequest {
	for _, req := range s.live {
		if bytes.Equal(req.id, id) {
			return req
		}
	}
	return nil
}

// say hands a message to the stage; the last answer to a batch takes the others along.
func (s *playing) say(u utterance) {
	if u.req == nil || u.req.batch == nil || !u.final {
		s.stage.message(u)
		return
	}
	b := u.req.batch
	if len(b.answers) > 0 {
		b.answers = append(b.answers, ',')
	}
	b.answers = append(b.answers, u.data...)
	if b.left--; b.left == 0 {
		u.data = append(append([]byte{'['}, b.answers...), ']')
		s.stage.message(u)
	}
}

// fill puts values in the place of placeholders.
func (s *playing) fill(data []byte) []byte {
	if !meaning.HasPlaceholder(data) {
		return data
	}
	return s.bound.Fill(make([]byte, 0, len(data)), data, s.unbound)
}

func (s *playing) unbound(placeholder string) {
	s.warn("an answer holds " + placeholder + ", which no request of this session has given a value; it goes out as it stands")
}

// warn says each thing once in a session.
func (s *playing) warn(text string) {
	if !s.warned[text] {
		s.warned[text] = true
		s.player.warn(text)
	}
}

// withID puts the caller's id in the place of the recorded one; nothing else of the message changes (REP-5).
func withID(data []byte, id jsontext.Value) []byte {
	m, ok := meaning.Find(data, "id")
	if !ok {
		return data
	}
	return splice(data, m.Start, m.End, id)
}

// withToken puts the caller's progress token into a progress notification; nil where the caller wants no progress.
func (s *playing) withToken(req *liveRequest, data []byte) []byte {
	if req == nil || !bytes.Contains(data, []byte("progressToken")) {
		return data
	}
	params, ok := meaning.Find(data, "params")
	if !ok || meaning.Text(meaning.At(data, "method")) != "notifications/progress" {
		return data
	}
	token, ok := meaning.Find(data[params.Start:params.End], "progressToken")
	switch {
	case !ok:
		return data
	case req.token == nil:
		return nil
	}
	return splice(data, params.Start+token.Start, params.Start+token.End, req.token)
}

func splice(data []byte, start, end int, with []byte) []byte {
	out := make([]byte, 0, len(data)-(end-start)+len(with))
	out = append(append(out, data[:start]...), with...)
	return append(out, data[end:]...)
}

// element gives element n of a JSON array.
func element(data []byte, n int) []byte {
	for m := range meaning.Members(data) {
		if n == 0 {
			return data[m.Start:m.End]
		}
		n--
	}
	return nil
}

// oneLine makes a message fit on a line: an HTTP body may have been spread over several.
func oneLine(data []byte) []byte {
	if bytes.IndexByte(data, '\n') < 0 && bytes.IndexByte(data, '\r') < 0 {
		return data
	}
	return []byte(strings.NewReplacer("\r", " ", "\n", " ").Replace(string(data)))
}
