package registry

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The host has the kernel kill each of its children when it dies. For a supervisor that comes too soon: the tree could not
// be ended any more. The setting belongs to the program's first thread, on which only an init is sure to run.
func init() {
	if len(os.Args) > 2 && os.Args[2] == superviseMark {
		_ = unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0)
	}
}

// Supervise runs a server so that its whole process tree dies with the host (LIFE-7), and returns the exit code that
// the program is to end with. A program calls it in place of all else it does when its first argument is that which stands
// second in Options.Supervisor; args are those that follow.
//
// stdin is the pipe that only the host holds. When the host closes it the server has 2 s to end; when the host has
// died, none. Processes that leave their parent, group or session become children of the supervisor, and die too. The
// supervisor ends as the server did, by the same signal where it was one.
func Supervise(args []string) int {
	if len(args) < 3 || args[0] != superviseMark {
		fmt.Fprintln(os.Stderr, "supervise: this is for the program itself")
		return 2
	}
	args = args[1:]
	host := os.Getppid()
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		fmt.Fprintln(os.Stderr, "supervise:", err)
		return 2
	}
	_, _ = unix.Setsid() // a process group's leader cannot; then the group of its own serves as well
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	gone := make(chan struct{})
	go watchHost(host, gone)

	pid, err := syscall.ForkExec(args[0], args[1:], &syscall.ProcAttr{
		Env: os.Environ(), Files: []uintptr{0, 1, 2}, Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "supervise:", err)
		return 127
	}
	ended := make(chan syscall.WaitStatus, 1)
	go reap(pid, ended)
	var status syscall.WaitStatus
	select {
	case status = <-ended:
	case <-signals:
		status = endTree(pid, ended)
	case <-gone:
		status = endInTime(pid, host, ended, signals)
	}
	killDescendants()
	return endAs(status)
}

// endInTime waits for the server, whose stdin is closed, to end by itself for as long as the host lives and the grace lasts. A
// host that dies closes its files first: that it has died is seen a little later.
func endInTime(server, host int, ended <-chan syscall.WaitStatus, signals <-chan os.Signal) syscall.WaitStatus {
	grace := time.NewTimer(superviseGrace)
	defer grace.Stop()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for os.Getppid() == host {
		select {
		case status := <-ended:
			return status
		case <-look.C:
			continue
		case <-signals:
		case <-grace.C:
		}
		break
	}
	return endTree(server, ended)
}

// watchHost closes gone when the host has closed stdin's other end, or has died. It reads nothing: stdin is the server's.
func watchHost(host int, gone chan<- struct{}) {
	defer close(gone)
	for os.Getppid() == host {
		fds := []unix.PollFd{{Fd: 0}}
		_, err := unix.Poll(fds, 200)
		if err != nil && !errors.Is(err, syscall.EINTR) {
			return
		}
		if fds[0].Revents&(unix.POLLHUP|unix.POLLERR|unix.POLLNVAL) != 0 {
			return
		}
	}
}

// reap waits for every child, its own and those it inherits, and reports the server's end.
func reap(server int, ended chan<- syscall.WaitStatus) {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case pid == server:
			ended <- status
		case errors.Is(err, syscall.ECHILD):
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// endTree kills the server and its tree, and gives the server's status.
func endTree(server int, ended <-chan syscall.WaitStatus) syscall.WaitStatus {
	for {
		killDescendants()
		select {
		case status := <-ended:
			return status
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// killDescendants kills all below this process until none is left: a process may start others while it is looked for.
func killDescendants() {
	own := os.Getpid()
	for range 500 {
		living := descendants(own)
		if len(living) == 0 {
			return
		}
		for _, pid := range living {
			_ = syscall.Kill(pid, syscall.SIGSTOP) // so that it starts no other
		}
		for _, pid := range append(living, descendants(own)...) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// descendants gives the living processes below pid.
func descendants(pid int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	children := map[int][]int{}
	for _, e := range entries {
		child, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		// After the name, which is in parentheses and may hold anything: state and parent.
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) < 2 || fields[0] == "Z" || fields[0] == "X" {
			continue
		}
		if parent, err := strconv.Atoi(fields[1]); err == nil {
			children[parent] = append(children[parent], child)
		}
	}
	found := append([]int(nil), children[pid]...)
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i]]...)
	}
	return found
}

// endAs ends this process by the signal that ended the server, or gives its exit code.
func endAs(status syscall.WaitStatus) int {
	if !status.Signaled() {
		return status.ExitStatus()
	}
	return DieBy(status.Signal())
}

// CanSupervise says whether this system can run servers under a supervisor.
const CanSupervise = true
