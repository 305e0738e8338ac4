package replay

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/andybalholm/brotli"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

var errEncoding = errors.New("a content encoding that is not known")

func contentEncoding(h http.Header) string {
	return strings.ToLower(strings.TrimSpace(h.Get("Content-Encoding")))
}

// canDecode tells whether a body with this header can be recorded decoded.
func canDecode(h http.Header) bool {
	switch contentEncoding(h) {
	case "", "identity", "gzip", "x-gzip", "deflate", "br":
		return true
	}
	return false
}

// decoder reads a body decoded. Nothing is read before its first Read.
func decoder(r io.Reader, h http.Header) (io.Reader, error) {
	switch contentEncoding(h) {
	case "", "identity":
		return r, nil
	case "gzip", "x-gzip":
		return &lateDecoder{open: func() (io.Reader, error) { return gzip.NewReader(r) }}, nil
	case "deflate": // zlib by the book, raw by some servers
		return &lateDecoder{open: func() (io.Reader, error) {
			var first [1]byte
			if _, err := io.ReadFull(r, first[:]); err != nil {
				return nil, err
			}
			all := io.MultiReader(bytes.NewReader(first[:]), r)
			if first[0]&0x0F == 8 {
				return zlib.NewReader(all)
			}
			return flate.NewReader(all), nil
		}}, nil
	case "br":
		return brotli.NewReader(r), nil
	}
	return nil, errEncoding
}

// A lateDecoder opens its decoder at the first Read: opening one reads, and must not come before the answer's head.
type lateDecoder struct {
	open func() (io.Reader, error)
	r    io.Reader
}

func (d *lateDecoder) Read(b []byte) (int, error) {
	if d.r == nil {
		r, err := d.open()
		if err != nil {
			return 0, err
		}
		d.r = r
	}
	return d.r.Read(b)
}

// decodeBody decodes a whole body; what is larger than a message can be stays as it is.
func decodeBody(data []byte, h http.Header) ([]byte, error) {
	if h == nil || contentEncoding(h) == "" {
		return data, nil
	}
	r, err := decoder(bytes.NewReader(data), h)
	if err != nil {
		return nil, err
	}
	decoded, err := io.ReadAll(io.LimitReader(r, jsonrpc.MaxLine+1))
	if err == nil && len(decoded) > jsonrpc.MaxLine {
		err = errEncoding
	}
	return decoded, err
}
