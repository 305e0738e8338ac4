package mcp

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// maxRedirects is how many are followed for one request (HTTP-9).
const maxRedirects = 5

// outgoing is an HTTP request as the Conn means it; with redirects it takes several.
type outgoing struct {
	method  string
	session *httpSession
	header  http.Header
	body    []byte
	reader  bytes.Reader // of the body
	used    bool         // the reader may still be in use: a redirect makes another
}

// send sends a request and returns its answer, whatever the status, but for a redirect: that is followed, or an error.
func (c *httpConn) send(ctx context.Context, o *outgoing) (*answer, error) {
	target := c.url
	for hops := 0; ; hops++ {
		a, err := c.roundTrip(ctx, o, target)
		if err != nil || !isRedirect(a.StatusCode) {
			return a, err
		}
		next, err := c.follow(a, o.method, target, hops)
		a.finish(ctx)
		if err != nil {
			return nil, err
		}
		target = next
	}
}

// roundTrip sends a request to one place, and has the answer's head.
func (c *httpConn) roundTrip(ctx context.Context, o *outgoing, target *url.URL) (*answer, error) {
	w := wire{tap: c.tap, exchange: int(c.exchanges.Add(1)), session: o.session.id}
	w.request(o, target)
	req := c.template.WithContext(ctx)
	req.Method, req.URL, req.Header = o.method, target, o.header
	if c.foreign {
		req.Header = o.header.Clone()
	}
	if o.body != nil {
		reader := &o.reader
		if o.used {
			reader = new(bytes.Reader)
		}
		o.used = true
		reader.Reset(o.body)
		// net/http knows this kind of body to be in memory, and sends it with the header in one write.
		req.Body = io.NopCloser(reader)
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(o.body)), nil }
		req.ContentLength = int64(len(o.body))
	}
	resp, err := c.do(req)
	if err != nil {
		w.end(endOf(ctx, err))
		return nil, c.broken(o.method, target, err)
	}
	return newAnswer(resp, w, target), nil
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// follow says where a redirect leads, if it may be followed (HTTP-9).
func (c *httpConn) follow(a *answer, method string, from *url.URL, hops int) (*url.URL, error) {
	refuse := func(to *url.URL, reason string) (*url.URL, error) {
		e := &RedirectError{Status: a.StatusCode, From: place(from), Reason: reason}
		if to != nil {
			e.Target = place(to)
		}
		return nil, e
	}
	location := a.Header.Get("Location")
	if location == "" {
		return refuse(nil, "it names no target")
	}
	to, err := from.Parse(location)
	if err != nil {
		return refuse(nil, "its target is no URL")
	}
	switch {
	case origin(to) != origin(c.url):
		return refuse(to, "another origin: nothing was sent there")
	case a.StatusCode != http.StatusTemporaryRedirect && a.StatusCode != http.StatusPermanentRedirect:
		return refuse(to, "it would turn "+method+" into a GET without a body; if that is the server's address, use it as url")
	case hops == maxRedirects:
		return refuse(to, "more than 5 in a row")
	}
	to.User = nil
	return to, nil
}

// origin is scheme, host and port.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// place is a URL as errors show it: without user, password, query and fragment, which may be secret.
func place(u *url.URL) string {
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	return shown.String()
}
