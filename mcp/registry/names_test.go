package registry_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/registry"
	"github.com/imurun/mcp-replay/mcp/settings"
)

func TestNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 200)
	cut := func(id, tool, suffix string) string {
		sum := sha256.Sum256([]byte(id + "\x00" + tool + "\x00" + suffix))
		return ("mcp_" + id + "_" + tool + suffix)[:55] + fmt.Sprintf("_%x", sum[:4])
	}
	var n registry.Names
	for _, c := range []struct{ id, tool, want string }{
		{"files", "read_file", "mcp_files_read_file"},
		{"files", "read-file", "mcp_files_read_file_2"},
		{"files", "Read.File", "mcp_files_read_file_3"},
		{"files", "read_file", "mcp_files_read_file"},
		{"files", "read_file_2", "mcp_files_read_file_2_2"},
		{"my-files", "a b/c", "mcp_my_files_a_b_c"},
		{"my_files", "a.b.c", "mcp_my_files_a_b_c_2"},
		{"x", "検索", "mcp_x___"},
		{"x", "é", "mcp_x__"},
		{"x", "e\u0301", "mcp_x_e_"},
		{"x", "a\nb", "mcp_x_a_b"},
		{"x", "a\xffb", "mcp_x_a_b_2"},
		{"x", "9lives", "mcp_x_9lives"},
		{"x", "__proto__", "mcp_x___proto__"},
		{"x", strings.Repeat("n", 58), "mcp_x_" + strings.Repeat("n", 58)},
		{"x", strings.Repeat("n", 59), cut("x", strings.Repeat("n", 59), "")},
		{"x", long, cut("x", long, "")},
		{"x", strings.Repeat("N", 58), cut("x", strings.Repeat("N", 58), "_2")[:6] + strings.Repeat("n", 49) + cut("x", strings.Repeat("N", 58), "_2")[55:]},
	} {
		got := n.Assign(c.id, c.tool)
		if got != c.want {
			t.Errorf("Assign(%q, %.20q) = %q, want %q", c.id, c.tool, got, c.want)
		}
		if len(got) > 64 {
			t.Errorf("%q is %d long", got, len(got))
		}
	}
}

// TestNameCollisions is fault 44: the same names whatever connects first, each its own tool.
func TestNameCollisions(t *testing.T) {
	t.Parallel()
	order := []string{"foo-bar", "foo_bar", "a", "a__b"}
	offered := map[string]string{
		"foo-bar": tools("search", "x.y", "x_y"), "foo_bar": tools("search"), "a": tools("_b_c"), "a__b": tools("c"),
	}
	want := []string{
		"mcp_foo_bar_search foo-bar search", "mcp_foo_bar_x_y foo-bar x.y", "mcp_foo_bar_x_y_2 foo-bar x_y",
		"mcp_foo_bar_search_2 foo_bar search", "mcp_a__b_c a _b_c", "mcp_a__b_c_2 a__b c",
	}
	for _, first := range order {
		holds, fakes := map[string]chan struct{}{}, map[string]*fake{}
		for _, id := range order {
			holds[id] = make(chan struct{})
			fakes[id] = &fake{tools: offered[id], hold: holds[id]}
		}
		h := newHost(t, stdio(order...), fakes, nil)
		h.Start()
		close(holds[first])
		h.awaitState(t, first, registry.StateConnected)
		for _, id := range slices.Backward(order) {
			if id != first {
				close(holds[id])
				h.awaitState(t, id, registry.StateConnected)
			}
		}
		var got []string
		for _, tool := range h.Tools() {
			got = append(got, tool.Name+" "+tool.Server+" "+tool.Tool)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s first: %s", first, diff)
		}
	}
}

// TestNameWaits: the tools of a later server wait for the first attempt of an earlier one only where their names could
// clash, and for a failed one no longer.
func TestNameWaits(t *testing.T) {
	t.Parallel()
	hold := make(chan struct{})
	h := newHost(t, stdio("foo-bar", "foo_bar", "other"), map[string]*fake{
		"foo-bar": {hold: hold}, "foo_bar": {tools: tools("t")}, "other": {tools: tools("t")},
	}, nil)
	h.Start()
	h.awaitState(t, "foo_bar", registry.StateConnected)
	h.awaitState(t, "other", registry.StateConnected)
	if diff := cmp.Diff([]string{"mcp_other_t"}, h.names()); diff != "" {
		t.Error(diff)
	}
	if err := h.Disconnect("foo-bar"); err != nil {
		t.Fatal(err)
	}
	close(hold)
	await(t, "the names", func() bool { return slices.Equal(h.names(), []string{"mcp_foo_bar_t", "mcp_other_t"}) })
}

// TestNameKept: a tool keeps its name whatever is listed beside it later (NAME-3), and over a reconnect (LIFE-8).
func TestNameKept(t *testing.T) {
	t.Parallel()
	f := &fake{tools: tools("x.y", "x_y")}
	h := newHost(t, `{"servers":[{"id":"a","command":"x","auto_approve":["x.y","x_y","x-y"]}]}`, map[string]*fake{"a": f}, nil)
	if err := h.Connect(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	f.set(tools("x-y", "x_y"), 1)
	await(t, "the new tool", func() bool { return slices.Contains(h.names(), "mcp_a_x_y_3") })
	if diff := cmp.Diff([]string{"mcp_a_x_y_3", "mcp_a_x_y_2"}, h.names()); diff != "" {
		t.Error(diff)
	}
	f.breakOff()
	h.awaitState(t, "a", registry.StateDisconnected)
	f.set(tools("x.y", "x-y", "x_y"), 0)
	if result := h.Call(t.Context(), "mcp_a_x_y_2", nil); result.Failed {
		t.Error(result.Text)
	}
	if diff := cmp.Diff([]string{"mcp_a_x_y", "mcp_a_x_y_3", "mcp_a_x_y_2"}, h.names()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"x_y{}"}, f.called()); diff != "" {
		t.Error(diff)
	}
}

func TestPassThrough(t *testing.T) {
	t.Parallel()
	const listed = `{"name":"t","description":"Says \"hi\".","inputSchema":{ "type" : "object","x":1.0},"annotations":{"readOnlyHint": true}}`
	h := newHost(t, `{"servers":[{"id":"a","name":"My server","command":"x"}]}`, map[string]*fake{"a": {tools: listed}}, nil)
	if err := h.Connect(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	got := h.Tools()[0]
	if got.Description != `[MCP My server] Says "hi".` || string(got.InputSchema) != `{ "type" : "object","x":1.0}` ||
		string(got.Annotations) != `{"readOnlyHint": true}` {
		t.Errorf("got %+v", got)
	}
}

func ExampleRegistry() {
	home, err := os.MkdirTemp("", "registry")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(home)
	r, err := registry.New(settings.In(home), &registry.Options{
		// A server in this program; without this the registry starts commands and connects to addresses.
		Transport: func(*settings.Resolved, mcp.Tap) (mcp.Transport, error) {
			return &fake{tools: `{"name":"read","annotations":{"readOnlyHint":true}}`}, nil
		},
		Ask: func(_ context.Context, a registry.Approval) registry.Answer {
			fmt.Printf("may %s be called? %s\n", a.Name, a.Decision.Why())
			return registry.AllowAndRemember
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()

	command := "notes-server"
	if _, err := r.Save(settings.Patch{ID: "notes", Command: &command}); err != nil {
		fmt.Println(err)
		return
	}
	result := r.Call(context.Background(), "mcp_notes_read", nil)
	fmt.Println(result.Failed, result.Text)
	for _, tool := range r.Tools() {
		fmt.Println(tool.Name, tool.Decision, tool.Rule)
	}
	// Output:
	// may mcp_notes_read be called? the server says that this tool only reads
	// false ok
	// mcp_notes_read allow PERM-6
}
