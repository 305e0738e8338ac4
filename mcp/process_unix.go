//go:build unix

package mcp

import (
	"os"
	"os/exec"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// prepare puts the child into a process group of its own, so that the whole of it can be killed.
func prepare(cmd *exec.Cmd) error {
	cmd.SysProcAttr = sysProcAttr()
	return nil
}

// tree is a process and what it started: its group, and what left the group for a group or session of its own
// (as browsers do that a server starts).
type tree struct {
	pid int

	mu    sync.Mutex
	known []member
}

func newTree(p *os.Process) *tree { return &tree{pid: p.Pid} }

// look remembers the processes that descend from the root now: once their parent has ended, nothing tells any more
// whose they were.
func (t *tree) look() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.known = append(t.known, descendants(t.pid)...)
}

// kill ends everything of the tree that still runs.
func (t *tree) kill() {
	_ = syscall.Kill(-t.pid, syscall.SIGKILL) // ESRCH: nothing is left
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, m := range t.known {
		if m.alive() {
			_ = syscall.Kill(m.pid, syscall.SIGKILL)
		}
	}
}

// killRest ends what still runs of the tree after its root has ended. The group keeps its number as long as there is
// anybody in it.
func (t *tree) killRest() { t.kill() }

func exitStatus(s *os.ProcessState) ExitStatus {
	if s == nil {
		return ExitStatus{Code: -1}
	}
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ExitStatus{Signal: unix.SignalName(ws.Signal())}
	}
	return ExitStatus{Code: s.ExitCode()}
}
