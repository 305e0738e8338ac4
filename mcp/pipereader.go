package mcp

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// errInterrupted is what a reader returns whose context has ended; reading can go on after it.
var errInterrupted = os.ErrDeadlineExceeded

// pipeReader reads a child's pipe. Reading can be interrupted, and it ends soon after the child's exit even where an
// escaped grandchild holds the pipe open. (On Windows the child's job is killed instead.)
type pipeReader struct {
	f *os.File

	mu   sync.Mutex
	last time.Time // what is not there by then is not waited for; zero while the child runs
}

func newPipeReader(f *os.File) *pipeReader { return &pipeReader{f: f} }

func (r *pipeReader) Read(b []byte) (int, error) {
	n, err := r.f.Read(b)
	if n == 0 && errors.Is(err, os.ErrDeadlineExceeded) && r.over() {
		// What stands in the pipe is still the child's.
		n, err = readReady(r.f, b)
		r.resume()
		return n, err
	}
	if errors.Is(err, os.ErrClosed) {
		err = io.EOF
	}
	return n, err
}

// over says whether the child has ended, and the time to read after it too.
func (r *pipeReader) over() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.last.IsZero() && !time.Now().Before(r.last)
}

// exited gives the pipe's end a while to come.
func (r *pipeReader) exited(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = time.Now().Add(d)
	_ = r.f.SetReadDeadline(r.last)
}

// interrupt ends the read under way, and all after it, until resume.
func (r *pipeReader) interrupt() {
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.f.SetReadDeadline(time.Unix(1, 0))
}

func (r *pipeReader) resume() {
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.f.SetReadDeadline(r.last)
}

// interruptible makes the end of ctx interrupt a read, until stop is called.
func (r *pipeReader) interruptible(ctx context.Context) (stop func()) {
	done := make(chan struct{})
	unhook := context.AfterFunc(ctx, func() {
		defer close(done)
		r.interrupt()
	})
	return func() {
		if !unhook() {
			<-done
			r.resume()
		}
	}
}
