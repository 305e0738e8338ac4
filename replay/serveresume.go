package replay

import (
	"context"
	"net/http"
	"slices"
	"sync"
)

// A streamLog is what went out on a stream from the first event with an id on, so that a host whose connection broke, or that the server sent
// away, can resume: by GET with Last-Event-ID.
type streamLog struct {
	turn chan struct{} // held by who writes to a connection

	mu     sync.Mutex // guards what follows
	leave  context.CancelFunc
	events []item
	bytes  int
}

// claim waits until the stream's old connection, which it ends, has let go of it.
func (l *streamLog) claim(ctx context.Context) (context.Context, func()) {
	l.mu.Lock()
	if l.leave != nil {
		l.leave()
	}
	ctx, leave := context.WithCancel(ctx)
	l.leave = leave
	l.mu.Unlock()
	l.turn <- struct{}{}
	return ctx, func() {
		leave()
		<-l.turn
	}
}

// add notes what goes out. It says whether this is the first that can be resumed after.
func (l *streamLog) add(i item) (first bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.events) == 0 && (i.event == nil || i.event.ID == "") {
		return false
	}
	i.fault = nil
	l.events = append(l.events, i)
	l.bytes += len(i.data)
	if len(l.events) > mostQueued {
		l.bytes -= len(l.events[0].data)
		l.events = l.events[1:]
	}
	return len(l.events) == 1
}

// after gives what went out after an event.
func (l *streamLog) after(id string) (rest []item, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for n, i := range slices.Backward(l.events) {
		if i.event != nil && i.event.ID == id {
			return slices.Clone(l.events[n+1:]), true
		}
	}
	return nil, false
}

func (l *streamLog) size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.bytes
}

// What a session keeps of its streams for hosts that resume them: the newest.
const (
	mostStreams     = 100
	mostStreamBytes = 8 << 20
)

// keep makes a stream one that can be resumed.
func (s *httpSession) keep(ex *exchange) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streams = append(s.streams, ex)
	total := 0
	for n, each := range slices.Backward(s.streams) {
		total += each.log.size()
		if n < len(s.streams)-1 && (total > mostStreamBytes || len(s.streams)-n > mostStreams) {
			s.streams = slices.Clone(s.streams[n+1:])
			break
		}
	}
}

// resumable gives the newest stream on which an event went out.
func (s *httpSession) resumable(id string) *exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ex := range slices.Backward(s.streams) {
		if _, ok := ex.log.after(id); ok {
			return ex
		}
	}
	return nil
}

// resume writes what followed an event, and then what is still to come.
func (ex *exchange) resume(w http.ResponseWriter, r *http.Request, id string) {
	ctx, release := ex.log.claim(r.Context())
	defer release()
	out := &answerWriter{w: w, flusher: http.NewResponseController(w)}
	out.startStream()
	rest, _ := ex.log.after(id)
	for _, i := range rest {
		out.item(i)
		if i.final {
			return
		}
	}
	ex.pump(ctx, out)
}
