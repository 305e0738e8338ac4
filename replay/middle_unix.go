//go:build unix

package replay

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/imurun/mcp-replay/mcp"
)

// NotifySignals sends to ch every signal that [RecordStdio] passes on to a server. Room for a few should be in it. It also
// keeps a host that has gone away from ending this program by SIGPIPE, in the middle of a frame.
func NotifySignals(ch chan<- os.Signal) {
	signal.Notify(ch, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2,
		syscall.SIGALRM, syscall.SIGWINCH, syscall.SIGCONT)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
}

// reachedGroup tells whether s has come from the terminal, which sends it to the whole process group: the server has
// got it then, too.
func reachedGroup(s os.Signal) bool {
	switch s {
	case syscall.SIGINT, syscall.SIGQUIT, syscall.SIGHUP, syscall.SIGWINCH, syscall.SIGCONT:
	default:
		return false
	}
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer tty.Close()
	foreground, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && foreground == unix.Getpgrp()
}

func exitStatus(s *os.ProcessState) mcp.ExitStatus {
	if s == nil {
		return mcp.ExitStatus{Code: -1}
	}
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return mcp.ExitStatus{Signal: unix.SignalName(w.Signal())}
	}
	return mcp.ExitStatus{Code: s.ExitCode()}
}
