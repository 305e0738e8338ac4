package registry

import (
	"time"
)

// Listing again after notifications/tools/list_changed (LIST-4): a short wait gathers a burst, and a server that
// never stops is listed ever more seldom.
const (
	gatherTime  = 25 * time.Millisecond
	maxInterval = 10 * time.Second
	calmTime    = time.Minute
)

// refresh paces the listings of a session. Only the goroutine that lists uses it.
type refresh struct {
	last     time.Time
	interval time.Duration
}

// wait gives how long to wait before the listing that is due now.
func (p *refresh) wait(now time.Time) time.Duration {
	if p.last.IsZero() || now.Sub(p.last) > calmTime {
		p.interval = gatherTime
		return gatherTime
	}
	p.interval = min(2*p.interval, maxInterval)
	return max(gatherTime, p.interval-now.Sub(p.last))
}

// relist lists the tools of a session again. The client calls it for a notice of the server, one call at a time, and
// once more for those that came meanwhile.
func (r *Registry) relist(s *server, x *session) {
	select {
	case <-x.ready:
	case <-r.background.Done():
		return
	}
	if x.client == nil { // the session never came to be
		return
	}
	timer := time.NewTimer(x.refresh.wait(time.Now()))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-x.client.Done():
		return
	}
	list, err := x.client.ListTools(r.background)
	x.refresh.last = time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.session != x {
		return
	}
	if err != nil {
		r.log.Warn("listing again failed", "id", s.set.ID, "error", x.mask(err).Error())
		return
	}
	if change := r.take(s, list); change != nil {
		r.log.Info("tools changed", "id", s.set.ID, "tools", len(s.tools))
		r.events.publish(EventTools, change)
	}
}
