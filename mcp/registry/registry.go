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
