package mcp_test

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/steps/fake"
)

// TestMain plays a scripted server where the test binary was started as one.
func TestMain(m *testing.M) {
	fake.Main()
	if server := os.Getenv("MCP_TEST_HOST"); server != "" {
		host(strings.Split(server, "\n"))
		return
	}
	if how := os.Getenv(echoEnv); how != "" {
		echo(how)
		return
	}
	os.Exit(m.Run())
}

// childEnv keeps the race detector from making each child wait a second at its end.
var childEnv = append(os.Environ(), "GORACE=atexit_sleep_ms=0")

// scripted is a server on stdio that writes a script.
func scripted(t *testing.T, script ...string) (*mcp.Command, *fake.Server) {
	t.Helper()
	s, err := fake.Stdio(t.TempDir(), fake.WriteMode, strings.Join(script, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return &mcp.Command{Path: s.Path, Args: s.Args, Env: childEnv}, s
}

// answeringChild is a server on stdio that answers by rules.
func answeringChild(t *testing.T, script ...string) (*mcp.Command, *fake.Server) {
	t.Helper()
	s, err := fake.Stdio(t.TempDir(), fake.AnswerMode, strings.Join(script, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return &mcp.Command{Path: s.Path, Args: s.Args, Env: childEnv}, s
}

func connect(t *testing.T, transport mcp.Transport, o *mcp.Options) *mcp.Client {
	t.Helper()
	c, err := mcp.Connect(t.Context(), transport, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// callText calls the tool echo and returns the text of its result.
func callText(t *testing.T, c *mcp.Client) string {
	t.Helper()
	r, err := c.CallTool(t.Context(), "echo", nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.Text
}

// peer is a server in memory, whose messages a test reads and writes by hand.
type peer struct {
	t    *testing.T
	conn mcp.Conn
}

// inMemory connects a client to a peer that has shaken hands with it.
func inMemory(t *testing.T, o *mcp.Options) (*mcp.Client, *peer) {
	t.Helper()
	near, far := mcp.NewPair()
	p := &peer{t, far}
	shaken := make(chan struct{})
	go func() {
		defer close(shaken)
		p.answer(p.read("initialize"), `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"fx","version":"0"}}`)
		p.read("notifications/initialized")
	}()
	c := connect(t, &mcp.Memory{Conn: near}, o)
	<-shaken
	return c, p
}

// read takes the next message, which must have the method.
func (p *peer) read(method string) jsonrpc.Message {
	m, err := p.conn.Read(context.Background())
	if err != nil {
		p.t.Errorf("waiting for %s: %v", method, err)
	} else if m.Method != method {
		p.t.Errorf("%s came, not %s", m.Raw, method)
	}
	return m
}

func (p *peer) write(text string) {
	if err := p.conn.Write(context.Background(), jsonrpc.Message{Raw: []byte(text)}); err != nil {
		p.t.Error(err)
	}
}

func (p *peer) answer(m jsonrpc.Message, result string) {
	p.write(string(jsonrpc.AppendResult(nil, m.ID, jsontext.Value(result))))
}

// wiretap is a tap that keeps what it is told.
type wiretap struct {
	mu     sync.Mutex
	frames []mcp.Frame
}

func (t *wiretap) Frame(f mcp.Frame) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f.Data = bytes.Clone(f.Data)
	t.frames = append(t.frames, f)
}

// of gives the data of the frames of one side and kind.
func (t *wiretap) of(from mcp.Side, kind mcp.FrameKind) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []string
	for _, f := range t.frames {
		if f.From == from && f.Kind == kind {
			all = append(all, string(f.Data))
		}
	}
	return all
}

func sameStrings(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}
