package steps

import (
	"context"
	"fmt"
)

// recordSteps is about recording.
var recordSteps = []Step{{
	Pattern: `^no file may grow over (\d+) bytes$`,
	Example: `Given no file may grow over 512 bytes`,
	Doc:     "Stands for a full disk: what the recorders of this scenario write beyond that fails.",
	Do: func(_ context.Context, w *World, limit int) error {
		State[recordState](w).fileLimit = limit
		return nil
	},
}, {
	Pattern: `^the session is recorded to "([^"]*)"$`,
	Example: `Given the session is recorded to "session.jsonl"`,
	Doc:     "Puts the recorder between the host and the scenario's fake server, over the server's own transport.",
	Do:      func(ctx context.Context, w *World, name string) error { return standBetween(ctx, w, name, "") },
}, {
	Pattern: "^the session is recorded to \"([^\"]*)\" with `([^`]*)`$",
	Example: "Given the session is recorded to \"session.jsonl\" with `--env API_KEY=correct-horse-1`",
	Doc:     "The same with further flags of mcp-replay record.",
	Do:      standBetween,
}, {
	Pattern: `^the host runs the server through a recorder to "([^"]*)" with the input:$`,
	Example: "When the host runs the server through a recorder to \"session.jsonl\" with the input:\n  \"\"\"\n  {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n  \"\"\"",
	Doc: "Runs the fake server on stdio twice with the same input, by itself and behind mcp-replay record, and keeps all that either run shows. " +
		"A line in double quotes is a Go string of bytes, which gets no newline.",
	Do: runThrough,
}, {
	Pattern: `^the host posts through a recorder to "([^"]*)":$`,
	Example: "When the host posts through a recorder to \"session.jsonl\":\n  \"\"\"\n  {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n  \"\"\"",
	Doc:     "Posts each line to the fake HTTP server twice, directly and through mcp-replay record, and keeps both answers.",
	Do:      postThrough,
}, {
	Pattern: `^the host has (\d+) answers through a recorder to "([^"]*)", which is then killed$`,
	Example: `When the host has 3 answers through a recorder to "session.jsonl", which is then killed`,
	Doc:     "Sends so many pings through mcp-replay record, each after the answer to the last, and kills the recorder by SIGKILL at once.",
	Do:      killAfter,
}, {
	Pattern: `^the host ends the recorder to "([^"]*)" by (SIG\w+)$`,
	Example: `When the host ends the recorder to "session.jsonl" by SIGTERM`,
	Doc:     "Runs the fake server behind mcp-replay record, has one ping answered, and sends the recorder a signal.",
	Do:      endBySignal,
}, {
	Pattern: `^the last (\d+) bytes of the file "([^"]*)" are lost$`,
	Example: `When the last 5 bytes of the file "session.jsonl" are lost`,
	Doc:     "Cuts a file off.",
	Do:      cutOff,
}, {
	Pattern: `^the file "([^"]*)" changes:$`,
	Example: "When the file \"session.jsonl\" changes:\n  | \"cassette\":1 | \"cassette\":2 |",
	Doc:     "Replaces every occurrence of the text on the left by the one on the right; there is at least one.",
	Do: func(ctx context.Context, w *World, name string, changes Table) error {
		for _, row := range changes {
			if len(row) != 2 {
				return fmt.Errorf("a row has %d cells, not 2", len(row))
			}
			if err := replaceInFile(ctx, w, row[0], name, row[1]); err != nil {
				return err
			}
		}
		return nil
	},
}, {
	Pattern: `^the host sees what it sees without the recorder$`,
	Example: `Then the host sees what it sees without the recorder`,
	Doc:     "Compares both runs byte for byte: stdout, stderr and exit on stdio, status, header and body over HTTP.",
	Do:      seesTheSame,
}, {
	Pattern: `^the host sees what it sees without the recorder, and is told once "([^"]*)"$`,
	Example: `Then the host sees what it sees without the recorder, and is told once "recording stopped after"`,
	Doc:     "The same, but that stderr has one line more, which contains the text.",
	Do:      seesTheSameAnd,
}, {
	Pattern: `^the recorder ends by (SIG\w+)$`,
	Example: `Then the recorder ends by SIGTERM`,
	Doc:     "Asserts that the recorder's process ended by that signal.",
	Do: func(_ context.Context, w *World, want string) error {
		if got := State[recordState](w).ended; got != want {
			return fmt.Errorf("it ended by %q", got)
		}
		return nil
	},
}, {
	Pattern: `^the cassette "([^"]*)" tells:$`,
	Example: "Then the cassette \"session.jsonl\" tells:\n  \"\"\"\n  > {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n  < {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n  > \"close\":true\n  < \"exit\":{\"code\":0}\n  \"\"\"",
	Doc: "Compares the frames in their order: > is one of the client, < one of the server; then comes the message, or the other members of the line " +
		"as they are written. The numbers of secrets are written N.",
	Do: tells,
}, {
	Pattern: `^the cassette "([^"]*)" has the answer:$`,
	Example: "Then the cassette \"session.jsonl\" has the answer:\n  \"\"\"\n  {\"password\":\"[redacted:password:N]\"}\n  \"\"\"",
	Doc:     "Compares the result of the last answer, byte for byte. The numbers of secrets are written N.",
	Do:      hasAnswer,
}, {
	Pattern: `^the cassette "([^"]*)" reads from end to end$`,
	Example: `Then the cassette "session.jsonl" reads from end to end`,
	Doc:     "Asserts that the cassette is not damaged, and not cut off inside a line.",
	Do:      readsWhole,
}, {
	Pattern: `^the cassette "([^"]*)" tells (\d+) messages?$`,
	Example: `Then the cassette "session.jsonl" tells 6 messages`,
	Doc:     "Reads the cassette from end to end and counts the messages of both sides.",
	Do:      tellsMessages,
}}

// recordState is what a scenario's recorders have shown.
type recordState struct {
	fileLimit        int
	direct, recorded []seen
	ended            string // the signal that ended the recorder
}
