package formats

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// exchange is one HTTP request and its answer, whole: what HAR and go-vcr keep.
type exchange struct {
	number   int
	at, took time.Duration
	session  int
	method   string
	path     string
	header   http.Header
	body     []byte
	status   int // 0: no answer
	answer   http.Header
	reply    []byte
	stream   bool // the answer is an event stream
	end      mcp.EndReason
}

const sessionHeader = "Mcp-Session-Id"

// exchangesOf collects the exchanges of HTTP frames in the order of their requests, and notes what no exchange holds.
func exchangesOf(frames []replay.Frame, note func(format string, args ...any)) []*exchange {
	open := map[int]*exchange{}
	var all []*exchange
	lost := map[string]int{}
	for _, f := range frames {
		if f.Exchange == 0 {
			lost[kindWord(f.Kind)]++
			continue
		}
		x := open[f.Exchange]
		if x == nil {
			x = &exchange{number: f.Exchange, at: f.At, session: f.Session, header: http.Header{}, answer: http.Header{}}
			open[f.Exchange] = x
			all = append(all, x)
		}
		x.session = max(x.session, f.Session)
		x.add(&f)
	}
	for _, kind := range slices.Sorted(maps.Keys(lost)) {
		note("not carried over: %d × %s", lost[kind], kind)
	}
	return all
}

func isStream(h http.Header) bool {
	kind, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return kind == "text/event-stream"
}

func kindWord(k mcp.FrameKind) string {
	switch k {
	case mcp.FrameNoise:
		return "noise on stdout"
	case mcp.FrameStderr:
		return "stderr"
	case mcp.FrameClose:
		return "the closing of stdin"
	case mcp.FrameExit:
		return "the server's exit"
	}
	return "a frame without an exchange"
}

// add takes one frame of the exchange.
func (x *exchange) add(f *replay.Frame) {
	x.took = f.At - x.at
	switch f.Kind {
	case mcp.FrameHTTP:
		if f.From == mcp.FromClient {
			x.method, x.path, x.header = f.Head.Method, plainText(f.Head.Path), plainHeader(f.Head.Header)
		} else {
			x.status, x.answer = f.Head.Status, plainHeader(f.Head.Header)
		}
	case mcp.FrameMessage, mcp.FrameBody, mcp.FrameEvent:
		data := plainData(f)
		switch {
		case f.From == mcp.FromClient:
			x.body = append(x.body, data...)
		case f.Event != nil || isStream(x.answer):
			event := f.Event
			if event == nil {
				event = new(mcp.SSE)
			}
			x.stream = true
			x.reply = appendEvent(x.reply, event, data, f.Kind != mcp.FrameEvent)
		default:
			x.reply = append(x.reply, data...)
		}
	case mcp.FrameEnd:
		x.end = f.End
	}
}

// plainData gives the bytes of a frame as they were on the wire, save for what placeholders stand for.
func plainData(f *replay.Frame) []byte {
	if !meaning.HasPlaceholder(f.Data) {
		return f.Data
	}
	if jsonrpc.Valid(f.Data) {
		return meaning.Bindings(nil).Fill(nil, f.Data, nil)
	}
	return []byte(plainText(string(f.Data)))
}

func plainText(s string) string { return meaning.Bindings(nil).FillText(s, nil) }

func plainHeader(h http.Header) http.Header {
	out := make(http.Header, len(h))
	for name, values := range h {
		for _, v := range values {
			out[name] = append(out[name], plainText(v))
		}
	}
	return out
}

// appendEvent writes an event as a server would.
func appendEvent(b []byte, e *mcp.SSE, data []byte, hasData bool) []byte {
	if e.Comment != "" {
		for line := range strings.SplitSeq(e.Comment, "\n") {
			b = append(b, ": "+line+"\n"...)
		}
	}
	if e.Event != "" {
		b = append(b, "event: "+e.Event+"\n"...)
	}
	if e.ID != "" || e.HasID {
		b = append(b, "id: "+e.ID+"\n"...)
	}
	if e.Retry != "" {
		b = append(b, "retry: "+e.Retry+"\n"...)
	}
	if hasData {
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			b = append(append(append(b, "data: "...), line...), '\n')
		}
	}
	return append(b, '\n')
}

// frames are the frames of an exchange that was kept whole. Its events all come at its end: when each came is not
// known.
func (x *exchange) frames() []replay.Frame {
	var out []replay.Frame
	add := func(at time.Duration, from mcp.Side, f mcp.Frame) {
		f.At, f.From, f.Exchange = at, from, x.number
		out = append(out, replay.Frame{Frame: f, Session: x.session})
	}
	add(x.at, mcp.FromClient, mcp.Frame{Kind: mcp.FrameHTTP, Head: &mcp.HTTPHead{Method: x.method, Path: x.path, Header: x.header}})
	if len(x.body) > 0 {
		add(x.at, mcp.FromClient, mcp.Frame{Kind: bodyKind(x.body), Data: x.body})
	}
	end := x.at + x.took
	if x.status != 0 {
		add(end, mcp.FromServer, mcp.Frame{Kind: mcp.FrameHTTP, Head: &mcp.HTTPHead{Status: x.status, Header: x.answer}})
	}
	if x.stream {
		events := mcp.NewEventReader(bytes.NewReader(x.reply), 0)
		for {
			e, err := events.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				continue // one event over the limit; the next can be read
			}
			kind := mcp.FrameEvent
			if e.Data != nil {
				kind = bodyKind(e.Data)
			}
			add(end, mcp.FromServer, mcp.Frame{Kind: kind, Data: e.Data, Event: &e.SSE})
		}
	} else if len(x.reply) > 0 {
		add(end, mcp.FromServer, mcp.Frame{Kind: bodyKind(x.reply), Data: x.reply})
	}
	how := x.end
	if how == "" {
		how = mcp.EndComplete
		if x.status == 0 {
			how = mcp.EndReset
		}
	}
	add(end, mcp.FromServer, mcp.Frame{Kind: mcp.FrameEnd, End: how})
	return out
}

func bodyKind(data []byte) mcp.FrameKind {
	if jsonrpc.Valid(data) {
		return mcp.FrameMessage
	}
	return mcp.FrameBody
}

// archive is what a file of whole exchanges gives.
type archive struct {
	in        *input
	base      string // scheme and host of the server
	exchanges []*exchange
	entries   []string
	hosts     map[string]bool // addresses to which a message was posted
	sessions  map[string]int
	addresses []string
}

func newArchive(in *input) *archive {
	return &archive{in: in, hosts: map[string]bool{}, sessions: map[string]int{}}
}

// add takes an exchange to an address. Which of them belong to MCP is told at the end.
func (a *archive) add(entry, address string, x *exchange) {
	if isMessage(x.body) {
		a.hosts[bare(address)] = true
	}
	a.exchanges, a.entries, a.addresses = append(a.exchanges, x), append(a.entries, entry), append(a.addresses, address)
}

func isMessage(body []byte) bool {
	_, _, err := jsonrpc.Split(body)
	return err == nil
}

// bare is an address without its query.
func bare(address string) string {
	address, _, _ = strings.Cut(address, "?")
	return address
}

// finish turns the exchanges of MCP into frames, and notes the others.
func (a *archive) finish() error {
	number := 0
	for i, x := range a.exchanges {
		u, err := url.Parse(a.addresses[i])
		if err != nil || !a.hosts[bare(a.addresses[i])] {
			a.in.rec.note(a.entries[i], "%s %s: no message of MCP, left out", x.method, bare(a.addresses[i]))
			continue
		}
		if origin := u.Scheme + "://" + u.Host; a.base == "" {
			a.base = origin
			a.in.rec.http(a.addresses[i])
		} else if origin != a.base {
			a.in.rec.note(a.entries[i], "goes to another server, %s: left out", origin)
			continue
		}
		number++
		x.number, x.path = number, u.RequestURI()
		x.session = a.session(x)
		x.stream = isStream(x.answer)
		if x.stream && len(x.reply) == 0 {
			a.in.rec.note(a.entries[i], "the events of the stream are not in the file")
		}
		a.in.rec.Frames = append(a.in.rec.Frames, x.frames()...)
	}
	if number == 0 {
		return &UnknownError{Name: a.in.o.Name, Cause: fmt.Errorf("no exchange in it carries a message of MCP")}
	}
	return nil
}

// session tells the sessions apart by their ids, which are not kept.
func (a *archive) session(x *exchange) int {
	id := x.header.Get(sessionHeader)
	if id == "" {
		id = x.answer.Get(sessionHeader)
	}
	x.header.Del(sessionHeader)
	x.answer.Del(sessionHeader)
	if id == "" {
		return 0
	}
	if a.sessions[id] == 0 {
		a.sessions[id] = len(a.sessions) + 1
	}
	return a.sessions[id]
}
