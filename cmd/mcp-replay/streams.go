package main

import (
	"cmp"
	"errors"
	"io"
	"os"
	"sync"
	"syscall"

	"golang.org/x/term"
)

// streams are what a verb reads from and writes to: results go to out, everything for people to err.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer

	inTTY, outTTY, errTTY bool

	width int  // columns of the terminal that out is; 80 where it is none
	color bool // whether out may be coloured: a terminal, and no NO_COLOR
}

func standardStreams() *streams {
	s := &streams{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		inTTY:  term.IsTerminal(int(os.Stdin.Fd())),
		outTTY: term.IsTerminal(int(os.Stdout.Fd())),
		errTTY: term.IsTerminal(int(os.Stderr.Fd())),
		width:  80,
	}
	if s.outTTY {
		if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && w > 0 {
			s.width = w
		}
	}
	s.color = s.outTTY && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return s
}

// resultWriter is where results go. It remembers that they did not get there, whatever the verb makes of it: a result that
// nobody has is no success.
type resultWriter struct {
	to io.Writer

	mu  sync.Mutex // guards err
	err error
}

func (w *resultWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	if err != nil {
		w.mu.Lock()
		w.err = cmp.Or(w.err, err)
		w.mu.Unlock()
	}
	return n, err
}

// wire is out for the bytes of a session, which need no watching where out is a host's pipe: that it does not read them is its
// own affair, and a pipe itself is passed on to faster.
func (s *streams) wire() io.Writer {
	w, ok := s.out.(*resultWriter)
	if !ok {
		return s.out
	}
	if f, ok := w.to.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0 {
			return f
		}
	}
	return w
}

// failure is what went wrong, if anything did. That the reader has had enough is nothing wrong.
func (w *resultWriter) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if errors.Is(w.err, syscall.EPIPE) {
		return nil
	}
	return w.err
}
