package fake

import (
	"io"
	"log"
	"net"
	"net/http"
	"sync"
)

// Web is an HTTP server on a free port of 127.0.0.1. (Package httptest would bring its flag into the command.)
type Web struct {
	Origin string // such as http://127.0.0.1:38067

	server http.Server
	ended  chan struct{} // closed when it has
	close  sync.Once
}

// Serve starts a server of the handler's.
func Serve(h http.Handler) (*Web, error) {
	w, start, err := listen()
	if err == nil {
		start(h)
	}
	return w, err
}

// listen makes a server whose origin is known before it starts.
func listen() (w *Web, start func(http.Handler), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	w = &Web{
		Origin: "http://" + listener.Addr().String(), ended: make(chan struct{}),
		server: http.Server{ReadHeaderTimeout: lifetime, ErrorLog: log.New(io.Discard, "", 0)},
	}
	return w, func(h http.Handler) {
		w.server.Handler = h
		go func() {
			defer close(w.ended)
			_ = w.server.Serve(listener) // it ends by Close
		}()
	}, nil
}

// Close ends the server and breaks off what it has open; it blocks until the server has ended. It may be called again.
func (w *Web) Close() error {
	w.close.Do(func() {
		_ = w.server.Close()
		<-w.ended
	})
	return nil
}
