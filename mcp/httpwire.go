package mcp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
)

// wire reports one HTTP request and its answer to the Tap.
type wire struct {
	tap      Tap
	exchange int
	session  string
}

func (w *wire) frame(f Frame) {
	f.Exchange, f.SessionID = w.exchange, w.session
	w.tap.Frame(f)
}

func (w *wire) request(o *outgoing, target *url.URL) {
	if w.tap == nil {
		return
	}
	w.frame(Frame{From: FromClient, Kind: FrameHTTP, Head: &HTTPHead{
		Method: o.method, Path: target.RequestURI(), Header: o.header,
	}})
	if o.body != nil {
		w.frame(Frame{From: FromClient, Kind: FrameMessage, Data: o.body})
	}
}

func (w *wire) head(status int, header http.Header) {
	if w.tap != nil {
		w.frame(Frame{From: FromServer, Kind: FrameHTTP, Head: &HTTPHead{Status: status, Header: header}})
	}
}

// data reports a body, or an event of a stream.
func (w *wire) data(data []byte, isJSON bool, event *SSE) {
	switch {
	case w.tap == nil:
	case isJSON:
		w.frame(Frame{From: FromServer, Kind: FrameMessage, Data: data, Event: event})
	case len(data) > 0:
		w.frame(Frame{From: FromServer, Kind: FrameBody, Data: data, Event: event})
	case event != nil:
		w.frame(Frame{From: FromServer, Kind: FrameEvent, Event: event})
	}
}

func (w *wire) end(reason EndReason) {
	if w.tap == nil {
		return
	}
	from := FromServer
	if reason == EndClient {
		from = FromClient
	}
	w.frame(Frame{From: from, Kind: FrameEnd, End: reason})
}

// endOf says how an exchange ended whose last read gave err; nil stands for one that was left before its end.
func endOf(ctx context.Context, err error) EndReason {
	switch {
	case errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return EndComplete
	case err == nil || ctx.Err() != nil:
		return EndClient
	}
	return EndReset
}
