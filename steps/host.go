package steps

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/registry"
	"github.com/imurun/mcp-replay/mcp/settings"
	"github.com/imurun/mcp-replay/replay"
)

// hostState is the scenario's host: a settings file, and a registry over it once the host is up.
type hostState struct {
	mu  sync.Mutex // guards what the registry's goroutines touch
	env map[string]string

	repo     string
	loaded   *settings.Settings
	resolved *settings.Resolved
	failure  error // of the last thing that was tried with the settings or a server
	notice   *Notice

	registry *registry.Registry
	fakes    map[string]*memoryServer // by id
	players  map[string]string        // by id: cassettes
	connects map[string]int           // by id

	log    hostLog
	answer registry.Answer
	asked  []registry.Approval
	before int             // how many questions came before the last call
	call   registry.Result // the last
	view   *registry.Tool  // of the tool that was called last, before that
	bursts []registry.Result
}

// host gives the scenario's host.
func host(w *World) *hostState {
	s := State[hostState](w)
	if s.env == nil {
		s.env, s.fakes = map[string]string{}, map[string]*memoryServer{}
		s.players, s.connects = map[string]string{}, map[string]int{}
	}
	return s
}

// settingsFile is the file in the scenario's home folder, which the command uses too.
func settingsFile(w *World) (*settings.File, error) {
	path, err := w.Path(".imurun/settings.json")
	if err != nil {
		return nil, err
	}
	return &settings.File{Path: path, Program: "mcp-replay"}, nil
}

// tried keeps what became of something that may fail; a failure must be mentioned.
func (s *hostState) tried(w *World, what string, err error) {
	s.failure, s.notice = err, nil
	if err != nil {
		s.notice = w.Notice("%s fails: %v", what, err)
	}
}

// failsWith compares the failure of what was tried last.
func (s *hostState) failsWith(want string, compare func(got, want string) error) error {
	s.notice.Mention()
	if s.failure == nil {
		return errors.New("it does not fail")
	}
	return compare(s.failure.Error(), want)
}

// up is the registry; an error where the host is not up.
func (s *hostState) up() (*registry.Registry, error) {
	if s.registry == nil {
		return nil, errors.New("the host is not up")
	}
	return s.registry, nil
}

// makeHost makes the registry over the scenario's settings.
func makeHost(w *World) (*registry.Registry, error) {
	s := host(w)
	if s.registry != nil {
		return s.registry, nil
	}
	file, err := settingsFile(w)
	if err != nil {
		return nil, err
	}
	dir, err := w.Dir()
	if err != nil {
		return nil, err
	}
	repo := s.repo
	if repo == "" {
		repo = dir
	}
	s.registry, err = registry.New(file, &registry.Options{
		Home: filepath.Dir(file.Path), Repo: repo, Name: "mcp-replay", Version: "test",
		LookupEnv: s.lookup, Environ: s.environ, Ask: s.ask,
		Log:       slog.New(slog.NewTextHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Transport: func(r *settings.Resolved, tap mcp.Tap) (mcp.Transport, error) { return s.transport(w, r) },
	})
	if err != nil {
		return nil, err
	}
	w.Cleanup(s.registry.Close)
	return s.registry, nil
}

func (s *hostState) lookup(name string) (string, bool) {
	value, set := s.env[name]
	return value, set
}

// environ is the host's environment: that of the tests, and what the scenario adds.
func (s *hostState) environ() []string {
	env := os.Environ()
	for name, value := range s.env {
		env = append(env, name+"="+value)
	}
	return env
}

func (s *hostState) ask(_ context.Context, a registry.Approval) registry.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, a)
	return s.answer
}

// transport gives the scenario's server with the id; nil where the settings say how it is reached.
func (s *hostState) transport(w *World, r *settings.Resolved) (mcp.Transport, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.connects[r.ID]++
	if fake := s.fakes[r.ID]; fake != nil {
		return fake, nil
	}
	if path := s.players[r.ID]; path != "" {
		cassette, err := replay.Open(w.RootPath(path))
		if err != nil {
			return nil, err
		}
		w.Cleanup(cassette.Close)
		return replay.NewPlayer(cassette, nil)
	}
	return nil, nil
}

// callHost calls a tool by the name that the host sees.
func callHost(ctx context.Context, w *World, name string, args jsontext.Value) error {
	s := host(w)
	r, err := makeHost(w)
	if err != nil {
		return err
	}
	s.view = nil
	for _, t := range r.Tools() {
		if t.Name == name {
			s.view = &t
		}
	}
	s.mu.Lock()
	s.before = len(s.asked)
	s.mu.Unlock()
	s.call = r.Call(ctx, name, args)
	State[callState](w).record(w, fmt.Sprintf("the call of %q", name), &s.call.Result, nil)
	return nil
}

// encode writes a value as JSON, for comparison by pointers.
func encode(v any) ([]byte, error) {
	return json.Marshal(v, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// hostLog keeps what the host logs.
type hostLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *hostLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *hostLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
