package steps

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/imurun/mcp-replay/mcp/registry"
)

func refuseConnections(w *World, id, reason string) error {
	s := host(w)
	m, err := s.memory(id)
	if err != nil {
		return s.give(w, id, &memoryServer{refuse: reason})
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refuse = reason
	return nil
}

func breakOff(ctx context.Context, w *World, id string) error {
	m, err := host(w).memory(id)
	if err != nil {
		return err
	}
	m.breakOff()
	return stateIs(ctx, w, id, string(registry.StateDisconnected))
}

func callBurst(ctx context.Context, w *World, count int, name string) error {
	s := host(w)
	r, err := makeHost(w)
	if err != nil {
		return err
	}
	s.bursts = make([]registry.Result, count)
	var wait sync.WaitGroup
	for i := range count {
		wait.Go(func() { s.bursts[i] = r.Call(ctx, name, nil) })
	}
	wait.Wait()
	return nil
}

func burstIs(w *World, count int, check func(registry.Result) error) error {
	s := host(w)
	if len(s.bursts) != count {
		return fmt.Errorf("%d calls were made at once", len(s.bursts))
	}
	for i, r := range s.bursts {
		if err := check(r); err != nil {
			return fmt.Errorf("call %d: %w", i+1, err)
		}
	}
	return nil
}

func stateIs(ctx context.Context, w *World, id, want string) error {
	r, err := host(w).up()
	if err != nil {
		return err
	}
	want = strings.TrimPrefix(want, "is ")
	return Eventually(ctx, func() error {
		server, err := r.Server(id)
		if err == nil && string(server.State) != want {
			err = fmt.Errorf("it is %s %s", server.State, server.Error)
		}
		return err
	})
}

func stateIsFor(ctx context.Context, w *World, id, state, reason string) error {
	if err := stateIs(ctx, w, id, state); err != nil {
		return err
	}
	server, err := host(w).registry.Server(id)
	if err != nil {
		return err
	}
	return sameText(server.Error, reason)
}

// countIs waits until count gives want, and then a little for one too many.
func countIs(ctx context.Context, want int, count func() int) error {
	return settled(ctx, func() error {
		if got := count(); got != want {
			return fmt.Errorf("%d times", got)
		}
		return nil
	})
}

func connectedTimes(ctx context.Context, w *World, id string, want int) error {
	s := host(w)
	return countIs(ctx, want, func() int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.connects[id]
	})
}

func listedTimes(ctx context.Context, w *World, id string, want int) error {
	m, err := host(w).memory(id)
	if err != nil {
		return err
	}
	return countIs(ctx, want, func() int {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.lists
	})
}

func connectionsStand(ctx context.Context, w *World, id string, want int) error {
	m, err := host(w).memory(id)
	if err != nil {
		return err
	}
	return Eventually(ctx, func() error {
		m.mu.Lock()
		defer m.mu.Unlock()
		if got := len(m.ends) - m.closed; got != want {
			return fmt.Errorf("%d stand", got)
		}
		return nil
	})
}

func gotCalls(_ context.Context, w *World, id string, table Table) error {
	m, err := host(w).memory(id)
	if err != nil {
		return err
	}
	want, err := table.Column()
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return sameText(strings.Join(m.calls, "\n"), strings.Join(want, "\n"))
}

func eventsAre(ctx context.Context, w *World, want Doc) error {
	r, err := host(w).up()
	if err != nil {
		return err
	}
	return Eventually(ctx, func() error { return sameText(strings.Join(eventLines(ctx, r), "\n"), string(want)) })
}

// eventLines gives the events so far, a line each.
func eventLines(ctx context.Context, r *registry.Registry) (lines []string) {
	last := r.LastEvent()
	if last == 0 {
		return nil
	}
	for e := range r.Events(ctx, 0) {
		lines = append(lines, e.Type+" "+string(e.Data))
		if e.Seq == last {
			break
		}
	}
	return lines
}

// endings are the signals that a program can be ended by.
var endings = map[string]os.Signal{"SIGINT": os.Interrupt, "SIGKILL": os.Kill, "SIGTERM": syscall.SIGTERM}

func killProgram(ctx context.Context, w *World, line, signal, file string) error {
	command, err := w.Config.Command()
	if err != nil {
		return err
	}
	words, err := splitWords(strings.ReplaceAll(line, "{mcp-replay}", command))
	if err != nil {
		return err
	}
	dir, err := w.Dir()
	if err != nil {
		return err
	}
	path, err := w.Path(file)
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = dir
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		return err
	}
	err = Eventually(ctx, func() error {
		data, err := os.ReadFile(path)
		if err == nil && len(data) == 0 {
			err = errors.New("the file is empty")
		}
		return err
	})
	_ = cmd.Process.Signal(endings[signal])
	_ = cmd.Wait() // how it ends is not what is asked
	return err
}

func processEnded(ctx context.Context, w *World, file string) error {
	text, err := readFile(w, file)
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return err
	}
	return Eventually(ctx, func() error {
		if processRuns(pid) {
			return fmt.Errorf("the process %d still runs", pid)
		}
		return nil
	})
}

// processRuns says whether there is a process with the id that has not ended; one that has ended and that nobody has
// waited for yet does not run.
func processRuns(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		return len(fields) > 0 && fields[0] != "Z"
	}
	return Alive(pid)
}
