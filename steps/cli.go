package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// cliSteps is about the command as a user runs it.
var cliSteps = []Step{{
	Pattern: `^the environment variable (\w+) is "([^"]*)"$`,
	Example: `Given the environment variable NO_COLOR is "1"`,
	Doc:     "Sets a variable for the commands that the user runs afterwards.",
	Do:      setEnvironment,
}, {
	Pattern: "^the user runs `([^`]*)`$",
	Example: "When the user runs `mcp-replay show session.jsonl`",
	Doc: "Runs the built command in the scenario's folder and waits for its end, a minute at most. Quotes are those of a shell; " +
		"{server} is the command line of the scenario's fake server, {url} its URL. An exit code other than 0 must be mentioned.",
	Do: userRuns,
}, {
	Pattern: "^the user runs `([^`]*)` with the input:$",
	Example: "When the user runs `mcp-replay call echo --args - -- {server}` with the input:\n  \"\"\"\n  {\"text\":\"hi\"}\n  \"\"\"",
	Doc:     "Runs the built command with the text and a newline on stdin, which then ends.",
	Do:      userRunsWithInput,
}, {
	Pattern: `^the exit code is (\d+)$`,
	Example: `Then the exit code is 2`,
	Doc:     "Asserts how the user's last command ended.",
	Do:      exitCodeIs,
}, {
	Pattern: `^stdout is:$`,
	Example: "Then stdout is:\n  \"\"\"\n  ok\n  \"\"\"",
	Doc:     "Compares what the last command wrote to stdout; a newline at its end does not count.",
	Do:      func(ctx context.Context, w *World, want Doc) error { return streamIs(w, "stdout", string(want)) },
}, {
	Pattern: `^stderr is:$`,
	Example: "Then stderr is:\n  \"\"\"\n  mcp-replay: show: no-such.jsonl: no such file\n  \"\"\"",
	Doc:     "Compares what the last command wrote to stderr; a newline at its end does not count.",
	Do:      func(ctx context.Context, w *World, want Doc) error { return streamIs(w, "stderr", string(want)) },
}, {
	Pattern: `^(stdout|stderr) is empty$`,
	Example: `Then stdout is empty`,
	Doc:     "Asserts that the last command wrote nothing there.",
	Do:      func(ctx context.Context, w *World, name string) error { return streamIs(w, name, "") },
}, {
	Pattern: `^(stdout|stderr) contains:$`,
	Example: "Then stderr contains:\n  \"\"\"\n  hint:\n  \"\"\"",
	Doc:     "Looks for the text in what the last command wrote.",
	Do:      streamContains,
}, {
	Pattern: `^(stdout|stderr) contains "([^"]*)"$`,
	Example: `Then stdout contains "3 requests"`,
	Doc:     "Looks for the text in what the last command wrote.",
	Do: func(ctx context.Context, w *World, name, want string) error {
		return streamContains(ctx, w, name, Doc(want))
	},
}, {
	Pattern: `^(stdout|stderr) does not contain "([^"]*)"$`,
	Example: `Then stderr does not contain "panic"`,
	Doc:     "Asserts that the last command did not write the text.",
	Do:      streamLacks,
}, {
	Pattern: `^stdout as JSON has "([^"]*)" equal to:$`,
	Example: "Then stdout as JSON has \"/requests\" equal to:\n  \"\"\"\n  3\n  \"\"\"",
	Doc:     "Reads stdout as one JSON text and compares what a JSON Pointer names with the given JSON, by meaning.",
	Do: func(ctx context.Context, w *World, pointer string, want Doc) error {
		got, err := stream(w, "stdout")
		if err != nil {
			return err
		}
		return jsonHas([]byte(got), pointer, string(want))
	},
}, {
	Pattern: `^stdout as JSON has "([^"]*)" equal to (.*)$`,
	Example: `Then stdout as JSON has "/protocolVersion" equal to "2025-06-18"`,
	Doc:     "Reads stdout as one JSON text and compares what a JSON Pointer names with the given JSON, by meaning.",
	Do: func(ctx context.Context, w *World, pointer, want string) error {
		got, err := stream(w, "stdout")
		if err != nil {
			return err
		}
		return jsonHas([]byte(got), pointer, want)
	},
}, {
	Pattern: `^it takes (?:no more|less) than (\d+ m?s)$`,
	Example: `Then it takes less than 2 s`,
	Doc:     "Bounds how long the user's last command ran.",
	Do:      takesLess,
}}

// commandTime is how long a command may run.
const commandTime = time.Minute

// cliState is the user's last command.
type cliState struct {
	env            []string
	ran            bool
	code           int
	exit           *Notice
	stdout, stderr string
	took           time.Duration
}

func userRuns(ctx context.Context, w *World, line string) error { return runCommand(ctx, w, line, "") }

func userRunsWithInput(ctx context.Context, w *World, line string, input Doc) error {
	return runCommand(ctx, w, line, string(input)+"\n")
}

// runCommand runs a command line of which the first word is mcp-replay.
func runCommand(ctx context.Context, w *World, line, input string) error {
	cmd, err := w.CommandLine(ctx, line)
	if err != nil {
		return err
	}
	s := State[cliState](w)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	began := time.Now()
	err = cmd.Run()
	s.took = time.Since(began)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return fmt.Errorf("%s: %w\n%s", line, err, stderr.String())
	}
	s.ran, s.code, s.stdout, s.stderr = true, cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
	s.exit = nil
	if s.code != 0 {
		s.exit = w.Notice("`%s` ended with exit code %d\n%s", line, s.code, s.stderr)
	}
	return nil
}

// CommandLine prepares a command line whose first word is mcp-replay: it runs in the scenario's folder, with a home folder of its
// own and without the credentials of whoever runs the tests, and is killed when a minute is over.
func (w *World) CommandLine(ctx context.Context, line string) (*exec.Cmd, error) {
	words, err := splitWords(line)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 || words[0] != "mcp-replay" {
		return nil, errors.New("the command line begins with mcp-replay")
	}
	if w.Config.Command == nil {
		return nil, errors.New("the run has no built mcp-replay command: set steps.Config.Command")
	}
	path, err := w.Config.Command()
	if err != nil {
		return nil, err
	}
	dir, err := w.Dir()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	w.Cleanup(func() error { cancel(); return nil })
	cmd := exec.CommandContext(ctx, path, words[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "IMURUN_HOME="+dir+"/.imurun", "NO_COLOR=1")
	cmd.Env = append(cmd.Env, State[cliState](w).env...)
	cmd.WaitDelay = 5 * time.Second
	return cmd, nil
}

// splitWords splits a command line as a shell does, with '…' and "…" and no expansion.
func splitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	open := false
	for _, c := range line {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, open = c, true
		case quote == 0 && c == ' ':
			if open {
				words = append(words, word.String())
				word.Reset()
				open = false
			}
		default:
			word.WriteRune(c)
			open = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("%s: a quote is not closed", line)
	}
	if open {
		words = append(words, word.String())
	}
	return words, nil
}

// quoteWord quotes a word so that splitWords gives it back.
func quoteWord(word string) string {
	if word != "" && !strings.ContainsAny(word, ` '"`) {
		return word
	}
	return `'` + strings.ReplaceAll(word, `'`, `'"'"'`) + `'`
}

func setEnvironment(_ context.Context, w *World, name, value string) error {
	s := State[cliState](w)
	s.env = append(s.env, name+"="+value)
	return nil
}

func exitCodeIs(_ context.Context, w *World, want int) error {
	s := State[cliState](w)
	if !s.ran {
		return errors.New("the user has run no command")
	}
	s.exit.Mention()
	if s.code != want {
		return fmt.Errorf("it is %d\nstdout:\n%s\nstderr:\n%s", s.code, s.stdout, s.stderr)
	}
	return nil
}

// stream is what the last command wrote to stdout or stderr.
func stream(w *World, name string) (string, error) {
	s := State[cliState](w)
	switch {
	case !s.ran:
		return "", errors.New("the user has run no command")
	case name == "stdout":
		return s.stdout, nil
	}
	return s.stderr, nil
}

func streamIs(w *World, name, want string) error {
	got, err := stream(w, name)
	if err != nil {
		return err
	}
	return sameText(strings.TrimSuffix(got, "\n"), want)
}

func streamContains(_ context.Context, w *World, name string, want Doc) error {
	got, err := stream(w, name)
	if err != nil {
		return err
	}
	return containsText(got, string(want))
}

func streamLacks(_ context.Context, w *World, name, text string) error {
	got, err := stream(w, name)
	if err != nil {
		return err
	}
	if strings.Contains(got, text) {
		return fmt.Errorf("it contains %q:\n%s", text, got)
	}
	return nil
}

func takesLess(_ context.Context, w *World, bound time.Duration) error {
	if s := State[cliState](w); s.took >= bound {
		return fmt.Errorf("it takes %v", s.took.Round(time.Millisecond))
	}
	return nil
}
