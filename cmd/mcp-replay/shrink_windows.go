package main

import (
	"os/exec"
	"strconv"
)

// ownGroup makes a command end with all that it has started: the shell alone would leave the rest behind.
func ownGroup(cmd *exec.Cmd) {
	cmd.Cancel = func() error {
		return exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
	}
}

// endGroup does nothing: once the shell has ended, nobody tells any more what it has started.
func endGroup(*exec.Cmd) {}
