package steps

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Config is what all scenarios of a run share. It is read only.
type Config struct {
	// Target is the server that "Given the server is started" starts, where no step of the scenario names another.
	Target Target
	// Cassettes stand in for that server, one for each scenario; nil means that it is live.
	Cassettes *Cassettes
	// Command gives the path of the built mcp-replay to the steps in which a user runs it; it may build it, once.
	Command func() (string, error)
	// Fake gives the path of the program that plays the servers of "Given a server …", as steps/fake/fakeserver does; nil means
	// the test binary itself, whose TestMain calls fake.Main.
	Fake func() (string, error)
	// Version is what the client calls its version in the handshake; empty means "dev".
	Version string
	// Root is the folder that relative names of fixtures and cassettes start from; empty means the current one.
	Root string
}

// Scenario names one scenario of a run.
type Scenario struct {
	Feature string // the path of the feature file
	Name    string // the scenario's name, with the values of its example filled in
	Line    int    // of the scenario, or of its example
}

// World is the state of one scenario: it is made for it, carried in its context, and closed after it. Nothing of it is
// shared with another scenario, so that scenarios run side by side.
type World struct {
	Config   *Config
	Scenario Scenario

	mu       sync.Mutex // guards what follows
	dir      string
	names    map[string]string
	areas    map[reflect.Type]any
	cleanups []func(passed bool) error
	notices  []*Notice
}

// NewWorld makes the world of one scenario. A nil Config is an empty one.
func NewWorld(c *Config, s Scenario) *World {
	if c == nil {
		c = new(Config)
	}
	return &World{Config: c, Scenario: s, names: make(map[string]string), areas: make(map[reflect.Type]any)}
}

type worldKey struct{}

// In carries the world in a context.
func In(ctx context.Context, w *World) context.Context { return context.WithValue(ctx, worldKey{}, w) }

// From is the world of the scenario that ctx belongs to; nil outside of one.
func From(ctx context.Context) *World {
	w, _ := ctx.Value(worldKey{}).(*World)
	return w
}

// State is the scenario's one T, made at first use. An area keeps what it knows in a type of its own:
//
//	type clientState struct{ client *mcp.Client }
//
//	func callTool(ctx context.Context, w *World, tool string) error {
//		s := State[clientState](w)
//		…
//
// Something that must be closed is handed to [World.Cleanup] when it is opened.
func State[T any](w *World) *T {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := reflect.TypeFor[T]()
	if s, ok := w.areas[key]; ok {
		return s.(*T)
	}
	s := new(T)
	w.areas[key] = s
	return s
}

// Cleanup has f called when the scenario is over, the last one first. An error of f fails the scenario.
func (w *World) Cleanup(f func() error) { w.AtEnd(func(bool) error { return f() }) }

// AtEnd is [World.Cleanup] for who wants to know whether all steps have passed.
func (w *World) AtEnd(f func(passed bool) error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cleanups = append(w.cleanups, f)
}

// Close ends the world, of which the runner says whether all steps have passed: it waits for every clean-up and says what
// failed, and which notices no step has mentioned. It is safe to call again.
func (w *World) Close(passed bool) error {
	var errs []error
	for {
		w.mu.Lock()
		n := len(w.cleanups)
		if n == 0 {
			w.mu.Unlock()
			break
		}
		f := w.cleanups[n-1]
		w.cleanups = w.cleanups[:n-1]
		w.mu.Unlock()
		if err := cleanUp(f, passed); err != nil {
			errs = append(errs, err)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, n := range w.notices {
		if !n.mentioned {
			errs = append(errs, fmt.Errorf("no step has mentioned it: %s", n.text))
		}
	}
	w.notices = nil
	if w.dir != "" {
		errs = append(errs, os.RemoveAll(w.dir))
		w.dir = ""
	}
	return errors.Join(errs...)
}

// cleanUp calls f; a panic in it must not keep the others from their turn.
func cleanUp(f func(passed bool) error, passed bool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the end of the scenario panicked: %v", p)
		}
	}()
	return f(passed)
}

// Notice is something that a scenario may not pass over in silence: a failed result, an exit code other than 0.
type Notice struct {
	w         *World
	text      string
	mentioned bool
}

// Notice notes something that a later step must mention; else the scenario fails with the text. The step that
// looks at it, whatever it finds, calls [Notice.Mention].
func (w *World) Notice(format string, args ...any) *Notice {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := &Notice{w: w, text: fmt.Sprintf(format, args...)}
	w.notices = append(w.notices, n)
	return n
}

// Mention says that a step has looked at what is noted. A nil Notice is mentioned anyway.
func (n *Notice) Mention() {
	if n == nil {
		return
	}
	n.w.mu.Lock()
	defer n.w.mu.Unlock()
	n.mentioned = true
}

// Dir is the scenario's own folder, made at first use and removed after it. Commands run in it.
func (w *World) Dir() (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.dir != "" {
		return w.dir, nil
	}
	dir, err := os.MkdirTemp("", "mcp-replay-scenario-")
	if err != nil {
		return "", err
	}
	// Without symbolic links in it, so that what a command prints compares equal.
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	w.dir = dir
	w.names["dir"] = dir
	return dir, nil
}

// Path is where a file named in a step stands: relative names are in [World.Dir].
func (w *World) Path(name string) (string, error) {
	if filepath.IsAbs(name) {
		return name, nil
	}
	dir, err := w.Dir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, filepath.FromSlash(name)), nil
}

// RootPath is where a fixture or cassette that ships with the features stands.
func (w *World) RootPath(name string) string {
	return filepath.Join(w.Config.Root, filepath.FromSlash(name))
}

// Define gives {name} a value in the steps that follow: {url} of a server, {server} as a command line.
func (w *World) Define(name, value string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.names[name] = value
}

// repeated is a text that stands in a feature once: @@REPEAT 12001 é@@.
var repeated = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`@@REPEAT (\d+) ([^@]+)@@`) })

// Expand fills in the names that steps have defined, other braces stay as they are, and repeats what @@REPEAT N TEXT@@
// names. What a pattern captures, docstrings and tables are expanded before a step sees them.
func (w *World) Expand(text string) string {
	if strings.Contains(text, "@@REPEAT ") {
		text = repeated().ReplaceAllStringFunc(text, func(m string) string {
			parts := repeated().FindStringSubmatch(m)
			n, err := strconv.Atoi(parts[1])
			if err != nil {
				return m
			}
			return strings.Repeat(parts[2], n)
		})
	}
	if !strings.Contains(text, "{") {
		return text
	}
	if strings.Contains(text, "{dir}") {
		_, _ = w.Dir() // defines it
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var pairs []string
	for name, value := range w.names {
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
