package replay

import (
	"io"

	"github.com/imurun/mcp-replay/replay/internal/wholefile"
)

// Rewrite writes the frames of a cassette under another header to path, which may be the cassette's own. The new file takes the
// old one's place whole, or not at all.
func Rewrite(path string, c *Cassette, header *Header) error {
	return wholefile.Replace(path, path, func(out io.Writer) error {
		w, err := NewWriter(out, header)
		if err != nil {
			return err
		}
		for f, err := range c.Frames() {
			if err != nil {
				return err
			}
			if err := w.WriteFrame(&f); err != nil {
				return err
			}
		}
		return nil
	})
}
