package steps

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/registry"
)

// lifecycleSteps is about the life of a server's connection.
var lifecycleSteps = []Step{{
	Pattern: `^the server "([^"]*)" offers the tools:$`,
	Example: "Given the server \"a\" offers the tools:\n  \"\"\"\n  echo\n  {\"name\":\"add\",\"inputSchema\":{\"type\":\"object\"}}\n  \"\"\"",
	Doc:     "Makes a server in memory that offers tools, a line each, by name or as JSON, and answers every call with \"ok\"; the settings get it where they lack it.",
	Do: func(_ context.Context, w *World, id string, list Doc) error {
		tools, err := toolLines(string(list))
		if err != nil {
			return err
		}
		return host(w).give(w, id, &memoryServer{tools: tools})
	},
}, {
	Pattern: `^the server "([^"]*)" is played from "([^"]*)"$`,
	Example: `Given the server "files" is played from "cassettes/servers/npm/filesystem.jsonl"`,
	Doc:     "Puts a player of a recorded session in the place of a server; the settings get it where they lack it.",
	Do: func(_ context.Context, w *World, id, cassette string) error {
		host(w).players[id] = cassette
		return addToSettings(w, id)
	},
}, {
	Pattern: `^the server "([^"]*)" hangs when it is connected$`,
	Example: `Given the server "slow" hangs when it is connected`,
	Doc:     "Makes a server in memory that never answers initialize.",
	Do: func(_ context.Context, w *World, id string) error {
		return host(w).give(w, id, &memoryServer{hangs: true})
	},
}, {
	Pattern: `^the server "([^"]*)" cannot be reached, for "([^"]*)"$`,
	Example: `Given the server "a" cannot be reached, for "connection refused"`,
	Doc:     "Lets every connection to a server in memory fail, from now on.",
	Do: func(_ context.Context, w *World, id, reason string) error {
		return refuseConnections(w, id, reason)
	},
}, {
	Pattern: `^the server "([^"]*)" does not answer calls$`,
	Example: `Given the server "a" does not answer calls`,
	Doc:     "Lets a server in memory take calls and never answer them.",
	Do: func(_ context.Context, w *World, id string) error {
		m, err := host(w).memory(id)
		if err != nil {
			return err
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		m.silent = true
		return nil
	},
}, {
	Pattern: `^the host is up$`,
	Example: `When the host is up`,
	Doc:     "Makes the host over the scenario's settings and starts it: enabled servers connect in the background.",
	Do: func(_ context.Context, w *World) error {
		r, err := makeHost(w)
		if err == nil {
			r.Start()
		}
		return err
	},
}, {
	Pattern: `^the host connects "([^"]*)"$`,
	Example: `When the host connects "a"`,
	Doc:     "Connects one server and waits until that has come to an end; a failure must be mentioned.",
	Do: func(ctx context.Context, w *World, id string) error {
		r, err := makeHost(w)
		if err != nil {
			return err
		}
		host(w).tried(w, fmt.Sprintf("connecting %q", id), r.Connect(ctx, id))
		return nil
	},
}, {
	Pattern: `^a person disconnects "([^"]*)"$`,
	Example: `When a person disconnects "a"`,
	Doc:     "Ends the connection to a server.",
	Do: func(_ context.Context, w *World, id string) error {
		r, err := host(w).up()
		if err != nil {
			return err
		}
		return r.Disconnect(id)
	},
}, {
	Pattern: `^the server "([^"]*)" breaks off$`,
	Example: `When the server "a" breaks off`,
	Doc:     "Ends the connection from the server's side, and waits until the host has seen it.",
	Do:      breakOff,
}, {
	Pattern: `^the server "([^"]*)" breaks off in (\d+ m?s)$`,
	Example: `When the server "a" breaks off in 50 ms`,
	Doc:     "Ends the connection from the server's side after that time, while the next steps run.",
	Do: func(_ context.Context, w *World, id string, delay time.Duration) error {
		m, err := host(w).memory(id)
		if err == nil {
			time.AfterFunc(delay, m.breakOff)
		}
		return err
	},
}, {
	Pattern: `^the server "([^"]*)" changes its tools to:$`,
	Example: "When the server \"a\" changes its tools to:\n  \"\"\"\n  echo\n  new\n  \"\"\"",
	Doc:     "Gives a server in memory other tools, and lets it say so to who is connected.",
	Do: func(_ context.Context, w *World, id string, list Doc) error {
		tools, err := toolLines(string(list))
		if err != nil {
			return err
		}
		m, err := host(w).memory(id)
		if err == nil {
			m.change(tools, 1)
		}
		return err
	},
}, {
	Pattern: `^the server "([^"]*)" says (\d+) times that its tools have changed$`,
	Example: `When the server "a" says 200 times that its tools have changed`,
	Doc:     "Sends a burst of notifications/tools/list_changed; the tools are the same.",
	Do: func(_ context.Context, w *World, id string, times int) error {
		m, err := host(w).memory(id)
		if err == nil {
			m.change(nil, times)
		}
		return err
	},
}, {
	Pattern: `^the host calls "([^"]*)"$`,
	Example: `When the host calls "mcp_a_echo"`,
	Doc:     "Calls a tool by the name that the host sees, without arguments; a failed result must be mentioned.",
	Do:      func(ctx context.Context, w *World, name string) error { return callHost(ctx, w, name, nil) },
}, {
	Pattern: `^the host calls "([^"]*)" with:$`,
	Example: "When the host calls \"mcp_a_echo\" with:\n  | text | hi |",
	Doc:     "Calls a tool by the name that the host sees, with arguments; a failed result must be mentioned.",
	Do: func(ctx context.Context, w *World, name string, args Arguments) error {
		return callHost(ctx, w, name, jsontext.Value(args))
	},
}, {
	Pattern: `^the host makes (\d+) calls of "([^"]*)" at once$`,
	Example: `When the host makes 20 calls of "mcp_a_echo" at once`,
	Doc:     "Calls a tool so many times side by side, and waits for all results.",
	Do:      callBurst,
}, {
	Pattern: `^the host closes$`,
	Example: `When the host closes`,
	Doc:     "Ends the host as at its orderly exit, and waits until its servers are gone.",
	Do: func(_ context.Context, w *World) error {
		r, err := host(w).up()
		if err != nil {
			return err
		}
		return r.Close()
	},
}, {
	Pattern: "^the program `([^`]*)` is ended by (SIGINT|SIGKILL|SIGTERM) once there is a file \"([^\"]*)\"$",
	Example: "When the program `{mcp-replay} serve --home .imurun` is ended by SIGKILL once there is a file \"child.pid\"",
	Doc:     "Starts a program in the scenario's folder, with {mcp-replay} for the path of the command, sends it the signal when the file is there, and waits for its end.",
	Do:      killProgram,
}, {
	Pattern: `^"([^"]*)" (is connected|is connecting|is disconnected|is disabled|is failed|needs credentials)$`,
	Example: `Then "a" is connected`,
	Doc:     "Waits up to 5 seconds for the server's state.",
	Do:      stateIs,
}, {
	Pattern: `^"([^"]*)" (is disconnected|is failed|needs credentials), for "(.*)"$`,
	Example: `Then "a" is failed, for "no such host"`,
	Doc:     "Waits up to 5 seconds for the server's state, and compares the reason that is shown for it.",
	Do:      stateIsFor,
}, {
	Pattern: `^"([^"]*)" has been connected (\d+) times?$`,
	Example: `Then "a" has been connected 1 time`,
	Doc:     "Waits up to 5 seconds for so many attempts to connect the server, and then half a second for one too many.",
	Do:      connectedTimes,
}, {
	Pattern: `^one connection to "([^"]*)" stands$`,
	Example: `Then one connection to "a" stands`,
	Doc:     "Waits up to 5 seconds until all connections to a server in memory but one have ended.",
	Do:      func(ctx context.Context, w *World, id string) error { return connectionsStand(ctx, w, id, 1) },
}, {
	Pattern: `^no connection to "([^"]*)" stands$`,
	Example: `Then no connection to "a" stands`,
	Doc:     "Waits up to 5 seconds until all connections to a server in memory have ended.",
	Do:      func(ctx context.Context, w *World, id string) error { return connectionsStand(ctx, w, id, 0) },
}, {
	Pattern: `^"([^"]*)" has been listed (\d+) times?$`,
	Example: `Then "a" has been listed 2 times`,
	Doc:     "Waits up to 5 seconds for so many listings of a server in memory, and then half a second for one too many.",
	Do:      listedTimes,
}, {
	Pattern: `^"([^"]*)" has got the calls:$`,
	Example: "Then \"a\" has got the calls:\n  | \"echo\"{} |",
	Doc:     "Compares the calls that a server in memory has got, tool and arguments as they came, in their order.",
	Do:      gotCalls,
}, {
	Pattern: `^connecting fails with "(.*)"$`,
	Example: `Then connecting fails with "the server is disabled"`,
	Doc:     "Compares the whole reason for which a server could not be connected.",
	Do:      func(_ context.Context, w *World, want string) error { return host(w).failsWith(want, sameText) },
}, {
	Pattern: `^connecting fails with a reason that contains "([^"]*)"$`,
	Example: `Then connecting fails with a reason that contains "WWW-Authenticate"`,
	Doc:     "Looks for the text in the reason for which a server could not be connected.",
	Do:      func(_ context.Context, w *World, want string) error { return host(w).failsWith(want, containsText) },
}, {
	Pattern: `^all (\d+) calls succeed$`,
	Example: `Then all 20 calls succeed`,
	Doc:     "Asserts that none of the calls that were made at once failed.",
	Do: func(_ context.Context, w *World, count int) error {
		return burstIs(w, count, func(r registry.Result) error {
			if r.Failed {
				return errors.New(r.Text)
			}
			return nil
		})
	},
}, {
	Pattern: `^all (\d+) calls fail with a text that contains "([^"]*)"$`,
	Example: `Then all 20 calls fail with a text that contains "outcome unknown"`,
	Doc:     "Asserts that each of the calls that were made at once failed so.",
	Do: func(_ context.Context, w *World, count int, want string) error {
		return burstIs(w, count, func(r registry.Result) error {
			if !r.Failed {
				return fmt.Errorf("one succeeds: %s", r.Text)
			}
			return containsText(r.Text, want)
		})
	},
}, {
	Pattern: `^the events are:$`,
	Example: "Then the events are:\n  \"\"\"\n  mcp.disconnected {\"id\":\"a\",\"name\":\"a\",\"reason\":\"disconnected by the user\"}\n  \"\"\"",
	Doc:     "Waits up to 5 seconds for as many events, and compares them all, a line each: type and data.",
	Do:      eventsAre,
}, {
	Pattern: `^the events end with:$`,
	Example: "Then the events end with:\n  \"\"\"\n  mcp.error {\"id\":\"a\",\"name\":\"a\",\"error\":\"no\"}\n  \"\"\"",
	Doc:     "Waits up to 5 seconds until the last event is this one: type and data.",
	Do: func(ctx context.Context, w *World, want Doc) error {
		r, err := host(w).up()
		if err != nil {
			return err
		}
		return Eventually(ctx, func() error {
			lines := eventLines(ctx, r)
			if len(lines) == 0 {
				return errors.New("there is none")
			}
			return sameText(lines[len(lines)-1], string(want))
		})
	},
}, {
	Pattern: `^"([^"]*)" has got no calls$`,
	Example: `Then "a" has got no calls`,
	Doc:     "Asserts that no call has reached a server in memory.",
	Do:      func(ctx context.Context, w *World, id string) error { return gotCalls(ctx, w, id, nil) },
}, {
	Pattern: `^the process in the file "([^"]*)" has ended$`,
	Example: `Then the process in the file "child.pid" has ended`,
	Doc:     "Waits up to 5 seconds for the end of the process whose id stands in the file.",
	Do:      processEnded,
}}
