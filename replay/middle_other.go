//go:build !linux

package replay

import "syscall"

// middleSysProcAttr is for Linux alone: elsewhere a server whose recorder was killed finds its stdin closed.
func middleSysProcAttr() *syscall.SysProcAttr { return nil }
