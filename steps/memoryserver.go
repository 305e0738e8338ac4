package steps

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/mcp/settings"
)

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
