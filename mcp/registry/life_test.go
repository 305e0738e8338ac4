package registry_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp/registry"
	"github.com/imurun/mcp-replay/mcp/settings"
)

func TestStart(t *testing.T) {
	t.Parallel()
	slow := make(chan struct{})
	defer close(slow)
	h := newHost(t, stdio("quick", "slow"), map[string]*fake{
		"quick": {tools: tools("a")}, "slow": {tools: tools("b"), hold: slow},
	}, nil)
	h.Start()
	h.awaitState(t, "quick", registry.StateConnected)
	if s := h.state(t, "slow"); s.State != registry.StateConnecting {
		t.Errorf("slow is %s", s.State)
	}
	if diff := cmp.Diff([]string{"mcp_quick_a"}, h.names()); diff != "" {
		t.Error(diff)
	}
	s := h.state(t, "quick")
	if s.Tools != 1 || s.ProtocolVersion != "2025-06-18" || s.Info.Name != "fake" || s.Error != "" {
		t.Errorf("quick is %+v", s)
	}
}

// TestManyServers: 200 servers connect in the time of the slowest, and one that hangs holds up nobody.
func TestManyServers(t *testing.T) {
	t.Parallel()
	const each = 300 * time.Millisecond
	hold, hang := make(chan struct{}), make(chan struct{})
	defer close(hang)
	fakes, ids := map[string]*fake{}, []string{}
	for i := range 200 {
		id := fmt.Sprintf("s%03d", i)
		ids = append(ids, id)
		fakes[id] = &fake{tools: tools("t"), hold: hold}
	}
	fakes["s007"].hold = hang
	h := newHost(t, stdio(ids...), fakes, nil)
	began := time.Now()
	time.AfterFunc(each, func() { close(hold) })
	h.Start()
	await(t, "199 servers connected", func() bool { return len(h.Tools()) == 199 })
	if took := time.Since(began); took > 10*each {
		t.Errorf("took %v; one after the other it would be %v", took, 200*each)
	}
}

// TestSharedAttempt is fault 82: calls that arrive together share one attempt, cold and after a break.
func TestSharedAttempt(t *testing.T) {
	t.Parallel()
	f := &fake{tools: tools("echo", "slow")}
	h := newHost(t, `{"servers":[{"id":"a","command":"x","auto_approve":["echo","slow"]}]}`, map[string]*fake{"a": f}, nil)
	burst := func(tool string) (results []registry.Result) {
		var wg sync.WaitGroup
		results = make([]registry.Result, 20)
		for i := range results {
			wg.Go(func() { results[i] = h.Call(t.Context(), tool, nil) })
		}
		wg.Wait()
		return results
	}
	for i, result := range burst("mcp_a_echo") {
		if result.Failed {
			t.Errorf("cold call %d: %s", i, result.Text)
		}
	}
	connects := func(f *fake) int { return f.connects }
	if n := f.count(connects); n != 1 {
		t.Errorf("%d connections for the first burst", n)
	}
	f.mu.Lock()
	f.answer = func(tool string, _ jsontext.Value) string {
		if tool == "slow" {
			return "" // never
		}
		return `{"content":[]}`
	}
	f.mu.Unlock()
	time.AfterFunc(50*time.Millisecond, f.breakOff)
	for i, result := range burst("mcp_a_slow") {
		if !result.Failed || !strings.Contains(result.Text, "outcome unknown") {
			t.Errorf("call %d during the break: %v %q", i, result.Failed, result.Text)
		}
	}
	for i, result := range burst("mcp_a_echo") {
		if result.Failed {
			t.Errorf("call %d after the break: %s", i, result.Text)
		}
	}
	if n := f.count(connects); n != 2 {
		t.Errorf("%d connections after the break", n)
	}
	if n := f.count(func(f *fake) int { return f.connects - f.closed }); n != 1 {
		t.Errorf("%d connections stand", n)
	}
	if got := len(f.called()); got != 60 {
		t.Errorf("%d calls were sent, want 60: none twice", got)
	}
}

// TestNoRetry: a broken connection stays so until a call (LIFE-2).
func TestNoRetry(t *testing.T) {
	t.Parallel()
	f := &fake{tools: tools("echo")}
	h := newHost(t, `{"policy":"ask","servers":[{"id":"a","command":"x","auto_approve":["echo"]}]}`, map[string]*fake{"a": f}, nil)
	if err := h.Connect(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	f.breakOff()
	h.awaitState(t, "a", registry.StateDisconnected)
	time.Sleep(50 * time.Millisecond)
	if n := f.count(func(f *fake) int { return f.connects }); n != 1 {
		t.Errorf("%d connections without a call", n)
	}
	if diff := cmp.Diff([]string{"mcp_a_echo"}, h.names()); diff != "" {
		t.Errorf("the tools of a server that can be connected again are offered: %s", diff)
	}
	if result := h.Call(t.Context(), "mcp_a_echo", nil); result.Failed {
		t.Error(result.Text)
	}
}

func TestFailedAttempt(t *testing.T) {
	t.Parallel()
	f := &fake{tools: tools("echo"), refuse: errors.New("no way to it, s3cret-value")}
	h := newHost(t, `{"servers":[{"id":"a","name":"A","command":"x","env":{"A_KEY":"s3cret-value"},"auto_approve":["echo"]}]}`, map[string]*fake{"a": f}, nil)
	err := h.Connect(t.Context(), "a")
	var failed *registry.ConnectError
	if !errors.As(err, &failed) || err.Error() != "server a: no way to it, ********" {
		t.Errorf("Connect: %v", err)
	}
	if s := h.state(t, "a"); s.State != registry.StateFailed || s.Error != "no way to it, ********" {
		t.Errorf("state %s, %q", s.State, s.Error)
	}
	if result := h.Call(t.Context(), "mcp_a_echo", nil); !result.Failed || result.Text != "server a: no way to it, ********" {
		t.Errorf("call: %q", result.Text)
	}
	f.mu.Lock()
	f.refuse = nil
	f.mu.Unlock()
	if result := h.Call(t.Context(), "mcp_a_echo", nil); result.Failed || result.Text != "ok" {
		t.Errorf("call: %q", result.Text)
	}
}

func patch(t testing.TB, body string) settings.Patch {
	t.Helper()
	p, err := settings.ParsePatch(jsontext.Value(body))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (h *host) save(t testing.TB, body string) registry.Server {
	t.Helper()
	s, err := h.Save(patch(t, body))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSave(t *testing.T) {
	t.Parallel()
	a, b := &fake{tools: tools("echo")}, &fake{tools: tools("echo")}
	h := newHost(t, stdio("a", "b"), map[string]*fake{"a": a, "b": b, "c": {tools: tools("new")}}, nil)
	h.Start()
	h.awaitState(t, "a", registry.StateConnected)
	h.awaitState(t, "b", registry.StateConnected)
	a.mu.Lock()
	a.tools = tools("echo", "more")
	a.mu.Unlock()
	if s := h.save(t, `{"id":"a","timeout":7}`); s.Timeout != 7 {
		t.Errorf("saved %+v", s)
	}
	await(t, "a is discovered anew", func() bool { return slices.Contains(h.names(), "mcp_a_more") })
	if n := b.count(func(f *fake) int { return f.connects }); n != 1 {
		t.Errorf("b was connected %d times", n)
	}
	if n := a.count(func(f *fake) int { return f.connects - f.closed }); n != 1 {
		t.Errorf("%d connections to a stand", n)
	}
	h.save(t, `{"id":"a"}`) // saving without a change, too
	await(t, "a is connected a third time", func() bool { return a.count(func(f *fake) int { return f.connects }) == 3 })
	h.save(t, `{"id":"c","command":"y"}`)
	await(t, "c is discovered", func() bool { return slices.Contains(h.names(), "mcp_c_new") })
}

func TestDisableAndRemove(t *testing.T) {
	t.Parallel()
	f := &fake{tools: tools("echo")}
	h := newHost(t, `{"servers":[{"id":"a","command":"x","auto_approve":["echo"]}]}`, map[string]*fake{"a": f}, nil)
	if result := h.Call(t.Context(), "mcp_a_echo", nil); result.Failed {
		t.Fatal(result.Text)
	}
	h.save(t, `{"id":"a","enabled":false}`)
	if names := h.names(); names != nil {
		t.Errorf("a disabled server's tools are offered: %q", names)
	}
	unavailable := func(want string) {
		t.Helper()
		result := h.Call(t.Context(), "mcp_a_echo", nil)
		var u *registry.UnavailableError
		if !result.Failed || !errors.As(result.Err, &u) || result.Text != want {
			t.Errorf("call: %v %q, want %q", result.Failed, result.Text, want)
		}
	}
	unavailable(`the tool "mcp_a_echo" is unavailable: the server is disabled`)
	if err := h.Connect(t.Context(), "a"); !errors.Is(err, registry.ErrDisabled) {
		t.Errorf("Connect: %v", err)
	}
	h.save(t, `{"id":"a","enabled":true}`)
	h.awaitState(t, "a", registry.StateConnected)
	if diff := cmp.Diff([]string{"mcp_a_echo"}, h.names()); diff != "" {
		t.Error(diff)
	}
	if err := h.Remove("a"); err != nil {
		t.Fatal(err)
	}
	unavailable(`the tool "mcp_a_echo" is unavailable: its server was removed`)
	await(t, "the connection ends", func() bool { return f.count(func(f *fake) int { return f.connects - f.closed }) == 0 })
	var missing *settings.NotFoundError
	if err := h.Remove("a"); !errors.As(err, &missing) {
		t.Errorf("Remove: %v", err)
	}
	if _, err := h.Server("a"); !errors.As(err, &missing) {
		t.Errorf("Server: %v", err)
	}
}

// TestSupersededAttempt: an attempt that ends after the server was saved or disconnected changes nothing.
func TestSupersededAttempt(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	f := &fake{tools: tools("old"), hold: hold}
	h := newHost(t, stdio("a"), map[string]*fake{"a": f}, nil)
	h.Start()
	await(t, "the first attempt", func() bool { return f.count(func(f *fake) int { return f.connects }) == 1 })
	waiting := make(chan error)
	go func() { waiting <- h.Connect(context.Background(), "a") }()
	time.Sleep(10 * time.Millisecond)
	f.mu.Lock()
	f.hold, f.tools = nil, tools("new")
	f.mu.Unlock()
	h.save(t, `{"id":"a","timeout":9}`)
	if err := <-waiting; !errors.Is(err, registry.ErrDisconnected) {
		t.Errorf("who waited for the first attempt got %v", err)
	}
	close(hold)
	h.awaitState(t, "a", registry.StateConnected)
	if diff := cmp.Diff([]string{"mcp_a_new"}, h.names()); diff != "" {
		t.Error(diff)
	}
	await(t, "one connection", func() bool { return f.count(func(f *fake) int { return f.connects - f.closed }) == 1 })
}

func TestDisconnect(t *testing.T) {
	t.Parallel()
	f := &fake{tools: tools("echo")}
	h := newHost(t, stdio("a"), map[string]*fake{"a": f}, nil)
	if err := h.Connect(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if err := h.Disconnect("a"); err != nil {
		t.Fatal(err)
	}
	if s := h.state(t, "a"); s.State != registry.StateDisconnected || s.Error != "disconnected by the user" {
		t.Errorf("state %s, %q", s.State, s.Error)
	}
	types := events(h)
	want := []string{
		`1 mcp.connected {"id":"a","name":"a","tools":1,"protocolVersion":"2025-06-18","server":{"name":"fake","version":"1"}}`,
		`2 mcp.disconnected {"id":"a","name":"a","reason":"disconnected by the user"}`,
	}
	if diff := cmp.Diff(want, types); diff != "" {
		t.Error(diff)
	}
}

// events gives the events so far.
func events(h *host) (list []string) {
	ctx, cancel := context.WithCancel(context.Background())
	last := h.LastEvent()
	if last == 0 {
		cancel()
		return nil
	}
	defer cancel()
	for e := range h.Events(ctx, 0) {
		list = append(list, fmt.Sprintf("%d %s %s", e.Seq, e.Type, e.Data))
		if e.Seq == last {
			return list
		}
	}
	return list
}

func TestEventsResume(t *testing.T) {
	t.Parallel()
	h := newHost(t, stdio(), nil, nil)
	for i := range 1500 {
		h.Publish("test", map[string]int{"n": i})
	}
	var got []uint64
	for e := range h.Events(t.Context(), 1497) {
		if got = append(got, e.Seq); e.Seq == 1500 {
			break
		}
	}
	if !slices.Equal(got, []uint64{1498, 1499, 1500}) {
		t.Errorf("after 1497 come %d", got)
	}
	for e := range h.Events(t.Context(), 3) { // those are gone
		if e.Seq != 1500-1024+1 {
			t.Errorf("after 3 comes %d", e.Seq)
		}
		break
	}
	for e := range h.Events(t.Context(), 9999) { // of an earlier run
		if e.Seq != 1500-1024+1 {
			t.Errorf("after 9999 comes %d", e.Seq)
		}
		break
	}
	done := make(chan int)
	go func() {
		n := 0
		for range h.Events(context.Background(), 1500) {
			n++
		}
		done <- n
	}()
	h.Publish("test", struct{}{})
	h.Close()
	h.Publish("test", struct{}{})
	if n := <-done; n != 1 {
		t.Errorf("%d events after 1500, want the one before the registry was closed", n)
	}
}

// TestStorm is fault 80: 200 notices make two listings at most, and none is lost.
func TestStorm(t *testing.T) {
	t.Parallel()
	f := &fake{tools: tools("echo")}
	h := newHost(t, stdio("a"), map[string]*fake{"a": f}, nil)
	if err := h.Connect(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	f.set(tools("echo"), 200)
	await(t, "a listing", func() bool { return f.count(func(f *fake) int { return f.lists }) >= 2 })
	time.Sleep(200 * time.Millisecond)
	if n := f.count(func(f *fake) int { return f.lists }); n > 3 {
		t.Errorf("%d listings after 200 notices", n-1)
	}
	if n := h.LastEvent(); n != 1 {
		t.Errorf("events although the list is the same: %q", events(h))
	}
	f.set(tools("echo", "new"), 1)
	await(t, "the new tool", func() bool { return slices.Equal(h.names(), []string{"mcp_a_echo", "mcp_a_new"}) })
	f.set(tools("new"), 1)
	await(t, "the old tool is gone", func() bool { return slices.Equal(h.names(), []string{"mcp_a_new"}) })
	if result := h.Call(t.Context(), "mcp_a_echo", nil); result.Text != `the tool "mcp_a_echo" is unavailable: the server does not offer it any more` {
		t.Errorf("call of a retired tool: %q", result.Text)
	}
	want := []string{
		`2 mcp.tools {"id":"a","name":"a","tools":2,"added":["new"]}`,
		`3 mcp.tools {"id":"a","name":"a","tools":1,"removed":["echo"]}`,
	}
	if diff := cmp.Diff(want, events(h)[1:]); diff != "" {
		t.Error(diff)
	}
}

func TestCloseFailsCalls(t *testing.T) {
	t.Parallel()
	f := &fake{tools: tools("echo"), answer: func(string, jsontext.Value) string { return "" }}
	h := newHost(t, `{"servers":[{"id":"a","command":"x","auto_approve":["echo"]}]}`, map[string]*fake{"a": f}, nil)
	result := make(chan registry.Result)
	go func() { result <- h.Call(context.Background(), "mcp_a_echo", nil) }()
	await(t, "the call", func() bool { return len(f.called()) == 1 })
	h.Close()
	if r := <-result; !r.Failed {
		t.Errorf("the call gave %q", r.Text)
	}
	if r := h.Call(t.Context(), "mcp_a_echo", nil); !r.Failed || !strings.Contains(r.Text, "the host is closing") {
		t.Errorf("a call after Close gave %q", r.Text)
	}
	h.Close()
}

func TestReload(t *testing.T) {
	t.Parallel()
	h := newHost(t, stdio("a"), map[string]*fake{"a": {tools: tools("x")}, "b": {tools: tools("y")}}, nil)
	h.Start()
	h.awaitState(t, "a", registry.StateConnected)
	if _, err := h.file.Update(func(e *settings.Edit) error { return e.Put(patch(t, `{"id":"b","command":"y"}`)) }); err != nil {
		t.Fatal(err)
	}
	if err := h.Reload(); err != nil {
		t.Fatal(err)
	}
	h.awaitState(t, "b", registry.StateConnected)
}

func TestBadEntry(t *testing.T) {
	t.Parallel()
	h := newHost(t, `{"servers":[{"id":"bad","command":"x","timeout":0},{"id":"a","command":"x"}]}`,
		map[string]*fake{"a": {tools: tools("t")}}, nil)
	h.Start()
	h.awaitState(t, "a", registry.StateConnected)
	const want = "server bad: timeout: must be a whole number of seconds from 1 to 600"
	if s := h.state(t, "bad"); s.State != registry.StateFailed || s.Error != want {
		t.Errorf("bad is %s, %q", s.State, s.Error)
	}
	var field *settings.FieldError
	if err := h.Connect(t.Context(), "bad"); !errors.As(err, &field) {
		t.Errorf("Connect: %v", err)
	}
}
