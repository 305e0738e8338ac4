package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// peak is the most memory that a process has held so far, in MB, as Linux counts it.
func peak(pid int) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0, errors.New("no peak in the status of a process that has ended")
	}
	kB, err := strconv.Atoi(string(fields[0]))
	return float64(kB) / 1024, err
}

// usage is what a process took.
type usage struct {
	seconds float64
	cpu     float64 // seconds, of all processors
	mb      float64 // peak
}

// measureProcess runs a process to its end, or until the given function, where there is one, has its answer.
func measureProcess(cmd *exec.Cmd, until func() error) (usage, error) {
	var u usage
	stderr := new(bytes.Buffer)
	if cmd.Stderr == nil {
		cmd.Stderr = stderr
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return u, err
	}
	stop := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for {
			if mb, err := peak(cmd.Process.Pid); err == nil {
				u.mb = max(u.mb, mb)
			}
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	if until != nil {
		if err := until(); err != nil {
			return u, err
		}
		u.seconds = time.Since(start).Seconds()
	}
	err := cmd.Wait()
	if until == nil {
		u.seconds = time.Since(start).Seconds()
	}
	close(stop)
	<-watched
	u.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, stderr.String())
	}
	return u, err
}
