package jsonrpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxLine is how long a line may be on stdio (RPC-3).
const MaxLine = 64 << 20

// chunk is how much a [LineReader] reads at a time. A Linux pipe holds as much.
const chunk = 64 << 10

// LineReader reads lines that end in a line feed, and in nothing else (RPC-2), of any length up to a limit.
// Its memory grows with the longest line that is under way, and shrinks again after it.
type LineReader struct {
	r     io.Reader
	limit int
	buf   []byte // what was read; buf[from:] was not handed out yet
	from  int
	seen  int // buf[from:seen] holds no line feed
	end   string
	err   error
}

// TooLongError says that a line, or another carrier of a message, was longer than is taken. It has been skipped; what comes
// after it can be read.
type TooLongError struct {
	Limit  int            // in bytes
	Length int            // of the line, in bytes; 0 where nobody counted
	Prefix []byte         // how it began, 4 KiB at most
	ID     jsontext.Value // of the request that the line answers; nil where that cannot be told
}

func (e *TooLongError) Error() string {
	return fmt.Sprintf("a message is longer than %d bytes, the most that is taken", e.Limit)
}

// Sample is what a record of the session keeps of the line: how it began, and a note in the place of the rest.
func (e *TooLongError) Sample() []byte {
	what := "a text"
	if e.Length > 0 {
		what = fmt.Sprintf("a line of %d bytes", e.Length)
	}
	return fmt.Appendf(bytes.Clone(e.Prefix), "… [%s, too long for a message, recorded up to here]\n", what)
}

// NewLineReader reads lines of at most limit bytes from r; 0 means [MaxLine].
func NewLineReader(r io.Reader, limit int) *LineReader {
	if limit <= 0 {
		limit = MaxLine
	}
	return &LineReader{r: r, limit: limit}
}

// ReadLine returns the next line without its line end, LF or CRLF; see [LineReader.End]. The bytes are the caller's.
// A last line without a line end is a line; after it comes io.EOF. A line over the limit is a *[TooLongError],
// after which reading goes on. After an error that is a timeout the next call goes on where this one stopped;
// any other error stays.
func (l *LineReader) ReadLine() ([]byte, error) {
	for {
		if n := bytes.IndexByte(l.buf[l.seen:], '\n'); n >= 0 {
			return l.take(l.seen + n + 1)
		}
		l.seen = len(l.buf)
		if l.err != nil {
			return l.last()
		}
		// Two bytes more than the limit may be a whole line and its CRLF.
		if len(l.buf)-l.from > l.limit+1 {
			return nil, l.skip()
		}
		l.fill()
	}
}

// End returns the line end of the line last read: "\n", "\r\n", or "" for a last line without one.
func (l *LineReader) End() string { return l.end }

// take hands out the line that ends before buf[to].
func (l *LineReader) take(to int) ([]byte, error) {
	line := l.buf[l.from : to-1]
	l.end = "\n"
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line, l.end = line[:n-1], "\r\n"
	}
	if len(line) > l.limit {
		err := l.tooLong(line, len(line), nil)
		l.from, l.seen = to, to
		return nil, err
	}
	if len(line) > chunk && len(line) > len(l.buf)/2 {
		// A long line keeps its memory and what follows moves: that is less, and a copy of the line would double it.
		rest := l.buf[to:]
		l.buf = append(make([]byte, 0, max(chunk, len(rest))), rest...)
		l.from, l.seen = 0, 0
		return line[:len(line):len(line)], nil
	}
	l.from, l.seen = to, to
	return bytes.Clone(line), nil
}

// last hands out what stands before the end of the stream.
func (l *LineReader) last() ([]byte, error) {
	err := l.err
	if errors.Is(err, os.ErrDeadlineExceeded) {
		l.err = nil
		return nil, err
	}
	if l.from == len(l.buf) {
		return nil, err
	}
	line := l.buf[l.from:]
	l.buf, l.from, l.seen, l.end = nil, 0, 0, ""
	if err != io.EOF {
		return nil, err
	}
	if n := len(line); line[n-1] == '\r' {
		line, l.end = line[:n-1], "\r"
	}
	if len(line) > l.limit {
		return nil, l.tooLong(line, len(line), nil)
	}
	return line, nil
}

// fill reads once. It makes room first: by moving the line under way to the front, or by doubling.
func (l *LineReader) fill() {
	switch {
	case l.from == len(l.buf):
		l.buf, l.from, l.seen = l.buf[:0], 0, 0
		if cap(l.buf) > 2*chunk {
			l.buf = nil
		}
	case len(l.buf) == cap(l.buf) && l.from > 0:
		l.seen -= l.from
		l.buf, l.from = l.buf[:copy(l.buf, l.buf[l.from:])], 0
	}
	if len(l.buf) == cap(l.buf) {
		grown := make([]byte, len(l.buf), max(chunk, min(2*cap(l.buf), l.limit+chunk)))
		copy(grown, l.buf)
		l.buf = grown
	}
	n, err := l.r.Read(l.buf[len(l.buf):cap(l.buf)])
	l.buf = l.buf[:len(l.buf)+n]
	l.err = err
}

// bom is how some programs on Windows begin their output.
var bom = []byte("\xef\xbb\xbf")

// TrimBOM cuts a byte-order mark off the begin of a line.
func TrimBOM(line []byte) []byte { return bytes.TrimPrefix(line, bom) }
