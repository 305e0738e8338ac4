package steps

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/imurun/mcp-replay/mcp"
)

// callsSteps is about calls and their results.
var callsSteps = []Step{{
	Pattern: `^the host calls the tool "([^"]*)"$`,
	Example: `When the host calls the tool "list_notes"`,
	Doc:     "Calls a tool without arguments and waits for its result. A failed result must be mentioned by a later step.",
	Do:      func(ctx context.Context, w *World, tool string) error { return call(ctx, w, tool, nil, 0) },
}, {
	Pattern: `^the host calls the tool "([^"]*)" with:$`,
	Example: "When the host calls the tool \"add_note\" with:\n  | title | shopping   |\n  | text  | milk, eggs |",
	Doc:     "Calls a tool with arguments: a table of names and values (what is JSON stands for itself, any other text for a string), or a docstring with a JSON object.",
	Do: func(ctx context.Context, w *World, tool string, args Arguments) error {
		return call(ctx, w, tool, args, 0)
	},
}, {
	Pattern: `^the host calls the tool "([^"]*)", asking for progress$`,
	Example: `When the host calls the tool "bind_notebook", asking for progress`,
	Doc:     "Calls a tool with a progress token and without arguments.",
	Do:      func(ctx context.Context, w *World, tool string) error { return callForProgress(ctx, w, tool, nil) },
}, {
	Pattern: `^the host calls the tool "([^"]*)", asking for progress, with:$`,
	Example: "When the host calls the tool \"bind_notebook\", asking for progress, with:\n  | pages    | 3 |\n  | pause_ms | 1 |",
	Doc:     "Calls a tool with a progress token and arguments.",
	Do: func(ctx context.Context, w *World, tool string, args Arguments) error {
		return callForProgress(ctx, w, tool, args)
	},
}, {
	Pattern: `^the host calls the tool "([^"]*)" and gives up after (\d+ m?s)$`,
	Example: `When the host calls the tool "bind_notebook" and gives up after 50 ms`,
	Doc:     "Calls a tool without arguments and takes the call back when the time is over.",
	Do: func(ctx context.Context, w *World, tool string, limit time.Duration) error {
		return call(ctx, w, tool, nil, limit)
	},
}, {
	Pattern: `^the host makes these calls at once:$`,
	Example: "When the host makes these calls at once:\n  | read_note | {\"title\":\"a\"} |\n  | read_note | {\"title\":\"b\"} |",
	Doc:     "Makes the calls side by side, tool and arguments a row, and waits for all results. The call is the last row's.",
	Do:      func(ctx context.Context, w *World, calls Table) error { return callAtOnce(ctx, w, calls, nil) },
}, {
	Pattern: `^the host sends the request "([^"]*)"$`,
	Example: `When the host sends the request "resources/list"`,
	Doc:     "Sends any request without params and waits for its answer.",
	Do:      func(ctx context.Context, w *World, method string) error { return request(ctx, w, method, nil) },
}, {
	Pattern: `^the host sends the request "([^"]*)" with:$`,
	Example: "When the host sends the request \"resources/read\" with:\n  | uri | note:///shopping |",
	Doc:     "Sends any request with params and waits for its answer.",
	Do: func(ctx context.Context, w *World, method string, params Arguments) error {
		return request(ctx, w, method, params)
	},
}, {
	Pattern: `^the call succeeds$`,
	Example: `Then the call succeeds`,
	Doc:     "Asserts that there is a result, and that it is not marked as failed.",
	Do: func(_ context.Context, w *World) error {
		_, err := succeeded(w)
		return err
	},
}, {
	Pattern: `^the result is "([^"]*)"$`,
	Example: `Then the result is "milk, eggs"`,
	Doc:     "Asserts that the call succeeds and its text, as a host shows it, is exactly this.",
	Do:      func(_ context.Context, w *World, want string) error { return resultText(w, want, sameText) },
}, {
	Pattern: `^the result is:$`,
	Example: "Then the result is:\n  \"\"\"\n  milk\n  eggs\n  \"\"\"",
	Doc:     "Asserts that the call succeeds and its text, as a host shows it, is exactly this.",
	Do:      func(_ context.Context, w *World, want Doc) error { return resultText(w, string(want), sameText) },
}, {
	Pattern: `^the result contains "([^"]*)"$`,
	Example: `Then the result contains "milk"`,
	Doc:     "Asserts that the call succeeds and its text contains this.",
	Do:      func(_ context.Context, w *World, want string) error { return resultText(w, want, containsText) },
}, {
	Pattern: `^the result contains:$`,
	Example: "Then the result contains:\n  \"\"\"\n  \"milk\"\n  \"\"\"",
	Doc:     "Asserts that the call succeeds and its text contains this.",
	Do:      func(_ context.Context, w *World, want Doc) error { return resultText(w, string(want), containsText) },
}, {
	Pattern: `^the result has (\d+) characters$`,
	Example: `Then the result has 12000 characters`,
	Doc:     "Asserts that the call succeeds and counts the Unicode code points of its text.",
	Do: func(_ context.Context, w *World, want int) error {
		r, err := succeeded(w)
		if err != nil {
			return err
		}
		if n := utf8.RuneCountInString(r.Text); n != want {
			return fmt.Errorf("it has %d", n)
		}
		return nil
	},
}, {
	Pattern: `^the results are:$`,
	Example: "Then the results are:\n  | milk |\n  | eggs |",
	Doc:     "Compares the texts of the calls that were made at once, in the order of their rows.",
	Do:      resultsAre,
}, {
	Pattern: `^the structured content is:$`,
	Example: "Then the structured content is:\n  \"\"\"\n  {\"notes\":2,\"characters\":11}\n  \"\"\"",
	Doc:     "Compares the whole structured content with the given JSON, by meaning.",
	Do:      func(_ context.Context, w *World, want Doc) error { return structuredHas(w, "", string(want)) },
}, {
	Pattern: `^the structured content has "([^"]*)" equal to (.*)$`,
	Example: `Then the structured content has "/notes" equal to 2`,
	Doc:     "Compares what a JSON Pointer names in the structured content with the given JSON, by meaning.",
	Do:      func(_ context.Context, w *World, pointer, want string) error { return structuredHas(w, pointer, want) },
}, {
	Pattern: `^the answer is:$`,
	Example: "Then the answer is:\n  \"\"\"\n  {\"resources\":[]}\n  \"\"\"",
	Doc:     "Compares the whole result of the last call or request, as the server sent it, with the given JSON, by meaning.",
	Do:      func(_ context.Context, w *World, want Doc) error { return answerHas(w, "", string(want)) },
}, {
	Pattern: `^the answer has "([^"]*)" equal to (.*)$`,
	Example: `Then the answer has "/content/0/mimeType" equal to "image/png"`,
	Doc:     "Compares what a JSON Pointer names in the result of the last call or request, as the server sent it, with the given JSON.",
	Do:      func(_ context.Context, w *World, pointer, want string) error { return answerHas(w, pointer, want) },
}, {
	Pattern: `^the call fails$`,
	Example: `Then the call fails`,
	Doc:     "Asserts that the last call or request failed, in whatever way.",
	Do: func(_ context.Context, w *World) error {
		_, err := failed(w)
		return err
	},
}, {
	Pattern: `^the call fails with "([^"]*)"$`,
	Example: `Then the call fails with "the diary is locked"`,
	Doc:     "Asserts that the call failed and compares its whole text, as a host shows it.",
	Do:      func(_ context.Context, w *World, want string) error { return failureText(w, want, sameText) },
}, {
	Pattern: `^the call fails with:$`,
	Example: "Then the call fails with:\n  \"\"\"\n  there is no note \"x\"\n  \"\"\"",
	Doc:     "Asserts that the call failed and compares its whole text, as a host shows it.",
	Do:      func(_ context.Context, w *World, want Doc) error { return failureText(w, string(want), sameText) },
}, {
	Pattern: `^the call fails with a text that contains "([^"]*)"$`,
	Example: `Then the call fails with a text that contains "no note"`,
	Doc:     "Asserts that the call failed and looks for the text.",
	Do:      func(_ context.Context, w *World, want string) error { return failureText(w, want, containsText) },
}, {
	Pattern: `^the call fails with the code (-?\d+)$`,
	Example: `Then the call fails with the code -32602`,
	Doc:     "Asserts that the server refused the last call or request with a JSON-RPC error of this code.",
	Do:      failsWithCode,
}, {
	Pattern: `^the call takes (less|more) than (\d+ m?s)$`,
	Example: `Then the call takes less than 500 ms`,
	Doc:     "Bounds how long the last call or request took; of calls at once, all of them together.",
	Do: func(_ context.Context, w *World, side string, bound time.Duration) error {
		s := State[callState](w)
		if !s.made {
			return errNoCall
		}
		return bounded(s.took, side, bound)
	},
}, {
	Pattern: `^the server reports progress (\d+) times?$`,
	Example: `Then the server reports progress 5 times`,
	Doc:     "Counts the progress notifications of the last call that asked for them.",
	Do:      progressTimes,
}, {
	Pattern: `^the progress is:$`,
	Example: "Then the progress is:\n  | progress | total | message      |\n  | 1        | 2     | bound a page |\n  | 2        | 2     | bound a page |",
	Doc:     "Compares the progress notifications of the last call that asked for them, in their order; the first row names the keys to compare.",
	Do:      progressIs,
}}

var errNoCall = &HintError{Err: errors.New("nothing has been called"), Hint: `put before it a step such as: When the host calls the tool "echo"`}

// succeeded is the result of the last call, which has not failed. A failure is mentioned by whoever looks at it.
func succeeded(w *World) (*mcp.Result, error) {
	s := State[callState](w)
	if !s.made {
		return nil, errNoCall
	}
	s.notice.Mention()
	if s.result.Failed {
		return nil, fmt.Errorf("the call fails: %s", s.result.Text)
	}
	return s.result, nil
}

// failed is the failed result of the last call.
func failed(w *World) (*mcp.Result, error) {
	s := State[callState](w)
	if !s.made {
		return nil, errNoCall
	}
	s.notice.Mention()
	if !s.result.Failed {
		return nil, fmt.Errorf("it succeeds: %s", s.result.Text)
	}
	return s.result, nil
}

func resultText(w *World, want string, compare func(got, want string) error) error {
	r, err := succeeded(w)
	if err != nil {
		return err
	}
	return compare(r.Text, want)
}

func failureText(w *World, want string, compare func(got, want string) error) error {
	r, err := failed(w)
	if err != nil {
		return err
	}
	return compare(r.Text, want)
}

func resultsAre(_ context.Context, w *World, table Table) error {
	want, err := table.Column()
	if err != nil {
		return err
	}
	s := State[callState](w)
	var got []string
	for i, r := range s.results {
		s.notices[i].Mention()
		text := r.Text
		if r.Failed {
			text = "failed: " + text
		}
		got = append(got, text)
	}
	return sameText(strings.Join(got, "\n"), strings.Join(want, "\n"))
}

func structuredHas(w *World, pointer, want string) error {
	r, err := succeeded(w)
	if err != nil {
		return err
	}
	if r.Structured == nil {
		return fmt.Errorf("the result has none; its text is %q", r.Text)
	}
	return jsonHas(r.Structured, pointer, want)
}

// answerHas looks at the raw result, of a failed tool call too.
func answerHas(w *World, pointer, want string) error {
	s := State[callState](w)
	if !s.made {
		return errNoCall
	}
	if s.err != nil {
		s.notice.Mention()
		return fmt.Errorf("there is none: %w", s.err)
	}
	return jsonHas(s.result.Raw, pointer, want)
}
