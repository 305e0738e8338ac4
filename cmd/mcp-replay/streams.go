package main

import (
	"io"
	"os"

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
