package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"time"

	"github.com/imurun/mcp-replay/mcp"
)

// A Cassette is a recording in a file, open for random access: an index of 24 bytes a frame is kept, the frames
// stay in the file. It is safe for concurrent use.
type Cassette struct {
	path   string
	file   io.ReaderAt
	closer io.Closer
	header *Header
	blocks [][]indexEntry // all full but the last, so that growing copies nothing
	count  int
	end    int64 // the offset behind the last frame's line
	cut    bool
}

// An indexEntry says where a frame's line stands, and what an index is asked for.
type indexEntry struct {
	place    uint64 // offset<<8 | kind<<4 | side
	at       int64  // microseconds
	exchange uint32
	session  uint32
}

const indexBlock = 4096

// An Entry is what the index knows of a frame without reading it.
type Entry struct {
	At       time.Duration
	From     mcp.Side
	Kind     mcp.FrameKind // 0: of which this version knows no more than time and side
	Exchange int
	Session  int
}

// Open reads a cassette once, from end to end, and indexes it. A file that is missing gives an error that wraps
// [fs.ErrNotExist], an empty one [ErrEmpty], one of a newer version a *[VersionError], a damaged one a *[DamageError].
// One that was cut off inside its last line is taken up to its last whole frame, and [Cassette.Cut] says so.
func Open(path string) (*Cassette, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open cassette: %w", err)
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("open cassette: %w", err)
	}
	c, err := newCassette(file, info.Size(), path)
	if err != nil {
		file.Close()
		return nil, err
	}
	c.closer = file
	return c, nil
}

// Parse indexes a cassette that is held in memory. The name stands in errors.
func Parse(data []byte, name string) (*Cassette, error) {
	return newCassette(bytes.NewReader(data), int64(len(data)), name)
}

func newCassette(file io.ReaderAt, size int64, name string) (*Cassette, error) {
	r, err := NewReader(io.NewSectionReader(file, 0, size), name)
	if err != nil {
		return nil, err
	}
	c := &Cassette{path: name, file: file, header: r.header}
	lines := r.line
	err = eachSegment(file, r.lines.offset, size, func(s *segment) *indexed { return index(s, name) }, func(x *indexed) error {
		if damage := (*DamageError)(nil); errors.As(x.err, &damage) {
			damage.Line += lines - 1 // a segment's reader is past the first line already
		}
		lines += x.lines
		for _, e := range x.entries {
			c.add(e)
		}
		if len(x.entries) > 0 {
			c.end = x.end
		}
		c.cut = c.cut || x.cut
		return x.err
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// An indexed is what the index says of a segment.
type indexed struct {
	entries []indexEntry
	end     int64 // the offset behind the last frame's line
	lines   int
	cut     bool
	err     error
}

func index(s *segment, name string) *indexed {
	x := new(indexed)
	r := s.reader(name)
	for {
		var f Frame
		start := r.lines.offset
		if err := r.next(&f, true); err != nil {
			if err != io.EOF {
				x.err = err
			}
			x.lines, x.cut = r.line-1, r.cut
			return x
		}
		x.entries = append(x.entries, indexEntry{
			place:    uint64(start)<<8 | uint64(f.Kind)<<4 | uint64(f.From),
			at:       f.At.Microseconds(),
			exchange: uint32(f.Exchange),
			session:  uint32(f.Session),
		})
		x.end = r.lines.offset
	}
}

func (c *Cassette) add(e indexEntry) {
	if c.count%indexBlock == 0 {
		c.blocks = append(c.blocks, make([]indexEntry, 0, indexBlock))
	}
	last := &c.blocks[len(c.blocks)-1]
	*last = append(*last, e)
	c.count++
}

// Name returns the path that the cassette was opened by.
func (c *Cassette) Name() string { return c.path }

// Header returns the cassette's first line. It is shared: whoever changes it makes a copy first.
func (c *Cassette) Header() *Header { return c.header }

// Len returns the number of frames.
func (c *Cassette) Len() int { return c.count }

// Cut tells whether the file ends inside a line, which is left out.
func (c *Cassette) Cut() bool { return c.cut }

// Entry returns what the index knows of frame i, from 0. It reads nothing.
func (c *Cassette) Entry(i int) Entry {
	e := c.entry(i)
	return Entry{
		At:       time.Duration(e.at) * time.Microsecond,
		From:     mcp.Side(e.place & 0xF),
		Kind:     mcp.FrameKind(e.place >> 4 & 0xF),
		Exchange: int(e.exchange),
		Session:  int(e.session),
	}
}

func (c *Cassette) entry(i int) indexEntry { return c.blocks[i/indexBlock][i%indexBlock] }

// Frame reads frame i, from 0. Its bytes are the caller's.
func (c *Cassette) Frame(i int) (Frame, error) {
	var f Frame
	line, err := c.line(i, nil)
	if err != nil {
		return f, err
	}
	if err := decodeFrame(line, &f, false); err != nil {
		return f, fmt.Errorf("%s: frame %d has changed since the cassette was opened: %w", c.path, i+1, err)
	}
	return f, nil
}

// line reads the line of frame i, into the given memory where it has room.
func (c *Cassette) line(i int, room []byte) ([]byte, error) {
	start, end := int64(c.entry(i).place>>8), c.end
	if i+1 < c.count {
		end = int64(c.entry(i+1).place >> 8)
	}
	line := slices.Grow(room[:0], int(end-start))[:end-start]
	if n, err := c.file.ReadAt(line, start); n < len(line) {
		return nil, fmt.Errorf("%s: frame %d: %w", c.path, i+1, err)
	}
	return bytes.TrimSpace(line), nil
}

// Frames reads all frames in their order. An error ends the sequence.
func (c *Cassette) Frames() iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		for i := range c.count {
			f, err := c.Frame(i)
			if !yield(f, err) || err != nil {
				return
			}
		}
	}
}

// Close closes the file. Frames that have been read stay good.
func (c *Cassette) Close() error {
	if c.closer == nil {
		return nil
	}
	return c.closer.Close()
}
