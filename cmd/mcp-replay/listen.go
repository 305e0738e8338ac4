package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// serveHTTP serves h at /mcp on addr, says so on stderr once it does, and ends without an error when ctx does.
func serveHTTP(ctx context.Context, s *streams, addr string, h http.Handler) error {
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	return serveAll(ctx, s, addr, mux)
}

// serveAll is serveHTTP for a handler of every path.
func serveAll(ctx context.Context, s *streams, addr string, h http.Handler) error {
	l, err := listen(addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.err, "listening on http://%s/mcp\n", l.Addr())
	return serveOn(ctx, l, &http.Server{Handler: h})
}

// listen takes an address.
func listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, usageError("--listen HOST:PORT takes a free port; port 0 picks one", "--listen %s: %v", addr, err)
	}
	return l, nil
}

// serveOn serves until ctx ends, which is no error.
func serveOn(ctx context.Context, l net.Listener, server *http.Server) error {
	server.ReadHeaderTimeout = 10 * time.Second
	server.BaseContext = func(net.Listener) context.Context { return ctx }
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return unreachableError(fmt.Errorf("listening on %s: %w", l.Addr(), err))
	case <-ctx.Done():
	}
	// A client's open event stream would hold up a shutdown for ever.
	grace, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return unreachableError(err)
	}
	return server.Close()
}
