package replay

import (
	"mime"

	"github.com/imurun/mcp-replay/mcp"
)

// exchange takes what HTTP has beside messages.
func (p *partBuilder) exchange(i int, f *Frame) {
	if f.From == mcp.FromClient {
		if f.Kind == mcp.FrameHTTP {
			p.asks(f)
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
		if p.resumes[f.Exchange] && media != "text/event-stream" { // refused: the request is none the wiser
			delete(p.owner, f.Exchange)
			return
		}
		if f.Head.Status < 300 {
			return
		}
		c.kind, p.refused = cueHead, true
	case mcp.FrameBody:
		c.kind = cueBody
	case mcp.FrameEvent:
		c.kind = cueEvent
		p.passed(owner, f.Event)
	case mcp.FrameEnd:
		delete(p.owner, f.Exchange)
		delete(p.resumes, f.Exchange)
		_, resumable := p.events[owner]
		switch {
		case p.cues[owner].kind != cueRequest || p.cues[owner].peer != none || f.End == mcp.EndClient:
			return
		case resumable:
			c.kind = cueBreak
		case f.End == mcp.EndReset:
			c.kind = cueReset
		default:
			return
		}
	}
	p.attach(owner, c)
}

// asks takes the head of a client's request. A GET can resume the stream of a request that has no answer so far.
func (p *partBuilder) asks(f *Frame) {
	switch f.Head.Method {
	case "DELETE":
		p.deletes = f.Exchange
	case "GET":
		last := f.Head.Header.Get("Last-Event-Id")
		if last == "" {
			return
		}
		for request, id := range p.events {
			if id == last {
				p.owner[f.Exchange], p.resumes[f.Exchange] = request, true
			}
		}
	}
}

// passed notes the id of an event that passed on the stream of an unfinished request.
func (p *partBuilder) passed(request int32, e *mcp.SSE) {
	if e != nil && e.ID != "" && p.cues[request].kind == cueRequest && p.cues[request].peer == none {
		p.events[request] = e.ID
	}
}

// broken takes what should have been a message and is none: inside an exchange it comes back as the body that it was.
func (p *partBuilder) broken(i int, f *Frame) {
	if owner, ok := p.owner[f.Exchange]; ok && f.From == mcp.FromServer {
		p.attach(owner, cue{frame: uint32(i), elem: noElem, kind: cueBody})
	}
}
