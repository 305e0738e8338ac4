package replay

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/imurun/mcp-replay/mcp"
)

// An exchange is one HTTP request of a host, and what is to be answered to it.
type exchange struct {
	*mailbox
	session  *httpSession
	header   http.Header // of a POST
	stream   bool        // an event stream is welcome
	streamed atomic.Bool // the recorded answer was one
	standing bool        // the stream for the server's own messages
	log      streamLog   // of what went out on the stream
}

func newExchange(s *httpSession, stream bool) *exchange {
	return &exchange{mailbox: newMailbox(), session: s, stream: stream, log: streamLog{turn: make(chan struct{}, 1)}}
}

// badRequest marks a refusal of what is no message.
var badRequest = &mcp.HTTPHead{Status: http.StatusBadRequest}

// serve writes the answer to a POST: as JSON where it is all that comes, else as a stream of events.
func (ex *exchange) serve(w http.ResponseWriter, r *http.Request) {
	ctx, release := ex.log.claim(r.Context())
	defer release()
	ex.pump(ctx, &answerWriter{w: w, flusher: http.NewResponseController(w)})
}

// serveStream writes the server's own messages for as long as the host listens.
func (ex *exchange) serveStream(w http.ResponseWriter, r *http.Request) {
	ctx, release := ex.log.claim(r.Context())
	defer release()
	out := &answerWriter{w: w, flusher: http.NewResponseController(w)}
	out.startStream()
	ex.pump(ctx, out)
}

// pump writes what comes, until the last of it, or a break. The stream is claimed.
func (ex *exchange) pump(ctx context.Context, out *answerWriter) {
	for {
		i, err := ex.take(ctx)
		if err != nil {
			return
		}
		switch {
		case i.fault != nil && (i.fault.Kind == FaultDisconnect || i.fault.Kind == FaultExit):
			ex.note(i)
			out.abort()
		case i.kind == itemLost:
			out.lost(ex.stream && ex.streamed.Load())
		case i.kind == itemBreak && out.streaming && i.bad:
			out.abort()
		case i.kind == itemBreak && out.streaming:
			return
		case i.kind == itemBreak:
			continue
		}
		if !out.started && (!i.final || ex.streamed.Load()) && ex.stream && out.head == nil &&
			(i.kind == itemMessage && i.data != nil || i.kind == itemEvent) {
			out.startStream()
		}
		if !out.streaming && i.kind == itemMessage && !i.final {
			continue // the host takes JSON alone: what comes before the answer is lost to it
		}
		if out.streaming {
			ex.note(i)
		}
		out.item(i)
		if i.final {
			out.finish()
			return
		}
	}
}

// note keeps what goes out for a host that resumes.
func (ex *exchange) note(i item) {
	if ex.log.add(i) {
		ex.session.keep(ex)
	}
}

// answerWriter writes one HTTP answer.
type answerWriter struct {
	w         http.ResponseWriter
	flusher   *http.ResponseController
	started   bool
	streaming bool
	head      *mcp.HTTPHead
	body      []byte
	bodied    bool
}

// abort breaks the connection: the host sees a reset, not an end.
func (out *answerWriter) abort() { panic(http.ErrAbortHandler) }

// lost breaks it after what had come of the answer.
func (out *answerWriter) lost(stream bool) {
	switch {
	case out.started:
	case out.bodied || out.head != nil:
		out.writeHead("application/json")
		out.write(out.body, nil)
		out.flusher.Flush()
	case stream:
		out.startStream()
	}
	out.abort()
}

func (out *answerWriter) startStream() {
	h := out.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache, no-transform")
	out.w.WriteHeader(http.StatusOK)
	out.flusher.Flush()
	out.started, out.streaming = true, true
}

func (out *answerWriter) item(i item) {
	switch {
	case i.kind == itemHead:
		out.head = i.head
	case i.kind == itemBody && !out.streaming:
		if !out.bodied {
			out.body, out.bodied = i.data, true
		}
	case i.kind == itemEvent && !out.streaming, i.kind == itemMessage && i.data == nil:
	case out.streaming:
		out.event(i)
	default:
		out.json(i)
	}
}

// json writes the answer that is the whole body.
func (out *answerWriter) json(i item) {
	if i.bad && out.head == nil {
		out.head = badRequest
	}
	data := i.data
	if i.fault != nil {
		switch i.fault.Kind {
		case FaultGarbage:
			data = []byte("{this body is garbage, injected by a fault")
		case FaultTruncate:
			data = data[:len(data)/2]
		}
	}
	out.writeHead("application/json")
	out.write(data, i.fault)
}

// finish writes what has no message: a status and a body.
func (out *answerWriter) finish() {
	if out.started {
		return
	}
	if out.head == nil && !out.bodied {
		out.w.WriteHeader(http.StatusAccepted)
		return
	}
	out.writeHead("")
	out.write(out.body, nil)
}

// unkept are the fields of a recorded answer that belong to its own connection or session.
var unkept = []string{"Connection", "Content-Encoding", "Content-Length", "Date", "Keep-Alive", "Mcp-Session-Id", "Proxy-Authenticate",
	"Proxy-Connection", "Trailer", "Transfer-Encoding", "Upgrade"}

func (out *answerWriter) writeHead(contentType string) {
	status := http.StatusOK
	if out.head != nil {
		status = out.head.Status
		for name, values := range out.head.Header {
			if !slices.Contains(unkept, http.CanonicalHeaderKey(name)) {
				out.w.Header()[http.CanonicalHeaderKey(name)] = values
			}
		}
	}
	if contentType != "" && out.w.Header().Get("Content-Type") == "" {
		out.w.Header().Set("Content-Type", contentType)
	}
	if status < 200 || status > 999 {
		status = http.StatusBadGateway
	}
	out.w.WriteHeader(status)
	out.started = true
}

// event writes one event, as it was recorded where it was one.
func (out *answerWriter) event(i item) {
	var b bytes.Buffer
	if e := i.event; e != nil {
		for line := range strings.SplitSeq(e.Comment, "\n") {
			if e.Comment != "" {
				b.WriteString(":" + line + "\n")
			}
		}
		if e.Retry != "" {
			b.WriteString("retry: " + e.Retry + "\n")
		}
		if e.Event != "" {
			b.WriteString("event: " + e.Event + "\n")
		}
		if e.HasID {
			b.WriteString("id: " + e.ID + "\n")
		}
	} else if i.kind == itemMessage {
		b.WriteString("event: message\n")
	}
	data := i.data
	if i.fault != nil && i.fault.Kind == FaultGarbage {
		out.write([]byte("event: message\ndata: {this event is garbage, injected by a fault\n\n"), nil)
	}
	cut := i.fault != nil && i.fault.Kind == FaultTruncate
	if cut {
		data = data[:len(data)/2]
	}
	if i.kind != itemEvent {
		for line := range strings.Lines(string(data)) {
			b.WriteString("data: " + strings.TrimRight(line, "\r\n") + "\n")
		}
	}
	if !cut {
		b.WriteByte('\n')
	}
	out.write(b.Bytes(), i.fault)
	out.flusher.Flush()
}

func (out *answerWriter) write(data []byte, f *Fault) {
	if f == nil || f.Kind != FaultSlow {
		out.w.Write(data)
		return
	}
	for piece := max(1, f.Rate/10); len(data) > 0; {
		n := min(piece, len(data))
		if _, err := out.w.Write(data[:n]); err != nil {
			return
		}
		out.flusher.Flush()
		if data = data[n:]; len(data) > 0 {
			time.Sleep(time.Second * time.Duration(n) / time.Duration(f.Rate))
		}
	}
}
