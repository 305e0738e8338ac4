package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// newScore reads the whole cassette once. How requests are matched decides what they are found by.
func newScore(c *Cassette, match Match) (*score, error) {
	b := scoreBuilder{score: &score{cassette: c}, match: match, parts: make(map[int]*partBuilder), asides: newAsideBuilder()}
	b.survey()
	if c.Len() == 0 {
		return nil, fmt.Errorf("%s: %w", c.path, ErrEmpty)
	}
	i := 0
	err := eachSegment(c.file, int64(c.entry(0).place>>8), c.end, b.readSegment, func(frames []scoreFrame) error {
		for k := range frames {
			f := &frames[k]
			if f.err == nil {
				f.err = b.frame(i, &f.Frame, f.message)
			}
			if f.err != nil {
				return fmt.Errorf("%s: frame %d: %w", c.path, i+1, f.err)
			}
			i++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	b.finish()
	return b.score, nil
}

// A scoreFrame is a frame as the score reads it.
type scoreFrame struct {
	Frame
	message *jsonrpc.Message // Data as one, where that is known already
	err     error
}

// readSegment reads the frames of a segment, of which the index knows where they stand.
func (b *scoreBuilder) readSegment(s *segment) []scoreFrame {
	c := b.score.cassette
	first := sort.Search(c.Len(), func(i int) bool { return int64(c.entry(i).place>>8) >= s.start })
	var frames []scoreFrame
	for r := s.reader(c.path); ; {
		line, _, err := r.nextLine()
		if err == io.EOF {
			return frames
		}
		n := first + len(frames)
		if n == c.Len() {
			err = errors.New("the cassette has changed since it was opened")
		}
		frames = append(frames, scoreFrame{err: err})
		if err != nil {
			return frames
		}
		frames[len(frames)-1].read(c.Entry(n), line)
	}
}

// read reads one frame of which the index knows the rest. A message is found in its line by a walk that checks nothing, which is
// what makes a large cassette ready in time.
func (f *scoreFrame) read(e Entry, line []byte) {
	if e.Kind == mcp.FrameMessage {
		if start, m, ok := messageIn(line); ok {
			f.message = &m
			f.Kind, f.From, f.Exchange, f.Session, f.Data = e.Kind, e.From, e.Exchange, e.Session, m.Raw
			if e.Exchange > 0 && e.From == mcp.FromServer {
				f.Event = eventID(line[:start])
			}
			return
		}
	}
	f.err = decodeFrame(line, &f.Frame, false)
}

// eventID gives the id of the event that carried a message; nil where there is none. Before holds what stands before the message.
func eventID(before []byte) *mcp.SSE {
	if !bytes.Contains(before, []byte(`"sse"`)) {
		return nil
	}
	sse, ok := meaning.Find(before, "sse")
	if !ok {
		return nil
	}
	return &mcp.SSE{ID: meaning.Text(meaning.At(before[sse.Start:sse.End], "id"))}
}

// messageIn gives the message that a frame's line holds and where it begins, in one walk; the line was checked when the cassette
// was opened. It leaves to others what takes more than that: a batch, and a message that stands as text or is none.
func messageIn(line []byte) (start int, m jsonrpc.Message, ok bool) {
	start, ok = meaning.Begin(line, "message")
	if !ok || line[start] != '{' {
		return 0, m, false
	}
	data := line[start:]
	version, end := false, 0
	for each := range meaning.Members(data) {
		value := data[each.Start:each.End:each.End]
		end = each.End
		switch {
		case each.Is("jsonrpc"):
			version = string(value) == `"2.0"`
		case each.Is("id"):
			m.ID = value
		case each.Is("method"):
			m.Method = meaning.Text(value)
		case each.Is("params"):
			m.Params = value
		case each.Is("result"):
			m.Result = value
		case each.Is("error"):
			if m.Error = value; value[0] == 'n' {
				m.Error = nil
			}
		}
	}
	if end = skipSpace(data, end) + 1; end > len(data) {
		return 0, m, false
	}
	m.Raw = data[:end:end]
	if !version || m.Kind() == jsonrpc.Invalid || len(m.ID) > 0 && (m.ID[0] == '{' || m.ID[0] == '[' || m.ID[0] == 't' || m.ID[0] == 'f') {
		return 0, m, false
	}
	return start, m, true
}

type scoreBuilder struct {
	score    *score
	match    Match
	sessions []int32       // of each exchange
	far      map[int]int32 // of those with high numbers
	sizes    map[int]int
	parts    map[int]*partBuilder
	asides   *asideBuilder
}

// survey asks the index how many frames each session has, and which session each exchange belongs to: the request
// that begins a session goes out before the session has its number; the answer has it.
func (b *scoreBuilder) survey() {
	c := b.score.cassette
	b.sizes = make(map[int]int)
	for i := range c.Len() {
		e := c.Entry(i)
		b.sizes[e.Session]++
		switch {
		case e.Exchange == 0 || e.Session == 0:
		case e.Exchange > 2*c.Len(): // a cassette of which only a part is left
			if b.far == nil {
				b.far = make(map[int]int32)
			}
			b.far[e.Exchange] = int32(e.Session)
		default:
			for len(b.sessions) <= e.Exchange {
				b.sessions = append(b.sessions, 0)
			}
			b.sessions[e.Exchange] = int32(e.Session)
		}
	}
}

// sessionOf gives the session that a frame belongs to.
func (b *scoreBuilder) sessionOf(f *Frame) int {
	if f.Exchange > 0 && f.Exchange < len(b.sessions) && b.sessions[f.Exchange] > 0 {
		return int(b.sessions[f.Exchange])
	}
	if session, ok := b.far[f.Exchange]; ok {
		return int(session)
	}
	return f.Session
}

func (b *scoreBuilder) frame(i int, f *Frame, m *jsonrpc.Message) error {
	session := b.sessionOf(f)
	p := b.parts[session]
	if p == nil {
		p = &partBuilder{
			scorePart: &scorePart{session: session, opening: none, crash: none, cues: make([]cue, 0, b.sizes[session])},
			match:     b.match, asides: b.asides, anchor: none,
			asked: make(map[string][]int32), demanded: make(map[string]int32), tokens: make(map[string]int32),
			tail: make(map[int32]int32), owner: make(map[int]int32), events: make(map[int32]string), resumes: make(map[int]bool),
		}
		b.parts[session] = p
		b.score.parts = append(b.score.parts, p.scorePart)
	}
	if f.Exchange > 0 {
		b.asides.frame(i, f)
	}
	switch f.Kind {
	case mcp.FrameMessage:
		return p.messages(i, f, m)
	case mcp.FrameStderr:
		p.loose(cue{frame: uint32(i), elem: noElem, kind: cueStderr})
	case mcp.FrameClose:
		p.closed = true
		p.add(cue{frame: uint32(i), elem: noElem, kind: cueClose})
	case mcp.FrameExit:
		at := p.loose(cue{frame: uint32(i), elem: noElem, kind: cueExit})
		if !p.closed {
			p.crash = at
		}
	case mcp.FrameHTTP, mcp.FrameBody, mcp.FrameEvent, mcp.FrameEnd:
		p.exchange(i, f)
	}
	return nil
}

func (b *scoreBuilder) finish() {
	b.score.asides, b.score.versions = b.asides.finish(), b.asides.versions
	for _, p := range b.score.parts {
		for _, group := range [][]int32{p.requests, p.wild, p.notices} {
			p.sortByKey(group)
		}
	}
}

// sortByKey sorts cues by their keys, and those of one key in their order.
func (p *scorePart) sortByKey(group []int32) {
	type keyed struct {
		key uint64
		at  int32
	}
	sorted := make([]keyed, len(group))
	for i, at := range group {
		sorted[i] = keyed{p.cues[at].key, at}
	}
	slices.SortFunc(sorted, func(x, y keyed) int {
		switch {
		case x.key < y.key:
			return -1
		case x.key > y.key:
			return 1
		}
		return int(x.at) - int(y.at)
	})
	for i, k := range sorted {
		group[i] = k.at
	}
}
