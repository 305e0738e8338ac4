package registry_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/mcp/registry"
	"github.com/imurun/mcp-replay/mcp/settings"
)

// fake is a server in memory. Each connection to it is served on its own.
type fake struct {
	mu       sync.Mutex
	tools    string // the elements of tools/list
	listing  string // the result of tools/list, in place of tools
	answer   func(tool string, args jsontext.Value) (result string)
	hold     chan struct{} // initialize waits for it
	refuse   error         // Connect fails with it
	connects int
	lists    int
	calls    []string
	ends     []mcp.Conn // the server's ends, in the order of the connections
	closed   int
}

func (f *fake) Connect(ctx context.Context) (mcp.Conn, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.connects++
	if f.refuse != nil {
		return nil, f.refuse
	}
	ours, theirs := mcp.NewPair()
	f.ends = append(f.ends, theirs)
	go f.serve(theirs)
	return ours, nil
}

func (f *fake) serve(conn mcp.Conn) {
	defer func() {
		f.mu.Lock()
		f.closed++
		f.mu.Unlock()
	}()
	for {
		m, err := conn.Read(context.Background())
		if err != nil {
			return
		}
		if m.Kind() == jsonrpc.Request {
			go f.reply(conn, m)
		}
	}
}

func (f *fake) reply(conn mcp.Conn, m jsonrpc.Message) {
	f.mu.Lock()
	tools, hold, answer := f.tools, f.hold, f.answer
	if m.Method == "tools/list" {
		f.lists++
	}
	f.mu.Unlock()
	var result string
	switch m.Method {
	case "initialize":
		if hold != nil {
			<-hold
		}
		result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}}`
	case "tools/list":
		if result = f.listing; result == "" {
			result = `{"tools":[` + tools + `]}`
		}
	case "tools/call":
		var name string
		var args jsontext.Value
		for key, v := range jsonrpc.Members(m.Params) {
			switch string(key) {
			case "name":
				name = strings.Trim(string(v), `"`)
			case "arguments":
				args = v
			}
		}
		f.mu.Lock()
		f.calls = append(f.calls, name+string(args))
		f.mu.Unlock()
		result = `{"content":[{"type":"text","text":"ok"}]}`
		if answer != nil {
			result = answer(name, args)
		}
	}
	if result == "" {
		return
	}
	send(conn, jsonrpc.AppendResult(nil, m.ID, jsontext.Value(result)))
}

func send(conn mcp.Conn, data []byte) {
	if m, err := jsonrpc.Parse(data); err == nil {
		_ = conn.Write(context.Background(), m)
	}
}

// set changes the tools, and tells every connection so.
func (f *fake) set(tools string, notices int) {
	f.mu.Lock()
	f.tools = tools
	ends := f.ends
	f.mu.Unlock()
	for _, end := range ends {
		for range notices {
			send(end, jsonrpc.AppendNotification(nil, "notifications/tools/list_changed", nil))
		}
	}
}

// breakOff ends the last connection from the server's side.
func (f *fake) breakOff() {
	f.mu.Lock()
	defer f.mu.Unlock()
	_ = f.ends[len(f.ends)-1].Close()
}

func (f *fake) count(what func(*fake) int) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return what(f)
}

func (f *fake) called() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.calls...)
}

// host is a registry over fakes: each server of the settings is the fake that has its id.
type host struct {
	*registry.Registry
	file  *settings.File
	fakes map[string]*fake
}

// newHost makes a registry over settings with the text of a section mcp. It is not started.
func newHost(t testing.TB, section string, fakes map[string]*fake, o *registry.Options) *host {
	t.Helper()
	file := settings.In(t.TempDir())
	file.Program = os.Args[0]
	if err := os.WriteFile(file.Path, []byte(`{"mcp":`+section+`}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if o == nil {
		o = &registry.Options{}
	}
	if o.Transport == nil && fakes != nil {
		o.Transport = func(s *settings.Resolved, tap mcp.Tap) (mcp.Transport, error) {
			if f := fakes[s.ID]; f != nil {
				return f, nil
			}
			return nil, errors.New("no such fake")
		}
	}
	r, err := registry.New(file, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return &host{Registry: r, file: file, fakes: fakes}
}

// stdio gives settings with a server on stdio for each id.
func stdio(ids ...string) string {
	var list []string
	for _, id := range ids {
		list = append(list, fmt.Sprintf(`{"id":%q,"command":"x"}`, id))
	}
	return `{"servers":[` + strings.Join(list, ",") + `]}`
}

func tools(names ...string) string {
	var list []string
	for _, name := range names {
		list = append(list, fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, name))
	}
	return strings.Join(list, ",")
}

func (h *host) names() []string {
	var names []string
	for _, t := range h.Tools() {
		names = append(names, t.Name)
	}
	return names
}

func (h *host) state(t testing.TB, id string) registry.Server {
	t.Helper()
	s, err := h.Server(id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// newLog writes to b, one line at a time.
func newLog(b *strings.Builder, mu *sync.Mutex) *slog.Logger {
	return slog.New(slog.NewTextHandler(writer(func(p []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return b.Write(p)
	}), &slog.HandlerOptions{Level: slog.LevelDebug}))
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// await waits for what comes by itself.
func await(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never came: %s", what)
		}
	}
}

func (h *host) awaitState(t testing.TB, id string, want registry.State) {
	t.Helper()
	await(t, id+" is "+string(want), func() bool { return h.state(t, id).State == want })
}

// The test binary runs itself again as a child: CHILD says as what.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "__supervise" {
		os.Exit(registry.Supervise(os.Args[2:]))
	}
	switch os.Getenv("CHILD") {
	case "server":
		childServer()
	case "host":
		childHost()
	case "sleeper":
		time.Sleep(time.Minute)
	default:
		os.Exit(m.Run())
	}
	os.Exit(0)
}

// childServer is a server on stdio. FAMILY is a folder in which it and what it starts note their pids.
func childServer() {
	if os.Getenv("EXIT") != "" {
		fmt.Fprintln(os.Stderr, "cannot go on with", os.Getenv("A_TOKEN"))
		os.Exit(3)
	}
	if family := os.Getenv("FAMILY"); family != "" {
		note(family, os.Getpid())
		startFamily(family)
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		m, err := jsonrpc.Parse(in.Bytes())
		if err != nil || m.Kind() != jsonrpc.Request {
			continue
		}
		result := `{"content":[{"type":"text","text":"pong"}]}`
		switch m.Method {
		case "initialize":
			result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"child","version":"1"}}`
		case "tools/list":
			result = `{"tools":[` + tools("ping", "env") + `]}`
		case "tools/call":
			if strings.Contains(string(m.Params), `"env"`) {
				quoted, _ := jsontext.AppendQuote(nil, strings.Join(os.Environ(), "\n"))
				result = `{"content":[{"type":"text","text":` + string(quoted) + `}]}`
			}
		}
		fmt.Println(string(jsonrpc.AppendResult(nil, m.ID, jsontext.Value(result))))
	}
	if os.Getenv("STUBBORN") != "" {
		time.Sleep(time.Minute)
	}
}

func note(folder string, pid int) {
	_ = os.WriteFile(filepath.Join(folder, fmt.Sprint(pid)), nil, 0o600)
}

// startFamily starts a child, and one that leaves the session and its parent.
func startFamily(folder string) {
	for _, setsid := range []bool{false, true} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "CHILD=sleeper")
		leave(cmd, setsid)
		if err := cmd.Start(); err == nil {
			note(folder, cmd.Process.Pid)
		}
	}
	if sh, err := exec.LookPath("sh"); err == nil { // an orphan in a session of its own: its parent ends at once
		cmd := exec.Command(sh, "-c", `CHILD=sleeper setsid "$0" </dev/null >/dev/null 2>&1 & echo $!`, os.Args[0])
		if out, err := cmd.Output(); err == nil {
			_ = os.WriteFile(filepath.Join(folder, strings.TrimSpace(string(out))), nil, 0o600)
		}
	}
}
