package timeline

import (
	"time"

	"github.com/imurun/mcp-replay/mcp"
)

// compact is a row as it is kept: a long recording has millions of them.
type compact struct {
	at, took      time.Duration
	said, got     text
	frame, answer uint32
	label         uint32
	repeat        uint32
	session       uint16
	kind          Kind
	outcome       Outcome
	from          mcp.Side
}

// text is a place in the rows' text: block, offset and length in one.
type text uint64

const (
	rowBlock  = 4096
	textBlock = 1 << 16
	maxShort  = 120     // bytes kept of a short form
	maxTexts  = 100_000 // short forms kept, so that memory stays flat; the rows after them show names only
)

// rows are kept in blocks, so that growing never copies what is there.
type rows struct {
	blocks [][]compact
	texts  [][]byte
	count  int
}

func (r *rows) len() int {
	if len(r.blocks) == 0 {
		return 0
	}
	return (len(r.blocks)-1)*rowBlock + len(r.blocks[len(r.blocks)-1])
}

func (r *rows) at(i int) *compact { return &r.blocks[i/rowBlock][i%rowBlock] }

func (r *rows) add(c compact) int {
	if n := len(r.blocks); n == 0 || len(r.blocks[n-1]) == rowBlock {
		r.blocks = append(r.blocks, make([]compact, 0, rowBlock))
	}
	last := &r.blocks[len(r.blocks)-1]
	*last = append(*last, c)
	return r.len() - 1
}

// full says that no more short forms are kept: making one is wasted work.
func (r *rows) full() bool { return r.count >= maxTexts }

// keep stores a short form of at most maxShort bytes.
func (r *rows) keep(s string) text {
	if s == "" || r.full() {
		return 0
	}
	r.count++
	if len(s) > maxShort {
		s = cutBytes(s, maxShort)
	}
	n := len(r.texts)
	if n == 0 || len(r.texts[n-1])+len(s) > textBlock {
		r.texts = append(r.texts, make([]byte, 0, textBlock))
		n++
	}
	b := &r.texts[n-1]
	at := len(*b)
	*b = append(*b, s...)
	return text(n-1)<<32 | text(at)<<8 | text(len(s))
}

func (r *rows) text(t text) string {
	size := int(t & 0xff)
	if size == 0 {
		return ""
	}
	at := int(t >> 8 & 0xffffff)
	return string(r.texts[t>>32][at : at+size])
}

// label is what a row is called.
type label struct{ method, name string }

// labels keeps each label once.
type labels struct {
	list  []label
	index map[label]uint32
}

// maxLabel is how much of a method or name is kept: servers choose them, and a megabyte is no name.
const maxLabel = 256

func (l *labels) of(method, name string) uint32 {
	key := label{cutBytes(method, maxLabel), cutBytes(name, maxLabel)}
	if i, ok := l.index[key]; ok {
		return i
	}
	i := uint32(len(l.list))
	l.list = append(l.list, key)
	l.index[key] = i
	return i
}
