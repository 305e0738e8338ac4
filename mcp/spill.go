package mcp

import (
	"bytes"
	"io"
	"sync"
	"time"
)

// spill hands bytes on to a writer that may be slow. It never blocks: what the writer cannot take in time is lost
// for it, while the child goes on (RPC-4).
type spill struct {
	w    io.Writer
	in   chan []byte
	done chan struct{}
	once sync.Once
}

func newSpill(w io.Writer) *spill {
	s := &spill{w: w, in: make(chan []byte, 256), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		for b := range s.in {
			if _, err := s.w.Write(b); err != nil {
				for range s.in { // nobody is there to tell
				}
			}
		}
	}()
	return s
}

func (s *spill) add(b []byte) {
	if s == nil {
		return
	}
	select {
	case s.in <- bytes.Clone(b):
	default:
	}
}

// close waits a moment until the last bytes are written.
func (s *spill) close() {
	s.once.Do(func() { close(s.in) })
	t := time.NewTimer(settleTime)
	defer t.Stop()
	select {
	case <-s.done:
	case <-t.C:
	}
}
