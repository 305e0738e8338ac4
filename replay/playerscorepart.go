package replay

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// A partBuilder knows what is under way in one session while it is read.
type partBuilder struct {
	*scorePart
	match    Match
	asides   *asideBuilder
	anchor   int32              // what the next loose frame follows
	asked    map[string][]int32 // by id: the client's requests without an answer so far
	demanded map[string]int32   // by id: the server's
	tokens   map[string]int32   // by progress token: the client's requests
	tail     map[int32]int32    // of each unfinished request: the last cue that belongs to it
	owner    map[int]int32      // of each open exchange: the client's message that began it
	events   map[int32]string   // of each unfinished request: the id of the last event of its stream
	resumes  map[int]bool       // the open exchanges that resume a stream
	closed   bool
	deletes  int // the exchange of a DELETE
}

// messages takes a frame of one message, which may be known already, or of a batch.
func (p *partBuilder) messages(i int, f *Frame, known *jsonrpc.Message) error {
	if known != nil {
		p.message(cue{frame: uint32(i), elem: noElem}, f, known)
		return nil
	}
	data := bytes.TrimLeft(f.Data, " \t\r\n")
	if len(data) == 0 || data[0] != '[' {
		m, err := jsonrpc.Parse(f.Data)
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

func (p *partBuilder) message(c cue, f *Frame, m *jsonrpc.Message) {
	kind := m.Kind()
	if f.From == mcp.FromClient {
		p.asides.message(f.Exchange)
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
	if owned && kind != jsonrpc.Response {
		p.passed(owner, f.Event)
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
	nth := 0
	if owned { // hosts without a session share ids
		nth = max(0, slices.Index(open, owner))
	}
	request := open[nth]
	if open = slices.Delete(open, nth, nth+1); len(open) == 0 {
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
	delete(p.events, request)
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
