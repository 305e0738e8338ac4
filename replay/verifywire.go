package replay

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// read takes what the live server sends, until the connection ends.
func (s *verifying) read(ctx context.Context) {
	for {
		m, err := s.conn.Read(ctx)
		var failed *mcp.RequestError
		if errors.As(err, &failed) {
			if r := s.answered(failed.ID); r != nil {
				s.fail(r, failed.Err)
			}
			continue
		}
		if err != nil {
			s.end(err)
			return
		}
		switch m.Kind() {
		case jsonrpc.Response:
			if r := s.answered(m.ID); r != nil {
				r.answer = m
				close(r.done)
			}
		case jsonrpc.Request:
			if err := writeWithin(ctx, s.conn, s.reply(&m), s.options.Timeout); err != nil {
				s.end(err)
			}
			s.changes(func() { s.replies.add() })
		case jsonrpc.Notification:
			s.changes(func() {
				if s.heard[m.Method]++; len(s.news) < mostHeard {
					s.news = append(s.news, m)
				}
			})
		}
	}
}

// answered gives the request that waits for an answer under an id, in either of its spellings, and lets it wait no longer.
func (s *verifying) answered(id []byte) *asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, spelling := range []string{string(id), `"` + string(id) + `"`, string(bytes.Trim(id, `"`))} {
		if r := s.waiting[spelling]; r != nil {
			delete(s.waiting, spelling)
			return r
		}
	}
	return nil
}

// fail settles a request without an answer; the first outcome counts.
func (s *verifying) fail(r *asked, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.waiting, string(r.id))
	select {
	case <-r.done:
	default:
		r.err = err
		close(r.done)
	}
}

// end notes that the connection has ended, and fails whoever waits.
func (s *verifying) end(err error) {
	s.mu.Lock()
	waiting := s.waiting
	s.waiting = make(map[string]*asked)
	if s.ended == nil {
		s.ended = err
	}
	s.mu.Unlock()
	for _, r := range waiting {
		s.fail(r, err)
	}
	s.changes(func() {})
}

func (s *verifying) changes(what func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	what()
	close(s.changed)
	s.changed = make(chan struct{})
}

// patience is how long something is waited for that the live server need not send.
const patience = time.Second

// until waits until done, which is called with the mutex held, or until patience is over.
func (s *verifying) until(ctx context.Context, done func() bool) { s.waitAtMost(ctx, patience, done) }

func (s *verifying) waitAtMost(ctx context.Context, patience time.Duration, done func() bool) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		s.mu.Lock()
		ok, changed := done() || s.ended != nil, s.changed
		s.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-changed:
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		}
	}
}
