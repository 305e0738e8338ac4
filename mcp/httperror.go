package mcp

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

var (
	// ErrOAuth says that the server wants OAuth, which is not supported (HTTP-10). It stands in an [*HTTPError].
	ErrOAuth = errors.New("the server wants OAuth, which is not supported")

	// ErrLegacySSE says that the server speaks only the HTTP+SSE transport of 2024-11-05, which is not supported
	// (HTTP-10). It stands in an [*HTTPError].
	ErrLegacySSE = errors.New("the server speaks only the HTTP+SSE transport of 2024-11-05, which is not supported")
)

// HTTPError is an answer whose status is no success (HTTP-6).
type HTTPError struct {
	Status       int
	Authenticate string // the WWW-Authenticate header
	RetryAfter   string // the Retry-After header
	Body         string // its first 500 characters
	URL          string // where it comes from, without its query
	Err          error  // ErrOAuth or ErrLegacySSE where it is that; else nil
}

// Error gives the status, what the server says, and what to do about it.
func (e *HTTPError) Error() string {
	var s strings.Builder
	s.WriteString(statusText(e.Status))
	if e.Err != nil {
		fmt.Fprintf(&s, ": %v", e.Err)
	}
	if e.Authenticate != "" {
		fmt.Fprintf(&s, ": WWW-Authenticate: %s", e.Authenticate)
	}
	if e.Body != "" {
		fmt.Fprintf(&s, ": %s", e.Body)
	}
	if e.RetryAfter != "" {
		fmt.Fprintf(&s, " (Retry-After: %s)", e.RetryAfter)
	}
	if hint := e.Hint(); hint != "" {
		fmt.Fprintf(&s, "; %s", hint)
	}
	return s.String()
}

// Hint says what a person can do; empty where there is nothing to say.
func (e *HTTPError) Hint() string {
	switch {
	case e.Err == ErrOAuth:
		return "if the server takes a fixed token, too, set a header such as Authorization to it through ${env:NAME}"
	case e.Err == ErrLegacySSE:
		return "see whether it has another address for Streamable HTTP, often one that ends in /mcp"
	case e.NeedsCredentials():
		return "set a header such as Authorization through ${env:NAME} to a credential that the server takes"
	case e.Status == http.StatusNotFound:
		return "is " + e.URL + " the server's address?"
	}
	return ""
}

// NeedsCredentials says whether the server refuses who is asking (401 or 403): the same request will be refused again.
func (e *HTTPError) NeedsCredentials() bool {
	return e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden
}

// Unwrap gives ErrOAuth or ErrLegacySSE, where it is that.
func (e *HTTPError) Unwrap() error { return e.Err }

// statusText is a status as people know it.
func statusText(status int) string {
	return strings.TrimSpace(fmt.Sprintf("HTTP %d %s", status, http.StatusText(status)))
}

// RedirectError is a redirect that is not followed (HTTP-9).
type RedirectError struct {
	Status int
	From   string // the URL that was asked
	Target string // the URL it leads to, without its query; empty where it names none
	Reason string
}

func (e *RedirectError) Error() string {
	if e.Target == "" {
		return fmt.Sprintf("%s: redirect from %s not followed: %s", statusText(e.Status), e.From, e.Reason)
	}
	return fmt.Sprintf("%s: redirect from %s to %s not followed: %s", statusText(e.Status), e.From, e.Target, e.Reason)
}

// StreamError is an event stream that ended before the answer, and could not be resumed (HTTP-8).
type StreamError struct {
	Resumed int   // how often resuming was tried
	Status  int   // of the last try, where it was refused
	Err     error // why the stream ended; nil where it ended properly
}

func (e *StreamError) Error() string {
	s := "the stream ended without an answer"
	if e.Err != nil {
		s = "the stream broke off before the answer: " + e.Err.Error()
	}
	switch {
	case e.Resumed == 0:
		return s + ", and without an event id it cannot be resumed"
	case e.Status != 0:
		return fmt.Sprintf("%s, and the server did not resume it: %s", s, statusText(e.Status))
	}
	return fmt.Sprintf("%s, and %d tries to resume it brought none", s, e.Resumed)
}

// Unwrap gives why the stream ended.
func (e *StreamError) Unwrap() error { return e.Err }

// ContentError is an answer that is neither JSON nor an event stream.
type ContentError struct {
	Type     string // the Content-Type header
	Encoding string // the Content-Encoding header, where it is that which cannot be read
	HTML     bool   // it is a page for people
	Excerpt  string // how it begins
	URL      string // where it comes from, without its query
}

func (e *ContentError) Error() string {
	switch {
	case e.Encoding != "":
		return fmt.Sprintf("answer from %s: unsupported encoding %s", e.URL, e.Encoding)
	case e.HTML:
		return fmt.Sprintf("got an HTML page from %s, not a message: %s", e.URL, e.Excerpt)
	}
	return fmt.Sprintf("answer from %s: content type %q, neither JSON nor an event stream: %s", e.URL, e.Type, e.Excerpt)
}

// brokenError is a failure of the network, before it is known which message it hits.
type brokenError struct {
	err     error
	notSent bool // nothing of the request can have reached the server
}

func (e *brokenError) Error() string { return e.err.Error() }
func (e *brokenError) Unwrap() error { return e.err }

// broken makes the error of a request that had no answer.
func (c *httpConn) broken(method string, target *url.URL, err error) error {
	// The error of net/http repeats the URL, and with it what may be secret.
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	var (
		op     *net.OpError
		cert   *tls.CertificateVerificationError
		record tls.RecordHeaderError
		proxy  *proxyError
	)
	notSent := errors.As(err, &op) && (op.Op == "dial" || strings.HasSuffix(op.Op, "connect")) ||
		errors.As(err, &cert) || errors.As(err, &record) || errors.As(err, &proxy)
	return &brokenError{err: fmt.Errorf("%s %s: %w", method, place(target), err), notSent: notSent}
}

// statusError makes the error of a status that is no success.
func (x *exchange) statusError(a *answer) error {
	c := x.c
	e := &HTTPError{
		Status:       a.StatusCode,
		Authenticate: c.mask(strings.Join(a.Header.Values("WWW-Authenticate"), ", ")),
		RetryAfter:   a.Header.Get("Retry-After"),
		URL:          place(a.origin),
	}
	if a.unknown == "" {
		// More than is shown is read only for the tap, and to free the connection; and not for long.
		timer := time.AfterFunc(linger, x.cancel)
		body, _ := a.readAll(1 << 20)
		timer.Stop()
		_ = a.each(body, nil, func(jsonrpc.Message) {})
		e.Body = c.excerpt(body)
	}
	a.finish(x.ctx)
	if e.NeedsCredentials() && strings.Contains(strings.ToLower(e.Authenticate), "resource_metadata") {
		e.Err = ErrOAuth
	}
	if x.method == "initialize" && c.isLegacy(x.caller, x.session, a.StatusCode) {
		e.Err = ErrLegacySSE
	}
	return x.failure(e)
}

// isLegacy asks a server that takes no POST of initialize for what the HTTP+SSE transport begins with (HTTP-10).
func (c *httpConn) isLegacy(ctx context.Context, s *httpSession, status int) bool {
	if status != http.StatusBadRequest && status != http.StatusNotFound && status != http.StatusMethodNotAllowed {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, closeGrace)
	defer cancel()
	a, err := c.send(ctx, &outgoing{method: http.MethodGet, session: s, header: s.get})
	if err != nil {
		return false
	}
	defer a.finish(ctx)
	if !a.isGoodStream() {
		return false
	}
	event, err := NewEventReader(a, 64<<10).Next()
	if err != nil {
		return false
	}
	_ = a.each(event.Data, &event.SSE, func(jsonrpc.Message) {})
	return event.Event == "endpoint"
}

// excerpt is the beginning of a body, 500 characters at most (HTTP-6), without secrets.
func (c *httpConn) excerpt(body []byte) string {
	const most = 500
	text := strings.TrimSpace(c.mask(strings.ToValidUTF8(string(body[:min(len(body), 64<<10)]), "\uFFFD")))
	for i, n := 0, 0; i < len(text); n++ {
		if n == most {
			return text[:i]
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
	return text
}

// describe completes the error of an answer that cannot be read.
func (c *httpConn) describe(a *answer, err error) error {
	var e *ContentError
	if errors.As(err, &e) {
		e.URL = place(a.origin)
		e.Type = a.Header.Get("Content-Type")
		e.Excerpt = c.excerpt([]byte(e.Excerpt))
	}
	return err
}

// mask hides the values of the configured headers, which servers like to repeat.
func (c *httpConn) mask(text string) string {
	for _, secret := range c.secrets {
		text = strings.ReplaceAll(text, secret, "********")
	}
	return text
}

// secretsOf finds what is not to be shown in the values of a header: the whole of it, and the credential behind a scheme.
func secretsOf(values []string) []string {
	var secrets []string
	for _, v := range values {
		for _, s := range []string{v, v[strings.LastIndexByte(v, ' ')+1:]} {
			if len(s) >= 8 {
				secrets = append(secrets, s)
			}
		}
	}
	return secrets
}
