package policy_test

import (
	"fmt"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/policy"
)

// TestDecide is the whole table: every tool, level and memory, with the decision and the rule that made it.
func TestDecide(t *testing.T) {
	t.Parallel()
	allow, ask, deny := policy.ActionAllow, policy.ActionAsk, policy.ActionDeny
	unknown := policy.Level(9)
	type levels [4]policy.Decision // ask, allow-reads, allow-all, unknown
	same := func(d policy.Decision) levels { return levels{d, d, d, d} }
	p1 := same(policy.Decision{Action: ask, Rule: "PERM-1"})
	p2 := same(policy.Decision{Action: allow, Rule: "PERM-2"})
	p4 := same(policy.Decision{Action: ask, Rule: "PERM-4", MayRemember: true})
	p6 := same(policy.Decision{Action: allow, Rule: "PERM-6"})
	p8 := same(policy.Decision{Action: deny, Rule: "PERM-8"})
	readAsk := policy.Decision{Action: ask, Rule: "PERM-3", MayRemember: true}
	readAllow := policy.Decision{Action: allow, Rule: "PERM-3"}
	kept := policy.Decision{Action: allow, Rule: "PERM-6"}

	for _, c := range []struct {
		destructive, readOnly, auto bool
		remembered                  policy.Remembered
		want                        levels
	}{
		{false, false, false, false, p4},
		{false, false, false, true, p6},
		{false, false, true, false, p2},
		{false, false, true, true, p2},
		{false, true, false, false, levels{readAsk, readAllow, readAllow, readAsk}},
		{false, true, false, true, levels{kept, readAllow, readAllow, kept}},
		{false, true, true, false, p2},
		{false, true, true, true, p2},
		{true, false, false, false, p1},
		{true, false, false, true, p1},
		{true, false, true, false, p1},
		{true, false, true, true, p1},
		{true, true, false, false, p1},
		{true, true, false, true, p1},
		{true, true, true, false, p1},
		{true, true, true, true, p1},
	} {
		for _, offline := range []bool{false, true} {
			for i, level := range []policy.Level{policy.Ask, policy.AllowReads, policy.AllowAll, unknown} {
				tool := policy.Tool{
					Hints:       policy.Hints{Destructive: c.destructive, ReadOnly: c.readOnly},
					AutoApprove: c.auto, Offline: offline,
				}
				want := c.want[i]
				if offline {
					want = p8[i]
				}
				got := policy.Decide(tool, level, c.remembered)
				if got != want {
					t.Errorf("Decide(%+v, %v, %v) = %+v, want %+v", tool, level, c.remembered, got, want)
				}
				if got.Why() == "" {
					t.Errorf("Decide(%+v, %v, %v): no reason for %s", tool, level, c.remembered, got.Rule)
				}
			}
		}
	}
}

func TestReadHints(t *testing.T) {
	t.Parallel()
	none := policy.Hints{}
	destructive := policy.Hints{Destructive: true}
	reads := policy.Hints{ReadOnly: true}
	for _, c := range []struct {
		annotations string
		want        policy.Hints
	}{
		{``, none},
		{`  `, none},
		{`null`, none},
		{`{}`, none},
		{`[]`, none},
		{`[ ]`, none},
		{`{"title":"x","openWorldHint":true}`, none},
		{`{"destructiveHint":true}`, destructive},
		{`{"destructiveHint":false}`, none},
		{`{"destructiveHint":null}`, none},
		{`{"destructiveHint":"false"}`, destructive},
		{`{"destructiveHint":0}`, destructive},
		{`{"destructiveHint":{}}`, destructive},
		{`{"destructiveHint":[false]}`, destructive},
		{`{"destructiveHint":true,"destructiveHint":false}`, destructive},
		{`{"DestructiveHint":true}`, none},
		{`{"\u0064estructiveHint":true}`, destructive},
		{`{"readOnlyHint":true}`, reads},
		{` {"readOnlyHint" : true } `, reads},
		{`{"readOnlyHint":false}`, none},
		{`{"readOnlyHint":null}`, none},
		{`{"readOnlyHint":"true"}`, none},
		{`{"readOnlyHint":1}`, none},
		{`{"readOnlyHint":true,"readOnlyHint":false}`, none},
		{`{"readOnlyHint":false,"readOnlyHint":true}`, none},
		{`{"ReadOnlyHint":true}`, none},
		{`{"readOnlyHint":true,"destructiveHint":true}`, policy.Hints{Destructive: true, ReadOnly: true}},
		{`{"title":"` + "\xff" + `","readOnlyHint":true}`, reads},
		{`"readOnlyHint"`, destructive},
		{`true`, destructive},
		{`7`, destructive},
		{`[{"readOnlyHint":true}]`, destructive},
		{`[`, destructive},
		{`{`, destructive},
		{`{"a`, destructive},
		{`{"a"`, destructive},
		{`{"readOnlyHint":true`, destructive},
		{`{"readOnlyHint":tru`, destructive},
		{`{"readOnlyHint":true,,}`, destructive},
	} {
		if got := policy.ReadHints(jsontext.Value(c.annotations)); got != c.want {
			t.Errorf("ReadHints(%s) = %+v, want %+v", c.annotations, got, c.want)
		}
	}
}

func TestLevel(t *testing.T) {
	t.Parallel()
	for name, level := range map[string]policy.Level{
		"ask": policy.Ask, "allow-reads": policy.AllowReads, "allow-all": policy.AllowAll,
	} {
		got, err := policy.ParseLevel(name)
		if err != nil || got != level {
			t.Errorf("ParseLevel(%q) = %v, %v", name, got, err)
		}
		if level.String() != name {
			t.Errorf("%d.String() = %q, want %q", level, level, name)
		}
	}
	for _, name := range []string{"", "Ask", "allow", "deny"} {
		got, err := policy.ParseLevel(name)
		if err == nil || got != policy.Ask {
			t.Errorf("ParseLevel(%q) = %v, %v, want ask and an error", name, got, err)
		}
	}
	if got := policy.Level(7).String(); got != "Level(7)" {
		t.Errorf("Level(7).String() = %q", got)
	}
}

func TestAction(t *testing.T) {
	t.Parallel()
	for action, want := range map[policy.Action]string{
		policy.ActionAsk: "ask", policy.ActionAllow: "allow", policy.ActionDeny: "deny", policy.Action(9): "ask",
	} {
		if got := action.String(); got != want {
			t.Errorf("Action(%d).String() = %q, want %q", action, got, want)
		}
	}
}

func ExampleDecide() {
	annotations := jsontext.Value(`{"readOnlyHint": "true"}`) // a string: odd input never opens a door
	d := policy.Decide(policy.Tool{Hints: policy.ReadHints(annotations)}, policy.AllowReads, false)
	fmt.Printf("%s by %s: %s\n", d.Action, d.Rule, d.Why())
	// Output: ask by PERM-4: the server does not say that this tool only reads
}
