//go:build unix

package mcp

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// pipeSink writes to a pipe without blocking: how many bytes are out is known at any time.
type pipeSink struct {
	raw   syscall.RawConn
	write func(fd uintptr) bool
	ready func(fd uintptr) bool

	// of the write under way
	buf []byte
	n   int
	err error
}

func newSink(f *os.File) (sink, error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	p := &pipeSink{raw: raw}
	p.write = p.writeOnce
	p.ready = p.hasRoom
	return p, nil
}

func (p *pipeSink) blocks() bool { return false }

func (p *pipeSink) try(b []byte) (int, error) {
	p.buf, p.n, p.err = b, 0, nil
	err := p.raw.Write(p.write)
	p.buf = nil
	if err != nil {
		return 0, err
	}
	return p.n, p.err
}

func (p *pipeSink) writeOnce(fd uintptr) bool {
	for {
		n, err := syscall.Write(int(fd), p.buf)
		switch err {
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
			return true
		}
		p.n, p.err = max(n, 0), err
		return true
	}
}

func (p *pipeSink) wait() error { return p.raw.Write(p.ready) }

// hasRoom makes the poller wait where it says no. It asks for itself, since an event between a write that found
// no room and the wait would be lost.
func (p *pipeSink) hasRoom(fd uintptr) bool {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
	n, err := unix.Poll(fds, 0)
	return n != 0 || err != nil && err != unix.EINTR
}
