package steps

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay"
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

// seen is what a host sees of one run, or of one answer.
type seen struct {
	Out, Err, End string
	Header        http.Header
}

// recorderCommand is the command line of a recorder, limited as the scenario says.
func recorderCommand(ctx context.Context, w *World, line string) (*exec.Cmd, error) {
	cmd, err := w.CommandLine(ctx, line)
	if err != nil {
		return nil, err
	}
	if limit := State[recordState](w).fileLimit; limit > 0 {
		shell, err := exec.LookPath("sh")
		if err != nil {
			return nil, err
		}
		args := append([]string{"sh", "-c", `ulimit -f "$1"; shift; exec "$@"`, "sh", strconv.Itoa(limit / 512), cmd.Path}, cmd.Args[1:]...)
		cmd.Path, cmd.Args = shell, args
	}
	return cmd, nil
}

// standBetween makes a recorder the server that the host starts.
func standBetween(ctx context.Context, w *World, name, flags string) error {
	t := w.Target()
	line := "mcp-replay record -o " + quoteWord(name) + " " + flags
	if t.URL == "" {
		cmd, err := recorderCommand(ctx, w, line+" -- "+w.Expand("{server}"))
		if err != nil {
			return err
		}
		w.SetTarget(Target{Command: append([]string{cmd.Path}, cmd.Args[1:]...), Env: cmd.Env, Dir: cmd.Dir})
		return nil
	}
	url, stop, err := listenBetween(ctx, w, line)
	if err != nil {
		return err
	}
	w.Cleanup(stop)
	t.URL = url
	w.SetTarget(t)
	return nil
}

// listenBetween starts a recorder before the fake HTTP server, and says where it listens.
func listenBetween(ctx context.Context, w *World, line string) (url string, stop func() error, err error) {
	cmd, err := recorderCommand(ctx, w, line+" --listen 127.0.0.1:0 --url "+w.Target().URL)
	if err != nil {
		return "", nil, err
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() error {
		cmd.Process.Signal(os.Interrupt)
		return cmd.Wait()
	}
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if url, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
			go io.Copy(io.Discard, stderr)
			return url, stop, nil
		}
	}
	return "", nil, errors.Join(errors.New("the recorder does not listen"), stop())
}

// inputBytes reads a step's input: lines, and Go strings in double quotes.
func inputBytes(input string) (string, error) {
	var b strings.Builder
	for line := range strings.SplitSeq(input, "\n") {
		if !strings.HasPrefix(line, `"`) {
			b.WriteString(line + "\n")
			continue
		}
		text, err := strconv.Unquote(line)
		if err != nil {
			return "", fmt.Errorf("%s: %w", line, err)
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

func runThrough(ctx context.Context, w *World, name string, input Doc) error {
	text, err := inputBytes(string(input))
	if err != nil {
		return err
	}
	server, err := w.FakeServer()
	if err != nil {
		return err
	}
	recorder, err := recorderCommand(ctx, w, "mcp-replay record -o "+quoteWord(name)+" -- "+w.Expand("{server}"))
	if err != nil {
		return err
	}
	direct := exec.CommandContext(ctx, server.Path, server.Args...)
	direct.Dir, direct.Env = recorder.Dir, recorder.Env
	s := State[recordState](w)
	s.direct = []seen{runSeen(direct, text)}
	s.recorded = []seen{runSeen(recorder, text)}
	return nil
}

func runSeen(cmd *exec.Cmd, input string) seen {
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	cmd.Run() // its error is in the state
	end := "not started"
	if cmd.ProcessState != nil {
		end = cmd.ProcessState.String()
	}
	return seen{Out: stdout.String(), Err: stderr.String(), End: end}
}

func postThrough(ctx context.Context, w *World, name string, lines Doc) error {
	direct := w.Target().URL
	through, stop, err := listenBetween(ctx, w, "mcp-replay record -o "+quoteWord(name))
	if err != nil {
		return err
	}
	s := State[recordState](w)
	for line := range strings.SplitSeq(string(lines), "\n") {
		for _, to := range []struct {
			url  string
			keep *[]seen
		}{{direct, &s.direct}, {through, &s.recorded}} {
			answer, err := postSeen(ctx, to.url, line)
			if err != nil {
				return errors.Join(err, stop())
			}
			*to.keep = append(*to.keep, answer)
		}
	}
	return stop()
}

func postSeen(ctx context.Context, url, body string) (seen, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return seen{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	answer, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		return seen{End: "no answer"}, nil
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	end := answer.Status
	if err != nil {
		end += ", broken off"
	}
	answer.Header.Del("Date")
	return seen{Out: string(data), End: end, Header: answer.Header}, nil
}

// ping has one request answered on a server's pipes.
func ping(in io.Writer, out *bufio.Reader, id int) error {
	if _, err := fmt.Fprintf(in, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"ping\"}\n", id); err != nil {
		return err
	}
	line, err := out.ReadString('\n')
	if err != nil {
		return fmt.Errorf("no answer to ping %d: %w", id, err)
	}
	if want := fmt.Sprintf(`"id":%d`, id); !strings.Contains(line, want) {
		return fmt.Errorf("the answer to ping %d is %s", id, line)
	}
	return nil
}

// pinged starts a recorder and has so many pings answered.
func pinged(ctx context.Context, w *World, name string, count int) (*exec.Cmd, error) {
	cmd, err := recorderCommand(ctx, w, "mcp-replay record -o "+quoteWord(name)+" -- "+w.Expand("{server}"))
	if err != nil {
		return nil, err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(out)
	for id := range count {
		if err := ping(in, lines, id+1); err != nil {
			cmd.Process.Kill()
			return nil, errors.Join(err, cmd.Wait())
		}
	}
	return cmd, nil
}

func killAfter(ctx context.Context, w *World, count int, name string) error {
	cmd, err := pinged(ctx, w, name, count)
	if err != nil {
		return err
	}
	cmd.Process.Kill()
	cmd.Wait() // by the signal
	return nil
}

func endBySignal(ctx context.Context, w *World, name, signal string) error {
	number, ok := map[string]syscall.Signal{"SIGTERM": syscall.SIGTERM, "SIGINT": syscall.SIGINT, "SIGHUP": syscall.SIGHUP}[signal]
	if !ok {
		return fmt.Errorf("this step sends SIGTERM, SIGINT or SIGHUP, not %s", signal)
	}
	cmd, err := pinged(ctx, w, name, 1)
	if err != nil {
		return err
	}
	cmd.Process.Signal(number)
	cmd.Wait() // by the signal
	state, _ := cmd.ProcessState.Sys().(interface{ Signal() syscall.Signal })
	s := State[recordState](w)
	if s.ended = cmd.ProcessState.String(); state != nil && state.Signal() == number {
		s.ended = signal
	}
	return nil
}

func cutOff(_ context.Context, w *World, count int, name string) error {
	path, err := w.Path(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return os.Truncate(path, info.Size()-int64(count))
}

func seesTheSame(_ context.Context, w *World) error {
	s := State[recordState](w)
	if len(s.direct) == 0 {
		return errors.New("nothing has been recorded beside the same without a recorder")
	}
	if diff := cmp.Diff(s.direct, s.recorded); diff != "" {
		return fmt.Errorf("without the recorder (-) and with it (+):\n%s", diff)
	}
	return nil
}

func seesTheSameAnd(ctx context.Context, w *World, told string) error {
	s := State[recordState](w)
	if len(s.recorded) != 1 {
		return errors.New("nothing has been run through a recorder")
	}
	var kept []string
	times := 0
	for line := range strings.SplitAfterSeq(s.recorded[0].Err, "\n") {
		if strings.Contains(line, told) {
			times++
			continue
		}
		kept = append(kept, line)
	}
	if times != 1 {
		return fmt.Errorf("it is told %d times:\n%s", times, s.recorded[0].Err)
	}
	s.recorded[0].Err = strings.Join(kept, "")
	return seesTheSame(ctx, w)
}

func hasAnswer(_ context.Context, w *World, name string, want Doc) error {
	got := "no answer"
	err := eachFrame(w, name, func(f *replay.Frame, _ string) {
		if m, err := jsonrpc.Parse(f.Data); f.Kind == mcp.FrameMessage && err == nil && m.Result != nil {
			got = unnumbered(string(m.Result))
		}
	})
	if err == nil && got != string(want) {
		err = fmt.Errorf("it has %s", got)
	}
	return err
}

func tells(_ context.Context, w *World, name string, want Doc) error {
	var lines []string
	err := eachFrame(w, name, func(f *replay.Frame, line string) {
		arrow := "< "
		if f.From == mcp.FromClient {
			arrow = "> "
		}
		_, members, _ := strings.Cut(line, `"from":`)
		_, members, _ = strings.Cut(members, ",")
		members = strings.TrimPrefix(members, `"message":`)
		lines = append(lines, arrow+unnumbered(strings.TrimSuffix(members, "}")))
	})
	if err != nil {
		return err
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), lines); diff != "" {
		return fmt.Errorf("it tells otherwise (-want +got):\n%s", diff)
	}
	return nil
}

// unnumbered writes N for the numbers of secrets, which depend on the order in which they were met.
func unnumbered(line string) string {
	const mark = "[redacted:"
	parts := strings.Split(line, mark)
	for i, part := range parts[1:] {
		kind, rest, _ := strings.Cut(part, ":")
		_, rest, _ = strings.Cut(rest, "]")
		parts[i+1] = kind + ":N]" + rest
	}
	return strings.Join(parts, mark)
}

func tellsMessages(_ context.Context, w *World, name string, want int) error {
	count := 0
	err := eachFrame(w, name, func(f *replay.Frame, _ string) {
		if f.Kind == mcp.FrameMessage {
			count++
		}
	})
	if err == nil && count != want {
		err = fmt.Errorf("it tells %d", count)
	}
	return err
}

func readsWhole(_ context.Context, w *World, name string) error {
	path, err := w.Path(name)
	if err != nil {
		return err
	}
	cassette, err := replay.Open(path)
	if err != nil {
		return err
	}
	defer cassette.Close()
	if cassette.Cut() {
		return errors.New("it is cut off inside a line")
	}
	return nil
}

// eachFrame reads a cassette of the scenario's folder, with the line that holds each frame.
func eachFrame(w *World, name string, f func(frame *replay.Frame, line string)) error {
	text, err := readFile(w, name)
	if err != nil {
		return err
	}
	reader, err := replay.NewReader(strings.NewReader(text), name)
	if err != nil {
		return err
	}
	lines := strings.Split(text, "\n")
	for i := 1; ; i++ {
		frame, err := reader.Next()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		f(&frame, lines[i])
	}
}
