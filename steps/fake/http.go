package fake

import (
	"bytes"
	"encoding/hex"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Request is an HTTP request that a fake server has received.
type Request struct {
	Method string
	Path   string // with its query, as it was written
	Header http.Header
	Body   string
	RPC    string // the JSON-RPC method of the body; empty where there is none
}

// HTTP is a fake Streamable HTTP server on a free port of 127.0.0.1.
type HTTP struct {
	web    *Web
	script *Exchanges
	bye    chan struct{} // closed when the server ends
	close  sync.Once

	mu       sync.Mutex // guards received
	received []Request
}

// ServeAnswers starts an HTTP server that follows a script of [Answers]; its answers are JSON.
func ServeAnswers(script string) (*HTTP, error) {
	answers, err := ParseAnswers(script)
	if err != nil {
		return nil, err
	}
	x, err := ParseExchanges("")
	if err != nil {
		return nil, err
	}
	x.answers = answers
	return serve(x)
}

// ServeExchanges starts an HTTP server that follows a script of [Exchanges].
func ServeExchanges(script string) (*HTTP, error) {
	x, err := ParseExchanges(script)
	if err != nil {
		return nil, err
	}
	return serve(x)
}

func serve(x *Exchanges) (*HTTP, error) {
	web, start, err := listen()
	if err != nil {
		return nil, err
	}
	h := &HTTP{web: web, script: x, bye: make(chan struct{})}
	start(h)
	return h, nil
}

// URL is the server's endpoint.
func (h *HTTP) URL() string { return h.web.Origin + "/mcp" }

// Close ends the server and breaks off what it has open; it blocks until that is done.
func (h *HTTP) Close() error {
	h.close.Do(func() { close(h.bye) })
	return h.web.Close()
}

// Requests is the HTTP requests that have come in so far, in their order.
func (h *HTTP) Requests() []Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.received)
}

// Received is the messages that have come in so far.
func (h *HTTP) Received() ([]string, error) {
	var messages []string
	for _, r := range h.Requests() {
		if r.RPC != "" || strings.HasPrefix(r.Body, "{") {
			messages = append(messages, r.Body)
		}
	}
	return messages, nil
}

// ServeHTTP answers one request by the script.
func (h *HTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	m, err := parseRequest(body)
	if err != nil {
		m = request{}
	}
	h.mu.Lock()
	h.received = append(h.received, Request{
		Method: r.Method, Path: r.URL.RequestURI(), Header: r.Header.Clone(), Body: string(body), RPC: m.Method,
	})
	h.mu.Unlock()

	name := r.Method
	if m.Method != "" {
		name += " " + m.Method
	}
	x, ok := h.script.next(name + " @" + r.Header.Get("Mcp-Session-Id"))
	if !ok {
		x, ok = h.script.next(name)
	}
	if !ok {
		h.serveDefault(w, r, m)
		return
	}
	h.serveExchange(w, r, m, x)
}

// serveDefault is for what no exchange speaks of.
func (h *HTTP) serveDefault(w http.ResponseWriter, r *http.Request, m request) {
	switch {
	case r.Method == http.MethodDelete:
		w.WriteHeader(http.StatusOK)
		return
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	case m.ID == nil || m.Method == "":
		w.WriteHeader(http.StatusAccepted)
		return
	}
	a := h.script.answer(m.Method)
	if !h.sleep(r, a.after) {
		return
	}
	if a.exit >= 0 {
		panic(http.ErrAbortHandler)
	}
	if a.nothing {
		h.hang(r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, a.message(m))
}

// serveExchange writes an answer of the script, its lines joined by newlines.
func (h *HTTP) serveExchange(w http.ResponseWriter, r *http.Request, m request, x exchange) {
	if x.reset {
		panic(http.ErrAbortHandler)
	}
	fill := func(text string) string {
		return strings.ReplaceAll(fillX(fill(text, "", m)), "@@URL@@", h.web.Origin)
	}
	for name, values := range x.header {
		for _, v := range values {
			w.Header().Add(name, fill(v))
		}
	}
	w.WriteHeader(x.status)
	flush := func() { _ = http.NewResponseController(w).Flush() }
	var text bytes.Buffer
	send := func() {
		_, _ = w.Write(text.Bytes())
		text.Reset()
		flush()
	}
	lines := x.body
	stream := x.isStream()
	for i, line := range lines {
		word, rest, ok := command(line)
		if !ok {
			text.WriteString(fill(line))
			if stream || i < len(lines)-1 {
				text.WriteByte('\n')
			}
			continue
		}
		switch word {
		case "SLEEP":
			send()
			if !h.sleep(r, pause(rest)) {
				return
			}
		case "HANG":
			send()
			h.hang(r)
			return
		case "RESET":
			send()
			panic(http.ErrAbortHandler)
		case "RAW":
			text.WriteString(fill(rest))
		case "HEX":
			if b, err := hex.DecodeString(strings.ReplaceAll(rest, " ", "")); err == nil {
				text.Write(b)
			}
		case "ANSWER":
			text.WriteString(defaultAnswer(m.Method).message(m))
		}
	}
	send()
}

// sleep waits; false means that the client, or the server, is gone.
func (h *HTTP) sleep(r *http.Request, d time.Duration) bool {
	if d == 0 {
		return true
	}
	select {
	case <-time.After(d):
		return true
	case <-r.Context().Done():
	case <-h.bye:
	}
	return false
}

func (h *HTTP) hang(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-h.bye:
	}
}
