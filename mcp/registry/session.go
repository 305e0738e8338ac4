package registry

import (
	"errors"
	"strings"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/settings"
)

// session is one connection to a server. What comes from one that is no longer its server's changes nothing.
type session struct {
	client  *mcp.Client
	secrets *settings.Secrets
	ended   func()        // for the tap
	ready   chan struct{} // closed when the first listing has been taken over, or the session given up
	refresh refresh
}

// watch waits for the end of a session, from whichever side.
func (r *Registry) watch(s *server, x *session) {
	defer r.running.Done()
	<-x.client.Done()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dropped(s, x)
}

// dropped notes that a session has ended by itself. The caller holds mu.
func (r *Registry) dropped(s *server, x *session) {
	if s.session != x {
		return
	}
	reason := "the connection has ended"
	if err := x.client.Err(); err != nil {
		reason = x.mask(err).Error()
	}
	r.drop(s, reason)
}

// end ends whatever the server has: a session, or an attempt. The caller holds mu.
func (r *Registry) end(s *server, reason string) {
	if a := s.attempt; a != nil {
		s.attempt = nil
		a.cancel()
		s.released = waitFor(s.released, a.free)
	}
	s.firstPending = false
	if s.session != nil {
		r.drop(s, reason)
	}
}

// drop takes the session from a server, closes it in the background and says so.
func (r *Registry) drop(s *server, reason string) {
	x := s.session
	s.status = x.status()
	s.session = nil
	s.state, s.err = StateDisconnected, reason
	r.running.Add(1)
	s.released = r.release(s, x)
	r.log.Info("server disconnected", "id", s.set.ID, "reason", reason)
	r.events.publish(EventDisconnected, Disconnected{ID: s.set.ID, Name: s.set.Name, Reason: reason})
}

// release closes a session, and gives what is closed when that is done, and with it all before. The caller has added
// to running.
func (r *Registry) release(s *server, x *session) <-chan struct{} {
	free, before := make(chan struct{}), s.released
	go func() {
		defer r.running.Done()
		defer close(free)
		x.close()
		if before != nil {
			<-before
		}
	}()
	return free
}

// waitFor gives what is closed when both are.
func waitFor(a, b <-chan struct{}) <-chan struct{} {
	if a == nil {
		return b
	}
	both := make(chan struct{})
	go func() {
		defer close(both)
		<-a
		<-b
	}()
	return both
}

// close ends the session, and blocks until its process is gone.
func (x *session) close() {
	_ = x.client.Close() // how a server that is not wanted any more ends is nobody's concern
	x.ended()
}

// status is the client's, without secrets.
func (x *session) status() mcp.Status {
	status := x.client.Status()
	status.NoiseSample = x.secrets.Mask(status.NoiseSample)
	for i, note := range status.Notes {
		status.Notes[i] = x.secrets.Mask(note)
	}
	return status
}

// mask gives the error with a text that may be shown.
func (x *session) mask(err error) error {
	text := err.Error()
	var refused *mcp.HTTPError
	if errors.As(err, &refused) && refused.Body != "" { // which was cut, maybe in the middle of a secret
		text = strings.ReplaceAll(text, refused.Body, x.secrets.MaskCut(refused.Body))
	}
	text = x.secrets.Mask(text)
	if text == err.Error() {
		return err
	}
	return &maskedError{text: text, err: err}
}
