package registry

import (
	"os"
	"os/signal"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// DieBy ends this process by the signal, as another ended: without a core, and without a word. Where that is not to be
// (who started the program had the signal ignored, as nohup does), it gives the exit code that shells use for it.
func DieBy(number syscall.Signal) int {
	signal.Reset(number)
	if number != unix.SIGHUP && number != unix.SIGINT {
		// Go takes some signals for faults of the program itself, prints all that runs and exits with 2, and does nothing at
		// others: the kernel has to be told past it. A struct sigaction of zeros is the default action.
		var none [8]uint64
		_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(number), uintptr(unsafe.Pointer(&none)), 0, 8, 0, 0)
	}
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}) // the core of the other is the one that tells something
	if unix.Kill(os.Getpid(), number) == nil {
		time.Sleep(100 * time.Millisecond) // the signal is on its way
	}
	return 128 + int(number)
}
