package registry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/settings"
)

// connectTimeout is INIT-5: start, initialize and the first listing together.
const connectTimeout = 20 * time.Second

// attempt is one try to connect a server, shared by all who wait for it (LIFE-2).
type attempt struct {
	done   chan struct{} // closed when session or err is set
	free   chan struct{} // closed when it has nothing more that a new process could want
	cancel context.CancelFunc

	session *session
	err     error
}

// connect gives the attempt that is under way, or begins one. The caller holds mu, and has seen no obstacle.
func (r *Registry) connect(s *server) *attempt {
	if s.attempt != nil {
		return s.attempt
	}
	ctx, cancel := context.WithCancel(r.background)
	a := &attempt{done: make(chan struct{}), free: make(chan struct{}), cancel: cancel}
	s.attempt = a
	set, released := s.set.Clone(), s.released
	r.running.Add(1)
	go func() {
		defer r.running.Done()
		defer cancel()
		session, list, err := r.dial(ctx, s, set, released)
		if unwanted := r.settle(s, a, session, list, err); unwanted {
			session.close()
		}
		close(a.free)
	}()
	return a
}

// dial makes a session and its first listing, within the time for connecting.
func (r *Registry) dial(ctx context.Context, s *server, set settings.Server, released <-chan struct{}) (*session, *mcp.ToolList, error) {
	limit := r.o.ConnectTimeout
	if limit <= 0 {
		limit = connectTimeout
	}
	if released != nil {
		select {
		case <-released: // the process before is gone, and has given back what it held
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
	resolved, err := set.Resolve(&r.places)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	x := &session{secrets: resolved.Secrets, ended: func() {}, ready: make(chan struct{})}
	transport, err := r.transport(resolved, x)
	if err != nil {
		x.ended()
		return nil, nil, x.mask(err)
	}
	timeout := r.o.Timeout
	if timeout <= 0 {
		timeout = time.Duration(set.Timeout) * time.Second // CFG-9
	}
	x.client, err = mcp.Connect(ctx, transport, &mcp.Options{
		Name: r.o.Name, Version: r.o.Version,
		Timeout:        timeout,
		ConnectTimeout: limit,
		OnToolsChanged: func() { r.relist(s, x) },
	})
	if err != nil {
		x.client = nil
		close(x.ready)
		x.ended()
		return nil, nil, x.mask(tooSlow(ctx, limit, err))
	}
	list, err := x.client.ListTools(ctx)
	if err != nil {
		close(x.ready)
		x.close()
		return nil, nil, x.mask(tooSlow(ctx, limit, whileListing(err)))
	}
	return x, list, nil
}

// whileListing says what it was that failed, where the error does not say so itself.
func whileListing(err error) error {
	if strings.HasPrefix(err.Error(), "tools/list: ") {
		return err
	}
	return fmt.Errorf("tools/list: %w", err)
}

// tooSlow says so where the time for connecting is over: what it was spent on says little to a person.
func tooSlow(ctx context.Context, limit time.Duration, err error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("it did not connect within %v: %w", limit, err)
	}
	return err
}

// transport makes the transport to a server, with the tap in it.
func (r *Registry) transport(s *settings.Resolved, x *session) (mcp.Transport, error) {
	var tap mcp.Tap
	if r.o.Tap != nil {
		t, done := r.o.Tap(s)
		tap = t
		if done != nil {
			x.ended = done
		}
	}
	if r.o.Transport != nil {
		if t, err := r.o.Transport(s, tap); t != nil || err != nil {
			return t, err
		}
	}
	if s.Transport == settings.HTTP {
		header := http.Header{}
		for name, value := range s.Headers {
			header.Set(name, value)
		}
		return &mcp.HTTP{URL: s.URL, Header: header, Tap: tap}, nil
	}
	if info, err := os.Stat(s.Cwd); s.Cwd != "" && (err != nil || !info.IsDir()) { // the system's error names the command
		return nil, fmt.Errorf("there is no folder %s to start the server in", s.Cwd)
	}
	command := &mcp.Command{
		Path: s.Command, Args: s.Args, Dir: s.Cwd,
		Env: settings.ChildEnv(r.o.Environ(), s.Env), Tap: tap, Secrets: s.Secrets.Values(),
	}
	return command, r.supervise(command)
}

// settle takes the outcome of an attempt over, and wakes all who wait for it. It says whether there is a session that
// nobody wants any more.
func (r *Registry) settle(s *server, a *attempt, x *session, list *mcp.ToolList, err error) (unwanted bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer close(a.done)
	if s.attempt != a { // disconnected, saved or removed meanwhile
		a.err = ErrDisconnected
		if r.closed {
			a.err = ErrClosed
		}
		if x != nil {
			close(x.ready)
		}
		return x != nil
	}
	s.attempt, s.tried, s.firstPending = nil, true, false
	if err != nil {
		a.err = err
		s.err = err.Error()
		s.state = StateFailed
		var refused *mcp.HTTPError
		if errors.As(err, &refused) && refused.NeedsCredentials() {
			s.state = StateNeedsCredentials
		}
		r.offerAll() // others may have waited for this one
		r.fail(s, s.err)
		return false
	}
	a.session, s.session = x, x
	s.state, s.err = StateConnected, ""
	info := x.client.ServerInfo()
	s.info = &ServerInfo{
		Name: x.secrets.Mask(info.Name), Version: x.secrets.Mask(info.Version), Title: x.secrets.Mask(info.Title),
	}
	s.version = x.client.ProtocolVersion()
	change := r.take(s, list)
	r.log.Info("server connected", "id", s.set.ID, "tools", len(s.tools), "protocolVersion", s.version)
	r.events.publish(EventConnected, Connected{
		ID: s.set.ID, Name: s.set.Name, Tools: len(s.tools), ProtocolVersion: s.version, Server: *s.info,
	})
	if change != nil {
		r.events.publish(EventTools, change)
	}
	close(x.ready)
	r.running.Add(1)
	go r.watch(s, x)
	return false
}

// Connect connects a server and waits until that has come to an end. It makes a new attempt where the last one
// failed, and joins one that is under way. The error is [ErrDisabled], [ErrNetworkOff], a [*settings.FieldError], a
// [*settings.NotFoundError] or a [*ConnectError].
func (r *Registry) Connect(ctx context.Context, id string) error {
	r.mu.Lock()
	s := r.find(id)
	r.mu.Unlock()
	if s == nil {
		return &settings.NotFoundError{ID: id}
	}
	_, err := r.ensure(ctx, s)
	return err
}

// Disconnect ends a server's connection, and returns at once. The next call of one of its tools makes it again.
func (r *Registry) Disconnect(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.find(id)
	if s == nil {
		return &settings.NotFoundError{ID: id}
	}
	r.end(s, "disconnected by the user")
	r.offerAll()
	return nil
}

// ensure gives the server's session, and makes one where there is none.
func (r *Registry) ensure(ctx context.Context, s *server) (*session, error) {
	r.mu.Lock()
	if err := r.obstacle(s); err != nil {
		r.mu.Unlock()
		return nil, err
	}
	if x := s.session; x != nil {
		select {
		case <-x.client.Done(): // sooner than the one who watches
			r.dropped(s, x)
		default:
			r.mu.Unlock()
			return x, nil
		}
	}
	a := r.connect(s)
	id := s.set.ID
	r.mu.Unlock()
	select {
	case <-a.done:
	case <-ctx.Done():
		return nil, &ConnectError{ID: id, Err: context.Cause(ctx)}
	}
	if a.err != nil && !isObstacle(a.err) {
		return nil, &ConnectError{ID: id, Err: a.err}
	}
	return a.session, a.err
}
