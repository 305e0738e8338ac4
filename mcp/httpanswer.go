package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// answer is the answer to an HTTP request, while it comes in.
type answer struct {
	*http.Response
	wire   wire
	origin *url.URL // where it comes from

	decoded io.Reader // the body
	unknown string    // the encoding of the body, where that cannot be decoded
	err     error     // what the last read of the body gave
	read    bool      // the body was reported to the tap, or is in the course of it
	ended   bool
}

// newAnswer begins an answer: the tap is told its head.
func newAnswer(resp *http.Response, w wire, from *url.URL) *answer {
	a := &answer{Response: resp, wire: w, origin: from, decoded: resp.Body}
	if id := resp.Header.Get(headerSession); id != "" && w.session == "" {
		a.wire.session = id
	}
	header := resp.Header
	switch encoding := strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding"))); encoding {
	case "", "identity":
	case "gzip", "x-gzip", "deflate":
		a.decoded = &inflater{source: resp.Body, gzip: encoding != "deflate"}
		a.ContentLength = -1
		if w.tap != nil {
			// The tap is shown the decoded body, to which these two do not belong.
			header = header.Clone()
			header.Del("Content-Encoding")
			header.Del("Content-Length")
		}
	default:
		a.unknown = encoding
	}
	a.wire.head(resp.StatusCode, header)
	return a
}

// Read reads the decoded body.
func (a *answer) Read(p []byte) (int, error) {
	n, err := a.decoded.Read(p)
	if err != nil {
		a.err = err
	}
	return n, err
}

// finish ends the exchange. A small body that nobody has read is read, so that the connection can serve again.
func (a *answer) finish(ctx context.Context) {
	if a.ended {
		return
	}
	a.ended = true
	if a.err == nil && a.ContentLength > 0 && a.ContentLength <= 64<<10 && a.unknown == "" {
		rest, _ := io.ReadAll(a)
		if !a.read {
			a.wire.data(rest, jsonrpc.Valid(rest), nil)
		}
	}
	a.Body.Close()
	a.wire.end(a.reason(ctx))
}

func (a *answer) reason(ctx context.Context) EndReason {
	if a.err == nil && a.Response.Body == http.NoBody {
		return EndComplete
	}
	return endOf(ctx, a.err)
}

// contentKind is what an answer holds.
type contentKind int

const (
	noContent contentKind = iota
	jsonContent
	streamContent
)

// mediaType is the type that the server gives, without its parameters, in small letters.
func (a *answer) mediaType() string {
	t, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(t))
}

func (a *answer) isStream() bool { return a.mediaType() == "text/event-stream" }

// isGoodStream says whether a GET was answered with a stream that can be read.
func (a *answer) isGoodStream() bool {
	return a.StatusCode == http.StatusOK && a.isStream() && a.unknown == ""
}

// kind says what the body holds. What the server calls neither JSON nor an event stream is told by its first bytes.
func (a *answer) kind() (contentKind, error) {
	if a.unknown != "" {
		return noContent, &ContentError{Encoding: a.unknown}
	}
	if a.ContentLength == 0 || a.StatusCode == http.StatusNoContent {
		return noContent, nil
	}
	switch t := a.mediaType(); {
	case t == "application/json":
		return jsonContent, nil
	case t == "text/event-stream":
		return streamContent, nil
	}
	r := bufio.NewReader(a.decoded)
	a.decoded = r
	kind, err := sniff(r)
	if kind == noContent && err == nil {
		a.err = io.EOF
	}
	return kind, err
}

// sniff looks at the first bytes of a body.
func sniff(r *bufio.Reader) (contentKind, error) {
	for n := 1; n <= r.Size(); n++ {
		if _, err := r.Peek(n); err == io.EOF {
			return noContent, nil
		} else if err != nil {
			return noContent, &brokenError{err: err}
		}
		all, _ := r.Peek(r.Buffered())
		text := bytes.TrimLeft(jsonrpc.TrimBOM(all), " \t\r\n")
		if len(text) == 0 {
			n = len(all)
			continue
		}
		switch {
		case text[0] == '{' || text[0] == '[':
			return jsonContent, nil
		case beginsStream(text):
			return streamContent, nil
		}
		return noContent, &ContentError{HTML: text[0] == '<', Excerpt: string(text)}
	}
	return noContent, &ContentError{}
}

// beginsStream says whether text begins as an event stream does, as far as it goes.
func beginsStream(text []byte) bool {
	for _, name := range []string{":", "data:", "event:", "id:", "retry:"} {
		n := min(len(name), len(text))
		if string(text[:n]) == name[:n] {
			return true
		}
	}
	return false
}

// readAll reads a body of at most limit bytes, into a buffer of the right size where the server tells it.
func (a *answer) readAll(limit int) ([]byte, error) {
	size := a.ContentLength
	if size > int64(limit) {
		return nil, &jsonrpc.TooLongError{Limit: limit}
	}
	if size < 0 {
		size = 1 << 10
	}
	// One byte more than is told, so that the end is seen without growing.
	data := make([]byte, 0, size+1)
	for {
		n, err := a.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF:
			return data, nil
		case err != nil:
			return data, &brokenError{err: err}
		case len(data) > limit:
			return data, &jsonrpc.TooLongError{Limit: limit, Prefix: bytes.Clone(data[:jsonrpc.KeptPrefix])}
		case len(data) == cap(data):
			grown := make([]byte, len(data), 2*cap(data))
			copy(grown, data)
			data = grown
		}
	}
}

// tooLong tells the tap of a body or an event that is too long to be read, where err says so.
func (a *answer) tooLong(err error, event *SSE) bool {
	var long *jsonrpc.TooLongError
	if !errors.As(err, &long) {
		return false
	}
	a.read = true
	a.wire.data(long.Sample(), false, event)
	return true
}

// each tells the tap of a body or an event, and gives its messages to deliver.
func (a *answer) each(data []byte, event *SSE, deliver func(jsonrpc.Message)) error {
	a.read = true
	data = jsonrpc.TrimBOM(data)
	m, err := jsonrpc.Parse(data)
	if err == nil {
		a.wire.data(m.Raw, true, event)
		deliver(m)
		return nil
	}
	batch, _, err := jsonrpc.Split(data)
	a.wire.data(data, err == nil || jsonrpc.Valid(data), event)
	for _, m := range batch {
		deliver(m)
	}
	return err
}
