package replay

import (
	"net/http"
	"slices"
	"strings"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// An aside is an exchange at another path than the endpoint's: the metadata of OAuth, a page of health. It is no part of any session.
type aside struct {
	method, path string
	number       int   // of the exchange
	head, body   int32 // frames of the answer; none where there is none
	reset        bool
}

func (a *aside) key() string { return a.method + " " + a.path }

// mostVersions bounds how many protocol versions are remembered.
const mostVersions = 100

// asideBuilder gathers the exchanges in which the client sent no message of the protocol.
type asideBuilder struct {
	open     map[int]*aside
	endpoint map[string]bool // the paths that messages went to
	versions map[string]bool // the protocol versions that requests named
}

func newAsideBuilder() *asideBuilder {
	return &asideBuilder{open: make(map[int]*aside), endpoint: make(map[string]bool), versions: make(map[string]bool)}
}

func (b *asideBuilder) frame(i int, f *Frame) {
	a := b.open[f.Exchange]
	if f.From == mcp.FromClient {
		if f.Kind == mcp.FrameHTTP {
			if v := f.Head.Header.Get("Mcp-Protocol-Version"); v != "" && len(b.versions) < mostVersions {
				b.versions[v] = true
			}
			b.open[f.Exchange] = &aside{method: f.Head.Method, path: f.Head.Path, number: f.Exchange, head: none, body: none}
		}
		return
	}
	switch {
	case a == nil:
	case f.Kind == mcp.FrameHTTP:
		a.head = int32(i)
	case f.Kind == mcp.FrameEnd:
		a.reset = f.End == mcp.EndReset
	case a.body == none:
		a.body = int32(i)
	}
}

// message notes that an exchange carried a message of the client: it belongs to a session.
func (b *asideBuilder) message(exchange int) {
	if a := b.open[exchange]; a != nil {
		path, _, _ := strings.Cut(a.path, "?")
		b.endpoint[path] = true
		delete(b.open, exchange)
	}
}

// finish gives the asides in their order, by method and path.
func (b *asideBuilder) finish() map[string][]*aside {
	found := make(map[string][]*aside)
	for _, a := range b.open {
		if path, _, _ := strings.Cut(a.path, "?"); !b.endpoint[path] && (a.head != none || a.reset) {
			found[a.key()] = append(found[a.key()], a)
		}
	}
	for _, each := range found {
		slices.SortFunc(each, func(a, b *aside) int { return a.number - b.number })
	}
	return found
}

// filled is the data of a frame with values in the place of placeholders.
func filled(bound meaning.Bindings, f *Frame, missing func(placeholder string)) []byte {
	if f.Kind == mcp.FrameBody {
		return []byte(bound.FillText(string(f.Data), missing))
	}
	return bound.Fill(nil, f.Data, missing)
}

// aside plays an exchange at another path than the endpoint's, in the recorded order and the last one for ever. It says whether
// one was recorded.
func (h *httpPlayer) aside(w http.ResponseWriter, r *http.Request) bool {
	h.mu.Lock()
	key := r.Method + " " + r.RequestURI
	recorded := h.player.score.asides[key]
	if recorded == nil {
		h.mu.Unlock()
		return false
	}
	a := recorded[min(h.asides[key], len(recorded)-1)]
	h.asides[key]++
	h.mu.Unlock()
	out := &answerWriter{w: w, flusher: http.NewResponseController(w)}
	cassette := h.player.score.cassette
	if a.head != none {
		if f, err := cassette.Frame(int(a.head)); err == nil {
			out.head = f.Head
		}
	}
	if a.body != none {
		if f, err := cassette.Frame(int(a.body)); err == nil {
			bound := make(meaning.Bindings)
			for name, path := range h.player.paths {
				bound[name] = meaning.TextValue(path)
			}
			out.body, out.bodied = filled(bound, &f, nil), true
		}
	}
	if a.reset {
		out.lost(false)
	}
	out.finish()
	return true
}
