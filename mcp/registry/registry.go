package registry

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/imurun/mcp-replay/mcp/settings"
	"github.com/imurun/mcp-replay/policy"
)

// Registry keeps the sessions with the servers of a settings file. Its methods may be called from any number of
// goroutines at once.
type Registry struct {
	o      Options
	file   *settings.File
	places settings.Places
	log    *slog.Logger
	events *eventLog

	background context.Context // ends when the registry is closed
	cancel     context.CancelFunc
	running    sync.WaitGroup // attempts, and what ends sessions

	saving sync.Mutex // held while the file and what follows from it change

	mu         sync.Mutex // guards what follows
	closed     bool
	level      policy.Level
	network    bool
	problems   []string
	servers    []*server // in the order of the settings
	names      Names
	remembered map[toolKey]definition // PERM-6
}

// New makes a registry over a settings file. Nothing is connected until [Registry.Start], [Registry.Connect] or a call.
func New(file *settings.File, o *Options) (*Registry, error) {
	r := &Registry{file: file, events: newEventLog(), remembered: map[toolKey]definition{}}
	if o != nil {
		r.o = *o
	}
	if r.o.Environ == nil {
		r.o.Environ = os.Environ
	}
	if r.log = r.o.Log; r.log == nil {
		r.log = slog.New(slog.DiscardHandler)
	}
	if err := r.findPlaces(); err != nil {
		return nil, err
	}
	all, err := file.Load()
	if err != nil {
		return nil, err
	}
	r.background, r.cancel = context.WithCancel(context.Background())
	r.mu.Lock()
	defer r.mu.Unlock()
	r.apply(all, "", nil)
	return r, nil
}

func (r *Registry) findPlaces() error {
	r.places = settings.Places{Home: r.o.Home, Repo: r.o.Repo, LookupEnv: r.o.LookupEnv}
	if r.places.Home == "" {
		r.places.Home = filepath.Dir(r.file.Path)
	}
	if r.places.Repo == "" {
		folder, err := os.Getwd()
		if err != nil {
			return err
		}
		r.places.Repo = folder
	}
	return nil
}

// Start connects the enabled servers in the background (LIFE-1). It does not wait.
func (r *Registry) Start() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.start(func(s *server) bool { return true })
}

// start connects those of the servers that may be, and have not been tried.
func (r *Registry) start(which func(*server) bool) {
	var begin []*server
	for _, s := range r.servers {
		if which(s) && s.session == nil && s.attempt == nil && r.obstacle(s) == nil {
			s.firstPending = !s.tried
			begin = append(begin, s)
		}
	}
	for _, s := range begin {
		r.connect(s)
	}
}

// obstacle says why a server is not to be connected, or nil.
func (r *Registry) obstacle(s *server) error {
	switch {
	case r.closed:
		return ErrClosed
	case s.set.Err != nil:
		return s.set.Err
	case !s.set.Enabled:
		return ErrDisabled
	case r.offline(s):
		return ErrNetworkOff
	}
	return nil
}

// offline says whether the network toggle keeps the server from being reached (PERM-8).
func (r *Registry) offline(s *server) bool { return s.set.Transport == settings.HTTP && !r.network }

// apply takes the settings over: it ends the sessions of servers that are gone or different, and says which servers
// are to be connected. The server named saved counts as different whatever it was before (LIFE-3). The caller holds mu.
func (r *Registry) apply(all *settings.Settings, saved string, reason map[string]string) (changed []*server) {
	r.problems = all.Problems
	wasOff := !r.network
	if r.level = all.Policy; r.o.Level != nil {
		r.level = *r.o.Level
	}
	if r.network = all.Network; r.o.Network != nil {
		r.network = *r.o.Network
	}
	before := r.servers
	r.servers = make([]*server, 0, len(all.Servers))
	kept := map[*server]bool{}
	for i := range all.Servers {
		set := all.Servers[i].Clone()
		at := slices.IndexFunc(before, func(s *server) bool { return !kept[s] && s.set.ID == set.ID })
		if at < 0 {
			s := newServer(set)
			r.servers = append(r.servers, s)
			changed = append(changed, s)
			continue
		}
		s := before[at]
		kept[s] = true
		r.servers = append(r.servers, s)
		if same := s.set.Equal(&set); same && set.ID != saved {
			continue
		}
		if reaches(&s.set) != reaches(&set) {
			r.forget(set.ID)
		}
		r.replace(s, set, reason[set.ID])
		changed = append(changed, s)
	}
	for _, s := range before {
		if !kept[s] {
			r.forget(s.set.ID)
			r.end(s, "the server was removed from the settings")
			r.retire(s)
		}
	}
	for _, s := range r.servers {
		switch {
		case r.offline(s):
			r.end(s, ErrNetworkOff.Error())
		case wasOff && s.set.Transport == settings.HTTP:
			changed = append(changed, s)
		}
	}
	r.offerAll()
	return changed
}

// replace gives a server new settings, and ends what it had under the old ones.
func (r *Registry) replace(s *server, set settings.Server, reason string) {
	if reason == "" {
		reason = "the settings were changed"
	}
	if !set.Enabled {
		reason = ErrDisabled.Error()
	}
	r.end(s, reason)
	s.set = set
	s.reset()
	if !set.Enabled || set.Err != nil { // LIFE-4
		r.retire(s)
	}
}

// forget drops what was remembered for a server that is another one now.
func (r *Registry) forget(id string) {
	for key := range r.remembered {
		if key.server == id {
			delete(r.remembered, key)
		}
	}
}

// find gives the server with the id. The caller holds mu.
func (r *Registry) find(id string) *server {
	for _, s := range r.servers {
		if s.set.ID == id {
			return s
		}
	}
	return nil
}

// Servers gives every server, in the order of the settings.
func (r *Registry) Servers() []Server {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make([]Server, 0, len(r.servers))
	for _, s := range r.servers {
		list = append(list, r.view(s))
	}
	return list
}

// Server gives the server with the id; the error is a [*settings.NotFoundError].
func (r *Registry) Server(id string) (Server, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.find(id)
	if s == nil {
		return Server{}, &settings.NotFoundError{ID: id}
	}
	return r.view(s), nil
}

// Level is how much tools may do without asking.
func (r *Registry) Level() policy.Level {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.level
}

// Network says whether servers on HTTP may be reached.
func (r *Registry) Network() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.network
}

// Problems says what in the settings is not as it should be, beside what stands with each server.
func (r *Registry) Problems() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.problems)
}

// Save adds or changes a server in the settings file, ends its connection, and makes a new one in the background where
// it is enabled (LIFE-3). The error is a [*settings.FieldError] where the server cannot be so.
func (r *Registry) Save(p settings.Patch) (Server, error) {
	if err := r.update(p.ID, "the server was saved", func(e *settings.Edit) error { return e.Put(p) }); err != nil {
		return Server{}, err
	}
	return r.Server(p.ID)
}

// Remove takes a server out of the settings file and ends its connection.
func (r *Registry) Remove(id string) error {
	return r.update(id, "the server was removed from the settings", func(e *settings.Edit) error { return e.Remove(id) })
}

// SetLevel changes the policy, in the file too.
func (r *Registry) SetLevel(level policy.Level) error {
	return r.update("", "", func(e *settings.Edit) error {
		e.SetPolicy(level)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.o.Level = nil
		return nil
	})
}

// SetNetwork changes the network toggle, in the file too (PERM-8). Off ends the connections to servers on HTTP, on
// connects those that are enabled.
func (r *Registry) SetNetwork(on bool) error {
	return r.update("", "", func(e *settings.Edit) error {
		e.SetNetwork(on)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.o.Network = nil
		return nil
	})
}

// Reload reads the settings file again, for changes that another program made.
func (r *Registry) Reload() error {
	r.saving.Lock()
	defer r.saving.Unlock()
	all, err := r.file.Load()
	if err != nil {
		return err
	}
	r.takeOver(all, "", "")
	return nil
}

// update changes the file and takes over what it says then.
func (r *Registry) update(id, reason string, change func(*settings.Edit) error) error {
	r.saving.Lock()
	defer r.saving.Unlock()
	r.mu.Lock()
	closed := r.closed
	r.mu.Unlock()
	if closed {
		return ErrClosed
	}
	all, err := r.file.Update(change)
	if err != nil {
		return err
	}
	r.takeOver(all, id, reason)
	return nil
}

func (r *Registry) takeOver(all *settings.Settings, id, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	changed := r.apply(all, id, map[string]string{id: reason})
	r.start(func(s *server) bool { return slices.Contains(changed, s) })
}

// Close ends all sessions, at the same time and with the processes and all that these started (LIFE-6), and blocks
// until they have ended. Calls under way fail. It may be called again.
func (r *Registry) Close() error {
	r.mu.Lock()
	if !r.closed {
		for _, s := range r.servers {
			r.end(s, ErrClosed.Error())
		}
		r.closed = true
		r.cancel()
	}
	r.mu.Unlock()
	r.running.Wait()
	r.events.close()
	return nil
}

// fail logs and publishes that a server failed.
func (r *Registry) fail(s *server, text string) {
	r.log.Error("server failed", "id", s.set.ID, "error", text)
	r.events.publish(EventError, Failed{ID: s.set.ID, Name: s.set.Name, Error: text})
}

// isObstacle says whether the error is one of [Registry.obstacle]: the server was not tried.
func isObstacle(err error) bool {
	var field *settings.FieldError
	return errors.Is(err, ErrClosed) || errors.Is(err, ErrDisabled) || errors.Is(err, ErrNetworkOff) || errors.As(err, &field)
}
