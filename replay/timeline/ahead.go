package timeline

import (
	"io"
	"iter"

	"github.com/imurun/mcp-replay/replay"
)

// aheadBytes is about how much is read ahead: enough to be worth the handing over, and no more, so that of the
// longest message only one copy waits here.
const aheadBytes = 256 << 10

// frames gives the rest of r. Reading a frame and making sense of it share the work between two processors.
func frames(r *replay.Reader) iter.Seq2[*replay.Frame, error] {
	return func(yield func(*replay.Frame, error) bool) {
		type batch struct {
			frames []replay.Frame
			err    error
		}
		batches, stop := make(chan batch), make(chan struct{})
		defer func() {
			close(stop)
			for range batches { // until the reader has seen it
			}
		}()
		go func() {
			defer close(batches)
			for {
				var b batch
				for size := 0; size < aheadBytes && b.err == nil; {
					var f replay.Frame
					if f, b.err = r.Next(); b.err == nil {
						b.frames = append(b.frames, f)
						size += len(f.Data) + 128
					}
				}
				select {
				case batches <- b:
				case <-stop:
					return
				}
				if b.err != nil {
					return
				}
			}
		}()
		for b := range batches {
			for i := range b.frames {
				if !yield(&b.frames[i], nil) {
					return
				}
				b.frames[i] = replay.Frame{}
			}
			if b.err != nil && b.err != io.EOF {
				yield(nil, b.err)
				return
			}
		}
	}
}
