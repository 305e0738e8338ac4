package replay

import (
	"crypto/rand"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// httpPlayer keeps the sessions of the hosts that come over HTTP.
type httpPlayer struct {
	player *Player

	mu       sync.Mutex // guards what follows
	sessions map[string]*httpSession
	shared   *httpSession   // of the requests without a session
	asides   map[string]int // how often each has been asked for
}

const (
	// mostSessions is how many sessions are kept; the one that was idle for the longest makes room for a new one.
	mostSessions = 1000
	mostBody     = jsonrpc.MaxLine
)

func (h *httpPlayer) init(p *Player) {
	h.player = p
	h.sessions = make(map[string]*httpSession)
	h.asides = make(map[string]int)
}

// ServeHTTP plays over Streamable HTTP, whatever the path; only what was recorded at other paths than the endpoint's, without a message of
// the protocol, comes back at those, such as the metadata of OAuth. Each host has a session of its own, under an id that is minted here; what
// comes without one shares the recorded session 0. On a loopback address only requests to, and pages of, this machine are answered.
func (p *Player) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-p.ended:
		panic(http.ErrAbortHandler)
	default:
	}
	if !fromHere(r) {
		http.Error(w, "the request does not come from this machine", http.StatusForbidden)
		return
	}
	if p.http.aside(w, r) {
		return
	}
	if strings.HasPrefix(r.URL.Path, "/.well-known/") {
		http.NotFound(w, r)
		return
	}
	switch r.Method {
	case http.MethodPost:
		p.http.post(w, r)
	case http.MethodGet:
		p.http.get(w, r)
	case http.MethodDelete:
		p.http.delete(w, r)
	default:
		notAllowed(w, "GET, POST, DELETE")
	}
}

func (s *playing) spoken() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// current is the recorded session that is played.
func (s *playing) current() *scorePart {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.part
}

// session gives the session that a request names. Where the answer is false, the refusal has been sent.
func (h *httpPlayer) session(w http.ResponseWriter, id string) (*httpSession, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.sessions[id]; s != nil {
		s.used = time.Now()
		return s, true
	}
	refuseHTTP(w, http.StatusNotFound, codeNoSession, "session not found")
	return nil, false
}

func (h *httpPlayer) post(w http.ResponseWriter, r *http.Request) {
	if t := r.Header.Get("Content-Type"); t != "" {
		if media, _, _ := mime.ParseMediaType(t); media != "application/json" {
			http.Error(w, "the Content-Type must be application/json", http.StatusUnsupportedMediaType)
			return
		}
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if err != nil {
		status := http.StatusBadRequest
		if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
			status = http.StatusRequestEntityTooLarge
		}
		refuseHTTP(w, status, jsonrpc.CodeInvalidRequest, "the body cannot be read: %v", err)
		return
	}
	messages, _, err := jsonrpc.Split(data)
	if err != nil && err != jsonrpc.ErrNotMessage {
		refuseHTTP(w, http.StatusBadRequest, jsonrpc.CodeParseError, "no JSON: %v", err)
		return
	}
	var s *httpSession
	var minted bool
	if id := r.Header.Get("Mcp-Session-Id"); id != "" {
		var ok bool
		if s, ok = h.session(w, id); !ok {
			return
		}
	} else if s, minted = h.without(messages); s == nil {
		refuseHTTP(w, http.StatusBadRequest, codeNoSession, "the header Mcp-Session-Id is missing, and the cassette holds nothing that came without one")
		return
	}
	if !minted && !versionFits(w, r, s) {
		return
	}
	ex := newExchange(s, acceptsStream(r))
	ex.header = r.Header
	if minted {
		w.Header().Set("Mcp-Session-Id", s.id)
	}
	s.open(ex)
	defer s.close(ex)
	if !s.play.receive(data, ex) {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	ex.serve(w, r)
}

// acceptsStream tells whether the host takes an event stream for an answer. One that does not say takes anything.
func acceptsStream(r *http.Request) bool {
	accept := strings.ToLower(strings.Join(r.Header.Values("Accept"), ","))
	return accept == "" || strings.Contains(accept, "text/event-stream") || strings.Contains(accept, "*/*")
}

// without finds the session for what came without one: initialize begins a new one, unless the recorded server kept none
// either; everything else belongs to session 0, which all share.
func (h *httpPlayer) without(messages []jsonrpc.Message) (s *httpSession, minted bool) {
	p := h.player
	if len(messages) > 0 && messages[0].Method == "initialize" {
		if part := p.choose(&messages[0], p.hasSessions); part != nil {
			return h.mint(part), true
		}
	}
	part := p.partOf(0)
	if part == nil || p.hasSessions(part) {
		return nil, false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.shared == nil {
		h.shared = h.newSession(part)
		h.shared.play.shared = true
	}
	return h.shared, false
}

// hasSessions tells whether hosts that play this part get a session: those of a recorded HTTP server that gave one, and on stdio
// every one that begins with initialize.
func (p *Player) hasSessions(part *scorePart) bool {
	if part.session > 0 {
		return true
	}
	if p.score.cassette.Header().Transport == "http" || part.opening == none {
		return false
	}
	return part.cues[part.opening].key == requestKey("initialize", nil)
}

func (h *httpPlayer) newSession(part *scorePart) *httpSession {
	s := &httpSession{player: h.player, used: time.Now(), wire: h.player.score.cassette.Header().Transport == "http"}
	s.play = h.player.newPlaying(part, s)
	s.play.begin()
	return s
}

func (h *httpPlayer) mint(part *scorePart) *httpSession {
	s := h.newSession(part)
	s.id = rand.Text()
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.sessions) >= mostSessions {
		oldest := s
		for _, other := range h.sessions {
			if other.used.Before(oldest.used) {
				oldest = other
			}
		}
		h.drop(oldest)
	}
	h.sessions[s.id] = s
	return s
}

// drop forgets a session. The mutex is held.
func (h *httpPlayer) drop(s *httpSession) {
	delete(h.sessions, s.id)
	s.play.stop()
	s.shut()
}

func (h *httpPlayer) get(w http.ResponseWriter, r *http.Request) {
	var s *httpSession
	if id := r.Header.Get("Mcp-Session-Id"); id != "" {
		var ok bool
		if s, ok = h.session(w, id); !ok {
			return
		}
	} else {
		s, _ = h.without(nil)
	}
	if !versionFits(w, r, s) {
		return
	}
	last := r.Header.Get("Last-Event-Id")
	var old *exchange
	if s != nil && last != "" && acceptsStream(r) {
		old = s.resumable(last)
	}
	switch {
	case old != nil && !old.standing:
		old.resume(w, r, last)
		return
	case s == nil || !s.play.current().pushes || !acceptsStream(r):
		notAllowed(w, "POST, DELETE")
		return
	}
	ex := newExchange(s, true)
	ex.standing = true
	if old != nil {
		rest, _ := old.log.after(last)
		for _, i := range rest {
			ex.put(i)
		}
	}
	s.listen(ex)
	defer s.unlisten(ex)
	ex.serveStream(w, r)
}

func (h *httpPlayer) delete(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get("Mcp-Session-Id")
	if id == "" {
		refuseHTTP(w, http.StatusBadRequest, codeNoSession, "the header Mcp-Session-Id is missing")
		return
	}
	s, ok := h.session(w, id)
	if !ok || !versionFits(w, r, s) {
		return
	}
	if status := s.play.current().deleted; status >= 400 {
		w.WriteHeader(status) // as the recorded server did
		return
	}
	h.mu.Lock()
	if h.sessions[id] == s {
		h.drop(s)
	}
	h.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}
