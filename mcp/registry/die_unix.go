//go:build unix && !linux

package registry

import (
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// DieBy ends this process by the signal, as another ended. Where that is not to be (who started the program had the signal
// ignored, as nohup does, or Go takes it for a fault of the program itself), it gives the exit code that shells use for it.
func DieBy(number syscall.Signal) int {
	switch number {
	case unix.SIGQUIT, unix.SIGILL, unix.SIGTRAP, unix.SIGABRT, unix.SIGBUS, unix.SIGFPE, unix.SIGSEGV, unix.SIGSYS:
		return 128 + int(number)
	}
	signal.Reset(number)
	if unix.Kill(os.Getpid(), number) == nil {
		time.Sleep(100 * time.Millisecond) // the signal is on its way
	}
	return 128 + int(number)
}
