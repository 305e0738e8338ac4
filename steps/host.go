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
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
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

// memoryServer is a server in the scenario's own process: it offers the tools that it is given, and answers every call
// with "ok". What no real server does on demand, it does.
type memoryServer struct {
	mu     sync.Mutex
	tools  []string // each as JSON
	hangs  bool
	refuse string
	silent bool // calls get no answer
	ends   []mcp.Conn
	closed int
	calls  []string // the tools that were called, with their arguments
	lists  int
}

// Connect begins a session of its own.
func (m *memoryServer) Connect(context.Context) (mcp.Conn, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refuse != "" {
		return nil, errors.New(m.refuse)
	}
	ours, theirs := mcp.NewPair()
	m.ends = append(m.ends, theirs)
	go m.serve(theirs)
	return ours, nil
}

func (m *memoryServer) serve(conn mcp.Conn) {
	defer func() {
		m.mu.Lock()
		m.closed++
		m.mu.Unlock()
	}()
	for {
		message, err := conn.Read(context.Background())
		if err != nil {
			return
		}
		if message.Kind() != jsonrpc.Request {
			continue
		}
		if answer := m.answer(message); answer != "" {
			sendTo(conn, jsonrpc.AppendResult(nil, message.ID, jsontext.Value(answer)))
		}
	}
}

func sendTo(conn mcp.Conn, raw []byte) {
	if message, err := jsonrpc.Parse(raw); err == nil {
		_ = conn.Write(context.Background(), message) // who has gone hears nothing
	}
}

// answer gives the result of a request; empty for none.
func (m *memoryServer) answer(r jsonrpc.Message) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch r.Method {
	case "initialize":
		if m.hangs {
			return ""
		}
		return `{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"memory","version":"1"}}`
	case "tools/list":
		m.lists++
		return `{"tools":[` + strings.Join(m.tools, ",") + `]}`
	case "tools/call":
		name, _ := at(r.Params, "/name")
		args, _ := at(r.Params, "/arguments")
		m.calls = append(m.calls, string(name)+string(args))
		if m.silent {
			return ""
		}
		return `{"content":[{"type":"text","text":"ok"}]}`
	}
	return "{}"
}

// change gives the server other tools, and tells every session so, as often as is said.
func (m *memoryServer) change(tools []string, notices int) {
	m.mu.Lock()
	if tools != nil {
		m.tools = tools
	}
	ends := m.ends
	m.mu.Unlock()
	for _, end := range ends {
		for range notices {
			sendTo(end, jsonrpc.AppendNotification(nil, "notifications/tools/list_changed", nil))
		}
	}
}

// breakOff ends every session from the server's side.
func (m *memoryServer) breakOff() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, end := range m.ends {
		_ = end.Close()
	}
}

// memory gives the scenario's server with the id.
func (s *hostState) memory(id string) (*memoryServer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := s.fakes[id]; m != nil {
		return m, nil
	}
	return nil, fmt.Errorf("no step gives the server %q its tools", id)
}

// give makes the scenario's server with the id, and puts it into the settings where they have none.
func (s *hostState) give(w *World, id string, m *memoryServer) error {
	s.mu.Lock()
	s.fakes[id] = m
	s.mu.Unlock()
	return addToSettings(w, id)
}

// addToSettings puts a server into the settings where they have none with the id.
func addToSettings(w *World, id string) error {
	file, err := settingsFile(w)
	if err != nil {
		return err
	}
	_, err = file.Update(func(e *settings.Edit) error {
		if _, found := e.Settings().Server(id); found {
			return nil
		}
		command := "a-server"
		return e.Put(settings.Patch{ID: id, Command: &command})
	})
	return err
}

// toolLines reads tools, a line each: a name, or a tool as JSON.
func toolLines(text string) ([]string, error) {
	tools := []string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case strings.HasPrefix(line, "{"):
			if !jsontext.Value(line).IsValid(lenient) {
				return nil, fmt.Errorf("the tool is no JSON: %s", line)
			}
			tools = append(tools, line)
		default:
			name, err := jsontext.AppendQuote(nil, line)
			if err != nil {
				return nil, err
			}
			tools = append(tools, `{"name":`+string(name)+`,"inputSchema":{"type":"object"}}`)
		}
	}
	return tools, nil
}
