package replay

import (
	"encoding/binary"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// passBoth passes both directions of a session on: in one goroutine where the host's ends are pipes or sockets, and else in
// one for each, of which the one from the host may stay in a Read until the program ends. closed is called when the
// server's pipes have been closed.
func passBoth(toServer, toHost *pump) (closed func()) {
	r := newRelay(toServer, toHost)
	if r == nil {
		go toServer.run()
		go toHost.run()
		return func() {}
	}
	go r.run()
	return r.stop
}

// A relay runs both pumps of a session in one goroutine, which is what a call through the recorder needs to be fast: most of
// its cost is that the kernel wakes whoever waits for a pipe. One thread that waits for both sides is woken half as often,
// and when messages follow each other closely, it looks for the next one before it sleeps.
//
// It never waits for a destination, since either side may take nothing before it has been read from: what a pipe has no
// room for is written by a goroutine of its own.
type relay struct {
	ways    [2]*way
	bell    *os.File // an eventfd that ends the wait: a write is over, or the relay is to stop
	stopped atomic.Bool
}

// A way is one direction.
type way struct {
	*pump
	in, out int // the descriptors of its source and destination
	buf     []byte
	state   wayState
	written chan error // tells the end of a write that another goroutine does
	soon    bool       // when it had passed something the last time, what came next came soon
}

type wayState uint8

const (
	wayOpen wayState = iota
	wayFull          // a write is under way
	wayOver
)

const (
	// looking is how long a relay looks for what comes next before it sleeps, where that paid the last time: a quick server
	// answers in less, and a host sends its next request. Between the looks it leaves the processor to whoever else wants it.
	looking = 200 * time.Microsecond
	// atOnce is how much a pipe or socket takes without waiting when poll says that it takes something (PIPE_BUF).
	atOnce = 4096
)

// pipesFor gives what makes the pipes to the server of a host. Those that a relay waits for are none that Go's own poller knows:
// it would wake a thread whenever they are ready, for nobody.
func pipesFor(host HostStreams) func() (r, w *os.File, err error) {
	_, in := pollable(host.In)
	_, out := pollable(host.Out)
	if !in || !out {
		return os.Pipe
	}
	return func() (r, w *os.File, err error) {
		var ends [2]int
		if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
			return nil, nil, os.NewSyscallError("pipe2", err)
		}
		return os.NewFile(uintptr(ends[0]), "|0"), os.NewFile(uintptr(ends[1]), "|1"), nil
	}
}

// newRelay gives nil where the kernel cannot say of all ends when they are ready.
func newRelay(pumps ...*pump) *relay {
	r := new(relay)
	for i, p := range pumps {
		w := &way{pump: p, buf: make([]byte, pumpBlock), written: make(chan error, 1)}
		var readable, writable bool
		w.in, readable = pollable(p.src)
		w.out, writable = pollable(p.dst)
		if !readable || !writable {
			return nil
		}
		r.ways[i] = w
	}
	bell, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		return nil
	}
	r.bell = os.NewFile(uintptr(bell), "eventfd")
	return r
}

// pollable gives the descriptor of a pipe or socket.
func pollable(end any) (fd int, ok bool) {
	f, ok := end.(*os.File)
	if !ok {
		return 0, false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return 0, false
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return 0, false
	}
	err = raw.Control(func(d uintptr) { fd = int(d) })
	return fd, err == nil
}

// stop ends the relay once no way waits for a write; what has been read by then is passed on.
func (r *relay) stop() {
	r.stopped.Store(true)
	r.ring()
}

// ring ends the wait. Where the bell is closed, nobody waits.
func (r *relay) ring() { r.bell.Write(binary.NativeEndian.AppendUint64(nil, 1)) }

func (r *relay) run() {
	defer r.bell.Close()
	raw, err := r.bell.SyscallConn()
	if err != nil {
		return
	}
	fds := make([]unix.PollFd, 3)
	raw.Control(func(d uintptr) { fds[2] = unix.PollFd{Fd: int32(d), Events: unix.POLLIN} })
	last := r.ways[0] // to pass something
	for {
		for i, w := range r.ways {
			fds[i] = unix.PollFd{Fd: -1}
			switch {
			case w.state == wayOpen && r.stopped.Load():
				w.close(w.end)
			case w.state == wayOpen:
				fds[i] = unix.PollFd{Fd: int32(w.in), Events: unix.POLLIN}
			}
		}
		if r.ways[0].state == wayOver && r.ways[1].state == wayOver {
			return
		}
		r.ways[0].waits.Store(r.ways[0].state == wayOpen)
		r.ways[1].waits.Store(r.ways[1].state == wayOpen)
		last.soon = await(fds, last.soon)
		for i, w := range r.ways {
			if fds[i].Revents != 0 {
				w.pass(r.ring)
				last = w
			}
		}
		if fds[2].Revents != 0 {
			r.bell.Read(make([]byte, 8))
			r.ways[0].settle()
			r.ways[1].settle()
		}
	}
}

// await returns when something is ready, and tells whether that was soon.
func await(fds []unix.PollFd, look bool) bool {
	start := time.Now()
	for look && time.Since(start) < looking {
		if n, err := unix.Poll(fds, 0); n != 0 && err == nil {
			return true
		}
		unix.Syscall(unix.SYS_SCHED_YIELD, 0, 0, 0)
	}
	for {
		if _, err := unix.Poll(fds, -1); err != unix.EINTR {
			return time.Since(start) < looking
		}
	}
}

// pass passes on what has come.
func (w *way) pass(ring func()) {
	w.waits.Store(false)
	n, err := w.src.Read(w.buf)
	if n > 0 {
		w.take(w.buf[:n])
		if n > atOnce || !hasRoom(w.out) {
			w.state = wayFull
			go func() {
				_, err := w.dst.Write(w.buf[:n])
				w.written <- err
				ring()
			}()
			return // the end of the source comes again
		}
		if _, err := w.dst.Write(w.buf[:n]); err != nil {
			w.close(func() { w.over(false) })
			return
		}
	}
	if err != nil {
		w.close(w.end)
	}
}

// settle takes note of the end of a write.
func (w *way) settle() {
	select {
	case err := <-w.written:
		if w.state = wayOpen; err != nil {
			w.close(func() { w.over(false) })
		}
	default:
	}
}

func (w *way) close(end func()) {
	w.state = wayOver
	end()
}

// hasRoom tells whether a write of at most atOnce bytes returns at once.
func hasRoom(fd int) bool {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
	n, err := unix.Poll(fds, 0)
	return n == 1 && err == nil
}
