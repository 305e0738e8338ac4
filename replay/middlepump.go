package replay

import (
	"bytes"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// A pump passes the bytes of one direction on, and records each line before its end is passed on. The beginning of a
// line that has not come whole is passed on at once.
type pump struct {
	src    io.Reader
	dst    io.Writer
	from   mcp.Side
	middle *middle
	over   func(whole bool) // is called once at the end, with true for the source's and false for the destination's

	waits   atomic.Bool // for its source
	line    []byte      // the beginning of a line whose end has not come
	tooLong int         // how long that line is, where it is too long to be kept whole
	frames  []mcp.Frame
}

const pumpBlock = 64 << 10

// run passes on until the source ends, or the destination takes no more.
func (p *pump) run() {
	buf := make([]byte, pumpBlock)
	for {
		p.waits.Store(true)
		n, err := p.src.Read(buf)
		p.waits.Store(false)
		if n > 0 {
			p.take(buf[:n])
			if _, err := p.dst.Write(buf[:n]); err != nil {
				p.over(false)
				return
			}
		}
		if err != nil {
			p.end()
			return
		}
	}
}

// take records the lines that end in a block.
func (p *pump) take(block []byte) {
	p.split(block)
	p.record()
}

// record writes the frames that have come.
func (p *pump) record() {
	if len(p.frames) > 0 {
		p.middle.record(p.frames...)
		clear(p.frames)
		p.frames = p.frames[:0]
	}
}

// split takes the lines that end in a block as frames, and keeps the beginning of the next one.
func (p *pump) split(block []byte) {
	for {
		end := bytes.IndexByte(block, '\n')
		if end < 0 {
			p.keep(block)
			return
		}
		line := block[:end+1]
		if len(p.line) > 0 || p.tooLong > 0 {
			p.keep(line)
			line = p.line
			p.line = nil
		}
		p.addLine(line)
		block = block[end+1:]
	}
}

func (p *pump) keep(part []byte) {
	if p.tooLong == 0 && len(p.line)+len(part) > jsonrpc.MaxLine {
		p.tooLong = len(p.line)
		p.line = bytes.Clone(p.line[:min(len(p.line), longLineSample)])
	}
	if p.tooLong > 0 {
		p.tooLong += len(part)
		return
	}
	p.line = append(p.line, part...)
}

// longLineSample is how much of a line is recorded that is too long to be a message.
const longLineSample = 4096

// addLine makes a frame of a line, of which the line end is a part.
func (p *pump) addLine(line []byte) {
	frame := mcp.Frame{From: p.from, Kind: mcp.FrameNoise, Data: line}
	if p.tooLong > 0 {
		note := fmt.Sprintf("… [a line of %d bytes, too long for a message, recorded up to here]\n", p.tooLong)
		frame.Data = append(line, note...)
		p.middle.warn(fmt.Sprintf("a line of %d bytes is too long to be recorded; it was passed on", p.tooLong))
		p.tooLong = 0
	} else if message := trimLineEnd(line); isMessage(message) {
		frame.Kind, frame.Data = mcp.FrameMessage, message
	}
	p.frames = append(p.frames, frame)
}

// end records what the source has ended with, without a line end.
func (p *pump) end() {
	if len(p.line) > 0 || p.tooLong > 0 {
		line := p.line
		p.line = nil
		p.addLine(line)
		p.record()
	}
	p.over(true)
}

func trimLineEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
}

// isMessage tells whether a line is a message or a batch of them. A byte-order mark and space may stand around it.
func isMessage(line []byte) bool {
	line = bytes.TrimSpace(jsonrpc.TrimBOM(line))
	if len(line) == 0 || line[0] != '{' && line[0] != '[' {
		return false
	}
	if line[0] == '{' {
		_, err := jsonrpc.Parse(line)
		return err == nil
	}
	_, _, err := jsonrpc.Split(line)
	return err == nil
}
