package mcp

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// HTTP is the Streamable HTTP transport: it makes a connection to the server at URL. Nothing is sent before the first
// Write; each message is then a POST of its own.
//
//	t := &mcp.HTTP{URL: "https://example.com/mcp", Header: http.Header{"Authorization": {"Bearer " + token}}}
//	client, err := mcp.Connect(ctx, t, nil)
//
// The connection keeps the session: the Mcp-Session-Id and the protocol version of the answer to initialize go with
// every later request, Close ends the session with DELETE, and after notifications/initialized a stream is held open
// on which the server can speak by itself. A stream that breaks off before the answer is resumed by its last event's
// id. Redirects are followed only within the origin, since headers and bodies hold secrets.
//
// A request that fails does not end the connection: Read reports it in a *[RequestError], which holds
//
//   - an *[HTTPError] for a status that is no success, with the body's beginning;
//   - [ErrSessionEnded] where the server no longer knows the session;
//   - a *[LostError] where no answer came: no connection, a reset, or (with a *[StreamError] in it) a stream that ended too soon;
//   - a *[RedirectError] for a redirect that is not followed;
//   - a *[ContentError] for an answer that is neither JSON nor an event stream, or in an encoding that is not known;
//   - the context's error, where that governs the request and has ended.
type HTTP struct {
	// URL is used as it is written, but for white space around it.
	URL string

	// Header goes with every request, beside the protocol's own fields.
	Header http.Header

	// Client sends the requests: its Transport and Jar are used, its CheckRedirect and Timeout are not. Nil means a
	// pool of connections that this transport keeps for itself, with the proxies of HTTP_PROXY, HTTPS_PROXY and NO_PROXY.
	Client *http.Client

	// Tap is told every request and answer. Nil means nobody listens.
	Tap Tap
}

// Connect makes a connection without sending anything: a wrong URL or header is refused, and no more.
func (h *HTTP) Connect(context.Context) (Conn, error) {
	u, err := parseURL(h.URL)
	if err != nil {
		return nil, err
	}
	c := &httpConn{url: u, tap: h.Tap, in: make(chan incoming, 16), active: make(map[*exchange]struct{})}
	c.template.Host = u.Host
	if err := c.setHeader(u, h.Header); err != nil {
		return nil, err
	}
	if h.Client != nil {
		client := *h.Client
		client.Timeout = 0
		client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		c.do = client.Do
		c.foreign = true
	} else {
		pool := newPool()
		c.do = pool.RoundTrip
		c.closePool = pool.CloseIdleConnections
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.session = c.newSession("", "")
	return c, nil
}

// parseURL reads an address without putting it to rights.
func parseURL(address string) (*url.URL, error) {
	address = strings.TrimSpace(address)
	u, err := url.Parse(address)
	if err != nil {
		// The error of net/url repeats the whole address, and with it what may be secret.
		var at *url.Error
		if errors.As(err, &at) {
			err = at.Err
		}
		return nil, fmt.Errorf("url: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("url: scheme %q: only http and https are spoken", u.Scheme)
	}
	if u.Hostname() == "" {
		return nil, errors.New("url: it names no host")
	}
	// net/url leaves a space in the query as it is, where it would cut the request line in two.
	u.RawQuery = strings.ReplaceAll(u.RawQuery, " ", "%20")
	return u, nil
}

// setHeader prepares what goes with every request.
func (c *httpConn) setHeader(u *url.URL, user http.Header) error {
	c.header = make(http.Header, len(user)+5)
	for name, values := range user {
		if !isToken(name) {
			return fmt.Errorf("headers: %q is no name for a header", name)
		}
		for _, v := range values {
			if strings.ContainsFunc(v, isControl) {
				return fmt.Errorf("headers: %s: its value holds a character that no header may hold, such as a line end", name)
			}
		}
		key := http.CanonicalHeaderKey(name)
		c.header[key] = append(c.header[key], values...)
		c.secrets = append(c.secrets, secretsOf(values)...)
	}
	if host := c.header.Get("Host"); host != "" {
		c.template.Host = host
	}
	for _, name := range []string{"Host", "Accept", "Content-Type", "Accept-Encoding", headerSession, headerVersion, headerLastEvent} {
		c.header.Del(name)
	}
	if u.User != nil && c.header.Get("Authorization") == "" {
		password, _ := u.User.Password()
		basic := base64.StdEncoding.EncodeToString([]byte(u.User.Username() + ":" + password))
		c.header.Set("Authorization", "Basic "+basic)
		c.secrets = append(c.secrets, secretsOf([]string{basic, password})...)
	}
	return nil
}

// The protocol's own header fields, as net/http spells them.
const (
	headerSession   = "Mcp-Session-Id"
	headerVersion   = "Mcp-Protocol-Version"
	headerLastEvent = "Last-Event-Id"
)

// isToken says whether name may be the name of a header.
func isToken(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"(),/:;<=>?@[\\]{}", r)
	})
}

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
