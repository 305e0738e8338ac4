package main

import (
	"bufio"
	"io"
	"strings"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
)

// session writes the cassette of a session on stdio, a message each 100 µs.
type session struct {
	buffer *bufio.Writer
	out    *replay.Writer
	at     time.Duration
	frames int
}

// newSession begins with the handshake of the raw server.
func newSession(w io.Writer) (*session, error) {
	s := &session{buffer: bufio.NewWriterSize(w, 1<<20)}
	var err error
	s.out, err = replay.NewWriter(s.buffer, &replay.Header{
		Version: replay.Version, Recorded: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), By: "bench", Transport: "stdio",
		Server: replay.ServerLine{Command: "bench"}, Rules: replay.RuleSet{BuiltIn: replay.BuiltInRules},
	})
	for line := range strings.Lines(handshake) {
		line := []byte(strings.TrimSpace(line))
		s.message(mcp.FromClient, line)
		if reply := answer(nil, line); reply != nil {
			s.message(mcp.FromServer, reply)
		}
	}
	return s, err
}

func (s *session) message(from mcp.Side, data []byte) {
	s.frame(mcp.Frame{From: from, Kind: mcp.FrameMessage, Data: data})
}

func (s *session) frame(f mcp.Frame) {
	s.at += 100 * time.Microsecond
	f.At = s.at
	s.frames++
	s.out.WriteFrame(&replay.Frame{Frame: f}) // its error stays with the buffer
}

// end ends the session as a server does whose host is done.
func (s *session) end() error {
	s.frame(mcp.Frame{From: mcp.FromClient, Kind: mcp.FrameClose})
	s.frame(mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameExit, Exit: &mcp.ExitStatus{}})
	return s.buffer.Flush()
}
