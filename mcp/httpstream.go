package mcp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

const (
	resumeAfter = time.Second // where the server gives no retry
	resumeLeast = 10 * time.Millisecond
	resumeMost  = time.Minute // the longest pause that is our own choice
	resumeTries = 5           // connections in a row that bring nothing, for an answer that is waited for
)

// stream is an event stream that outlives its connections: it is resumed where it broke off.
type stream struct {
	id     string        // of the last event
	retry  time.Duration // as the server gave it; negative where it did not
	vain   int           // connections in a row that brought no event
	answer *answer
	events *EventReader
}

// attach goes on with the stream in an answer.
func (s *stream) attach(a *answer) {
	s.answer, s.events = a, NewEventReader(a, 0)
	s.events.id, s.events.lastID, s.events.retry = s.id, s.id, s.retry
	s.vain++
}

// read passes on what the stream brings, until done or the end, which is an error: io.EOF for a proper one.
func (s *stream) read(deliver func(jsonrpc.Message), done func() bool) error {
	for {
		event, err := s.events.Next()
		s.id, s.retry = s.events.lastID, s.events.retry
		if err != nil {
			s.answer.tooLong(err, new(SSE))
			return err
		}
		s.vain = 0
		// Events of other names are not for us (HTTP-7), but the tap has them.
		if event.Event != "" && event.Event != "message" {
			_ = s.answer.each(event.Data, &event.SSE, func(jsonrpc.Message) {})
			continue
		}
		// What is no message is passed over, as on stdio.
		_ = s.answer.each(event.Data, &event.SSE, deliver)
		if done() {
			return nil
		}
	}
}

func never() bool { return false }

// resumable says whether there is anything to resume from.
func (s *stream) resumable() bool { return s.id != "" && !strings.ContainsFunc(s.id, isControl) }

// header is that of the GET that resumes the stream.
func (s *stream) header(session *httpSession) http.Header {
	if !s.resumable() {
		return session.get
	}
	h := session.get.Clone()
	h.Set(headerLastEvent, s.id)
	return h
}

// pause is how long to wait before the next connection: as the server said, and longer while it brings nothing.
func (s *stream) pause() time.Duration {
	pause := max(s.retry, resumeLeast)
	if s.retry < 0 {
		pause = resumeAfter
	}
	for i := 1; i < s.vain && pause < resumeMost; i++ {
		pause = min(max(2*pause, resumeAfter), resumeMost)
	}
	return pause
}

// receiveStream reads the answer to a POST from its stream, and from those that resume it (HTTP-8).
func (x *exchange) receiveStream(a *answer) error {
	s := stream{retry: -1}
	answered := func() bool { return x.answered || x.refusal != nil && x.id != nil }
	for tries := 0; ; {
		s.attach(a)
		err := s.read(x.deliver, answered)
		switch {
		case x.answered && s.events.ended():
			a.finish(x.ctx)
			s.events.release()
			return nil
		case x.answered && x.direct:
			x.goAside(a, func() { x.awaitEnd(&s) })
			return nil
		case x.answered:
			x.awaitEnd(&s)
			return nil
		}
		a.finish(x.ctx)
		var tooLong *jsonrpc.TooLongError
		switch {
		case x.id == nil:
			return nil
		case x.refusal != nil:
			return x.failure(x.refusal)
		case errors.As(err, &tooLong):
			return x.failure(err)
		}
		if err == io.EOF {
			err = nil
		}
		next, status := x.resume(&s, &tries)
		if next == nil {
			return x.failure(&LostError{Method: x.method, Sent: true, Err: &StreamError{Resumed: tries, Status: status, Err: err}})
		}
		a = next
	}
}

// awaitEnd waits for the end of a stream whose answer is in.
func (x *exchange) awaitEnd(s *stream) {
	timer := time.AfterFunc(linger, x.cancel)
	_ = s.read(x.deliver, never)
	timer.Stop()
	s.events.release()
	s.answer.finish(x.ctx)
}

// resume asks for the rest of a stream, until it is there or the server refuses: then there is no answer, and the
// status if the server gave one.
func (x *exchange) resume(s *stream, tries *int) (a *answer, status int) {
	session := x.session
	if x.granted != "" {
		session = x.c.newSession(x.granted, "")
		defer session.cancel()
	}
	for s.resumable() && s.vain < resumeTries && sleep(x.ctx, s.pause()) {
		*tries++
		a, err := x.c.send(x.ctx, &outgoing{method: http.MethodGet, session: session, header: s.header(session)})
		var redirect *RedirectError
		switch {
		case errors.As(err, &redirect):
			return nil, redirect.Status
		case err != nil:
			s.vain++
		case a.isGoodStream():
			return a, 0
		default:
			a.finish(x.ctx)
			return nil, a.StatusCode
		}
	}
	return nil, 0
}

// listen holds a stream open for what the server has to say by itself, while the session lives (HTTP-11).
func (c *httpConn) listen(session *httpSession) {
	ctx := session.ctx
	deliver := func(m jsonrpc.Message) { c.pass(ctx, m, nil) }
	s := stream{retry: -1}
	for opened := false; ; {
		a, err := c.send(ctx, &outgoing{method: http.MethodGet, session: session, header: s.header(session)})
		var broken *brokenError
		switch {
		case err != nil && (!opened || !errors.As(err, &broken)):
			return
		case err != nil:
			s.vain++
		case !a.isGoodStream():
			a.finish(ctx)
			return
		default:
			opened = true
			s.attach(a)
			var tooLong *jsonrpc.TooLongError
			for errors.As(s.read(deliver, never), &tooLong) {
				// That event has been skipped; what comes after it counts.
			}
			a.finish(ctx)
		}
		if !sleep(ctx, s.pause()) {
			return
		}
	}
}

// sleep waits, and says whether it could: false when ctx has ended.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
