package mcp

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// newPool is a pool of connections to one server.
func newPool() *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            dial,
		ForceAttemptHTTP2:      true, // where TLS agrees on it
		MaxIdleConnsPerHost:    128,  // concurrent calls are concurrent on the wire (RPC-8), and find their connections again
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		ExpectContinueTimeout:  time.Second,
		OnProxyConnectResponse: proxyAnswered,
		DisableCompression:     true, // so that the header is seen as it came; what is encoded is decoded here
	}
}

var dialer = net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}

// dial connects to a host by whichever of its addresses answers.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := dialer.DialContext(ctx, network, address)
	if err == nil || ctx.Err() != nil {
		return conn, err
	}
	host, port, cut := net.SplitHostPort(address)
	if cut != nil || net.ParseIP(host) != nil {
		return nil, err
	}
	// The error of package net names one address of several.
	all, lookup := net.DefaultResolver.LookupHost(ctx, host)
	if lookup != nil || len(all) < 2 {
		return nil, err
	}
	for i, ip := range all {
		all[i] = net.JoinHostPort(ip, port)
	}
	return nil, fmt.Errorf("%w (tried %s)", err, strings.Join(all, ", "))
}

// proxyError is a proxy that does not connect to the server.
type proxyError struct{ status int }

func (e *proxyError) Error() string { return "the proxy answered " + statusText(e.status) }

func proxyAnswered(_ context.Context, _ *url.URL, _ *http.Request, resp *http.Response) error {
	if resp.StatusCode != http.StatusOK {
		return &proxyError{resp.StatusCode}
	}
	return nil
}
