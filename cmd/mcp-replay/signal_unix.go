//go:build unix

package main

import (
	"golang.org/x/sys/unix"

	"github.com/imurun/mcp-replay/mcp/registry"
)

// dieBy ends the program by the named signal, as the server's process ended, or gives the exit code that shells use for it.
func dieBy(name string) int {
	number := unix.SignalNum(name)
	if number == 0 {
		return exitUnreachable
	}
	return registry.DieBy(number)
}
