//go:build !linux

package replay

import (
	"os"
	"syscall"
)

// passBoth passes both directions of a session on, each in a goroutine of its own; the one from the host may stay in a Read
// until the program ends. closed is called when the server's pipes have been closed.
func passBoth(toServer, toHost *pump) (closed func()) {
	go toServer.run()
	go toHost.run()
	return func() {}
}

// pipesFor gives what makes the pipes to the server of a host.
func pipesFor(HostStreams) func() (r, w *os.File, err error) { return os.Pipe }

// middleSysProcAttr is for Linux alone: elsewhere a server whose recorder was killed finds its stdin closed.
func middleSysProcAttr() *syscall.SysProcAttr { return nil }
