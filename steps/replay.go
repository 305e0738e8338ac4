package steps

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// replaySteps is about playing cassettes.
var replaySteps = []Step{{
	Pattern: `^a cassette "([^"]*)" with:$`,
	Example: "Given a cassette \"session.jsonl\" with:\n  \"\"\"\n  > {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n  < {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n  {\"from\":\"server\",\"exit\":{\"code\":3}}\n  \"\"\"",
	Doc: "Writes a cassette from stdio: a line with > is a message of the client, one with < a message of the server, any other a frame " +
		"without its time. The frames are a tenth of a second apart.",
	Do: func(_ context.Context, w *World, name string, lines Doc) error {
		return writeCassette(w, name, `"transport":"stdio","server":{"command":"recorded"},"rules":{"built-in":1}`, string(lines))
	},
}, {
	Pattern: `^a cassette "([^"]*)" from HTTP with:$`,
	Example: "Given a cassette \"session.jsonl\" from HTTP with:\n  \"\"\"\n  1 > POST {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n  1 < 200 application/json\n  1 < {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n  1 < end\n  \"\"\"",
	Doc: "Writes a cassette from HTTP, in session 1. A line begins with the number of its exchange; > POST with a message or > GET is a request, < with a " +
		"status and a content type the head of its answer, < with JSON a message, < end, < reset or < with text in quotes the rest.",
	Do: func(_ context.Context, w *World, name string, lines Doc) error {
		frames, err := httpFrames(string(lines))
		if err != nil {
			return err
		}
		return writeCassette(w, name, `"transport":"http","server":{"url":"http://127.0.0.1/mcp"},"rules":{"built-in":1}`, frames)
	},
}, {
	Pattern: `^a cassette "([^"]*)" of the redaction rules "([^"]*)" with:$`,
	Example: "Given a cassette \"session.jsonl\" of the redaction rules \"sha256:1\" with:\n  \"\"\"\n  > {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n  \"\"\"",
	Doc:     "Writes a cassette that says it was recorded under redaction rules of the user's with this digest.",
	Do: func(_ context.Context, w *World, name, digest string, lines Doc) error {
		return writeCassette(w, name, `"transport":"stdio","server":{"command":"recorded"},"rules":{"built-in":1,"user":"`+digest+`"}`, string(lines))
	},
}, {
	Pattern: `^the cassette "([^"]*)" is served over HTTP$`,
	Example: `Given the cassette "session.jsonl" is served over HTTP`,
	Doc:     "Plays a cassette of the scenario's folder to hosts that speak Streamable HTTP by hand; {url} is its URL.",
	Do:      servePlayer,
}, {
	Pattern: `^host (\w+) posts:$`,
	Example: "When host A posts:\n  \"\"\"\n  {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n  \"\"\"",
	Doc:     "Sends a message to the player, in the session that the host was given, and waits for the whole answer.",
	Do: func(ctx context.Context, w *World, host string, body Doc) error {
		return hostSends(ctx, w, host, http.MethodPost, string(body), "")
	},
}, {
	Pattern: `^host (\w+) posts with the header "([^"]*)":$`,
	Example: "When host A posts with the header \"Mcp-Protocol-Version: 1.0\":\n  \"\"\"\n  {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n  \"\"\"",
	Doc:     "The same with one header more.",
	Do: func(ctx context.Context, w *World, host, header string, body Doc) error {
		return hostSends(ctx, w, host, http.MethodPost, string(body), header)
	},
}, {
	Pattern: `^host (\w+) sends (GET|DELETE)$`,
	Example: `When host A sends DELETE`,
	Doc:     "Sends a request without a body, in the host's session.",
	Do: func(ctx context.Context, w *World, host, method string) error {
		return hostSends(ctx, w, host, method, "", "")
	},
}, {
	Pattern: `^host (\w+) has (\d+)$`,
	Example: `Then host A has 202`,
	Doc:     "Asserts the status of the host's last answer, and that it has no body.",
	Do: func(_ context.Context, w *World, host string, status int) error {
		return hostHas(w, host, status, "")
	},
}, {
	Pattern: `^host (\w+) has (\d+) with:$`,
	Example: "Then host A has 200 with:\n  \"\"\"\n  {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n  \"\"\"",
	Doc:     "Asserts status and body of the host's last answer; of an event stream the data of its events, a line each.",
	Do: func(_ context.Context, w *World, host string, status int, body Doc) error {
		return hostHas(w, host, status, string(body))
	},
}, {
	Pattern: `^host (\w+) has the header "([^"]*)" equal to "([^"]*)"$`,
	Example: `Then host A has the header "Allow" equal to "POST, DELETE"`,
	Doc:     "Asserts one header of the host's last answer.",
	Do:      hostHasHeader,
}, {
	Pattern: `^hosts (\w+) and (\w+) are in different sessions$`,
	Example: `Then hosts A and B are in different sessions`,
	Doc:     "Asserts that both were given a session, and not the same.",
	Do:      differentSessions,
}, {
	Pattern: `^host (\w+)'s connection breaks$`,
	Example: `Then host A's connection breaks`,
	Doc:     "Asserts that the host's last request ended without an answer.",
	Do:      connectionBreaks,
}, {
	Pattern: `^it takes more than (\d+ m?s)$`,
	Example: `Then it takes more than 399 ms`,
	Doc:     "Bounds how long the user's last command ran, from below.",
	Do: func(_ context.Context, w *World, bound time.Duration) error {
		if s := State[cliState](w); s.took <= bound {
			return fmt.Errorf("it takes %v", s.took.Round(time.Millisecond))
		}
		return nil
	},
}}
