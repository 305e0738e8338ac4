package steps

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// wireSteps is about what a fake server has received: what a server's author would see in a log.
var wireSteps = []Step{{
	Pattern: `^the server receives:$`,
	Example: "Then the server receives:\n  \"\"\"\n  {\"jsonrpc\":\"2.0\",\"id\":\"s1\",\"result\":{}}\n  \"\"\"",
	Doc:     "Waits up to 5 seconds for a message with exactly this meaning.",
	Do:      receives,
}, {
	Pattern: `^the server receives "([^"]*)" with "([^"]*)" equal to (.*)$`,
	Example: `Then the server receives "initialize" with "/params/protocolVersion" equal to "2025-06-18"`,
	Doc:     "Waits up to 5 seconds for a message with the method, in which a JSON Pointer names the given JSON.",
	Do:      receivesWith,
}, {
	Pattern: `^the server receives in this order:$`,
	Example: "Then the server receives in this order:\n  | initialize                |\n  | notifications/initialized |",
	Doc:     "Waits up to 5 seconds for as many messages, and compares the methods of all that have come; the answer to a request of the server is written as its id.",
	Do:      receivesInOrder,
}, {
	Pattern: `^the server has received (\d+) "([^"]*)" messages?$`,
	Example: `Then the server has received 2 "tools/list" messages`,
	Doc:     "Waits up to 5 seconds for so many messages with the method, and then half a second for one too many.",
	Do:      hasReceived,
}, {
	Pattern: `^the server has been started (\d+) times?$`,
	Example: `Then the server has been started 1 time`,
	Doc:     "Counts the processes of the fake server on stdio.",
	Do:      startedTimes,
}}

func receives(ctx context.Context, w *World, want Doc) error {
	wanted, err := canonical([]byte(want))
	if err != nil {
		return fmt.Errorf("what is wanted is no JSON: %w", err)
	}
	return Eventually(ctx, func() error {
		got, err := w.Received()
		if err != nil {
			return err
		}
		for _, line := range got {
			if c, err := canonical([]byte(line)); err == nil && c == wanted {
				return nil
			}
		}
		return fmt.Errorf("it has not come; what has:\n%s", strings.Join(got, "\n"))
	})
}

func receivesWith(ctx context.Context, w *World, method, pointer, want string) error {
	return Eventually(ctx, func() error {
		got, err := w.Received()
		if err != nil {
			return err
		}
		err = fmt.Errorf("no %s has come; what has:\n%s", method, strings.Join(got, "\n"))
		for _, line := range got {
			if nameOf(line) != method {
				continue
			}
			if err = jsonHas([]byte(line), pointer, want); err == nil {
				return nil
			}
		}
		return err
	})
}

func receivesInOrder(ctx context.Context, w *World, table Table) error {
	want, err := table.Column()
	if err != nil {
		return err
	}
	return Eventually(ctx, func() error {
		lines, err := w.Received()
		if err != nil {
			return err
		}
		got := make([]string, len(lines))
		for i, line := range lines {
			got[i] = nameOf(line)
		}
		if !slices.Equal(got, want) {
			return sameText(strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		return nil
	})
}

// nameOf is the method of a message, or the id of an answer.
func nameOf(line string) string {
	var m struct {
		Method string         `json:"method"`
		ID     jsontext.Value `json:"id"`
	}
	if err := json.Unmarshal([]byte(line), &m, lenient, jsontext.AllowInvalidUTF8(true)); err != nil {
		return "no JSON: " + line
	}
	if m.Method == "" {
		return string(m.ID)
	}
	return m.Method
}

func hasReceived(ctx context.Context, w *World, want int, method string) error {
	return settled(ctx, func() error {
		lines, err := w.Received()
		n := 0
		for _, line := range lines {
			if nameOf(line) == method {
				n++
			}
		}
		if err == nil && n != want {
			err = fmt.Errorf("it has received %d", n)
		}
		return err
	})
}

func startedTimes(ctx context.Context, w *World, want int) error {
	server, err := w.FakeServer()
	if err != nil {
		return err
	}
	return Eventually(ctx, func() error {
		n, err := server.Starts()
		if err == nil && n != want {
			err = fmt.Errorf("it has been started %d times", n)
		}
		return err
	})
}
