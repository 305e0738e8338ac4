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
	"time"

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

// TestComputingIsInterrupted: a verb that only reads files ends soon when the program is told to stop, whatever it waits for.
func TestComputingIsInterrupted(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	writer, err := os.OpenFile(pipe, os.O_RDWR, 0) // holds it open, and never writes
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	for _, verb := range [][]string{{"show", pipe}, {"import", pipe}} {
		cmd := exec.Command(os.Args[0], verb...)
		cmd.Env = append(os.Environ(), "MCP_REPLAY_TEST_PROGRAM=1")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond) // until it reads
		start := time.Now()
		_ = cmd.Process.Signal(syscall.SIGTERM)
		kill := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		kill.Stop()
		if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || stderr.String() != "mcp-replay: interrupted\n" {
			t.Errorf("%v: it ended %v after the signal with %v and said %q", verb, time.Since(start), cmd.ProcessState, stderr.String())
		}
	}
}
