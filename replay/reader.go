package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// A Reader reads a cassette from its beginning to its end, one frame at a time.
type Reader struct {
	lines  lineReader
	name   string
	line   int // the number of the line read last
	header *Header
	cut    bool
	err    error
}

// NewReader reads the header of the cassette that r gives. The name stands in errors; it need not be a file.
//
// A cassette without a byte gives [ErrEmpty], one that a newer program wrote a *[VersionError], one that cannot be
// read a *[DamageError].
func NewReader(r io.Reader, name string) (*Reader, error) {
	reader := &Reader{lines: lineReader{r: r}, name: name}
	line, whole, err := reader.nextLine()
	if err == io.EOF {
		return nil, fmt.Errorf("%s: %w", name, ErrEmpty)
	} else if err != nil {
		return nil, err
	}
	reader.header, err = decodeHeader(line)
	if newer := (*VersionError)(nil); errors.As(err, &newer) {
		newer.File = name
		return nil, newer
	}
	if err != nil {
		if !whole && isCut(err) {
			err = fmt.Errorf("the header is cut off: %w", err)
		}
		return nil, &DamageError{name, reader.line, err}
	}
	return reader, nil
}

// Header returns the cassette's first line.
func (r *Reader) Header() *Header { return r.header }

// Next returns the next frame; its bytes are the caller's. After the last frame it returns [io.EOF], and any other
// error it goes on to return.
func (r *Reader) Next() (Frame, error) {
	var f Frame
	err := r.next(&f, false)
	return f, err
}

// Cut tells, after Next has returned [io.EOF], whether the cassette ends inside a line, as it does when whoever
// wrote it was killed at that moment. That line is left out (REP-10).
func (r *Reader) Cut() bool { return r.cut }

// next reads a frame. For an index no payload is decoded, and no memory is taken for it.
func (r *Reader) next(f *Frame, index bool) error {
	if r.err != nil {
		return r.err
	}
	line, whole, err := r.nextLine()
	if err != nil {
		r.err = err
		return err
	}
	if !index {
		line = bytes.Clone(line)
	}
	if err = decodeFrame(line, f, index); err == nil {
		return nil
	}
	if !whole && isCut(decodeFrame(trimPartialRune(line), new(Frame), true)) {
		r.cut, r.err = true, io.EOF
		return io.EOF
	}
	r.err = &DamageError{r.name, r.line, err}
	return r.err
}

// nextLine returns the next line that is not blank, without its line end, valid until the next call, and whether it
// had a line end. A byte-order mark before the first line is passed over, and so is the CR of a CRLF: editors add them.
func (r *Reader) nextLine() (line []byte, whole bool, err error) {
	for {
		line, whole, err = r.lines.next()
		if err == io.EOF {
			return nil, false, err
		} else if err != nil {
			return nil, false, fmt.Errorf("%s: %w", r.name, err)
		}
		r.line++
		if r.line == 1 {
			line = bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		if len(line) > 0 && line[len(line)-1] == '\r' {
			line = line[:len(line)-1]
		}
		if len(line) > 0 {
			return line, whole, nil
		}
	}
}

func isCut(err error) bool {
	var s *syntaxError
	return errors.As(err, &s) && s.cut
}

// trimPartialRune takes the beginning of a character that was cut off from the end of b.
func trimPartialRune(b []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-n:]) {
				return b[:len(b)-n]
			}
			return b
		}
	}
	return b
}

// A lineReader splits a stream at line feeds, holding no more of it than the longest line and one block.
type lineReader struct {
	r      io.Reader
	buf    []byte
	unread []byte // the part of buf that has been read and not been returned
	offset int64  // of unread in the stream
	eof    bool
}

const blockSize = 256 << 10

// next returns the next line without its line feed, valid until the next call, and whether it had one.
func (l *lineReader) next() (line []byte, whole bool, err error) {
	searched := 0
	for {
		if n := bytes.IndexByte(l.unread[searched:], '\n'); n >= 0 {
			line = l.unread[:searched+n]
			l.advance(len(line) + 1)
			return line, true, nil
		}
		searched = len(l.unread)
		if l.eof {
			if len(l.unread) == 0 {
				return nil, false, io.EOF
			}
			line = l.unread
			l.advance(len(line))
			return line, false, nil
		}
		if err := l.fill(); err != nil {
			return nil, false, err
		}
	}
}

func (l *lineReader) advance(n int) {
	l.unread = l.unread[n:]
	l.offset += int64(n)
}

// fill reads once more, after moving what is unread to the front of the buffer, which doubles where it is full.
func (l *lineReader) fill() error {
	have := len(l.unread)
	if have+blockSize/2 > len(l.buf) {
		grown := make([]byte, max(blockSize, 2*len(l.buf)))
		copy(grown, l.unread)
		l.buf = grown
	} else {
		copy(l.buf, l.unread)
	}
	n, err := l.r.Read(l.buf[have:])
	l.unread = l.buf[:have+n]
	if err == io.EOF {
		l.eof = true
		return nil
	}
	return err
}
