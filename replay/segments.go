package replay

import (
	"bytes"
	"io"
	"runtime"
	"sync"
)

// A segment is a part of a cassette: the lines that begin in it, whole.
type segment struct {
	data  []byte
	start int64  // of data in the file
	room  []byte // that data is in, with what was read around it
}

// segmentSize is how much of a file is a segment, but for the rest of its last line.
const segmentSize = 2 << 20

// reader gives a Reader of the segment's lines, which are slices of its data.
func (s *segment) reader(name string) *Reader {
	return &Reader{name: name, line: 1, lines: lineReader{unread: s.data, offset: s.start, eof: true}}
}

// eachSegment works on the segments of a file between two offsets, of which the first begins a line, on several at a time, and
// takes the results in their order, until there is an error. A segment's data is good until its result has been taken.
func eachSegment[T any](file io.ReaderAt, from, to int64, work func(*segment) T, take func(T) error) error {
	type result struct {
		of  *segment
		got T
		err error
	}
	var buffers sync.Pool
	ahead := make(chan chan result, runtime.GOMAXPROCS(0)-1)
	quit := make(chan struct{})
	defer close(quit)
	go func() {
		defer close(ahead)
		for start := from; start < to; start += segmentSize {
			one := make(chan result, 1)
			select {
			case ahead <- one:
			case <-quit:
				return
			}
			s, _ := buffers.Get().(*segment)
			if s == nil {
				s = new(segment)
			}
			go func() {
				r := result{of: s}
				if r.err = s.load(file, start, from, to); r.err == nil {
					r.got = work(s)
				}
				one <- r
			}()
		}
	}()
	for one := range ahead {
		r := <-one
		if r.err == nil {
			r.err = take(r.got)
		}
		if r.err != nil {
			return r.err
		}
		if cap(r.of.room) <= 2*segmentSize {
			buffers.Put(r.of)
		}
	}
	return nil
}

// load reads the lines that begin in the segment from start on. Where one is longer than the segment, the next ones hold none.
func (s *segment) load(file io.ReaderAt, start, from, to int64) error {
	s.data, s.room = nil, s.room[:0]
	end := min(start+segmentSize, to)
	first := 0
	if start > from { // a line begins behind a line feed
		if err := s.read(file, start-1, end); err != nil {
			return err
		}
		if first = bytes.IndexByte(s.room[:len(s.room)-1], '\n') + 1; first == 0 {
			return nil
		}
		start--
	} else if err := s.read(file, start, end); err != nil {
		return err
	}
	for more := int64(rest); end < to && s.room[len(s.room)-1] != '\n'; more *= 2 {
		have := len(s.room)
		next := min(end+more, to)
		if err := s.read(file, end, next); err != nil {
			return err
		}
		if n := bytes.IndexByte(s.room[have:], '\n'); n >= 0 {
			s.room = s.room[:have+n+1]
		}
		end = next
	}
	s.data, s.start = s.room[first:], start+int64(first)
	return nil
}

// rest is how much is read at first for the rest of a segment's last line.
const rest = 64 << 10

// read appends what stands in the file between two offsets.
func (s *segment) read(file io.ReaderAt, from, to int64) error {
	have, n := len(s.room), int(to-from)
	if cap(s.room)-have < n {
		s.room = append(make([]byte, 0, have+n+rest), s.room...)
	}
	s.room = s.room[:have+n]
	if got, err := file.ReadAt(s.room[have:], from); got < n {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	return nil
}
