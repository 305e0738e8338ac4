package replay

import (
	"fmt"
	"io"
)

// A Writer writes a cassette of frames that are redacted already: those of another cassette, or of a file in another
// format after a [Redactor] has seen them. A [Recorder] does both for what passes on a wire.
//
// Each line is one call of the underlying Write. A Writer is not safe for concurrent use.
type Writer struct {
	w   io.Writer
	buf []byte
	err error
}

// NewWriter writes the header line.
func NewWriter(w io.Writer, h *Header) (*Writer, error) {
	writer := &Writer{w: w}
	writer.buf = appendHeader(nil, h)
	return writer, writer.flush()
}

// WriteFrame writes one line. After an error every call returns that error and writes nothing, so that no half
// line is followed by another.
func (w *Writer) WriteFrame(f *Frame) error {
	if w.err != nil {
		return w.err
	}
	w.buf = appendFrame(w.buf[:0], f)
	err := w.flush()
	if cap(w.buf) > maxPooled {
		w.buf = nil
	}
	return err
}

func (w *Writer) flush() error {
	if _, err := w.w.Write(w.buf); err != nil {
		w.err = fmt.Errorf("write cassette: %w", err)
	}
	return w.err
}
