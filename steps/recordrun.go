package steps

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

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

// seenLines is what was seen line by line, quoted where it is bytes.
func seenLines(all []seen) []string {
	var lines []string
	for _, s := range all {
		for line := range strings.Lines(s.Out) {
			lines = append(lines, fmt.Sprintf("%q", line))
		}
		for line := range strings.Lines(s.Err) {
			lines = append(lines, fmt.Sprintf("stderr: %q", line))
		}
		for _, name := range slices.Sorted(maps.Keys(s.Header)) {
			lines = append(lines, fmt.Sprintf("%s: %q", name, s.Header[name]))
		}
		lines = append(lines, s.End)
	}
	return lines
}

func seesTheSame(_ context.Context, w *World) error {
	s := State[recordState](w)
	if len(s.direct) == 0 {
		return errors.New("nothing has been recorded beside the same without a recorder")
	}
	if diff := difference(seenLines(s.direct), seenLines(s.recorded)); diff != "" {
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
