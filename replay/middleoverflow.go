package replay

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// An overflow passes bytes on to a writer without ever waiting for it. What the writer does not take in time piles up
// to a limit; what comes on top is dropped, and that is said.
type overflow struct {
	w       io.Writer
	mu      sync.Mutex // guards what follows
	more    *sync.Cond
	pending []byte
	dropped int
	ending  bool
	done    chan struct{} // closed when all is written
}

const maxOverflow = 1 << 20

func newOverflow(w io.Writer) *overflow {
	o := &overflow{w: w, done: make(chan struct{})}
	o.more = sync.NewCond(&o.mu)
	if w == nil {
		close(o.done)
		return o
	}
	go o.run()
	return o
}

func (o *overflow) write(b []byte) {
	if o.w == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.pending)+len(b) > maxOverflow {
		o.dropped += len(b)
		return
	}
	o.pending = append(o.pending, b...)
	o.more.Signal()
}

func (o *overflow) run() {
	defer close(o.done)
	var batch []byte
	for {
		o.mu.Lock()
		for len(o.pending) == 0 && !o.ending {
			o.more.Wait()
		}
		batch, o.pending = o.pending, batch[:0]
		if o.dropped > 0 {
			batch = fmt.Appendf(batch, "\n[%d bytes of the server's stderr dropped: nobody reads them]\n", o.dropped)
			o.dropped = 0
		}
		o.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		if _, err := o.w.Write(batch); err != nil && !errors.Is(err, io.ErrShortWrite) {
			o.drop()
			return
		}
	}
}

// drop ends it: nobody is there to write to.
func (o *overflow) drop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.w, o.pending = nil, nil
}

// close waits until all is written, but no longer than the limit.
func (o *overflow) close(limit time.Duration) {
	o.mu.Lock()
	o.ending = true
	o.more.Signal()
	o.mu.Unlock()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-o.done:
	case <-timer.C:
	}
}
