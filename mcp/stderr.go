package mcp

import (
	"bytes"
	"strings"
	"sync"
)

// How much of a child's stderr is kept for error messages (RPC-4).
const (
	tailLines   = 20
	tailLineLen = 2000
)

// tail keeps the last lines that were written to it.
type tail struct {
	mu    sync.Mutex
	lines [][]byte // whole ones, at most tailLines
	open  []byte   // the line under way, cut at tailLineLen
}

func (t *tail) add(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		line, rest, ended := bytes.Cut(b, []byte("\n"))
		if room := tailLineLen - len(t.open); room > 0 {
			t.open = append(t.open, line[:min(room, len(line))]...)
		}
		if !ended {
			return
		}
		if len(t.lines) == tailLines {
			copy(t.lines, t.lines[1:])
			t.lines = t.lines[:tailLines-1]
		}
		t.lines = append(t.lines, bytes.TrimSuffix(t.open, []byte("\r")))
		t.open = nil
		b = rest
	}
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := t.lines
	if len(t.open) > 0 {
		lines = append(lines[:len(lines):len(lines)], t.open)
	}
	lines = lines[max(0, len(lines)-tailLines):]
	return strings.ToValidUTF8(string(bytes.Join(lines, []byte("\n"))), "\uFFFD")
}
