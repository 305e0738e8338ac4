//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// The test binary is the program where a test asks for it.
func init() {
	if os.Getenv("MCP_REPLAY_TEST_PROGRAM") != "" {
		main()
	}
}

// TestRecorderDiesAsItsServer: whatever the signal that ends a server, the recorder in front of it ends by the same one, and
// says nothing of its own (REP-3).
func TestRecorderDiesAsItsServer(t *testing.T) {
	for _, sig := range []syscall.Signal{
		syscall.SIGSEGV, syscall.SIGABRT, syscall.SIGQUIT, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGPIPE, syscall.SIGUSR1,
		syscall.SIGTERM, syscall.SIGKILL,
	} {
		name := strings.TrimPrefix(unix.SignalName(sig), "SIG")
		cmd := exec.Command(os.Args[0], "record", "-o", filepath.Join(t.TempDir(), "s.jsonl"), "--",
			"sh", "-c", "ulimit -c 0; kill -"+name+" $$")
		cmd.Env = append(os.Environ(), "MCP_REPLAY_TEST_PROGRAM=1")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		_ = cmd.Run()
		status := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if !status.Signaled() || status.Signal() != sig || stderr.Len() > 0 {
			t.Errorf("%v: the recorder ended with %v and said %.200q", sig, cmd.ProcessState, stderr.String())
		}
	}
}
