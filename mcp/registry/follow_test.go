package registry_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/imurun/mcp-replay/mcp/registry"
)

// TestFollow: what another program changes in the file is taken over, and what cannot be read changes nothing.
func TestFollow(t *testing.T) {
	t.Parallel()
	h := newHost(t, stdio("a"), map[string]*fake{"a": {tools: tools("x")}, "b": {tools: tools("y")}}, nil)
	h.Start()
	h.awaitState(t, "a", registry.StateConnected)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.Follow(ctx)
	}()
	put := func(text string) {
		if err := os.WriteFile(h.file.Path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	connected := func() bool {
		s, err := h.Server("b")
		return err == nil && s.State == registry.StateConnected
	}
	put(`{"mcp":` + stdio("a", "b") + `}`)
	await(t, "b to be connected", connected)
	put(`{"mcp":{"servers":[`)
	await(t, "a problem", func() bool { return len(h.Problems()) == 1 && strings.Contains(h.Problems()[0], "ends too early") })
	if !connected() {
		t.Error("a file that cannot be read ended a connection")
	}
	if err := os.Remove(h.file.Path); err != nil {
		t.Fatal(err)
	}
	put(`{"mcp":` + stdio("b") + `}`)
	await(t, "a to be gone", func() bool { _, err := h.Server("a"); return err != nil && len(h.Problems()) == 0 })
	if n := h.fakes["b"].count(func(f *fake) int { return f.connects }); n != 1 {
		t.Errorf("b, which did not change, was connected %d times", n)
	}
	cancel()
	<-ended
}
