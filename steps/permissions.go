package steps

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/imurun/mcp-replay/mcp/registry"
	"github.com/imurun/mcp-replay/mcp/settings"
	"github.com/imurun/mcp-replay/policy"
)

// permissionsSteps is about what is asked and what is allowed.
var permissionsSteps = []Step{{
	Pattern: `^the server "s" offers the tool "t" with the hints (\S+) and (\S+)$`,
	Example: `Given the server "s" offers the tool "t" with the hints true and absent`,
	Doc:     "Makes a server in memory with one tool, whose destructiveHint and readOnlyHint are the given JSON, or absent.",
	Do:      offersHinted,
}, {
	Pattern: `^the tool (is|is not) in auto_approve$`,
	Example: `Given the tool is in auto_approve`,
	Doc:     `Puts the tool "t" of the server "s" into the settings' auto_approve, or not.`,
	Do: func(_ context.Context, w *World, is string) error {
		list := []string{}
		if is == "is" {
			list = append(list, "t")
		}
		return savePatch(w, settings.Patch{ID: "s", AutoApprove: &list})
	},
}, {
	Pattern: `^a person (has|has not) allowed the tool before, to be remembered$`,
	Example: `Given a person has allowed the tool before, to be remembered`,
	Doc:     `Has the tool "t" of the server "s" called and allowed with "remember" under the policy ask, or not.`,
	Do:      allowedBefore,
}, {
	Pattern: `^the policy is "([^"]*)"$`,
	Example: `Given the policy is "allow-reads"`,
	Doc:     "Sets the policy in the settings, through the host where it is up.",
	Do:      setPolicy,
}, {
	Pattern: `^the network is (on|off)$`,
	Example: `Given the network is off`,
	Doc:     "Sets the network toggle in the settings, through the host where it is up.",
	Do: func(_ context.Context, w *World, to string) error {
		if s := host(w); s.registry != nil {
			return s.registry.SetNetwork(to == "on")
		}
		return updateSettings(w, func(e *settings.Edit) error { e.SetNetwork(to == "on"); return nil })
	},
}, {
	Pattern: `^the person who is asked (allows|allows and remembers|refuses)$`,
	Example: `Given the person who is asked allows and remembers`,
	Doc:     "Says how every question is answered from now on; without this step each is refused.",
	Do: func(_ context.Context, w *World, how string) error {
		s := host(w)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.answer = map[string]registry.Answer{"allows": registry.Allow, "allows and remembers": registry.AllowAndRemember}[how]
		return nil
	},
}, {
	Pattern: `^the call meets (ask|allow|deny), by (PERM-\d+)$`,
	Example: `Then the call meets ask, by PERM-4`,
	Doc:     "Compares the decision on the last call, its rule, and what came of it: the tool's own view before it, whether somebody was asked, and whether the server was called.",
	Do:      callMeets,
}, {
	Pattern: `^the person has been asked (\d+) times?$`,
	Example: `Then the person has been asked 1 time`,
	Doc:     "Counts the questions so far.",
	Do: func(_ context.Context, w *World, want int) error {
		s := host(w)
		s.mu.Lock()
		defer s.mu.Unlock()
		if got := len(s.asked); got != want {
			return fmt.Errorf("%d times", got)
		}
		return nil
	},
}, {
	Pattern: `^the person is asked about "([^"]*)" of "([^"]*)", with the arguments (.*)$`,
	Example: `Then the person is asked about "add" of "a", with the arguments {"n":1}`,
	Doc:     "Compares the last question: the server's name for the tool, the server's id, and the arguments.",
	Do:      askedAbout,
}, {
	Pattern: `^the decision on "([^"]*)" is (ask|allow|deny), by (PERM-\d+)$`,
	Example: `Then the decision on "mcp_s_t" is ask, by PERM-1`,
	Doc:     "Waits up to 5 seconds for the decision that a call of an offered tool would meet, and its rule.",
	Do: func(ctx context.Context, w *World, name, action, rule string) error {
		return Eventually(ctx, func() error {
			t, err := hostTool(w, name)
			if err != nil {
				return err
			}
			return sameText(t.Decision+" "+t.Rule, action+" "+rule)
		})
	},
}, {
	Pattern: `^the decision on "([^"]*)" is explained as "([^"]*)"$`,
	Example: `Then the decision on "mcp_s_t" is explained as "the settings approve this tool by name"`,
	Doc:     "Compares the words in which a decision is explained.",
	Do: func(_ context.Context, w *World, name, want string) error {
		t, err := hostTool(w, name)
		if err != nil {
			return err
		}
		return sameText(t.Why, want)
	},
}}

func offersHinted(_ context.Context, w *World, destructive, reads string) error {
	var hints []string
	for name, value := range map[string]string{"destructiveHint": destructive, "readOnlyHint": reads} {
		if value != "absent" {
			hints = append(hints, `"`+name+`":`+value)
		}
	}
	tools, err := toolLines(`{"name":"t","annotations":{` + strings.Join(hints, ",") + `}}`)
	if err != nil {
		return err
	}
	return host(w).give(w, "s", &memoryServer{tools: tools})
}

// savePatch saves through the host where it is up.
func savePatch(w *World, p settings.Patch) error {
	if s := host(w); s.registry != nil {
		_, err := s.registry.Save(p)
		return err
	}
	return updateSettings(w, func(e *settings.Edit) error { return e.Put(p) })
}

func setPolicy(_ context.Context, w *World, name string) error {
	level, err := policy.ParseLevel(name)
	if err != nil {
		return err
	}
	if s := host(w); s.registry != nil {
		return s.registry.SetLevel(level)
	}
	return updateSettings(w, func(e *settings.Edit) error { e.SetPolicy(level); return nil })
}

// allowedBefore has the answer remembered as a host would: by a call that was asked for.
func allowedBefore(ctx context.Context, w *World, has string) error {
	s := host(w)
	r, err := makeHost(w)
	if err != nil || has == "has not" {
		return err
	}
	if err := r.SetLevel(policy.Ask); err != nil {
		return err
	}
	s.answer = registry.AllowAndRemember
	result := r.Call(ctx, "mcp_s_t", nil)
	asked := len(s.asked)
	s.answer, s.asked = registry.Deny, nil
	switch {
	case result.Failed:
		return errors.New(result.Text)
	case asked != 1:
		return fmt.Errorf("the person was asked %d times, not once", asked)
	}
	return nil
}

func callMeets(_ context.Context, w *World, action, rule string) error {
	s := host(w)
	State[callState](w).notice.Mention()
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.call.Decision
	if got := d.Action.String() + " by " + d.Rule; got != action+" by "+rule {
		return fmt.Errorf("it meets %s: %s", got, s.call.Text)
	}
	if s.view != nil && (s.view.Decision != action || s.view.Rule != rule) {
		return fmt.Errorf("the tool was shown as %s by %s", s.view.Decision, s.view.Rule)
	}
	asked := len(s.asked) > s.before
	refused := errors.As(s.call.Err, new(*registry.RefusedError))
	switch {
	case asked != (action == "ask"):
		return fmt.Errorf("somebody was asked: %v", asked)
	case action == "allow" && s.call.Failed, action == "deny" && !refused:
		return errors.New(s.call.Text)
	case action == "ask" && refused != (s.answer == registry.Deny):
		return fmt.Errorf("the answer does not count: %s", s.call.Text)
	}
	return nil
}

func askedAbout(_ context.Context, w *World, tool, server, args string) error {
	s := host(w)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) == 0 {
		return errors.New("nobody was asked")
	}
	a := s.asked[len(s.asked)-1]
	return sameText(a.Tool+" of "+a.Server+" with "+string(a.Arguments), tool+" of "+server+" with "+args)
}
