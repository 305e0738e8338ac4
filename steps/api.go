package steps

import (
	"context"
	"fmt"
	"time"
)

// apiSteps is about the HTTP routes, the event stream and the page of "mcp-replay serve", as a client sees them.
var apiSteps = []Step{{
	Pattern: `^the settings have the demo server as "([^"]*)"$`,
	Example: `Given the settings have the demo server as "demo"`,
	Doc:     "Adds the built-in demo server to the settings, as a command; {mcp-replay} is the path of that.",
	Do:      settingsHaveDemo,
}, {
	Pattern: `^"([^"]*)" is given the mode (\d+)$`,
	Example: `Given ".imurun/api-token" is given the mode 644`,
	Doc:     "Changes the permissions of a file in the scenario's folder.",
	Do:      givesMode,
}, {
	Pattern: "^the user serves with `([^`]*)`$",
	Example: "Given the user serves with `mcp-replay serve --policy allow-reads`",
	Doc:     "Starts the built command in the scenario's folder, on a free port, and waits until it listens; {api} is its address, {token} the token.",
	Do:      userServes,
}, {
	Pattern: `^a client sends ([A-Z]+) (\S+)$`,
	Example: `When a client sends GET /api/mcp/servers`,
	Doc:     "Sends a request with the token and waits for its answer; an error must be mentioned.",
	Do: func(ctx context.Context, w *World, method, path string) error {
		return sends(ctx, w, &apiRequest{method: method, path: path})
	},
}, {
	Pattern: `^a client sends ([A-Z]+) (\S+) with:$`,
	Example: "When a client sends POST /api/mcp/servers with:\n  \"\"\"\n  {\"id\":\"a\",\"command\":\"x\"}\n  \"\"\"",
	Doc:     "The same with a body of JSON.",
	Do: func(ctx context.Context, w *World, method, path string, body Doc) error {
		return sends(ctx, w, &apiRequest{method: method, path: path, body: string(body)})
	},
}, {
	Pattern: `^a client sends ([A-Z]+) (\S+) with the header "([^"]*)" equal to "([^"]*)"$`,
	Example: `When a client sends GET /api/mcp/servers with the header "Host" equal to "evil.example"`,
	Doc:     "The same with a header, which stands in the place of what the client sends otherwise; an empty Authorization is none.",
	Do: func(ctx context.Context, w *World, method, path, name, value string) error {
		return sends(ctx, w, &apiRequest{method: method, path: path, header: map[string]string{name: value}})
	},
}, {
	Pattern: `^a client sends ([A-Z]+) (\S+) as "([^"]*)", with:$`,
	Example: "When a client sends POST /api/mcp/servers as \"text/plain\", with:\n  \"\"\"\n  hello\n  \"\"\"",
	Doc:     "The same with a body of another content type.",
	Do: func(ctx context.Context, w *World, method, path, kind string, body Doc) error {
		return sends(ctx, w, &apiRequest{method: method, path: path, body: string(body), header: map[string]string{"Content-Type": kind}})
	},
}, {
	Pattern: `^a client begins to send ([A-Z]+) (\S+) with:$`,
	Example: "When a client begins to send POST /api/mcp/tools/mcp_a_echo/call with:\n  \"\"\"\n  {\"arguments\":{}}\n  \"\"\"",
	Doc:     "Sends a request and does not wait for its answer; there is one such at a time.",
	Do:      beginsToSend,
}, {
	Pattern: `^the client gives the request up$`,
	Example: `When the client gives the request up`,
	Doc:     "Closes the connection of the request that was begun.",
	Do: func(_ context.Context, w *World) error {
		State[apiState](w).giveUp()
		return nil
	},
}, {
	Pattern: `^a client listens to the events$`,
	Example: `When a client listens to the events`,
	Doc:     "Opens the event stream and waits until it stands.",
	Do:      func(ctx context.Context, w *World) error { return listens(ctx, w, "") },
}, {
	Pattern: `^a client listens to the events after the event (\d+)$`,
	Example: `When a client listens to the events after the event 1`,
	Doc:     "Ends the stream that the client has, and opens one with the id of its n-th event as Last-Event-ID.",
	Do:      listensAfter,
}, {
	Pattern: `^a person (allows|allows and remembers|refuses) what is asked$`,
	Example: `When a person allows and remembers what is asked`,
	Doc:     "Waits up to 5 seconds for an approval and answers the oldest.",
	Do:      answersApproval,
}, {
	Pattern: `^the user stops it by (SIGTERM|SIGINT)$`,
	Example: `When the user stops it by SIGTERM`,
	Doc:     "Sends the served command a signal and waits for its end, a minute at most.",
	Do:      stopServing,
}, {
	Pattern: `^the host answers (\d+)$`,
	Example: `Then the host answers 204`,
	Doc:     "Compares the status of the last answer.",
	Do: func(_ context.Context, w *World, want int) error {
		return State[apiState](w).statusIs(want)
	},
}, {
	Pattern: `^the host answers (\d+), with:$`,
	Example: "Then the host answers 404, with:\n  \"\"\"\n  {\"error\":\"no server has the id \\\"x\\\"\"}\n  \"\"\"",
	Doc:     "Compares the status and the whole JSON of the last answer.",
	Do: func(_ context.Context, w *World, want int, body Doc) error {
		s := State[apiState](w)
		if err := s.statusIs(want); err != nil {
			return err
		}
		return jsonHas(s.last.body, "", string(body))
	},
}, {
	Pattern: `^the host's answer has "([^"]*)" equal to (.*)$`,
	Example: `Then the host's answer has "/state" equal to "connected"`,
	Doc:     "Compares what a JSON Pointer names in the last answer with the given JSON.",
	Do: func(_ context.Context, w *World, pointer, want string) error {
		return jsonHas(State[apiState](w).last.body, pointer, want)
	},
}, {
	Pattern: `^the host's answer has "([^"]*)" equal to:$`,
	Example: "Then the host's answer has \"/tools/0\" equal to:\n  \"\"\"\n  {\"name\":\"mcp_a_echo\"}\n  \"\"\"",
	Doc:     "The same with the JSON below it.",
	Do: func(_ context.Context, w *World, pointer string, want Doc) error {
		return jsonHas(State[apiState](w).last.body, pointer, string(want))
	},
}, {
	Pattern: `^the host's answer has the header "([^"]*)" equal to "([^"]*)"$`,
	Example: `Then the host's answer has the header "Allow" equal to "GET, POST"`,
	Doc:     "Compares a header of the last answer.",
	Do: func(_ context.Context, w *World, name, want string) error {
		return sameText(State[apiState](w).last.header.Get(name), want)
	},
}, {
	Pattern: `^the host's answer does not contain "([^"]*)"$`,
	Example: `Then the host's answer does not contain "hunter2hunter2"`,
	Doc:     "Asserts that the last answer does not hold the text.",
	Do: func(_ context.Context, w *World, text string) error {
		return lacksText(string(State[apiState](w).last.body), text)
	},
}, {
	Pattern: `^the request that was begun is answered (\d+), with "([^"]*)" equal to (.*)$`,
	Example: `Then the request that was begun is answered 200, with "/failed" equal to false`,
	Doc:     "Waits up to 10 seconds for the answer of that request, and compares status and what a JSON Pointer names.",
	Do:      begunIsAnswered,
}, {
	Pattern: `^the approvals are "([^"]*)" equal to (.*)$`,
	Example: `Then the approvals are "/approvals/0/tool" equal to "echo"`,
	Doc:     "Waits up to 5 seconds for what a JSON Pointer names in the list of approvals to be the given JSON.",
	Do: func(ctx context.Context, w *World, pointer, want string) error {
		return Eventually(ctx, func() error {
			a, err := State[apiState](w).exchange(ctx, &apiRequest{method: "GET", path: "/api/mcp/approvals"})
			if err != nil {
				return err
			}
			return jsonHas(a.body, pointer, want)
		})
	},
}, {
	Pattern: `^the client has got the events:$`,
	Example: "Then the client has got the events:\n  \"\"\"\n  mcp.disconnected {\"id\":\"a\",\"name\":\"a\",\"reason\":\"disconnected by the user\"}\n  \"\"\"",
	Doc:     "Waits up to 5 seconds for as many events on the client's stream, and compares type and data of all.",
	Do:      gotEvents,
}, {
	Pattern: `^the ids of the events rise by 1$`,
	Example: `Then the ids of the events rise by 1`,
	Doc:     "Looks at the ids of the events that the client has got.",
	Do:      func(_ context.Context, w *World) error { return idsRise(w) },
}, {
	Pattern: `^the served command ends with exit code (\d+) within (\d+ m?s)$`,
	Example: `Then the served command ends with exit code 0 within 4 s`,
	Doc:     "Compares how the served command ended, and how long after the signal.",
	Do: func(_ context.Context, w *World, want int, limit time.Duration) error {
		s := State[apiState](w)
		if !s.ended {
			return fmt.Errorf("it has not ended")
		}
		if s.took > limit || s.code != want {
			return fmt.Errorf("it ended with exit code %d after %v\n%s", s.code, s.took.Round(time.Millisecond), s.log.String())
		}
		return nil
	},
}, {
	Pattern: `^the log is JSON, line by line$`,
	Example: `Then the log is JSON, line by line`,
	Doc:     "Asserts that the served command has written to stderr objects alone, each with time, level and msg.",
	Do:      func(_ context.Context, w *World) error { return logIsJSON(w) },
}, {
	Pattern: `^the log contains:$`,
	Example: "Then the log contains:\n  \"\"\"\n  \"level\":\"INFO\"\n  \"\"\"",
	Doc:     "Waits up to 5 seconds for a text in what the served command writes to stderr.",
	Do: func(ctx context.Context, w *World, want Doc) error {
		return Eventually(ctx, func() error { return containsText(State[apiState](w).log.String(), string(want)) })
	},
}, {
	Pattern: `^the log does not contain "([^"]*)"$`,
	Example: `Then the log does not contain "hunter2hunter2"`,
	Doc:     "Asserts that the served command has not written the text to stderr.",
	Do: func(_ context.Context, w *World, text string) error {
		return lacksText(State[apiState](w).log.String(), text)
	},
}}
