//go:build unix

package registry_test

import (
	"os/exec"
	"syscall"
)

func leave(cmd *exec.Cmd, setsid bool) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: setsid} }
