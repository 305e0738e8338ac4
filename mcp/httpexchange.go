package mcp

import (
	"bytes"
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// linger is how long a stream may take to end once the answer is in. The connection can be used again only then.
const linger = time.Second

// exchange is the POST of one message, with all that it takes to get its answer.
type exchange struct {
	c       *httpConn
	session *httpSession
	method  string         // of the message
	id      jsontext.Value // of the request to be answered; nil where none is
	out     outgoing

	caller context.Context // governs the exchange until it is answered
	ctx    context.Context // of its HTTP requests
	cancel context.CancelFunc
	detach func() bool // frees ctx from the caller's; nil where that never ends

	direct   bool            // the answer is for who asks, not for Read
	answer   jsonrpc.Message // the answer, where it is direct
	queued   bool            // something was handed to Read
	granted  string          // the session id in the answer to initialize
	answered bool
	aside    bool // a goroutine goes on with the stream, and releases the exchange

	elsewhere atomic.Bool    // the answer came on another stream, and is with Read
	refusal   *jsonrpc.Error // came without an id, as errors do where the request was not understood
}

// begin prepares the POST of a message; a timeout of 0 means none but the caller's.
func (c *httpConn) begin(ctx context.Context, timeout time.Duration, m *jsonrpc.Message) (*exchange, error) {
	x := &exchange{c: c, method: m.Method, caller: ctx}
	if m.Kind() == jsonrpc.Request {
		x.id = m.ID
	}
	base := ctx
	if ctx.Done() != nil {
		base = context.WithoutCancel(ctx)
	}
	if timeout > 0 {
		x.ctx, x.cancel = context.WithTimeout(base, timeout)
	} else {
		x.ctx, x.cancel = context.WithCancel(base)
	}
	if ctx.Done() != nil {
		x.detach = context.AfterFunc(ctx, x.cancel)
	}
	if !c.enter(x) {
		x.release()
		return nil, ErrClosed
	}
	x.out = outgoing{method: http.MethodPost, session: x.session, header: x.session.post, body: m.Raw}
	return x, nil
}

// leaveCaller frees the exchange from the context of who asked.
func (x *exchange) leaveCaller() {
	if x.detach != nil {
		x.detach()
	}
}

// release ends the exchange.
func (x *exchange) release() {
	x.leaveCaller()
	x.c.leave(x)
	x.cancel()
}

// post posts a message, and hands what comes back to Read. Its error is why the message was not taken, or a request
// not answered.
func (c *httpConn) post(ctx context.Context, m jsonrpc.Message) error {
	x, err := c.begin(ctx, 0, &m)
	if err != nil {
		return err
	}
	if err := x.run(); err != nil {
		return err
	}
	if m.Method == "notifications/initialized" {
		c.run(func() { c.listen(x.session) }) // HTTP-11
	}
	return nil
}

// ask posts a request and returns its answer to the goroutine that asks, which saves waking two others. All else that
// comes is for Read; and where something came before the answer, the answer is queued behind it.
func (c *httpConn) ask(ctx context.Context, timeout time.Duration, m jsonrpc.Message) (answer jsonrpc.Message, queued bool, err error) {
	x, err := c.begin(ctx, timeout, &m)
	if err != nil {
		return jsonrpc.Message{}, false, err
	}
	x.direct = true
	if err := x.run(); err != nil {
		if x.elsewhere.Load() {
			return jsonrpc.Message{}, true, nil
		}
		return jsonrpc.Message{}, false, err
	}
	return x.answer, x.answer.Raw == nil, nil
}

// run sends the message and receives what comes back.
func (x *exchange) run() error {
	a, err := x.c.send(x.ctx, &x.out)
	if err != nil {
		err = x.failure(err)
		x.release()
		return err
	}
	if x.id == nil && a.isStream() {
		// Write is not to wait for the end of a stream that answers nothing.
		x.goAside(a, func() { _ = x.receive(a) })
		return nil
	}
	err = x.receive(a)
	if !x.aside {
		x.release()
	}
	return err
}

// goAside goes on with a stream while the caller goes its way.
func (x *exchange) goAside(a *answer, f func()) {
	x.leaveCaller()
	x.aside = true
	if !x.c.run(func() { f(); x.release() }) {
		a.finish(x.ctx)
		x.release()
	}
}

// receive reads the answer to the POST.
func (x *exchange) receive(a *answer) error {
	if x.method == "initialize" {
		x.granted = a.Header.Get(headerSession)
	}
	switch {
	case a.StatusCode == http.StatusNotFound && x.session.id != "":
		a.finish(x.ctx)
		x.c.forget(x.session)
		return ErrSessionEnded
	case a.StatusCode < 200 || a.StatusCode > 299:
		return x.statusError(a)
	}
	kind, err := a.kind()
	if err != nil {
		a.finish(x.ctx)
		return x.failure(x.c.describe(a, err))
	}
	switch kind {
	case streamContent:
		return x.receiveStream(a)
	case jsonContent:
		return x.receiveJSON(a)
	}
	a.finish(x.ctx)
	return x.unanswered(a, nil)
}

func (x *exchange) receiveJSON(a *answer) error {
	data, err := a.readAll(jsonrpc.MaxLine)
	if err != nil {
		a.tooLong(err, nil)
		a.finish(x.ctx)
		return x.failure(err)
	}
	err = a.each(data, nil, x.deliver)
	a.finish(x.ctx)
	if err != nil && x.id != nil && len(bytes.TrimSpace(data)) > 0 {
		return x.failure(&ProtocolError{Problem: "the answer is no JSON-RPC message: " + x.c.excerpt(data)})
	}
	return x.unanswered(a, data)
}

// deliver passes one message on.
func (x *exchange) deliver(m jsonrpc.Message) {
	if m.Kind() == jsonrpc.Response && x.id != nil && !x.answered {
		if string(m.ID) == "null" {
			x.refusal = m.Err()
			return
		}
		if answers(m.ID, x.id) {
			if x.method == "initialize" && m.Result != nil {
				x.c.establish(x.granted, m.Result)
			}
			x.answered = true
			x.leaveCaller() // who is about to go on, and may end the context before the stream ends
			if x.direct && !x.queued {
				x.answer = m
				return
			}
		}
	}
	x.queued = true
	x.c.pass(x.ctx, m, x)
}

// answers says whether id is that of the request, or the same digits as a string (RPC-1).
func answers(id, request jsontext.Value) bool {
	if string(id) == string(request) {
		return true
	}
	n := len(id)
	return n > 2 && id[0] == '"' && id[n-1] == '"' && string(id[1:n-1]) == string(request)
}

// unanswered is the error of an exchange that is over: none if nobody waits for an answer any more.
func (x *exchange) unanswered(a *answer, data []byte) error {
	switch {
	case x.id == nil || x.answered:
		return nil
	case x.refusal != nil:
		return x.refusal
	case len(bytes.TrimSpace(data)) == 0:
		return &ProtocolError{Problem: "the server answered " + statusText(a.StatusCode) + " without a response"}
	}
	return &ProtocolError{Problem: "the answer holds no response to the request: " + x.c.excerpt(data)}
}

// failure is what to make of an error on the way: where the exchange was ended on this side, that is the reason.
func (x *exchange) failure(err error) error {
	switch {
	case x.c.ctx.Err() != nil:
		return ErrClosed
	case x.caller.Err() != nil:
		return x.caller.Err()
	case x.ctx.Err() == context.DeadlineExceeded:
		return x.ctx.Err()
	}
	if broken, is := err.(*brokenError); is {
		return &LostError{Method: x.method, Sent: !broken.notSent, Err: broken.err}
	}
	return err
}
