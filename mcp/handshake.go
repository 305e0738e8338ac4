package mcp

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

const methodInitialize = "initialize"

// versions are the protocol versions that the client takes (INIT-2); the first is asked for (INIT-1).
var versions = []string{"2025-06-18", "2025-03-26", "2024-11-05"}

// Implementation names a program that speaks MCP.
type Implementation struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Title   string `json:"title,omitzero"`
}

// session is what a handshake settled.
type session struct {
	gen          int // counts the handshakes
	raw          jsontext.Value
	server       Implementation
	version      string
	capabilities jsontext.Value
	instructions string
}

// renewal is a new handshake that all share who wait for it.
type renewal struct {
	done chan struct{}
	err  error // when done is closed
}

// handshake asks for a session and confirms it (INIT-1 to INIT-4).
func (c *Client) handshake(ctx context.Context) error {
	m, err := c.exchange(ctx, methodInitialize, c.hello(), time.Now(), c.o.ConnectTimeout)
	if err != nil {
		var lost *LostError
		if errors.As(err, &lost) {
			return lost.Err // INIT-6: nothing was lost but the server
		}
		return err
	}
	if e := m.Err(); e != nil {
		return &ProtocolError{Problem: "the server refused initialize", Err: e}
	}
	s, err := readSession(m.Result)
	if err != nil {
		return err
	}
	c.mu.Lock()
	s.gen = c.st.session.gen + 1
	c.st.session = s
	c.mu.Unlock()
	note, err := jsonrpc.Parse(jsonrpc.AppendNotification(nil, "notifications/initialized", nil))
	if err != nil {
		return err
	}
	if err := c.conn.Write(ctx, note); err != nil { // INIT-3
		return c.whyUnwritten(err)
	}
	return nil
}

// whyUnwritten says why a message could not be written: where the connection ends over it, the reader knows more than
// that a pipe is broken.
func (c *Client) whyUnwritten(err error) error {
	t := time.NewTimer(2 * settleTime)
	defer t.Stop()
	select {
	case <-c.done:
		return c.Err()
	case <-t.C:
		return err
	}
}

// hello writes the params of initialize.
func (c *Client) hello() jsontext.Value {
	name, version, offered := c.o.Name, c.o.Version, c.o.Capabilities
	if name == "" {
		name = "mcp-replay"
	}
	if version == "" {
		version = "dev"
	}
	if offered == nil {
		offered = jsontext.Value("{}")
	}
	b := []byte(`{"protocolVersion":"` + versions[0] + `","capabilities":`)
	b = append(b, offered...)
	b = append(b, `,"clientInfo":{"name":`...)
	b, _ = jsontext.AppendQuote(b, name)
	b = append(b, `,"version":`...)
	b, _ = jsontext.AppendQuote(b, version)
	return append(b, "}}"...)
}

// readSession reads the result of initialize.
func readSession(result jsontext.Value) (session, error) {
	s := session{raw: result}
	for name, v := range jsonrpc.Members(result) {
		switch string(name) {
		case "protocolVersion":
			s.version = text(v)
		case "capabilities":
			s.capabilities = v
		case "instructions":
			s.instructions = text(v)
		case "serverInfo":
			for name, v := range jsonrpc.Members(v) {
				switch string(name) {
				case "name":
					s.server.Name = text(v)
				case "version":
					s.server.Version = text(v)
				case "title":
					s.server.Title = text(v)
				}
			}
		}
	}
	if !slices.Contains(versions, s.version) {
		return s, &VersionError{Asked: versions[0], Answered: cut(s.version, 100)}
	}
	return s, nil
}

// text unquotes a JSON string, with U+FFFD for what is no UTF-8; empty where v is no string.
func text(v jsontext.Value) string {
	if len(v) < 2 || v[0] != '"' {
		return ""
	}
	b, _ := jsontext.AppendUnquote(nil, v)
	return string(b)
}

// sessionEnded notes that the session of generation gen is gone. The next request begins a new one.
func (c *Client) sessionEnded(gen int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.st.session.gen == gen {
		c.st.gone = true
	}
}

// inSession returns when a session stands. After one has ended, the first to come makes a new handshake, and all who
// come meanwhile share it (HTTP-5).
func (c *Client) inSession(ctx context.Context, d deadline) error {
	c.mu.Lock()
	if !c.st.gone {
		c.mu.Unlock()
		return nil
	}
	r := c.st.renewal
	if r == nil {
		r = &renewal{done: make(chan struct{})}
		c.st.renewal = r
		go c.renew(r)
	}
	c.mu.Unlock()

	t := time.NewTimer(d.left())
	defer t.Stop()
	select {
	case <-r.done:
		if r.err != nil {
			return &LostError{Method: d.method, Err: r.err}
		}
		return nil
	case <-t.C:
	case <-ctx.Done():
	}
	return d.over(ctx, false)
}

// renew makes a new handshake, for as long as connecting may take.
func (c *Client) renew(r *renewal) {
	ctx, cancel := context.WithTimeout(c.bg, c.o.ConnectTimeout)
	defer cancel()
	r.err = c.handshake(ctx)
	c.mu.Lock()
	c.st.renewal = nil
	c.st.gone = r.err != nil
	c.mu.Unlock()
	close(r.done)
	if r.err == nil {
		c.change.notice() // LIFE-8: the new session may have other tools
	}
}

func (c *Client) now() session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.st.session
}

// ServerInfo is what the server calls itself.
func (c *Client) ServerInfo() Implementation { return c.now().server }

// ProtocolVersion is the version agreed on.
func (c *Client) ProtocolVersion() string { return c.now().version }

// Capabilities is what the server offers, as it came.
func (c *Client) Capabilities() jsontext.Value { return c.now().capabilities }

// Instructions is what the server tells a model about itself.
func (c *Client) Instructions() string { return c.now().instructions }

// Initialize is the whole result of initialize, as it came.
func (c *Client) Initialize() jsontext.Value { return c.now().raw }
