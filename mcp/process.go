package mcp

import (
	"os/exec"
	"runtime"
	"time"
)

// process is a child that runs. Its end is waited for by the goroutine that started it.
type process struct {
	cmd    *exec.Cmd
	tree   *tree
	exited chan struct{} // closed when status is set
	status ExitStatus
}

// startProcess starts cmd in a process group (Unix) or job (Windows) of its own.
//
// On Linux the child gets a signal when its parent dies (LIFE-7), and the kernel takes the thread that forked for the
// parent. So that thread is kept for this goroutine until the child has ended.
func startProcess(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, exited: make(chan struct{})}
	if err := prepare(cmd); err != nil {
		return nil, err
	}
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		if err == nil {
			p.tree = newTree(cmd.Process)
		}
		started <- err
		if err != nil {
			return
		}
		_ = cmd.Wait() // the status tells how it ended
		p.status = exitStatus(cmd.ProcessState)
		close(p.exited)
	}()
	return p, <-started
}

// hasExited waits for the end of the process, but no longer than d, and says whether it has come.
func (p *process) hasExited(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-p.exited:
		return true
	case <-t.C:
		return false
	}
}
