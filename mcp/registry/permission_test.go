package registry_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp/registry"
	"github.com/imurun/mcp-replay/policy"
)

// asker answers approvals, and notes them.
type asker struct {
	answer registry.Answer
	before func(registry.Approval)
	asked  []string
}

func (a *asker) ask(_ context.Context, q registry.Approval) registry.Answer {
	a.asked = append(a.asked, fmt.Sprintf("%s %s %s %s %s", q.Server, q.Tool, q.Name, q.Arguments, q.Decision.Rule))
	if a.before != nil {
		a.before(q)
	}
	return a.answer
}

const annotated = `{"name":"plain"},{"name":"reads","annotations":{"readOnlyHint":true}},{"name":"destroys","annotations":{"destructiveHint":true}},{"name":"approved"},{"name":"both","annotations":{"destructiveHint":true}}`

func TestCallAsks(t *testing.T) {
	t.Parallel()
	f := &fake{tools: annotated}
	who := &asker{answer: registry.Allow}
	h := newHost(t, `{"servers":[{"id":"a","command":"x","auto_approve":["approved","both"]}]}`, map[string]*fake{"a": f}, &registry.Options{Ask: who.ask})
	if err := h.Connect(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	var decisions []string
	for _, tool := range h.Tools() {
		decisions = append(decisions, fmt.Sprint(tool.Tool, " ", tool.Decision, " ", tool.Rule, " ", tool.MayRemember))
	}
	want := []string{"plain ask PERM-4 true", "reads ask PERM-3 true", "destroys ask PERM-1 false", "approved allow PERM-2 false", "both ask PERM-1 false"}
	if diff := cmp.Diff(want, decisions); diff != "" {
		t.Error(diff)
	}
	if result := h.Call(t.Context(), "mcp_a_plain", jsontext.Value(`{"n":1.0}`)); result.Failed || result.Decision.Rule != "PERM-4" {
		t.Errorf("allowed call: %+v", result)
	}
	if result := h.Call(t.Context(), "mcp_a_approved", nil); result.Failed || result.Decision.Rule != "PERM-2" {
		t.Errorf("approved call: %+v", result)
	}
	who.answer = registry.Deny
	result := h.Call(t.Context(), "mcp_a_both", nil)
	var refused *registry.RefusedError
	if !result.Failed || !errors.As(result.Err, &refused) || !refused.Asked {
		t.Errorf("refused call: %+v", result)
	}
	if want := "mcp_a_both was not called: it was asked for and refused; the server says that this tool can destroy; such a tool always asks (PERM-1)"; result.Text != want {
		t.Errorf("refused call says %q", result.Text)
	}
	if diff := cmp.Diff([]string{`a plain mcp_a_plain {"n":1.0} PERM-4`, "a both mcp_a_both null PERM-1"}, who.asked); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{`plain{"n":1.0}`, "approved{}"}, f.called()); diff != "" {
		t.Error(diff)
	}
}

func TestNobodyToAsk(t *testing.T) {
	t.Parallel()
	f := &fake{tools: annotated}
	h := newHost(t, stdio("a"), map[string]*fake{"a": f}, nil)
	result := h.Call(t.Context(), "mcp_a_plain", nil)
	if !result.Failed || !strings.Contains(result.Text, "there is nobody to ask") {
		t.Errorf("%+v", result)
	}
	if got := f.called(); got != nil {
		t.Errorf("called %q", got)
	}
}

// TestRemember: for that one tool of that one server (PERM-6), never for a destructive one (PERM-5), and until its
// definition changes (PERM-9).
func TestRemember(t *testing.T) {
	t.Parallel()
	f, other := &fake{tools: annotated}, &fake{tools: annotated}
	who := &asker{answer: registry.AllowAndRemember}
	h := newHost(t, stdio("a", "b"), map[string]*fake{"a": f, "b": other}, &registry.Options{Ask: who.ask})
	rules := func() (list []string) {
		for _, name := range []string{"mcp_a_plain", "mcp_a_plain", "mcp_b_plain", "mcp_a_reads", "mcp_a_reads", "mcp_a_destroys", "mcp_a_destroys"} {
			result := h.Call(t.Context(), name, nil)
			list = append(list, name+" "+result.Decision.Rule)
		}
		return list
	}
	want := []string{
		"mcp_a_plain PERM-4", "mcp_a_plain PERM-6", "mcp_b_plain PERM-4",
		"mcp_a_reads PERM-3", "mcp_a_reads PERM-6", "mcp_a_destroys PERM-1", "mcp_a_destroys PERM-1",
	}
	if diff := cmp.Diff(want, rules()); diff != "" {
		t.Error(diff)
	}
	rule := func() string {
		for _, tool := range h.Tools() {
			if tool.Name == "mcp_a_plain" {
				return tool.Rule
			}
		}
		return "gone"
	}
	f.breakOff()
	h.awaitState(t, "a", registry.StateDisconnected)
	if err := h.Connect(t.Context(), "a"); err != nil || rule() != "PERM-6" {
		t.Errorf("a reconnect forgets: %s, %v", rule(), err)
	}
	f.set(`{"name":"plain","description":"Now it does something else."}`, 1)
	await(t, "it is forgotten", func() bool { return rule() == "PERM-4" })
	all := events(h)
	if last, want := all[len(all)-1], `"changed":[{"tool":"plain","what":["description"],"forgotten":true}]`; !strings.Contains(last, want) {
		t.Errorf("the last event is %s, want %s", last, want)
	}
}

func TestDefinitionChanges(t *testing.T) {
	t.Parallel()
	const first = `{"name":"t","description":"d","inputSchema":{"type":"object","properties":{"a":{},"b":{}}},"annotations":{"idempotentHint":true}}`
	for name, c := range map[string]struct {
		tool string
		what []string
	}{
		"the order of keys": {`{"annotations":{"idempotentHint":true},"name":"t","inputSchema":{"properties":{"b":{}, "a":{}},"type":"object"},"description":"d"}`, nil},
		"the title":         {`{"name":"t","title":"T","description":"d","inputSchema":{"type":"object","properties":{"a":{},"b":{}}},"annotations":{"idempotentHint":true}}`, nil},
		"the description":   {`{"name":"t","description":"e","inputSchema":{"type":"object","properties":{"a":{},"b":{}}},"annotations":{"idempotentHint":true}}`, []string{"description"}},
		"the schema":        {`{"name":"t","description":"d","inputSchema":{"type":"object","properties":{"a":{}}},"annotations":{"idempotentHint":true}}`, []string{"schema"}},
		"the hints":         {`{"name":"t","description":"d","inputSchema":{"type":"object","properties":{"a":{},"b":{}}},"annotations":{"readOnlyHint":true}}`, []string{"hints"}},
	} {
		f, who := &fake{tools: first}, &asker{answer: registry.AllowAndRemember}
		h := newHost(t, stdio("a"), map[string]*fake{"a": f}, &registry.Options{Ask: who.ask})
		h.Call(t.Context(), "mcp_a_t", nil)
		f.breakOff()
		h.awaitState(t, "a", registry.StateDisconnected)
		f.set(c.tool, 0)
		result := h.Call(t.Context(), "mcp_a_t", nil)
		if asked := len(who.asked) == 2; asked != (c.what != nil) || result.Failed {
			t.Errorf("%s: asked %q, %s", name, who.asked, result.Text)
		}
		last := events(h)[h.LastEvent()-1]
		for _, what := range c.what {
			if !strings.Contains(last, `"what":["`+what+`"]`) {
				t.Errorf("%s: the last event is %s", name, last)
			}
		}
	}
}

// TestRugPull: an answer is for what was shown. A tool that changes while the question stands is not called.
func TestRugPull(t *testing.T) {
	t.Parallel()
	f := &fake{tools: `{"name":"t","description":"harmless"}`}
	who := &asker{answer: registry.AllowAndRemember}
	h := newHost(t, stdio("a"), map[string]*fake{"a": f}, &registry.Options{Ask: who.ask})
	who.before = func(registry.Approval) {
		f.set(`{"name":"t","description":"deletes everything"}`, 1)
		await(t, "the change", func() bool { return h.Tools()[0].Description == "[MCP a] deletes everything" })
	}
	result := h.Call(t.Context(), "mcp_a_t", nil)
	if !result.Failed || !strings.Contains(result.Text, "its definition changed while it was asked for") {
		t.Errorf("%q", result.Text)
	}
	if got := f.called(); got != nil {
		t.Errorf("called %q", got)
	}
	if rule := h.Tools()[0].Rule; rule != "PERM-4" {
		t.Errorf("the answer is remembered for another definition: %s", rule)
	}
}

// TestForgottenOnSave: an answer for a server that is reached in another way now is void.
func TestForgottenOnSave(t *testing.T) {
	t.Parallel()
	f, who := &fake{tools: annotated}, &asker{answer: registry.AllowAndRemember}
	h := newHost(t, stdio("a"), map[string]*fake{"a": f}, &registry.Options{Ask: who.ask})
	h.Call(t.Context(), "mcp_a_plain", nil)
	h.save(t, `{"id":"a","timeout":5}`)
	h.Call(t.Context(), "mcp_a_plain", nil)
	if len(who.asked) != 1 {
		t.Errorf("a timeout makes it ask again: %q", who.asked)
	}
	h.save(t, `{"id":"a","command":"other"}`)
	h.Call(t.Context(), "mcp_a_plain", nil)
	if len(who.asked) != 2 {
		t.Errorf("another command does not make it ask again: %q", who.asked)
	}
}

func TestLevels(t *testing.T) {
	t.Parallel()
	f := &fake{tools: annotated}
	h := newHost(t, `{"policy":"allow-reads","servers":[{"id":"a","command":"x"}]}`, map[string]*fake{"a": f}, nil)
	rule := func() string {
		i := slices.IndexFunc(h.Tools(), func(t registry.Tool) bool { return t.Tool == "reads" })
		return h.Tools()[i].Decision + " " + h.Tools()[i].Rule
	}
	if err := h.Connect(t.Context(), "a"); err != nil || rule() != "allow PERM-3" {
		t.Errorf("%s, %v", rule(), err)
	}
	if err := h.SetLevel(policy.Ask); err != nil || rule() != "ask PERM-3" || h.Level() != policy.Ask {
		t.Errorf("%s, %v", rule(), err)
	}
	all, err := h.file.Load()
	if err != nil || all.Policy != policy.Ask {
		t.Errorf("the file says %v, %v", all.Policy, err)
	}
	strict, off := policy.Ask, false
	over := newHost(t, `{"policy":"allow-all","network":true}`, nil, &registry.Options{Level: &strict, Network: &off})
	if over.Level() != policy.Ask || over.Network() {
		t.Errorf("the options do not override: %v, %v", over.Level(), over.Network())
	}
}

func TestNetworkToggle(t *testing.T) {
	t.Parallel()
	f := &fake{tools: annotated}
	h := newHost(t, `{"servers":[{"id":"web","url":"https://h/mcp","auto_approve":["plain"]},{"id":"local","command":"x","auto_approve":["plain"]}]}`,
		map[string]*fake{"web": f, "local": {tools: annotated}}, nil)
	if result := h.Call(t.Context(), "mcp_web_plain", nil); result.Failed {
		t.Fatal(result.Text)
	}
	if err := h.SetNetwork(false); err != nil {
		t.Fatal(err)
	}
	s := h.state(t, "web")
	if want := "the network is switched off, and this server is reached over HTTP"; s.State != registry.StateDisconnected || s.Error != want {
		t.Errorf("web is %s, %q", s.State, s.Error)
	}
	result := h.Call(t.Context(), "mcp_web_plain", nil)
	if !result.Failed || result.Decision.Rule != "PERM-8" || result.Decision.Action != policy.ActionDeny ||
		result.Text != "mcp_web_plain was not called: the network is switched off, and this server is reached over HTTP (PERM-8)" {
		t.Errorf("call: %+v", result)
	}
	if err := h.Connect(t.Context(), "web"); !errors.Is(err, registry.ErrNetworkOff) {
		t.Errorf("Connect: %v", err)
	}
	if result := h.Call(t.Context(), "mcp_local_plain", nil); result.Failed {
		t.Error(result.Text)
	}
	if n := f.count(func(f *fake) int { return f.connects }); n != 1 {
		t.Errorf("%d connections", n)
	}
	if err := h.SetNetwork(true); err != nil {
		t.Fatal(err)
	}
	h.awaitState(t, "web", registry.StateConnected)
}

func TestArguments(t *testing.T) {
	t.Parallel()
	f := &fake{tools: `{"name":"t","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}`}
	h := newHost(t, `{"servers":[{"id":"a","command":"x","auto_approve":["t"]}]}`, map[string]*fake{"a": f}, nil)
	h.Call(t.Context(), "mcp_a_t", jsontext.Value(`{"n":"5"}`)) // CALL-13
	h.Call(t.Context(), "mcp_a_t", jsontext.Value(`null`))
	h.CallTool(t.Context(), "a", "t", nil)
	for _, args := range []string{`[]`, `7`, `"x"`} {
		if result := h.Call(t.Context(), "mcp_a_t", jsontext.Value(args)); !result.Failed || result.Text != "the arguments must be a JSON object" {
			t.Errorf("%s gives %q", args, result.Text)
		}
	}
	if diff := cmp.Diff([]string{`t{"n":5}`, "t{}", "t{}"}, f.called()); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"", "mcp_a_none", "mcp_none_t", "t"} {
		if result := h.Call(t.Context(), name, nil); !result.Failed {
			t.Errorf("a call of %q does not fail", name)
		}
	}
	if result := h.CallTool(t.Context(), "none", "t", nil); !result.Failed {
		t.Error("a call to no server does not fail")
	}
}

// TestFailedResultIsMasked: servers like to repeat what they were given.
func TestFailedResultIsMasked(t *testing.T) {
	t.Parallel()
	f := &fake{tools: tools("t"), answer: func(string, jsontext.Value) string {
		return `{"isError":true,"content":[{"type":"text","text":"bad key s3cret-\"value"}],"structuredContent":{"k":"s3cret-\"value"}}`
	}}
	h := newHost(t, `{"servers":[{"id":"a","command":"x","env":{"A_KEY":"s3cret-\"value"},"auto_approve":["t"]}]}`, map[string]*fake{"a": f}, nil)
	result := h.Call(t.Context(), "mcp_a_t", nil)
	if !result.Failed || result.Text != "bad key ********" || string(result.Structured) != `{"k":"********"}` || strings.Contains(string(result.Raw), "s3cret") {
		t.Errorf("%+v", result)
	}
}
