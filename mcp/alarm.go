package mcp

import "time"

// alarm fails calls whose time is over. It is one timer for all calls, which goes off by the first of their deadlines:
// calls mostly have the same timeout and end long before it, and a timer for each would cost more than all the rest
// of a call does here. The client's mutex guards it.
type alarm struct {
	c     *Client
	timer *time.Timer
	at    time.Time // when it goes off; zero means never
}

// set makes the alarm go off at t, or before.
func (a *alarm) set(t time.Time) {
	if !a.at.IsZero() && !t.Before(a.at) {
		return
	}
	a.at = t
	if a.timer == nil {
		a.timer = time.AfterFunc(time.Until(t), a.ring)
		return
	}
	a.timer.Reset(time.Until(t))
}

// stop keeps the alarm from going off.
func (a *alarm) stop() {
	if a.timer != nil {
		a.timer.Stop()
	}
	a.at = time.Time{}
}

// ring tells the calls whose time is over, and sets the alarm for the next.
func (a *alarm) ring() {
	a.c.mu.Lock()
	defer a.c.mu.Unlock()
	now := time.Now()
	var next time.Time
	for id, k := range a.c.st.pending {
		switch {
		case !k.until.After(now):
			delete(a.c.st.pending, id)
			k.late = true
			k.ready <- struct{}{}
		case next.IsZero() || k.until.Before(next):
			next = k.until
		}
	}
	a.at = time.Time{}
	if !next.IsZero() {
		a.set(next)
	}
}
