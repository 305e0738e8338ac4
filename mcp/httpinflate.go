package mcp

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
)

// inflater decodes a body as it comes: what the server flushed can be read at once.
type inflater struct {
	source io.Reader
	gzip   bool      // else deflate
	r      io.Reader // nil until the first Read, since opening waits for the first bytes
}

func (i *inflater) Read(p []byte) (int, error) {
	if i.r == nil {
		if err := i.open(); err != nil {
			return 0, err
		}
	}
	return i.r.Read(p)
}

func (i *inflater) open() error {
	source := bufio.NewReader(i.source)
	if _, err := source.Peek(1); err != nil {
		return err // an empty body is not encoded
	}
	var err error
	if i.gzip {
		i.r, err = gzip.NewReader(source)
		return err
	}
	// HTTP's deflate is zlib's format, but some servers send it bare.
	if head, _ := source.Peek(2); len(head) == 2 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		i.r, err = zlib.NewReader(source)
		return err
	}
	i.r = flate.NewReader(source)
	return nil
}
