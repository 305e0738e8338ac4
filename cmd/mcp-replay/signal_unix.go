//go:build unix

package main

import (
	"os"
	"os/signal"
	"time"

	"golang.org/x/sys/unix"
)

// dieBy ends the program by the named signal, as the server's process ended. Where that is not to be (who started the
// program had the signal ignored, as nohup does), it gives the exit code that shells use for it.
func dieBy(name string) int {
	number := unix.SignalNum(name)
	if number == 0 {
		return exitUnreachable
	}
	signal.Reset(number)
	if unix.Kill(os.Getpid(), number) == nil {
		time.Sleep(100 * time.Millisecond) // the signal is on its way
	}
	return 128 + int(number)
}
