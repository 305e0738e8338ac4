//go:build unix

package main

import (
	"os"
	"os/signal"
	"time"

	"golang.org/x/sys/unix"
)

// dieBy ends the program by the named signal, as the server's process ended.
func dieBy(name string) {
	number := unix.SignalNum(name)
	if number == 0 {
		return
	}
	signal.Reset(number)
	if unix.Kill(os.Getpid(), number) == nil {
		time.Sleep(time.Second) // the signal is on its way
	}
}
