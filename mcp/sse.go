package mcp

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// Event is one event of an event stream: what stands in [SSE], and its data.
type Event struct {
	SSE
	Data []byte // the data lines, joined by newlines, and nil if there are none; the caller's to keep
}

// EventReader reads an event stream (text/event-stream) as WHATWG defines it: lines end in LF, CR or CRLF wherever
// the chunks are cut, a byte-order mark may stand first, and an event that the stream's end cuts off does not count.
//
// Unlike a browser it also gives the events without data, since their id, retry and comments count for whoever
// records or resumes the stream. Of a comment, one space after its colon is left out, as of a field's value.
type EventReader struct {
	r        io.Reader
	limit    int
	buf      []byte
	pos, end int   // buf[pos:end] is still to be read
	scanned  int   // so many bytes from pos on hold no line end
	err      error // of the last Read; told once the buffer is used up
	started  bool  // a line has been read: no byte-order mark can come any more
	afterCR  bool  // the last line ended in CR: a LF now belongs to it

	id     string        // as the id fields set it
	lastID string        // as of the last whole event
	retry  time.Duration // negative until the server says
}

// NewEventReader reads the stream r, whose events may hold limit bytes each; 0 stands for [jsonrpc.MaxLine].
func NewEventReader(r io.Reader, limit int) *EventReader {
	if limit <= 0 {
		limit = jsonrpc.MaxLine
	}
	return &EventReader{r: r, limit: limit, retry: -1}
}

// LastID is the id with which the stream can be resumed after the events read so far; empty when it cannot.
func (r *EventReader) LastID() string { return r.lastID }

// Retry is how long the server wants to be left alone before the stream is resumed; negative where it did not say.
func (r *EventReader) Retry() time.Duration { return r.retry }

// Next reads one event. It returns io.EOF at the end of the stream, and a *[jsonrpc.TooLongError] for an event
// over the limit, after which it can be called again.
func (r *EventReader) Next() (Event, error) {
	var (
		ev      Event
		comment []byte
		size    int
		hasData bool
	)
	for {
		line, err := r.line(max(0, r.limit-size))
		switch {
		case errors.Is(err, errLongLine):
			if !hasData {
				_, ev.Data = field(line)
			}
			return Event{}, r.skip(ev.Data)
		case err != nil:
			return Event{}, err
		case len(line) == 0 && size == 0:
			continue
		case len(line) == 0:
			r.lastID = r.id
			ev.Comment = string(bytes.TrimSuffix(comment, lineFeed))
			return ev, nil
		}
		size += len(line) + 1
		switch name, value := field(line); string(name) {
		case "data":
			r.addData(&ev, value, hasData)
			hasData = true
		case "event":
			ev.Event = eventName(value)
		case "id":
			if bytes.IndexByte(value, 0) < 0 {
				r.id = string(value)
				ev.ID, ev.HasID = r.id, true
			}
		case "retry":
			r.setRetry(&ev, value)
		case "":
			comment = append(append(comment, value...), '\n')
		}
	}
}

var (
	colon         = []byte{':'}
	lineFeed      = []byte{'\n'}
	byteOrderMark = []byte("\xEF\xBB\xBF")
)

// field cuts a line into its name, which is empty for a comment, and its value.
func field(line []byte) (name, value []byte) {
	name, value, _ = bytes.Cut(line, colon)
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	return name, value
}

func (r *EventReader) addData(ev *Event, value []byte, more bool) {
	switch {
	case more:
		ev.Data = append(append(ev.Data, '\n'), value...)
	case len(value) >= largeValue:
		ev.Data = r.take(value)
	default:
		ev.Data = append([]byte{}, value...)
	}
}

// eventName is string(value) without an allocation for the usual name.
func eventName(value []byte) string {
	if string(value) == "message" {
		return "message"
	}
	return string(value)
}

// setRetry takes a number of milliseconds; anything but digits does not count.
func (r *EventReader) setRetry(ev *Event, value []byte) {
	if len(value) == 0 || bytes.ContainsFunc(value, func(c rune) bool { return c < '0' || c > '9' }) {
		return
	}
	ev.Retry = string(value)
	ms, err := strconv.ParseInt(ev.Retry, 10, 64)
	if most := int64(math.MaxInt64 / time.Millisecond); err != nil || ms > most {
		ms = most
	}
	r.retry = time.Duration(ms) * time.Millisecond
}

const (
	firstBuffer = 4 << 10
	largeValue  = 64 << 10 // from here on the bytes of a value are taken over, not copied
	window      = 1 << 10
)

var errLongLine = errors.New("line too long")

// line returns the next line without its end, good until the next call. A line of more than room bytes gives
// errLongLine with its beginning, and stays where it is.
func (r *EventReader) line(room int) ([]byte, error) {
	for {
		r.skipLineFeed()
		i := lineEnd(r.buf[r.pos+r.scanned : r.end])
		if i < 0 {
			r.scanned = r.end - r.pos
		} else {
			r.scanned += i
		}
		line := r.buf[r.pos : r.pos+r.scanned]
		if len(line) > room {
			return line, errLongLine
		}
		if i >= 0 {
			r.endLine()
			if !r.started {
				r.started = true
				line = bytes.TrimPrefix(line, byteOrderMark)
			}
			return line, nil
		}
		if err := r.fill(); err != nil {
			return nil, err
		}
	}
}

// skip reads on to the end of an event that is too long, and keeps nothing of it.
func (r *EventReader) skip(prefix []byte) error {
	tooLong := &jsonrpc.TooLongError{Limit: r.limit, Prefix: bytes.Clone(prefix[:min(len(prefix), jsonrpc.KeptPrefix)])}
	r.scanned = 0
	for blank := true; ; {
		r.skipLineFeed()
		i := lineEnd(r.buf[r.pos:r.end])
		switch {
		case i < 0:
			blank = blank && r.pos == r.end
			r.pos = r.end
			if r.fill() != nil {
				return tooLong // and the next call tells of the stream's end
			}
		case i == 0 && blank:
			r.endLine()
			r.lastID = r.id
			return tooLong
		default:
			r.scanned = i
			r.endLine()
			blank = true
		}
	}
}

// skipLineFeed drops the LF of a CRLF whose CR has ended a line already.
func (r *EventReader) skipLineFeed() {
	if r.afterCR && r.pos < r.end {
		r.afterCR = false
		if r.buf[r.pos] == '\n' {
			r.pos++
		}
	}
}

// endLine steps over the line of r.scanned bytes and its end.
func (r *EventReader) endLine() {
	r.pos += r.scanned
	r.afterCR = r.buf[r.pos] == '\r'
	r.pos++
	r.scanned = 0
}

// lineEnd is the index of the first CR or LF. It looks window by window, so that a stream of short lines that end
// in one of them is not searched to its end for the other, again and again.
func lineEnd(b []byte) int {
	for off := 0; off < len(b); off += window {
		w := b[off:min(off+window, len(b))]
		i := bytes.IndexByte(w, '\n')
		if i >= 0 {
			w = w[:i]
		}
		if j := bytes.IndexByte(w, '\r'); j >= 0 {
			i = j
		}
		if i >= 0 {
			return off + i
		}
	}
	return -1
}

// fill reads more bytes behind those that are there.
func (r *EventReader) fill() error {
	if r.err != nil {
		return r.err
	}
	switch {
	case r.buf == nil:
		r.buf = buffers.Get().(*[firstBuffer]byte)[:]
	case r.pos == r.end:
		r.pos, r.end = 0, 0
	case r.end < len(r.buf):
	case r.pos >= len(r.buf)/2:
		r.end = copy(r.buf, r.buf[r.pos:r.end])
		r.pos = 0
	default:
		grown := make([]byte, min(2*len(r.buf), max(r.limit, len(r.buf))+firstBuffer))
		r.end = copy(grown, r.buf[r.pos:r.end])
		r.pos, r.buf = 0, grown
	}
	for range 100 {
		n, err := r.r.Read(r.buf[r.end:])
		r.end += n
		r.err = err
		if n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// buffers are those that readers begin with.
var buffers = sync.Pool{New: func() any { return new([firstBuffer]byte) }}

// release ends reading.
func (r *EventReader) release() {
	if len(r.buf) == firstBuffer {
		buffers.Put((*[firstBuffer]byte)(r.buf))
	}
	r.buf, r.pos, r.end, r.scanned, r.err = nil, 0, 0, 0, io.EOF
}

// ended says whether the stream's end has been seen already: asking for more takes no time.
func (r *EventReader) ended() bool { return r.err != nil && r.pos == r.end }

// take gives the bytes of a large value away, which saves copying them, and goes on with a buffer of its own.
func (r *EventReader) take(value []byte) []byte {
	rest := r.buf[r.pos:r.end]
	buf := make([]byte, max(firstBuffer, len(rest)))
	r.pos, r.end = 0, copy(buf, rest)
	r.buf = buf
	return value[:len(value):len(value)]
}
