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
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return usageError("--listen HOST:PORT takes a free port; port 0 picks one", "--listen %s: %v", addr, err)
	}
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	fmt.Fprintf(s.err, "listening on http://%s/mcp\n", listener.Addr())

	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return unreachableError(fmt.Errorf("listening on %s: %w", addr, err))
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
