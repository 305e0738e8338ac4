package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// verifying is one session with the live server.
type verifying struct {
	*verifier
	part    *scorePart
	conn    mcp.Conn
	carry   *carried
	bound   meaning.Bindings // changed under the mutex
	asked   map[int32]*asked // by cue: what was sent and is not settled
	hints   map[string]bool  // what the live server says of its tools
	notices int              // differences beside the answers
	replies *replies
	room    []byte // for a recorded answer, while it is compared

	mu      sync.Mutex // guards what follows
	waiting map[string]*asked
	heard   map[string]int    // notifications of the live server, by method
	news    []jsonrpc.Message // the first of them
	changed chan struct{}     // closed and made anew when something has been heard
	ended   error
}

// asked is a request that was sent to the live server.
type asked struct {
	number     int
	cue        int32
	id         jsontext.Value
	recordedID jsontext.Value
	method     string
	name       string
	cancelled  bool

	done   chan struct{} // closed when what follows is set
	answer jsonrpc.Message
	err    error
}

// session verifies one recorded session on a connection of its own.
func (v *verifier) session(ctx context.Context, part *scorePart, t mcp.Transport) error {
	if part.opening == none {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t, exit := watched(t)
	conn, err := t.Connect(ctx)
	if err != nil {
		return err
	}
	s := &verifying{verifier: v, part: part, conn: conn, carry: newCarried(v.plan.uses[part]), bound: make(meaning.Bindings),
		asked: make(map[int32]*asked), waiting: make(map[string]*asked),
		heard: make(map[string]int), changed: make(chan struct{})}
	for name, path := range v.paths {
		s.bound[name] = meaning.TextValue(path)
	}
	for name, value := range v.options.Fill {
		s.bound[name] = meaning.TextValue(value)
	}
	if s.replies, err = s.recordedReplies(); err != nil {
		conn.Close()
		return err
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		s.read(ctx)
	}()
	err = s.drive(ctx)
	cancel()
	conn.Close()
	<-read
	v.report.note(s.replies.notes)
	if err != nil {
		return err
	}
	return s.compareExit(exit)
}

// drive walks the recorded session: what the client sent is sent, what it had been answered before is waited for.
func (s *verifying) drive(ctx context.Context) error {
	heard, replied := make(map[string]int), 0
	for i := range s.part.cues {
		at := int32(i)
		c := s.part.cues[i]
		var err error
		switch c.kind {
		case cueRequest:
			err = s.ask(ctx, at, c)
		case cueNotice:
			err = s.notify(ctx, at, c)
		case cueReply:
			replied++
			s.until(ctx, func() bool { return s.replies.count() >= replied })
		case cueNews:
			err = s.hear(ctx, c, heard)
		case cueAnswer:
			err = s.settle(ctx, s.asked[c.peer])
		}
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	if err := s.rest(ctx); err != nil {
		return err
	}
	return s.besideAnswers(ctx)
}

// hear waits a little for the live server to send what the recorded one sent by itself, where the client may have acted on it.
func (s *verifying) hear(ctx context.Context, c cue, heard map[string]int) error {
	if c.flags&flagLoose == 0 {
		return nil
	}
	m, err := s.message(c)
	if err != nil || m.Method == "notifications/message" {
		return err
	}
	heard[m.Method]++
	want := heard[m.Method]
	s.until(ctx, func() bool { return s.heard[m.Method] >= want })
	return nil
}

// ask sends one recorded request.
func (s *verifying) ask(ctx context.Context, at int32, c cue) error {
	m, err := s.message(c)
	if err != nil {
		return err
	}
	r := &asked{number: s.report.begin(c), cue: at, id: m.ID, recordedID: m.ID, method: m.Method, name: targetName(m.Params), done: make(chan struct{})}
	if why := s.whyNot(&m, c); why != "" {
		s.report.skip(r.number, why)
		return nil
	}
	params := m.Params
	if meaning.HasPlaceholder(params) && !s.asTheyStand {
		var missing []string
		params = s.bound.Fill(nil, params, func(p string) { missing = append(missing, p) })
		if missing != nil {
			s.report.skip(r.number, "no value is given for "+listed(slices.Compact(missing)))
			return nil
		}
	}
	params = s.carry.request(params)
	raw := m.Raw
	if !bytes.Equal(params, m.Params) {
		if place, ok := meaning.Find(raw, "params"); ok {
			raw = splice(raw, place.Start, place.End, params)
		}
	}
	s.mu.Lock()
	if s.waiting[string(r.id)] != nil { // the recorded client used an id twice at once
		r.id = quoted(fmt.Sprintf("verify-%d", r.number))
		raw = withID(raw, r.id)
	}
	ended := s.ended
	if ended == nil {
		s.waiting[string(r.id)] = r
	}
	s.mu.Unlock()
	s.asked[at] = r
	live, err := jsonrpc.Parse(raw)
	if err != nil {
		return err
	}
	if ended == nil {
		limit := s.options.Timeout
		if s.part.opening == at {
			limit = s.options.ConnectTimeout
		}
		err = s.cause(ctx, writeWithin(ctx, s.conn, live, limit))
	}
	if ended != nil || err != nil {
		s.fail(r, errors.Join(ended, err))
	}
	return nil
}

// whyNot says why a request is not sent; empty where it is.
func (s *verifying) whyNot(m *jsonrpc.Message, c cue) string {
	switch {
	case c.peer == none && c.flags&flagCancelled == 0 && s.part.crash < 0 && !s.hasStatus(c):
		return "the recording has no answer to it"
	case m.Method != "tools/call":
		if s.options.OnlyReads && !harmless(m.Method) {
			return "it may change something"
		}
		return ""
	}
	name := targetName(m.Params)
	if s.options.OnlyReads && !s.plan.reads[name] {
		return "it may change something"
	}
	if only, listed := s.hints[name]; listed && !only && s.plan.reads[name] && !s.agreed {
		return "the live server no longer says that it only reads"
	}
	return ""
}

// hasStatus tells whether a request was answered by an HTTP status, or by a broken connection, and not by a message.
func (s *verifying) hasStatus(c cue) bool {
	for at := c.next; at != none; at = s.part.cues[at].next {
		if k := s.part.cues[at].kind; k == cueHead || k == cueReset {
			return true
		}
	}
	return false
}

// notify sends one recorded notification.
func (s *verifying) notify(ctx context.Context, at int32, c cue) error {
	m, err := s.message(c)
	if err != nil {
		return err
	}
	params := m.Params
	if meaning.HasPlaceholder(params) {
		params = s.bound.Fill(nil, params, nil)
	}
	if m.Method == "notifications/cancelled" {
		r := s.cancelled(meaning.At(params, "requestId"))
		if r == nil {
			return nil
		}
		r.cancelled = true
		gap := s.score.cassette.Entry(int(c.frame)).At - s.score.cassette.Entry(int(s.part.cues[r.cue].frame)).At
		select {
		case <-time.After(min(gap, s.options.Timeout)):
		case <-r.done:
		case <-ctx.Done():
		}
	}
	raw := m.Raw
	if place, ok := meaning.Find(raw, "params"); ok {
		raw = splice(raw, place.Start, place.End, s.carry.request(params))
	}
	live, err := jsonrpc.Parse(raw)
	if err != nil {
		return err
	}
	if err := s.cause(ctx, writeWithin(ctx, s.conn, live, s.options.Timeout)); err != nil {
		s.end(err)
	}
	return nil
}

// cause is why a message could not be written. Of a server that has ended, the broken pipe is heard of first, and its exit
// code and last words a moment later.
func (s *verifying) cause(ctx context.Context, err error) error {
	if late := (*mcp.TimeoutError)(nil); err == nil || errors.As(err, &late) {
		return err
	}
	s.until(ctx, func() bool { return false })
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil {
		return s.ended
	}
	return err
}

func (s *verifying) cancelled(id []byte) *asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waiting[string(id)]
}

// rest settles what has no recorded answer.
func (s *verifying) rest(ctx context.Context) error {
	for _, at := range slices.Sorted(maps.Keys(s.asked)) {
		r := s.asked[at]
		if r.cancelled && s.part.cues[at].peer == none {
			s.report.same(r.number)
			continue
		}
		if err := s.settle(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// settle waits for the answer to a request and holds it against the recorded one.
func (s *verifying) settle(ctx context.Context, r *asked) error {
	if r == nil {
		return nil
	}
	delete(s.asked, r.cue)
	limit := s.options.Timeout
	if s.part.opening == r.cue {
		limit = s.options.ConnectTimeout
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-r.done:
	case <-timer.C:
		s.fail(r, &mcp.TimeoutError{Method: r.method, After: limit, Sent: true})
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if r.err != nil && s.part.opening == r.cue && s.part.cues[r.cue].peer != none {
		var status *mcp.HTTPError
		if !errors.As(r.err, &status) {
			return r.opened() // nothing else can be asked of this server
		}
	}
	s.compare(r)
	return nil
}

// opened is why a session could not begin; it names the request, once.
func (r *asked) opened() error {
	if strings.HasPrefix(r.err.Error(), r.method+":") {
		return r.err
	}
	return fmt.Errorf("%s: %w", r.method, r.err)
}
