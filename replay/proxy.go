package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// A Proxy stands between hosts and a server that speak HTTP, and records what passes (REP-3). Bodies pass byte for byte and as
// they come, with status and headers; streams, DELETE, resumption and any number of sessions are all just requests to it.
// Only what concerns one connection changes: Host, hop-by-hop headers, and the framing of chunks. A cassette tells the
// sessions apart by number.
//
// Serve it under any address: requests to Endpoint go to the server's URL, those to other paths to the same path of the
// server's origin.
type Proxy struct {
	target    *url.URL
	header    http.Header
	endpoint  string
	transport *http.Transport
	record    func(...mcp.Frame)
	warn      func(string)
	exchanges atomic.Int64
}

// ProxyOptions tell a [Proxy] more. The zero value will do.
type ProxyOptions struct {
	Endpoint  string          // the path under which hosts find the server; empty means /mcp
	Header    http.Header     // goes with every request to the server, in place of what the host sends under the same names
	Transport *http.Transport // a copy of it carries the requests; nil means one with the proxies of the environment
}

// NewProxy makes a Proxy of the server at an address.
func NewProxy(target string, rec *Recorder, o *ProxyOptions) (*Proxy, error) {
	if o == nil {
		o = new(ProxyOptions)
	}
	u, err := url.Parse(target)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("record: %s: not the address of a server", rec.redactor.Text(target))
	}
	p := &Proxy{target: u, header: o.Header, endpoint: o.Endpoint, record: rec.record, warn: rec.warn}
	if p.endpoint == "" {
		p.endpoint = "/mcp"
	}
	if o.Transport != nil {
		p.transport = o.Transport.Clone()
	} else {
		p.transport = http.DefaultTransport.(*http.Transport).Clone()
		p.transport.MaxIdleConns, p.transport.MaxIdleConnsPerHost = 0, 100
	}
	p.transport.DisableCompression = true
	return p, nil
}

// Close closes the connections to the server that no request uses.
func (p *Proxy) Close() error {
	p.transport.CloseIdleConnections()
	return nil
}

// ServeHTTP passes one request on, and its answer back.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !fromHere(r) {
		http.Error(w, "the request does not come from this machine", http.StatusForbidden)
		return
	}
	x := &proxied{proxy: p, number: int(p.exchanges.Add(1)), session: r.Header.Get("Mcp-Session-Id"), w: w, r: r}
	x.frame(mcp.Frame{From: mcp.FromClient, Kind: mcp.FrameHTTP, Head: &mcp.HTTPHead{Method: r.Method, Path: r.RequestURI, Header: r.Header}})
	out, err := x.request()
	if err != nil {
		x.end(mcp.EndClient)
		panic(http.ErrAbortHandler)
	}
	answer, err := p.transport.RoundTrip(out)
	if err != nil {
		if r.Context().Err() != nil {
			x.end(mcp.EndClient)
			panic(http.ErrAbortHandler)
		}
		x.end(mcp.EndReset)
		http.Error(w, "mcp-replay: the server cannot be reached: "+err.Error(), http.StatusBadGateway)
		return
	}
	x.answer(answer)
}

// proxied is one request on its way.
type proxied struct {
	proxy   *Proxy
	number  int
	session string
	w       http.ResponseWriter
	r       *http.Request
}

// frame records what belongs to this exchange.
func (x *proxied) frame(f mcp.Frame) {
	f.Exchange, f.SessionID = x.number, x.session
	x.proxy.record(f)
}

func (x *proxied) end(reason mcp.EndReason) {
	x.frame(mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameEnd, End: reason})
}

// body records a body that is whole.
func (x *proxied) body(from mcp.Side, data []byte, header http.Header, event *mcp.SSE) {
	if len(data) == 0 && event == nil {
		return
	}
	if decoded, err := decodeBody(data, header); err == nil {
		data = decoded
	} else { // what cannot be read cannot be redacted
		data = fmt.Appendf(nil, "[%d bytes in the encoding %q, which cannot be recorded: %v]", len(data), contentEncoding(header), err)
	}
	f := mcp.Frame{From: from, Kind: mcp.FrameBody, Data: data, Event: event}
	if _, _, ok := jsonDocument(data); ok {
		f.Kind = mcp.FrameMessage
	} else if event != nil && len(data) == 0 {
		f.Kind = mcp.FrameEvent
	}
	x.frame(f)
}

// wholeBody is up to which length a request is read before it is sent on: then it can be sent again where the server has
// closed the connection just before.
const wholeBody = 1 << 20

// request makes the request to the server.
func (x *proxied) request() (*http.Request, error) {
	in := x.r
	to := *x.proxy.target
	if in.URL.Path != x.proxy.endpoint {
		to.Path, to.RawPath, to.RawQuery = in.URL.Path, in.URL.RawPath, in.URL.RawQuery
	} else if in.URL.RawQuery != "" {
		to.RawQuery = strings.TrimPrefix(to.RawQuery+"&"+in.URL.RawQuery, "&")
	}
	out := &http.Request{Method: in.Method, URL: &to, Host: to.Host, Header: passedOn(in.Header), ContentLength: in.ContentLength, Body: http.NoBody}
	if out.Header["User-Agent"] == nil {
		out.Header["User-Agent"] = []string{""} // or the transport would send its own
	}
	for name, values := range x.proxy.header {
		out.Header[http.CanonicalHeaderKey(name)] = values
	}
	switch {
	case in.ContentLength == 0:
	case in.ContentLength > 0 && in.ContentLength <= wholeBody:
		data := make([]byte, in.ContentLength)
		if _, err := io.ReadFull(in.Body, data); err != nil {
			return nil, err
		}
		x.body(mcp.FromClient, data, in.Header, nil)
		out.Body = io.NopCloser(bytes.NewReader(data))
		out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	default:
		out.Body = &recordedBody{Reader: in.Body, length: in.ContentLength, done: func(data []byte) { x.body(mcp.FromClient, data, in.Header, nil) },
			tooLong: func() { x.tooLong(mcp.FromClient) }}
	}
	return out.WithContext(in.Context()), nil
}

// hopByHop are the headers that concern one connection only.
var hopByHop = []string{"Connection", "Keep-Alive", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}

// passedOn copies a header without what concerns one connection only.
func passedOn(h http.Header) http.Header {
	out := h.Clone()
	if out == nil {
		out = make(http.Header)
	}
	for _, list := range h["Connection"] {
		for name := range strings.SplitSeq(list, ",") {
			out.Del(strings.TrimSpace(name))
		}
	}
	for _, name := range hopByHop {
		out.Del(name)
	}
	return out
}

// answer passes the server's answer back.
func (x *proxied) answer(answer *http.Response) {
	defer answer.Body.Close()
	if id := answer.Header.Get("Mcp-Session-Id"); id != "" {
		x.session = id
	}
	x.frame(mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameHTTP, Head: &mcp.HTTPHead{Status: answer.StatusCode, Header: recordedHeader(answer.Header)}})
	empty := answer.ContentLength == 0 || x.r.Method == http.MethodHead
	if empty {
		x.end(mcp.EndComplete)
	}
	header := x.w.Header()
	for name, values := range passedOn(answer.Header) {
		header[name] = values
	}
	if header["Content-Type"] == nil {
		header["Content-Type"] = nil // or net/http would guess one
	}
	if header["Date"] == nil {
		header["Date"] = nil
	}
	x.w.WriteHeader(answer.StatusCode)
	if empty {
		return
	}
	through := &passThrough{src: answer.Body, dst: x.w, flush: http.NewResponseController(x.w).Flush, left: answer.ContentLength}
	through.flush() // the head, before a stream has anything to say
	var err error
	if isEventStream(answer.Header) {
		err = x.stream(through, answer.Header)
	} else {
		err = x.document(through, answer.Header)
	}
	switch {
	case err == nil:
		if !through.ended {
			x.end(mcp.EndComplete)
		}
	case through.clientGone || x.r.Context().Err() != nil:
		x.end(mcp.EndClient)
		panic(http.ErrAbortHandler)
	default:
		x.end(mcp.EndReset)
		panic(http.ErrAbortHandler)
	}
}

// document passes a body on that is recorded as a whole.
func (x *proxied) document(through *passThrough, header http.Header) error {
	var data []byte
	tooLong := false
	through.last = func(chunk []byte) { // of a body whose length is known: its end is recorded before it is passed on
		if !tooLong {
			x.body(mcp.FromServer, append(data, chunk...), header, nil)
		}
		x.end(mcp.EndComplete)
	}
	buf := make([]byte, 32<<10)
	for {
		n, err := through.Read(buf)
		if tooLong = tooLong || len(data)+n > jsonrpc.MaxLine; tooLong {
			data = nil
		} else {
			data = append(data, buf[:n]...)
		}
		if err == nil {
			continue
		}
		if tooLong {
			x.tooLong(mcp.FromServer)
		} else if !through.ended {
			x.body(mcp.FromServer, data, header, nil)
		}
		if err == io.EOF {
			return nil
		}
		return err
	}
}

func (x *proxied) tooLong(from mcp.Side) {
	x.proxy.warn("a body over 64 MiB is too long to be recorded; it was passed on")
	x.frame(mcp.Frame{From: from, Kind: mcp.FrameBody, Data: []byte("[a body over 64 MiB, too long to be recorded]")})
}

// stream passes an event stream on, each event recorded before its end is passed on.
func (x *proxied) stream(through *passThrough, header http.Header) error {
	decoded, err := decoder(through, header)
	if err != nil {
		return x.document(through, header)
	}
	events := mcp.NewEventReader(decoded, 0)
	for {
		e, err := events.Next()
		var long *jsonrpc.TooLongError
		switch {
		case err == io.EOF:
			return through.drain()
		case errors.As(err, &long):
			x.tooLong(mcp.FromServer)
		case err != nil:
			if through.err == nil { // what cannot be decoded can be passed on all the same
				x.proxy.warn("an event stream in a broken encoding is passed on without being recorded")
				return through.drain()
			}
			return err
		default:
			x.body(mcp.FromServer, e.Data, nil, &e.SSE)
		}
	}
}

func isEventStream(h http.Header) bool {
	kind, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	return strings.EqualFold(strings.TrimSpace(kind), "text/event-stream")
}

// recordedHeader is the header as the cassette keeps it, where the body stands decoded.
func recordedHeader(h http.Header) http.Header {
	if h.Get("Content-Encoding") == "" || !canDecode(h) {
		return h
	}
	out := h.Clone()
	out.Del("Content-Encoding")
	out.Del("Content-Length")
	return out
}

var _ http.Handler = (*Proxy)(nil)
