package mcp

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// fate is what became of a frame.
type fate int32

const (
	fateWaiting fate = iota // in the queue, or none of it is out yet
	fatePartly              // some of it is out, or may be
	fateSent                // all of it is out
	fateDropped             // taken out of the queue, or the stream ended before its turn
)

// frame is one message on its way, with its line end. It belongs to the outbox from post until it is settled.
type frame struct {
	buf     []byte
	fate    atomic.Int32
	settled chan struct{} // gets a value when the fate is final; nil where nobody waits
	own     bool          // not a call of the host: an answer or a notice, which a full queue refuses
}

func (f *frame) is() fate { return fate(f.fate.Load()) }

func (f *frame) settle(to fate) {
	f.fate.Store(int32(to))
	if f.settled != nil {
		f.settled <- struct{}{}
	}
}

// maxOwn is how many answers and notices of ours may wait at once. A server that asks without end and never reads
// gets no more answers than that.
const maxOwn = 1024

// maxBatch is how many bytes of small frames go out in one write.
const maxBatch = 64 << 10

// errQueueFull is why an answer or a notice was dropped.
var errQueueFull = errors.New("the server reads too slowly")

// sink is the stream below an outbox.
type sink interface {
	// try writes what there is room for now. Where it cannot tell, it blocks, and blocks says so.
	try(b []byte) (int, error)
	// wait returns once there may be room again.
	wait() error
	blocks() bool
}

// outbox writes frames to one stream, in the order in which they were posted. Who finds it idle writes at once;
// frames that come meanwhile wait and go out together. So one caller pays for no second goroutine, and many callers
// share their writes (RPC-8, RPC-9).
type outbox struct {
	sink   sink
	tap    Tap
	failed func(error) // is told why writing failed, if it does; it must not block

	mu      sync.Mutex
	queue   []*frame // waiting
	own     int      // of them, ours
	writing bool     // somebody writes; they take the queue after it
	err     error    // the stream has ended

	// What follows belongs to who writes, except that retract may look at it while holding both locks.
	turn  sync.Mutex // held during a write that cannot block
	batch []*frame
	bytes []byte // of the batch
	out   int    // how many of them are out
	told  bool   // the tap knows of the batch
	joint []byte // memory for batches of several frames
}

// post queues a frame, or writes it if nobody else writes. It never blocks.
func (o *outbox) post(f *frame) error {
	o.mu.Lock()
	if o.err != nil {
		err := o.err
		o.mu.Unlock()
		f.settle(fateDropped)
		return err
	}
	if f.own {
		if o.own >= maxOwn {
			o.mu.Unlock()
			f.settle(fateDropped)
			return errQueueFull
		}
		o.own++
	}
	o.queue = append(o.queue, f)
	if o.writing {
		o.mu.Unlock()
		return nil
	}
	o.writing = true
	o.take()
	o.mu.Unlock()
	if o.sink.blocks() || !o.step() || o.more() {
		go o.drain()
	}
	return nil
}

// take makes a batch of the first frames that wait. The caller holds mu.
func (o *outbox) take() {
	n, size := 0, 0
	for n < len(o.queue) && (n == 0 || size+len(o.queue[n].buf) <= maxBatch) {
		size += len(o.queue[n].buf)
		n++
	}
	o.batch = append(o.batch[:0], o.queue[:n]...)
	left := copy(o.queue, o.queue[n:])
	clear(o.queue[left:])
	o.queue = o.queue[:left]
	if n == 1 {
		o.bytes = o.batch[0].buf
	} else {
		o.joint = o.joint[:0]
		for _, f := range o.batch {
			o.joint = append(o.joint, f.buf...)
		}
		o.bytes = o.joint
	}
	o.out, o.told = 0, false
	for _, f := range o.batch {
		if f.own {
			o.own--
		}
	}
}

// more takes the next batch; false where none waits, and then nobody writes any more.
func (o *outbox) more() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.queue) == 0 || o.err != nil {
		o.writing = false
		return false
	}
	o.take()
	return true
}

// drain writes the batch, and then what waits.
func (o *outbox) drain() {
	for {
		for !o.step() {
			if err := o.sink.wait(); err != nil {
				o.fail(err)
				return
			}
		}
		if !o.more() {
			return
		}
	}
}

// step writes as much of the batch as there is room for, and says whether the batch is done.
func (o *outbox) step() bool {
	o.turn.Lock()
	defer o.turn.Unlock()
	if !o.told && o.tap != nil {
		o.told = true
		for _, f := range o.batch {
			o.tap.Frame(Frame{From: FromClient, Kind: FrameMessage, Data: f.buf[:len(f.buf)-1]})
		}
	}
	for o.out < len(o.bytes) {
		n, err := o.sink.try(o.bytes[o.out:])
		o.out += n
		if err != nil {
			o.fail(err)
			return true
		}
		if n == 0 {
			return false
		}
	}
	for _, f := range o.batch {
		f.settle(fateSent)
	}
	o.batch, o.bytes = o.batch[:0], nil
	return true
}

// fail ends the outbox: nothing more goes out.
func (o *outbox) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
	}
	at := 0
	for _, f := range o.batch {
		end := at + len(f.buf)
		switch {
		case end <= o.out:
			f.settle(fateSent)
		case at < o.out:
			f.settle(fatePartly)
		default:
			f.settle(fateDropped)
		}
		at = end
	}
	for _, f := range o.queue {
		f.settle(fateDropped)
	}
	o.batch, o.queue, o.bytes = nil, nil, nil
	o.failed(err)
}

// close ends the outbox without waiting for a write. The sink is closed by its owner.
func (o *outbox) close(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
	}
	for _, f := range o.queue {
		f.settle(fateDropped)
	}
	o.queue = nil
}

// retract takes a frame back if none of it is out yet, and says what became of it.
func (o *outbox) retract(f *frame) fate {
	o.mu.Lock()
	for i, q := range o.queue {
		if q == f {
			o.queue = append(o.queue[:i], o.queue[i+1:]...)
			o.mu.Unlock()
			f.settle(fateDropped)
			return fateDropped
		}
	}
	o.mu.Unlock()
	if o.sink.blocks() {
		if f.is() == fateWaiting {
			return fatePartly
		}
		return f.is()
	}
	return o.retractBegun(f)
}

// retractBegun looks for the frame in the batch that is being written. Only a stream without room lets one stay there.
func (o *outbox) retractBegun(f *frame) fate {
	o.turn.Lock()
	defer o.turn.Unlock()
	o.mu.Lock()
	defer o.mu.Unlock()
	at := 0
	for i, b := range o.batch {
		end := at + len(b.buf)
		if b != f {
			at = end
			continue
		}
		switch {
		case end <= o.out:
			return fateSent
		case at < o.out:
			return fatePartly
		}
		o.bytes = append(append([]byte(nil), o.bytes[:at]...), o.bytes[end:]...)
		o.batch = append(o.batch[:i:i], o.batch[i+1:]...)
		f.settle(fateDropped)
		return fateDropped
	}
	return f.is()
}

// send posts a frame and waits until it is out. When ctx ends first, the frame is taken back; one that is half out
// has broken the stream.
func (o *outbox) send(ctx context.Context, buf []byte) error {
	f := &frame{buf: buf, settled: make(chan struct{}, 1)}
	if err := o.post(f); err != nil {
		return err
	}
	select {
	case <-f.settled:
	default:
		select {
		case <-f.settled:
		case <-ctx.Done():
			switch o.retract(f) {
			case fateDropped:
				return context.Cause(ctx)
			case fatePartly:
				return errHalfOut
			}
		}
	}
	if f.is() != fateSent {
		o.mu.Lock()
		defer o.mu.Unlock()
		return o.err
	}
	return nil
}

// errHalfOut is why a connection ends whose server stopped reading in the middle of a message.
var errHalfOut = &ProtocolError{Problem: "the server stopped reading in the middle of a message"}
