package replay

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// bridged is one host session of a bridge, with its child.
type bridged struct {
	id    string
	conn  mcp.Conn
	ended chan struct{} // closed when the child has ended; err is set then
	err   error

	mu      sync.Mutex // guards what follows
	waiting []*mail    // the POSTs that wait for answers, oldest first
	stream  *mail      // the GET stream, while one is open
	backlog [][]byte   // what the server said by itself while nobody listened
}

// A mail is what is on its way to one answer or stream of the host's.
type mail struct {
	open    map[string]bool // the ids of the requests that are not answered yet
	tokens  map[string]bool // the progress tokens of these requests
	streams bool            // the host takes an event stream
	queue   [][]byte
	news    chan struct{} // has room for one
}

func newMail() *mail {
	return &mail{open: make(map[string]bool), tokens: make(map[string]bool), news: make(chan struct{}, 1)}
}

func (m *mail) put(message []byte) {
	m.queue = append(m.queue, message)
	select {
	case m.news <- struct{}{}:
	default:
	}
}

func newBridged(id string, conn mcp.Conn) *bridged {
	return &bridged{id: id, conn: conn, ended: make(chan struct{})}
}

func (s *bridged) close() { s.conn.Close() }

// mostBacklog is how many messages wait for a host that has no stream open.
const mostBacklog = 1000

// read takes what the child says, until it ends.
func (s *bridged) read() {
	for {
		m, err := s.conn.Read(context.Background())
		var failed *mcp.RequestError
		if errors.As(err, &failed) {
			m = jsonrpc.Message{ID: failed.ID, Error: jsontext.Value("{}"), Raw: failure(failed.ID, failed.Err)}
		} else if err != nil {
			s.err = err
			close(s.ended)
			return
		}
		s.deliver(m)
	}
}

func failure(id jsontext.Value, err error) []byte {
	return jsonrpc.AppendError(nil, id, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "mcp-replay: " + err.Error()})
}

// deliver finds whom a message is for: an answer for its request, progress likewise, anything else for the GET stream, or for
// a request that is open and takes a stream, or for whoever listens next.
func (s *bridged) deliver(m jsonrpc.Message) {
	raw := appendOnOneLine(nil, m.Raw)
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.Kind() == jsonrpc.Response {
		for _, w := range s.waiting {
			if w.open[string(m.ID)] {
				delete(w.open, string(m.ID))
				w.put(raw)
				return
			}
		}
		return // an answer that nobody waits for
	}
	if token := member(m.Params, "progressToken"); token != nil && m.Method == "notifications/progress" {
		for _, w := range s.waiting {
			if w.tokens[string(token)] && w.streams {
				w.put(raw)
				return
			}
		}
	}
	if s.stream != nil {
		s.stream.put(raw)
		return
	}
	for i := len(s.waiting) - 1; i >= 0; i-- {
		if w := s.waiting[i]; w.streams && len(w.open) > 0 {
			w.put(raw)
			return
		}
	}
	if s.backlog = append(s.backlog, raw); len(s.backlog) > mostBacklog {
		s.backlog = s.backlog[1:]
	}
}

func member(object jsontext.Value, name string) jsontext.Value {
	for key, value := range jsonrpc.Members(object) {
		if string(key) == name {
			return value
		}
	}
	return nil
}

// expect registers a POST before its messages go out. It fails where an id is taken.
func (s *bridged) expect(messages []jsonrpc.Message, streams bool) (*mail, bool) {
	m := newMail()
	m.streams = streams
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, message := range messages {
		if message.Kind() != jsonrpc.Request {
			continue
		}
		for _, w := range s.waiting {
			if w.open[string(message.ID)] {
				return nil, false
			}
		}
		m.open[string(message.ID)] = true
		if token := member(member(message.Params, "_meta"), "progressToken"); token != nil {
			m.tokens[string(token)] = true
		}
	}
	s.waiting = append(s.waiting, m)
	return m, true
}

func (s *bridged) forget(m *mail) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, w := range s.waiting {
		if w == m {
			s.waiting = append(s.waiting[:i:i], s.waiting[i+1:]...)
			return
		}
	}
}

// take empties a mail, and tells whether all its requests are answered.
func (s *bridged) take(m *mail) (messages [][]byte, all bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	messages, m.queue = m.queue, nil
	return messages, len(m.open) == 0
}

func (s *bridged) post(w http.ResponseWriter, r *http.Request, messages []jsonrpc.Message) {
	m, ok := s.expect(messages, acceptsStream(r))
	if !ok {
		refuseHTTP(w, http.StatusBadRequest, jsonrpc.CodeInvalidRequest, "a request with this id is under way")
		return
	}
	defer s.forget(m)
	for _, message := range messages {
		message.Raw = appendOnOneLine(nil, message.Raw)
		if err := s.conn.Write(r.Context(), message); err != nil {
			refuseHTTP(w, http.StatusBadGateway, jsonrpc.CodeInternalError, "%v", err)
			return
		}
	}
	if !expectsAnswer(messages) {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	out := bridgeAnswer{w: w, batch: len(messages) > 1}
	for {
		select {
		case <-m.news:
		case <-r.Context().Done():
			return
		case <-s.ended:
			s.failAll(m)
		}
		messages, all := s.take(m)
		if err := out.send(messages, all); err != nil || all {
			return
		}
	}
}

func expectsAnswer(messages []jsonrpc.Message) bool {
	for _, m := range messages {
		if m.Kind() == jsonrpc.Request {
			return true
		}
	}
	return false
}

// failAll answers what the child will answer no more.
func (s *bridged) failAll(m *mail) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range m.open {
		m.put(failure(jsontext.Value(id), s.err))
		delete(m.open, id)
	}
}

// get is the stream for what the server says by itself.
func (s *bridged) get(w http.ResponseWriter, r *http.Request) {
	m := newMail()
	s.mu.Lock()
	if s.stream != nil {
		s.mu.Unlock()
		refuseHTTP(w, http.StatusConflict, jsonrpc.CodeInvalidRequest, "the session has a stream already")
		return
	}
	s.stream = m
	for _, message := range s.backlog {
		m.put(message)
	}
	s.backlog = nil
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stream = nil
		s.backlog = append(m.queue, s.backlog...)
	}()
	out := bridgeAnswer{w: w}
	for out.begin(); ; {
		select {
		case <-m.news:
		case <-r.Context().Done():
			return
		case <-s.ended:
			return
		}
		messages, _ := s.take(m)
		if err := out.events(messages); err != nil {
			return
		}
	}
}

// A bridgeAnswer writes an answer as JSON where that is all there is to say, else as an event stream.
type bridgeAnswer struct {
	w      http.ResponseWriter
	batch  bool
	stream bool
}

func (a *bridgeAnswer) send(messages [][]byte, all bool) error {
	if !a.stream && all && len(messages) == 1 && !a.batch {
		a.w.Header().Set("Content-Type", "application/json")
		_, err := a.w.Write(messages[0])
		return err
	}
	if len(messages) == 0 {
		return nil
	}
	a.begin()
	return a.events(messages)
}

func (a *bridgeAnswer) begin() {
	if a.stream {
		return
	}
	a.stream = true
	a.w.Header().Set("Content-Type", "text/event-stream")
	a.w.Header().Set("Cache-Control", "no-cache")
	a.w.WriteHeader(http.StatusOK)
	http.NewResponseController(a.w).Flush()
}

func (a *bridgeAnswer) events(messages [][]byte) error {
	for _, message := range messages {
		if _, err := a.w.Write(append(append([]byte("event: message\ndata: "), message...), "\n\n"...)); err != nil {
			return err
		}
	}
	return http.NewResponseController(a.w).Flush()
}
