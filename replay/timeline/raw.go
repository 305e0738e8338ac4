package timeline

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"

	"github.com/imurun/mcp-replay/replay"
)

const (
	rawBlock = 256 << 10 // bytes of frames that are packed together
	maxRaw   = 512 << 10 // bytes of one frame that the page keeps
)

// rawFrames are the lines of frames that are packed together.
type rawFrames struct {
	text   []byte
	first  int // the number of the first frame
	frames int
	packer *flate.Writer
	packed bytes.Buffer
	done   chan struct{} // gets a value when packed is whole
}

func newRawFrames() *rawFrames {
	b := &rawFrames{done: make(chan struct{}, 1)}
	b.packer, _ = flate.NewWriter(nil, flate.BestSpeed) // the error is one of the level
	return b
}

// pack runs beside whoever reads on.
func (b *rawFrames) pack() {
	b.packed.Reset()
	b.packer.Reset(&b.packed)
	b.packer.Write(b.text) // to memory: there is no error
	b.packer.Close()
	b.done <- struct{}{}
}

// write waits until all is packed.
func (b *rawFrames) write(out *bufio.Writer) {
	if b.frames == 0 {
		return
	}
	<-b.done
	fmt.Fprintf(out, `<script type="text/plain" class="raw" data-first="%d" data-frames="%d">`, b.first, b.frames)
	b64 := base64.NewEncoder(base64.StdEncoding, out)
	b64.Write(b.packed.Bytes())
	b64.Close()
	out.WriteString("</script>\n")
	b.text, b.frames = b.text[:0], 0
}

// keepRaw adds the frame's line to the block under way.
func (p *pageWriter) keepRaw(f *replay.Frame) error {
	p.line.Reset()
	if err := p.lines.WriteFrame(f); err != nil {
		return err
	}
	line := p.line.Bytes()
	if p.raw.frames > 0 && len(p.raw.text)+min(len(line), maxRaw) > rawBlock {
		p.flushRaw()
	}
	if p.raw.frames == 0 {
		p.raw.first = p.b.t.Frames
	}
	p.raw.frames++
	if len(line) > maxRaw {
		p.raw.text = append(p.raw.text, bytes.ToValidUTF8(line[:maxRaw], nil)...)
		p.raw.text = append(p.raw.text, fmt.Sprintf("… cut: %d bytes in all\n", len(line))...)
		p.line = bytes.Buffer{} // one like it may never come again
		return nil
	}
	p.raw.text = append(p.raw.text, line...)
	return nil
}

// flushRaw has the block under way packed, and writes the one before it.
func (p *pageWriter) flushRaw() {
	p.spare.write(p.out)
	if p.raw.frames > 0 {
		go p.raw.pack()
		p.raw, p.spare = p.spare, p.raw
	}
}
