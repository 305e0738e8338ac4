package replay

import (
	"time"
)

// follow plays the loose cues that follow cue at, up to the next one that others may follow.
func (s *playing) follow(at int32, near *liveRequest) {
	if first := s.nextLoose(at + 1); first != none {
		s.cursors = append(s.cursors, cursor{at: first, near: near, since: time.Now(), from: at})
	}
}

func (s *playing) nextLoose(i int32) int32 {
	for ; int(i) < len(s.part.cues); i++ {
		switch c := s.part.cues[i]; {
		case c.kind.anchors():
			return none
		case c.flags&flagLoose != 0:
			return i
		}
	}
	return none
}

// blocked tells whether cue at comes after the reply to a request of the server that the host still owes.
func (s *playing) blocked(at int32) bool {
	for _, o := range s.owed {
		if o.reply < at {
			return true
		}
	}
	return false
}

// pump performs what can be performed now, in the recorded order, and sets the clock for the rest.
func (s *playing) pump() {
	for !s.ended {
		now := time.Time{}
		best, wait := -1, time.Duration(-1)
		for i := range s.cursors {
			c := &s.cursors[i]
			if best >= 0 && s.cursors[best].at < c.at || s.blocked(c.at) {
				continue
			}
			if due := s.due(c); !due.IsZero() {
				if now.IsZero() {
					now = time.Now()
				}
				if d := due.Sub(now); d > 0 {
					if wait < 0 || d < wait {
						wait = d
					}
					continue
				}
			}
			best = i
		}
		if best < 0 && wait < 0 && s.drained() {
			continue
		}
		if best < 0 {
			s.alarm(wait)
			return
		}
		s.step(best)
	}
}

func (s *playing) alarm(wait time.Duration) {
	if wait < 0 {
		return
	}
	if s.timer != nil {
		s.timer.Stop()
	}
	s.timer = time.AfterFunc(wait, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.pump()
		if f, ok := s.stage.(interface{ flush() }); ok {
			f.flush()
		}
	})
}

// step performs the next cue of cursor i and moves the cursor on.
func (s *playing) step(i int) {
	cur := s.cursors[i]
	c := s.part.cues[cur.at]
	if c.kind == cueAnswer && cur.req != nil && s.openWindow(cur) {
		return
	}
	next := c.next
	if cur.req == nil {
		next = s.nextLoose(cur.at + 1)
	}
	if next == none {
		s.cursors = append(s.cursors[:i], s.cursors[i+1:]...)
	} else {
		s.cursors[i] = cursor{at: next, req: cur.req, near: cur.near, since: time.Now(), from: cur.at}
	}
	again := s.has(cur.at)
	s.mark(cur.at)
	s.perform(cur, c)
	if c.kind == cueAnswer && !again {
		s.follow(cur.at, nil)
	}
	if next == none && cur.req != nil && !cur.req.done {
		s.chainEnds(cur.req)
	}
}

// openWindow makes up for a notification that the host did not send: what the server sent after it, during a request, comes
// before the answer to that request.
func (s *playing) openWindow(cur cursor) bool {
	request := s.part.cues[cur.at].peer
	if s.part.cues[request].flags&flagWindow == 0 {
		return false
	}
	opened := false
	for i := request + 1; i < cur.at; i++ {
		if s.part.cues[i].kind == cueNotice && !s.has(i) && s.nextLoose(i+1) != none {
			s.mark(i)
			s.follow(i, cur.req)
			opened = true
		}
	}
	return opened
}

// during gives a request that is under way here and was so when cue at was recorded; nil where there is none.
func (s *playing) during(at int32) *liveRequest {
	for _, c := range s.cursors {
		if c.req != nil && c.req.cue < at && c.at > at {
			return c.req
		}
	}
	return nil
}
