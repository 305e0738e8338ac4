package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

const okResult = `{"content":[{"type":"text","text":"ok"}]}`

func TestHello(t *testing.T) {
	near, far := mcp.NewPair()
	p := &peer{t, far}
	go func() {
		m := p.read("initialize")
		if got, want := string(m.Raw), `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"mcp-replay","version":"dev"}}}`; got != want {
			t.Errorf("%s", got)
		}
		p.answer(m, `{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"fx","version":"0","title":"F\u00fcx"},"instructions":"be kind"}`)
		if m := p.read("notifications/initialized"); string(m.Raw) != `{"jsonrpc":"2.0","method":"notifications/initialized"}` {
			t.Errorf("%s", m.Raw)
		}
	}()
	c := connect(t, &mcp.Memory{Conn: near}, nil)
	if c.ServerInfo() != (mcp.Implementation{Name: "fx", Version: "0", Title: "Füx"}) || c.ProtocolVersion() != "2024-11-05" ||
		c.Instructions() != "be kind" || string(c.Capabilities()) != `{"tools":{}}` {
		t.Errorf("%+v %s %s %s", c.ServerInfo(), c.ProtocolVersion(), c.Instructions(), c.Capabilities())
	}
}

func TestVersions(t *testing.T) {
	for _, c := range []struct{ answer, fails string }{
		{`"2025-06-18"`, ""}, {`"2025-03-26"`, ""}, {`"2024-11-05"`, ""},
		{`"1.0"`, `the server speaks protocol version "1.0"; asked for was "2025-06-18", and taken are 2025-06-18, 2025-03-26, 2024-11-05`},
		{`"2099-01-01"`, `the server speaks protocol version "2099-01-01"; asked for was "2025-06-18", and taken are 2025-06-18, 2025-03-26, 2024-11-05`},
		{`null`, `the server speaks protocol version ""; asked for was "2025-06-18", and taken are 2025-06-18, 2025-03-26, 2024-11-05`},
	} {
		near, far := mcp.NewPair()
		p := &peer{t, far}
		go func() { p.answer(p.read("initialize"), `{"protocolVersion":`+c.answer+`,"capabilities":{}}`) }()
		client, err := mcp.Connect(t.Context(), &mcp.Memory{Conn: near}, nil)
		if got := fmt.Sprint(err); c.fails != "" && got != c.fails || c.fails == "" && err != nil {
			t.Errorf("%s: %v", c.answer, err)
		}
		if client != nil {
			client.Close()
			continue
		}
		var version *mcp.VersionError
		if !errors.As(err, &version) {
			t.Errorf("%T", err)
		}
		if m, err := far.Read(t.Context()); err == nil {
			t.Errorf("after the refusal comes %s", m.Raw)
		}
	}
}

func TestInitializeIsRefused(t *testing.T) {
	near, far := mcp.NewPair()
	p := &peer{t, far}
	go func() {
		p.write(string(jsonrpc.AppendError(nil, p.read("initialize").ID, &jsonrpc.Error{Code: -32602, Message: "Unsupported protocol version"})))
	}()
	_, err := mcp.Connect(t.Context(), &mcp.Memory{Conn: near}, nil)
	var refused *jsonrpc.Error
	if !errors.As(err, &refused) || err.Error() != "the server refused initialize: Unsupported protocol version (code -32602)" {
		t.Errorf("%v", err)
	}
}

func TestConnectTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := mcp.NewPair()
		began := time.Now()
		_, err := mcp.Connect(t.Context(), &mcp.Memory{Conn: near}, nil)
		if err == nil || err.Error() != "initialize: timeout: no answer within 20s" || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		if took := time.Since(began); took != 20*time.Second {
			t.Errorf("it took %s", took)
		}
		m, _ := far.Read(t.Context())
		if m.Method != "initialize" {
			t.Errorf("%s", m.Raw)
		}
		if m, err := far.Read(t.Context()); err == nil {
			t.Errorf("%s was sent; initialize is never cancelled", m.Raw)
		}
	})
}

func TestCallTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := inMemory(t, &mcp.Options{Timeout: 200 * time.Millisecond})
		began := time.Now()
		_, err := c.CallTool(t.Context(), "echo", nil)
		if err == nil || err.Error() != "tools/call: timeout: no answer within 200ms" || !mcp.OutcomeUnknown(err) {
			t.Errorf("%v", err)
		}
		if took := time.Since(began); took != 200*time.Millisecond {
			t.Errorf("it took %s", took)
		}
		call := p.read("tools/call")
		cancelled := p.read("notifications/cancelled")
		if got, want := string(cancelled.Params), `{"requestId":2,"reason":"no answer within 200ms"}`; got != want {
			t.Errorf("%s", got)
		}
		// A late answer, one to an id never used, and a duplicate one do no harm.
		p.answer(call, `{"content":[{"type":"text","text":"late"}]}`)
		p.write(`{"jsonrpc":"2.0","id":987654,"result":{}}`)
		go func() {
			second := p.read("tools/call")
			p.answer(second, okResult)
			p.answer(second, okResult)
			p.answer(p.read("tools/call"), okResult)
		}()
		for range 2 {
			if got := callText(t, c); got != "ok" {
				t.Errorf("%q", got)
			}
		}
	})
}

func TestCallIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := inMemory(t, nil)
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("the user pressed stop")
		go func() {
			call := p.read("tools/call")
			cancel(why)
			if m := p.read("notifications/cancelled"); string(m.Params) != fmt.Sprintf(`{"requestId":%s,"reason":"given up by the host"}`, call.ID) {
				t.Errorf("%s", m.Params)
			}
			p.conn.Close()
		}()
		_, err := c.CallTool(ctx, "echo", nil)
		var given *mcp.CancelledError
		if !errors.As(err, &given) || !errors.Is(err, why) || err.Error() != "tools/call: given up: the user pressed stop" {
			t.Errorf("%v", err)
		}
		<-c.Done()
		if got := c.Err().Error(); got != "the server closed the connection" {
			t.Errorf("%s", got)
		}
		if _, err := c.CallTool(ctx, "echo", nil); !errors.Is(err, mcp.ErrNotSent) {
			t.Errorf("%v", err)
		}
	})
}

func TestIDs(t *testing.T) {
	c, p := inMemory(t, nil)
	for _, id := range []string{`%s`, `"%s"`} {
		go func() {
			call := p.read("tools/call")
			// The two id spaces have nothing to do with each other (RPC-1).
			p.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, call.ID))
			p.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"sampling/createMessage","params":{}}`, call.ID))
			p.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s.5,"result":{}}`, call.ID))
			p.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":"0%s","result":{}}`, call.ID))
			p.write(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}}`)
			p.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":`+id+`,"result":%s}`, call.ID, okResult))
		}()
		if got := callText(t, c); got != "ok" {
			t.Errorf("%q", got)
		}
		pong, refusal := p.read(""), p.read("")
		if string(pong.Result) != "{}" || string(pong.ID) != string(refusal.ID) ||
			string(refusal.Error) != `{"code":-32601,"message":"method not found: sampling/createMessage"}` {
			t.Errorf("%s %s", pong.Raw, refusal.Raw)
		}
	}
	sameStrings(t, "notes", c.Status().Notes, `the server answers under the id "3" what was asked under 3`)
}

func TestBatches(t *testing.T) {
	var heard []string
	c, p := inMemory(t, &mcp.Options{OnNotification: func(m jsonrpc.Message) { heard = append(heard, m.Method) }})
	go func() {
		one, two := p.read("tools/call"), p.read("tools/call")
		p.write(fmt.Sprintf(`[{"jsonrpc":"2.0","method":"notifications/message"},{"id":"zzz"},{"jsonrpc":"2.0","id":%s,"result":%s},7,{"jsonrpc":"2.0","id":%s,"result":%s}]`,
			two.ID, okResult, one.ID, okResult))
	}()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if got := callText(t, c); got != "ok" {
				t.Errorf("%q", got)
			}
		})
	}
	wg.Wait()
	sameStrings(t, "notifications", heard, "notifications/message")
}

func TestCallsAreConcurrent(t *testing.T) {
	c, p := inMemory(t, nil)
	go func() {
		var calls []jsonrpc.Message
		for range 64 {
			calls = append(calls, p.read("tools/call"))
		}
		for i := range calls { // backwards
			m := calls[len(calls)-1-i]
			p.answer(m, fmt.Sprintf(`{"content":[{"type":"text","text":%q}]}`, m.Params))
		}
	}()
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			args := fmt.Sprintf(`{"n":%d}`, i)
			r, err := c.CallTool(t.Context(), "echo", jsontext.Value(args))
			if want := `{"name":"echo","arguments":` + args + `}`; err != nil || r.Text != want {
				t.Errorf("%v, %v", r, err)
			}
		})
	}
	wg.Wait()
}

func TestErrorsOfAnswers(t *testing.T) {
	c, p := inMemory(t, nil)
	for _, e := range []struct{ sent, text string }{
		{`{"code":-32602,"message":"Unknown tool: nope"}`, "Unknown tool: nope (code -32602)"},
		{`{"code":-32602.0,"message":"x","data":{"a":1e400}}`, "x (code -32602)"},
		{`{"code":"E1","message":"x"}`, "x (code -32603)"},
		{`"boom"`, `the server sent an error that cannot be read: "boom" (code -32603)`},
		{`{}`, `the server sent an error without a message: {} (code -32603)`},
	} {
		go func() { p.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":%s}`, p.read("tools/call").ID, e.sent)) }()
		_, err := c.CallTool(t.Context(), "nope", nil)
		var refused *jsonrpc.Error
		if !errors.As(err, &refused) || err.Error() != e.text {
			t.Errorf("%s: %v", e.sent, err)
		}
		if r := mcp.FailedResult(err); !r.Failed || r.Text != e.text {
			t.Errorf("%+v", r)
		}
	}
}

func TestListChangedStorm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var client atomic.Pointer[mcp.Client]
		var lists atomic.Int32
		c, p := inMemory(t, &mcp.Options{OnToolsChanged: func() {
			if _, err := client.Load().ListTools(t.Context()); err != nil {
				t.Error(err)
			}
			lists.Add(1)
		}})
		client.Store(c)
		p.write(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":[]}`)
		first := p.read("tools/list")
		for range 200 {
			p.write(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":null}`)
		}
		synctest.Wait()
		p.answer(first, `{"tools":[]}`)
		p.answer(p.read("tools/list"), `{"tools":[]}`)
		synctest.Wait()
		if n := lists.Load(); n != 2 {
			t.Errorf("%d listings", n)
		}
	})
}

func TestOnRequest(t *testing.T) {
	_, p := inMemory(t, &mcp.Options{OnRequest: func(_ context.Context, m jsonrpc.Message) (jsontext.Value, *jsonrpc.Error) {
		if m.Method == "ping" {
			return nil, nil
		}
		return jsontext.Value(`{"roots":[]}`), nil
	}})
	p.write(`{"jsonrpc":"2.0","id":"a","method":"ping"}`)
	if m := p.read(""); string(m.Raw) != `{"jsonrpc":"2.0","id":"a","result":{}}` {
		t.Errorf("%s", m.Raw)
	}
	p.write(`{"jsonrpc":"2.0","id":7,"method":"roots/list"}`)
	if m := p.read(""); string(m.Raw) != `{"jsonrpc":"2.0","id":7,"result":{"roots":[]}}` {
		t.Errorf("%s", m.Raw)
	}
}

// lossy is a Conn whose sessions end: while one has ended, every call fails so.
type lossy struct {
	mcp.Conn
	in chan incoming

	mu     sync.Mutex
	ended  bool
	starts int
}

type incoming struct {
	m   jsonrpc.Message
	err error
}

func newLossy(c mcp.Conn) *lossy {
	l := &lossy{Conn: c, in: make(chan incoming, 100)}
	go func() {
		for {
			m, err := c.Read(context.Background())
			l.in <- incoming{m, err}
			if err != nil {
				return
			}
		}
	}()
	return l
}

func (l *lossy) Write(ctx context.Context, m jsonrpc.Message) error {
	l.mu.Lock()
	if m.Method == "initialize" {
		l.ended = false
		l.starts++
	}
	ended := l.ended && m.Method == "tools/call"
	l.mu.Unlock()
	if ended {
		l.in <- incoming{err: &mcp.RequestError{ID: append(jsontext.Value(nil), m.ID...), Err: mcp.ErrSessionEnded}}
		return nil
	}
	return l.Conn.Write(ctx, m)
}

func (l *lossy) Read(context.Context) (jsonrpc.Message, error) {
	i := <-l.in
	return i.m, i.err
}

func TestSessionEnds(t *testing.T) {
	near, far := mcp.NewPair()
	l := newLossy(near)
	p := &peer{t, far}
	go func() {
		for {
			m, err := far.Read(context.Background())
			switch {
			case err != nil:
				return
			case m.Method == "initialize":
				p.answer(m, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}}}`)
			case m.Method == "tools/call":
				p.answer(m, okResult)
			}
		}
	}()
	changed := make(chan struct{}, 10)
	c := connect(t, &mcp.Memory{Conn: l}, &mcp.Options{OnToolsChanged: func() { changed <- struct{}{} }})
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if got := callText(t, c); got != "ok" {
				t.Errorf("%q", got)
			}
		})
	}
	wg.Wait()
	if l.starts != 2 {
		t.Errorf("%d handshakes", l.starts)
	}
	<-changed
}

func TestCloseFailsCallsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := inMemory(t, nil)
		go func() {
			p.read("tools/call")
			c.Close()
		}()
		_, err := c.CallTool(t.Context(), "echo", nil)
		if err == nil || err.Error() != "tools/call: outcome unknown: the connection is closed" || !errors.Is(err, mcp.ErrClosed) {
			t.Errorf("%v", err)
		}
		if err := c.Notify(t.Context(), "notifications/x", nil); !errors.Is(err, mcp.ErrClosed) {
			t.Errorf("%v", err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestArgumentsThatAreNoJSON(t *testing.T) {
	c, _ := inMemory(t, nil)
	if _, err := c.CallTool(t.Context(), "echo", jsontext.Value(`{"a":`)); err == nil || !strings.Contains(err.Error(), "not valid JSON") {
		t.Error(err)
	}
	if _, err := c.Call(t.Context(), "", nil); err == nil || err.Error() != "a request needs a method" {
		t.Error(err)
	}
	if _, err := c.Call(t.Context(), "x", jsontext.Value("{}\n{}")); err == nil || !strings.Contains(err.Error(), "not valid JSON") {
		t.Error(err)
	}
}
