package mcp

import (
	"strings"
	"sync"
)

// Status is what was odd about a server so far.
type Status struct {
	Noise       int      // lines on stdout that were no message, and broken elements of batches (RPC-2)
	NoiseSample string   // the first of them, cut to 200 bytes and with secrets masked
	Notes       []string // what else was odd and passed over, in words; each once
}

// Status tells what was odd about the server so far.
func (c *Client) Status() Status {
	var s Status
	if n, ok := c.conn.(interface{ heard() (int, string) }); ok {
		s.Noise, s.NoiseSample = n.heard()
	}
	s.Notes = c.notes.list()
	return s
}

// What is noted at most: a server must not fill the memory with its oddities.
const (
	maxNotes = 50
	maxNote  = 500 // bytes
)

// cut shortens a text to at most n bytes and an ellipsis.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// notes collects what was odd, each note once.
type notes struct {
	warn func(string)

	mu   sync.Mutex
	all  []string
	have map[string]bool
}

func (n *notes) add(note string) {
	note = cut(note, maxNote)
	n.mu.Lock()
	if n.have[note] || len(n.all) >= maxNotes {
		n.mu.Unlock()
		return
	}
	if n.have == nil {
		n.have = map[string]bool{}
	}
	n.have[note] = true
	n.all = append(n.all, note)
	n.mu.Unlock()
	if n.warn != nil {
		n.warn(note)
	}
}

func (n *notes) list() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string(nil), n.all...)
}
