package replay

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"slices"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// newScore reads the whole cassette once. How requests are matched decides what they are found by.
func newScore(c *Cassette, match Match) (*score, error) {
	b := scoreBuilder{score: &score{cassette: c}, match: match, parts: make(map[int]*partBuilder)}
	b.survey()
	r, err := NewReader(io.NewSectionReader(c.file, 0, c.end), c.path)
	if err != nil {
		return nil, err
	}
	for i := range c.Len() {
		line, _, err := r.nextLine()
		if err != nil {
			return nil, err
		}
		f, checked, err := b.read(c.Entry(i), line)
		if err == nil {
			err = b.frame(i, &f, checked)
		}
		if err != nil {
			return nil, &DamageError{c.path, r.line, err}
		}
	}
	b.finish()
	return b.score, nil
}

// read reads one frame of which the index knows the rest. The line was checked when the cassette was opened; so a message is found in
// it by a walk that checks nothing, which is what makes a large cassette ready in time.
func (b *scoreBuilder) read(e Entry, line []byte) (f Frame, checked bool, err error) {
	if e.Kind == mcp.FrameMessage {
		if m, ok := meaning.Find(line, "message"); ok {
			f.Kind, f.From, f.Exchange, f.Session, f.Data = e.Kind, e.From, e.Exchange, e.Session, line[m.Start:m.End]
			return f, true, nil
		}
	}
	err = decodeFrame(line, &f, false)
	return f, false, err
}

// knownMessage is [jsonrpc.Parse] for JSON that has been checked.
func knownMessage(data []byte) (m jsonrpc.Message, err error) {
	version := false
	for each := range meaning.Members(data) {
		value := data[each.Start:each.End:each.End]
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
	m.Raw = data
	if !version || m.Kind() == jsonrpc.Invalid || len(m.ID) > 0 && (m.ID[0] == '{' || m.ID[0] == '[' || m.ID[0] == 't' || m.ID[0] == 'f') {
		return m, jsonrpc.ErrNotMessage
	}
	return m, nil
}

type scoreBuilder struct {
	score    *score
	match    Match
	sessions []int32       // of each exchange
	far      map[int]int32 // of those with high numbers
	sizes    map[int]int
	parts    map[int]*partBuilder
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

// A partBuilder knows what is under way in one session while it is read.
type partBuilder struct {
	*scorePart
	match    Match
	anchor   int32              // what the next loose frame follows
	asked    map[string][]int32 // by id: the client's requests without an answer so far
	demanded map[string]int32   // by id: the server's
	tokens   map[string]int32   // by progress token: the client's requests
	tail     map[int32]int32    // of each unfinished request: the last cue that belongs to it
	owner    map[int]int32      // of each open exchange: the client's message that began it
	closed   bool
	deletes  int // the exchange of a DELETE
}

func (b *scoreBuilder) frame(i int, f *Frame, checked bool) error {
	session := b.sessionOf(f)
	p := b.parts[session]
	if p == nil {
		p = &partBuilder{
			scorePart: &scorePart{session: session, opening: none, crash: none, cues: make([]cue, 0, b.sizes[session])},
			match:     b.match, anchor: none,
			asked: make(map[string][]int32), demanded: make(map[string]int32), tokens: make(map[string]int32),
			tail: make(map[int32]int32), owner: make(map[int]int32),
		}
		b.parts[session] = p
		b.score.parts = append(b.score.parts, p.scorePart)
	}
	switch f.Kind {
	case mcp.FrameMessage:
		return p.messages(i, f, checked)
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

// exchange takes what HTTP has beside messages.
func (p *partBuilder) exchange(i int, f *Frame) {
	if f.From == mcp.FromClient {
		if f.Kind == mcp.FrameHTTP && f.Head.Method == "DELETE" {
			p.deletes = f.Exchange
		}
		return
	}
	if f.Kind == mcp.FrameHTTP && f.Exchange == p.deletes {
		p.deleted = f.Head.Status
	}
	owner, ok := p.owner[f.Exchange]
	if !ok {
		return
	}
	c := cue{frame: uint32(i), elem: noElem}
	switch f.Kind {
	case mcp.FrameHTTP:
		media, _, _ := mime.ParseMediaType(f.Head.Header.Get("Content-Type"))
		if media == "text/event-stream" {
			p.cues[owner].flags |= flagStream
		}
		if f.Head.Status < 300 {
			return
		}
		c.kind = cueHead
	case mcp.FrameBody:
		c.kind = cueBody
	case mcp.FrameEvent:
		c.kind = cueEvent
	case mcp.FrameEnd:
		delete(p.owner, f.Exchange)
		if f.End != mcp.EndReset || p.cues[owner].kind != cueRequest || p.cues[owner].peer != none {
			return
		}
		c.kind = cueReset
	}
	p.attach(owner, c)
}

func (p *partBuilder) messages(i int, f *Frame, checked bool) error {
	data := bytes.TrimLeft(f.Data, " \t\r\n")
	if len(data) == 0 || data[0] != '[' {
		parse := knownMessage
		if !checked {
			parse = jsonrpc.Parse
		}
		m, err := parse(f.Data)
		if err != nil {
			p.broken(i, f)
			return nil
		}
		p.message(cue{frame: uint32(i), elem: noElem}, f, &m)
		return nil
	}
	elem := 0
	for each := range meaning.Members(data) {
		if elem == noElem {
			return fmt.Errorf("a batch of more than %d messages", noElem)
		}
		if m, err := jsonrpc.Parse(data[each.Start:each.End]); err == nil {
			p.message(cue{frame: uint32(i), elem: uint16(elem)}, f, &m)
		}
		elem++
	}
	return nil
}

// broken takes what should have been a message and is none: inside an exchange it comes back as the body that it was.
func (p *partBuilder) broken(i int, f *Frame) {
	if owner, ok := p.owner[f.Exchange]; ok && f.From == mcp.FromServer {
		p.attach(owner, cue{frame: uint32(i), elem: noElem, kind: cueBody})
	}
}

func (p *partBuilder) message(c cue, f *Frame, m *jsonrpc.Message) {
	kind := m.Kind()
	if f.From == mcp.FromClient {
		at := none
		switch kind {
		case jsonrpc.Request:
			at = p.request(c, m)
		case jsonrpc.Notification:
			at = p.notice(c, m)
		case jsonrpc.Response:
			at = p.reply(c, m)
		}
		if _, begun := p.owner[f.Exchange]; f.Exchange > 0 && at != none && !begun {
			p.owner[f.Exchange] = at
		}
		return
	}
	owner, owned := p.owner[f.Exchange]
	if f.Exchange == 0 {
		owned = false
	}
	switch kind {
	case jsonrpc.Response:
		p.answer(c, m, owner, owned)
	case jsonrpc.Request:
		c.kind = cueDemand
		c.peer = none
		at := none
		if owned {
			at = p.attach(owner, c)
		} else {
			p.pushes = true
			at = p.loose(c)
		}
		p.demanded[string(m.ID)] = at
	case jsonrpc.Notification:
		c.kind = cueNews
		if m.Method == "notifications/progress" {
			if asked, ok := p.tokens[string(meaning.At(m.Params, "progressToken"))]; ok {
				owner, owned = asked, true
			}
		}
		if owned {
			p.attach(owner, c)
		} else {
			p.pushes = true
			p.loose(c)
		}
	}
}

func (p *partBuilder) request(c cue, m *jsonrpc.Message) int32 {
	c.kind = cueRequest
	if m.Method == "ping" {
		c.flags = flagPing
	}
	var params []byte
	if p.match != MatchMethod {
		params = matchedParams(m.Method, m.Params)
	}
	wild := meaning.HasPlaceholder(params)
	if wild {
		c.flags |= flagWild
		c.key = namedKey(m.Method, params)
	} else {
		c.key = requestKey(m.Method, params)
	}
	at := p.add(c)
	if p.opening == none {
		p.opening = at
	}
	if wild {
		p.wild = append(p.wild, at)
	} else {
		p.requests = append(p.requests, at)
	}
	p.asked[string(m.ID)] = append(p.asked[string(m.ID)], at)
	p.tail[at] = at
	if token := progressToken(m.Params); token != nil {
		p.remember(string(token), at)
	}
	return at
}

// remember keeps a progress token, and of those whose requests are answered only some: progress may come late.
func (p *partBuilder) remember(token string, at int32) {
	if len(p.tokens) >= 4096 {
		for t, request := range p.tokens {
			if p.cues[request].peer != none {
				delete(p.tokens, t)
			}
		}
	}
	p.tokens[token] = at
}

func (p *partBuilder) notice(c cue, m *jsonrpc.Message) int32 {
	c.kind = cueNotice
	c.key = meaning.HashText(m.Method)
	if m.Method == "notifications/cancelled" {
		if open := p.asked[string(meaning.At(m.Params, "requestId"))]; len(open) > 0 {
			p.cues[open[0]].flags |= flagCancelled
		}
	}
	at := p.add(c)
	p.notices = append(p.notices, at)
	return at
}

func (p *partBuilder) reply(c cue, m *jsonrpc.Message) int32 {
	demand, ok := p.demanded[string(m.ID)]
	if !ok {
		return none
	}
	delete(p.demanded, string(m.ID))
	c.kind = cueReply
	at := p.add(c)
	p.cues[at].peer = demand
	p.cues[demand].peer = at
	return at
}

// answer pairs an answer with its request: by id, also where the server changed the id's type; one without an id belongs to
// the request of its exchange. An answer that nobody waited for is left out: its id may be another's at replay.
func (p *partBuilder) answer(c cue, m *jsonrpc.Message, owner int32, owned bool) {
	id := string(m.ID)
	open := p.asked[id]
	if len(open) == 0 {
		if id, open = p.otherSpelling(id); len(open) == 0 {
			if string(m.ID) != "null" || !owned || p.cues[owner].kind != cueRequest || p.cues[owner].peer != none {
				return
			}
			c.flags |= flagNullID
			id, open = p.idOf(owner)
		}
	}
	request := open[0]
	if open = open[1:]; len(open) == 0 {
		delete(p.asked, id)
	} else {
		p.asked[id] = open
	}
	c.kind = cueAnswer
	if p.cues[request].flags&flagCancelled != 0 {
		c.flags |= flagLate
	}
	at := p.attach(request, c)
	p.cues[at].peer = request
	p.cues[request].peer = at
	delete(p.tail, request)
	p.anchor = at
}

// otherSpelling finds a request whose id has the same digits as another JSON type.
func (p *partBuilder) otherSpelling(id string) (string, []int32) {
	if len(id) > 2 && id[0] == '"' {
		id = id[1 : len(id)-1]
	} else {
		id = `"` + id + `"`
	}
	return id, p.asked[id]
}

func (p *partBuilder) idOf(request int32) (string, []int32) {
	for id, open := range p.asked {
		if slices.Contains(open, request) {
			return id, []int32{request}
		}
	}
	return "", []int32{request}
}

// add appends a cue, and makes it the one that loose frames follow where it can be.
func (p *partBuilder) add(c cue) int32 {
	c.next, c.peer = none, none
	at := int32(len(p.cues))
	p.cues = append(p.cues, c)
	if c.kind.anchors() {
		p.anchor = at
	}
	return at
}

// loose appends what belongs to no request.
func (p *partBuilder) loose(c cue) int32 {
	c.flags |= flagLoose
	if p.anchor != none && p.cues[p.anchor].kind == cueNotice {
		for _, open := range p.asked {
			for _, request := range open {
				p.cues[request].flags |= flagWindow
			}
		}
	}
	return p.add(c)
}

// attach appends a cue that belongs to what the client sent as owner.
func (p *partBuilder) attach(owner int32, c cue) int32 {
	last, open := p.tail[owner]
	if !open {
		for last = owner; p.cues[last].next != none; last = p.cues[last].next {
		}
	}
	anchor := p.anchor
	at := p.add(c)
	p.anchor = anchor
	p.cues[last].next = at
	if open {
		p.tail[owner] = at
	}
	return at
}

func (b *scoreBuilder) finish() {
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
