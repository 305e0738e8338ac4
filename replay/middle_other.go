//go:build !linux

package replay

import "syscall"

// passBoth passes both directions of a session on, each in a goroutine of its own; the one from the host may stay in a Read
// until the program ends. closed is called when the server's pipes have been closed.
func passBoth(toServer, toHost *pump) (closed func()) {
	go toServer.run()
	go toHost.run()
	return func() {}
}

// middleSysProcAttr is for Linux alone: elsewhere a server whose recorder was killed finds its stdin closed.
func middleSysProcAttr() *syscall.SysProcAttr { return nil }
