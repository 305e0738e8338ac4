package steps

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/imurun/mcp-replay/mcp"
)

// serverSteps starts and stops the server that a feature is about.
var serverSteps = []Step{{
	Pattern: `^the server is started$`,
	Example: `Given the server is started`,
	Doc:     "Starts the server that the run or an earlier step names, and shakes hands with it.",
	Do:      mustStart,
}, {
	Pattern: `^the cassette "([^"]*)" is played$`,
	Example: `Given the cassette "cassettes/demo/notes.jsonl" is played`,
	Doc:     "Starts a player of the cassette in the server's place. The name is relative to the current folder.",
	Do: func(ctx context.Context, w *World, name string) error {
		w.SetTarget(Target{Cassette: w.RootPath(name)})
		return mustStart(ctx, w)
	},
}, {
	Pattern: `^a call may take (\d+ m?s)$`,
	Example: `Given a call may take 2 s`,
	Doc:     "Bounds each call of the scenario, before the server is started; it is 60 seconds otherwise.",
	Do: func(_ context.Context, w *World, limit time.Duration) error {
		if State[sessionState](w).client != nil {
			return errStarted
		}
		State[targetState](w).timeout = limit
		return nil
	},
}, {
	Pattern: `^the start may take (\d+ m?s)$`,
	Example: `Given the start may take 2 s`,
	Doc:     "Bounds starting the server and shaking hands, and each listing; it is 20 seconds otherwise.",
	Do: func(_ context.Context, w *World, limit time.Duration) error {
		if State[sessionState](w).client != nil {
			return errStarted
		}
		State[targetState](w).connectTimeout = limit
		return nil
	},
}, {
	Pattern: `^the host starts the server$`,
	Example: `When the host starts the server`,
	Doc:     "Starts the server; that it fails is no failure of the step, but must be mentioned by a later one.",
	Do:      tryStart,
}, {
	Pattern: `^the host pings the server$`,
	Example: `When the host pings the server`,
	Doc:     "Sends a ping and waits for the answer.",
	Do: func(ctx context.Context, w *World) error {
		c, err := w.Client()
		if err != nil {
			return err
		}
		_, err = c.Call(ctx, "ping", nil)
		return err
	},
}, {
	Pattern: `^the host closes the session$`,
	Example: `When the host closes the session`,
	Doc:     "Ends the session and the server, if it is a process of the host's.",
	Do:      closeSession,
}, {
	Pattern: `^the start fails with "([^"]*)"$`,
	Example: `Then the start fails with "the server exited with code 3"`,
	Doc:     "Compares the whole reason for which the server could not be started.",
	Do:      func(_ context.Context, w *World, want string) error { return startFails(w, want, sameText) },
}, {
	Pattern: `^the start fails with:$`,
	Example: "Then the start fails with:\n  \"\"\"\n  the server speaks protocol version \"1.0\"\n  \"\"\"",
	Doc:     "Compares the whole reason for which the server could not be started.",
	Do:      func(_ context.Context, w *World, want Doc) error { return startFails(w, string(want), sameText) },
}, {
	Pattern: `^the start fails with a reason that contains "([^"]*)"$`,
	Example: `Then the start fails with a reason that contains "2099-01-01"`,
	Doc:     "Looks for the text in the reason for which the server could not be started.",
	Do:      func(_ context.Context, w *World, want string) error { return startFails(w, want, containsText) },
}, {
	Pattern: `^the start takes (less|more) than (\d+ m?s)$`,
	Example: `Then the start takes less than 5 s`,
	Doc:     "Bounds how long it took to start the server and shake hands, or to fail.",
	Do: func(_ context.Context, w *World, side string, bound time.Duration) error {
		return bounded(State[sessionState](w).took, side, bound)
	},
}, {
	Pattern: `^the server is "([^"]*)"$`,
	Example: `Then the server is "demo"`,
	Doc:     "Compares the name that the server gives itself.",
	Do: withClient(func(c *mcp.Client, want string) error {
		return sameText(c.ServerInfo().Name, want)
	}),
}, {
	Pattern: `^the server is "([^"]*)" version "([^"]*)"$`,
	Example: `Then the server is "demo" version "1.0.0"`,
	Doc:     "Compares the name and the version that the server gives itself.",
	Do: func(_ context.Context, w *World, name, version string) error {
		c, err := w.Client()
		if err != nil {
			return err
		}
		info := c.ServerInfo()
		return sameText(info.Name+" version "+info.Version, name+" version "+version)
	},
}, {
	Pattern: `^the session speaks protocol version "([^"]*)"$`,
	Example: `Then the session speaks protocol version "2025-06-18"`,
	Doc:     "Compares the version that the server has answered.",
	Do: withClient(func(c *mcp.Client, want string) error {
		return sameText(c.ProtocolVersion(), want)
	}),
}, {
	Pattern: `^the server offers "([^"]*)"$`,
	Example: `Then the server offers "tools"`,
	Doc:     "Asserts that the server declares the capability; a slash leads into it, as in \"tools/listChanged\".",
	Do: withClient(func(c *mcp.Client, name string) error {
		_, err := at(c.Capabilities(), "/"+name)
		return err
	}),
}, {
	Pattern: `^the server does not offer "([^"]*)"$`,
	Example: `Then the server does not offer "resources"`,
	Doc:     "Asserts that the server does not declare the capability.",
	Do: withClient(func(c *mcp.Client, name string) error {
		if v, err := at(c.Capabilities(), "/"+name); err == nil {
			return fmt.Errorf("it offers it, as %s", v)
		}
		return nil
	}),
}, {
	Pattern: `^the server's instructions contain "([^"]*)"$`,
	Example: `Then the server's instructions contain "notebook"`,
	Doc:     "Looks for the text in what the server tells a model about itself.",
	Do: withClient(func(c *mcp.Client, want string) error {
		return containsText(c.Instructions(), want)
	}),
}, {
	Pattern: `^the server notifies the host of "([^"]*)"$`,
	Example: `Then the server notifies the host of "notifications/tools/list_changed"`,
	Doc:     "Waits up to 5 seconds for a notification with the method, if none has come since the start.",
	Do: func(ctx context.Context, w *World, method string) error {
		s := State[sessionState](w)
		return Eventually(ctx, func() error {
			if len(s.heard(method)) == 0 {
				return fmt.Errorf("it has not; it has notified of: %s", methods(s))
			}
			return nil
		})
	},
}, {
	Pattern: `^(\d+) recorded messages? (?:is|are) left unplayed$`,
	Example: `Then 2 recorded messages are left unplayed`,
	Doc:     "Counts the requests of the cassette that have not been made, and what the server would have sent by itself; else a scenario plays its own cassette to the end.",
	Do:      leftUnplayed,
}}

var errStarted = errors.New("the server is started already: say so before")

// withClient makes a step's function of what looks at the session only.
func withClient(f func(*mcp.Client, string) error) func(context.Context, *World, string) error {
	return func(_ context.Context, w *World, want string) error {
		c, err := w.Client()
		if err != nil {
			return err
		}
		return f(c, want)
	}
}

// mustStart starts the server; that it fails is the step's failure.
func mustStart(ctx context.Context, w *World) error {
	err := w.start(ctx)
	if State[sessionState](w).failure != nil {
		return &StartError{Err: err}
	}
	return err
}

func tryStart(ctx context.Context, w *World) error {
	s := State[sessionState](w)
	err := w.start(ctx)
	if s.failure == nil {
		return err
	}
	s.notice = w.Notice("the server could not be started: %v", s.failure)
	return nil
}

func startFails(w *World, want string, compare func(got, want string) error) error {
	s := State[sessionState](w)
	s.notice.Mention()
	switch {
	case s.failure != nil:
		return compare(s.failure.Error(), want)
	case s.client != nil:
		return errors.New("it does not: the server is started")
	}
	return &HintError{Err: errors.New("the host has not tried to start the server"), Hint: "put before it: When the host starts the server"}
}

func leftUnplayed(_ context.Context, w *World, want int) error {
	s := State[playState](w)
	if s.player == nil {
		return errors.New("no cassette is played")
	}
	s.mentioned = true
	if n := len(s.player.Unplayed()); n != want {
		return fmt.Errorf("there are %d", n)
	}
	return nil
}

func closeSession(_ context.Context, w *World) error {
	c, err := w.Client()
	if err != nil {
		return err
	}
	if err := c.Close(); err != nil {
		return err
	}
	return nil
}

// bounded compares a time with a bound on one side.
func bounded(took time.Duration, side string, bound time.Duration) error {
	if side == "less" && took >= bound || side == "more" && took <= bound {
		return fmt.Errorf("it takes %s", took.Round(time.Millisecond))
	}
	return nil
}

// methods lists what the server has notified the host of.
func methods(s *sessionState) string {
	var names []string
	for _, m := range s.heard("") {
		names = append(names, m.Method)
	}
	if names == nil {
		return "nothing"
	}
	return strings.Join(names, ", ")
}
