//go:build unix

package mcp

import (
	"io"
	"os"
	"syscall"
	"time"
)

// readReady reads what stands in a pipe, and takes an empty pipe for its end.
func readReady(f *os.File, b []byte) (n int, err error) {
	if err = f.SetReadDeadline(time.Time{}); err != nil {
		return 0, io.EOF
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return 0, io.EOF
	}
	err = raw.Read(func(fd uintptr) bool {
		n, _ = syscall.Read(int(fd), b)
		return true
	})
	if err != nil || n <= 0 {
		return 0, io.EOF
	}
	return n, nil
}
