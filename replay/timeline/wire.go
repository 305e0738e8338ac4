package timeline

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
)

// http takes the head of a request or of an answer.
func (b *builder) http(f *replay.Frame) error {
	x := b.open[f.Exchange]
	if f.From == mcp.FromClient || x == nil {
		x = &exchange{row: -1, start: f.At}
		if h := f.Head; h != nil && f.From == mcp.FromClient {
			x.line = cutBytes(h.Method+" "+h.Path, maxLabel)
			if h.Method != "POST" {
				x.row = b.row(compact{kind: KindHTTP, took: -1, label: b.t.labels.of(x.line, "")})
			}
		}
		b.open[f.Exchange] = x
		if f.From == mcp.FromClient {
			return b.tell(KindHTTP, nil, x.row, -1)
		}
	}
	if f.Head != nil {
		x.status = f.Head.Status
	}
	if x.row >= 0 {
		c := b.t.rows.at(x.row)
		c.answer, c.outcome, c.took = uint32(b.t.Frames), OK, f.At-c.at
		c.got = b.t.rows.keep(fmt.Sprintf("HTTP %d", x.status))
	}
	return b.tell(KindHTTP, nil, x.row, -1)
}

// end takes the end of an exchange: what it leaves without an answer, and why.
func (b *builder) end(f *replay.Frame) error {
	x := b.open[f.Exchange]
	delete(b.open, f.Exchange)
	row := -1
	if x != nil {
		b.httpFailure(x)
		if x.row >= 0 {
			c := b.t.rows.at(x.row)
			c.took = f.At - c.at
		}
	}
	if f.End == mcp.EndReset {
		row = b.row(compact{kind: KindEnd, outcome: Error})
		line := "an exchange"
		if x != nil && x.line != "" {
			line = x.line
		}
		b.problems.add(b.t.Frames, "reset", line, line+" was broken off before it was complete")
	}
	return b.tell(KindEnd, nil, row, -1)
}

// httpFailure gives the calls of an exchange that ended with a bad status their outcome.
func (b *builder) httpFailure(x *exchange) {
	// A GET that is not offered and a DELETE that is not known are everyday answers.
	if x.status < 400 || x.row >= 0 {
		return
	}
	text := fmt.Sprintf("HTTP %d", x.status)
	for _, row := range x.calls {
		c := b.t.rows.at(row)
		if c.outcome != Unanswered {
			continue
		}
		c.outcome, c.took, c.answer = Error, b.frame.At-c.at, uint32(b.t.Frames)
		c.got = b.t.rows.keep(text)
		b.problems.add(int(c.frame), "status", b.name(c), b.name(c)+" was answered with "+text)
	}
	if len(x.calls) == 0 {
		b.problems.add(b.t.Frames, "status", x.line, x.line+" was answered with "+text)
	}
}

// other takes what is no message.
func (b *builder) other(f *replay.Frame) error {
	c := compact{}
	switch f.Kind {
	case mcp.FrameNoise:
		c.kind = KindNoise
		if len(bytes.TrimSpace(f.Data)) > 0 {
			who := "the server wrote on stdout"
			if f.From == mcp.FromClient {
				who = "the host sent"
			}
			b.problems.add(b.t.Frames, "noise", who, who+" what is no message: "+shortBytes(f.Data))
		}
	case mcp.FrameMessage, mcp.FrameBody:
		c.kind = KindNoise
	case mcp.FrameStderr:
		c.kind = KindStderr
		if line := lastLine(f.Data); line != "" {
			b.stderr = line
		}
	case mcp.FrameClose:
		c.kind = KindClose
		b.closed = true
	case mcp.FrameExit:
		c.kind = KindExit
		b.exit(f, &c)
	default:
		c.kind = KindUnknown
	}
	if c.kind == KindNoise || c.kind == KindStderr {
		c.said = b.t.rows.keep(shortBytes(f.Data))
	}
	return b.tell(c.kind, nil, b.row(c), -1)
}

func (b *builder) exit(f *replay.Frame, c *compact) {
	if f.Exit == nil {
		return
	}
	c.said = b.t.rows.keep(exitText(f.Exit))
	if f.Exit.Code == 0 && f.Exit.Signal == "" && b.closed {
		return
	}
	c.outcome = Error
	text := "the server ended with " + exitText(f.Exit)
	if !b.closed {
		text = "the server ended by itself, with " + exitText(f.Exit)
	}
	if b.stderr != "" {
		text += `; its last words on stderr: ` + b.stderr
	}
	b.problems.add(b.t.Frames, "exit", "", text)
}

func exitText(e *mcp.ExitStatus) string {
	if e.Signal != "" {
		return "signal " + e.Signal
	}
	return fmt.Sprintf("exit code %d", e.Code)
}

// shortBytes is the beginning of what need not be text.
func shortBytes(data []byte) string {
	data = bytes.TrimSpace(data)
	return cutBytes(strings.ToValidUTF8(string(data[:min(len(data), 2*maxShort)]), "\uFFFD"), maxShort)
}

func lastLine(data []byte) string {
	data = bytes.TrimSpace(data)
	return shortBytes(data[bytes.LastIndexByte(data, '\n')+1:])
}
