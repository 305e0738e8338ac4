package mcp

import (
	"bytes"
	"strings"
	"sync"
)

// sampleLen is how much of a line that is no message a status shows, in bytes.
const sampleLen = 200

// noise counts what a server writes on stdout that is no message (RPC-2).
type noise struct {
	mask *mask

	mu     sync.Mutex
	count  int
	sample string // the first such line, cut and masked
}

// add counts a line; a blank one does not count (RPC-3).
func (n *noise) add(line []byte) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.count++; n.count == 1 {
		// Masked before it is cut, so that no half of a secret is left over.
		text := n.mask.in(strings.ToValidUTF8(string(line[:min(len(line), 64*sampleLen)]), "\uFFFD"))
		n.sample = cut(text, sampleLen)
	}
}

// malformed counts elements of a batch that are no messages.
func (n *noise) malformed(count int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.count += count
}

func (n *noise) heard() (count int, sample string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.count, n.sample
}
