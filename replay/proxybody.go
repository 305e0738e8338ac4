package replay

import (
	"errors"
	"io"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

var errClientGone = errors.New("the host has hung up")

// passThrough is a body that is passed on as it is read: what one Read has given is passed on at the beginning of the
// next, when its reader has recorded all that it completes.
type passThrough struct {
	src        io.Reader
	dst        io.Writer
	flush      func() error
	left       int64 // of a body whose length is known: how much of it is to come; else negative
	last       func(chunk []byte)
	ended      bool // last has been called
	held       []byte
	clientGone bool
	end        error // of the source, once its last bytes have been read
	err        error // the same, other than io.EOF
}

func (t *passThrough) Read(b []byte) (int, error) {
	if err := t.pass(); err != nil {
		return 0, err
	}
	if t.end != nil {
		return 0, t.end
	}
	n, err := t.src.Read(b)
	t.held = append(t.held[:0], b[:n]...)
	if t.left > 0 {
		if t.left -= int64(n); t.left == 0 && t.last != nil {
			t.ended = true
			t.last(b[:n])
		}
	}
	if err == nil {
		return n, nil
	}
	if t.end = err; err != io.EOF {
		t.err = err
	}
	if n > 0 { // the end comes once these bytes are recorded, too
		return n, nil
	}
	return 0, err
}

// pass hands on what is held.
func (t *passThrough) pass() error {
	if len(t.held) == 0 {
		return nil
	}
	_, err := t.dst.Write(t.held)
	t.held = t.held[:0]
	if err == nil {
		err = t.flush()
	}
	if err != nil {
		t.clientGone = true
		return errClientGone
	}
	return nil
}

// drain passes on what is left.
func (t *passThrough) drain() error {
	buf := make([]byte, 32<<10)
	for {
		if _, err := t.Read(buf); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// A recordedBody is a request's body that is recorded as a whole, before its last bytes are read.
type recordedBody struct {
	io.Reader
	length  int64 // negative where it is not known
	read    int64
	data    []byte
	over    bool
	done    func([]byte)
	tooLong func()
}

func (b *recordedBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.read += int64(n)
	if len(b.data)+n <= jsonrpc.MaxLine && b.read <= jsonrpc.MaxLine {
		b.data = append(b.data, p[:n]...)
	} else {
		b.data = nil
	}
	if !b.over && (err == io.EOF || b.length >= 0 && b.read == b.length) {
		b.over = true
		if b.read > jsonrpc.MaxLine {
			b.tooLong()
		} else {
			b.done(b.data)
		}
	}
	return n, err
}

func (b *recordedBody) Close() error { return nil }
