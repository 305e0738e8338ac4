package steps

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

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
