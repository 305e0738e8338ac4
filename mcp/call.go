package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// call is one request on its way. Calls are used again, with their buffer and channel: a call costs little memory of
// its own.
type call struct {
	id     int64
	gen    int // of the session it was sent in
	frame  frame
	until  time.Time     // by when the answer must have come
	ready  chan struct{} // gets a value when one of the following is set
	answer jsonrpc.Message
	err    error
	lost   bool // err is the end of the connection
	late   bool // the time is over
}

// Call sends any request and waits for its result. The error of an answer is a *[jsonrpc.Error].
//
// It fails with a *[TimeoutError] after Options.Timeout or at the deadline of ctx, and with a *[CancelledError] when ctx is
// cancelled; the server is then told by notifications/cancelled (CALL-10, CALL-11). Where the connection ends first it
// fails with a *[LostError].
func (c *Client) Call(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	if method == "" {
		return nil, errors.New("a request needs a method")
	}
	if params != nil && !jsonrpc.Valid(params) {
		return nil, fmt.Errorf("%s: the params are not valid JSON", method)
	}
	return c.call(ctx, method, params, c.o.Timeout)
}

// call is Call with a timeout of its own.
func (c *Client) call(ctx context.Context, method string, params jsontext.Value, timeout time.Duration) (jsontext.Value, error) {
	began := time.Now()
	m, err := c.exchange(ctx, method, params, began, timeout)
	if err == ErrSessionEnded {
		m, err = c.exchange(ctx, method, params, began, timeout) // HTTP-5: once more, in a new session
		if err == ErrSessionEnded {
			err = fmt.Errorf("%s: %w", method, err)
		}
	}
	if err != nil {
		return nil, err
	}
	if m.Error != nil {
		return nil, m.Err()
	}
	return m.Result, nil
}

// exchange sends a request in a session that stands and waits for its answer. The timeout counts from began.
func (c *Client) exchange(ctx context.Context, method string, params jsontext.Value, began time.Time, timeout time.Duration) (jsonrpc.Message, error) {
	d := deadline{method: method, began: began, timeout: timeout}
	if ctx.Err() != nil {
		return jsonrpc.Message{}, d.over(ctx, false)
	}
	if method != methodInitialize {
		if err := c.inSession(ctx, d); err != nil {
			return jsonrpc.Message{}, err
		}
	}
	k, err := c.begin(d)
	if err != nil {
		return jsonrpc.Message{}, err
	}
	k.frame.buf = jsonrpc.AppendRequest(k.frame.buf[:0], k.id, method, params)
	return c.await(ctx, k, d)
}

// deadline is by when a request must be answered, and whose it is.
type deadline struct {
	method  string
	began   time.Time
	timeout time.Duration
}

func (d deadline) left() time.Duration { return d.timeout - time.Since(d.began) }

// over is the error of a request that has run out of time, its own or its context's, or was given up.
func (d deadline) over(ctx context.Context, sent bool) error {
	if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &CancelledError{Method: d.method, Sent: sent, Err: context.Cause(ctx)}
	}
	after := time.Since(d.began)
	if after >= d.timeout {
		after = d.timeout
	}
	return &TimeoutError{Method: d.method, After: after.Round(time.Millisecond), Sent: sent}
}

// begin gives a request its id and place among the pending ones.
func (c *Client) begin(d deadline) (*call, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.st.err != nil {
		return nil, &LostError{Method: d.method, Err: c.st.err}
	}
	var k *call
	if n := len(c.st.free); n > 0 {
		k = c.st.free[n-1]
		c.st.free = c.st.free[:n-1]
	} else {
		k = &call{ready: make(chan struct{}, 1)}
	}
	c.st.lastID++
	k.id, k.gen, k.until = c.st.lastID, c.st.session.gen, d.began.Add(d.timeout)
	k.frame.fate.Store(int32(fateWaiting))
	c.st.pending[k.id] = k
	c.st.alarm.set(k.until)
	return k, nil
}

// await sends k and waits for its answer, its timeout, or the end of ctx.
func (c *Client) await(ctx context.Context, k *call, d deadline) (jsonrpc.Message, error) {
	switch {
	case c.asker != nil:
		return c.awaitAsked(ctx, k, d)
	case c.fast == nil:
		return c.awaitSlow(ctx, k, d)
	}
	k.frame.buf = endLine(k.frame.buf)
	_ = c.fast.post(&k.frame) // an error is the end of the connection, which the reader reports
	return c.awaitReady(ctx, k, d)
}

// awaitReady waits for what becomes of a call that is on its way.
func (c *Client) awaitReady(ctx context.Context, k *call, d deadline) (jsonrpc.Message, error) {
	if ctx.Done() == nil {
		<-k.ready
		return c.finish(ctx, k, d)
	}
	select {
	case <-k.ready:
		return c.finish(ctx, k, d)
	case <-ctx.Done():
	}
	if c.forget(k) {
		return jsonrpc.Message{}, c.abandon(ctx, k, d)
	}
	<-k.ready // the answer came at the same time
	return c.finish(ctx, k, d)
}

// awaitSlow does what await does on a Conn whose Write may block.
func (c *Client) awaitSlow(ctx context.Context, k *call, d deadline) (jsonrpc.Message, error) {
	wctx, cancel := context.WithDeadline(ctx, d.began.Add(d.timeout))
	defer cancel()
	raw := k.frame.buf
	k.frame.buf = nil // the transport may look at it for longer than the call lasts
	m, err := jsonrpc.Parse(raw)
	if err == nil {
		err = c.conn.Write(wctx, m)
	}
	if err != nil && c.forget(k) {
		k.frame.fate.Store(int32(fateDropped))
		c.release(k)
		switch {
		case wctx.Err() != nil:
			return m, d.over(wctx, false)
		case errors.Is(err, ErrClosed), errors.Is(err, io.ErrClosedPipe):
			return m, &LostError{Method: d.method, Err: err}
		}
		return m, fmt.Errorf("%s: %w", d.method, err)
	}
	k.frame.fate.Store(int32(fateSent))
	return c.awaitReady(wctx, k, d)
}

// finish takes the answer of a call and lets the call be used again.
func (c *Client) finish(ctx context.Context, k *call, d deadline) (jsonrpc.Message, error) {
	if k.late {
		return jsonrpc.Message{}, c.abandon(ctx, k, d)
	}
	m, err, lost, gen := k.answer, k.err, k.lost, k.gen
	sent := k.frame.is()
	if lost && sent == fateWaiting && c.fast != nil {
		sent = c.fast.retract(&k.frame)
	}
	c.release(k)
	switch {
	case err == nil:
		return m, nil
	case lost:
		return m, &LostError{Method: d.method, Sent: sent != fateDropped, Err: err}
	case errors.Is(err, ErrSessionEnded) && d.method != methodInitialize:
		c.sessionEnded(gen)
		return m, ErrSessionEnded
	}
	return m, fmt.Errorf("%s: %w", d.method, err)
}

// forget takes a call from the pending ones; false where its answer has been taken already.
func (c *Client) forget(k *call) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.st.pending[k.id] != k {
		return false
	}
	delete(c.st.pending, k.id)
	return true
}

// abandon ends a call that nobody waits for any more. A frame that is not out is taken back; one that is half out ends
// the connection (RPC-9); of one that is out the server is told.
func (c *Client) abandon(ctx context.Context, k *call, d deadline) error {
	became := k.frame.is()
	if c.fast != nil && became != fateSent {
		became = c.fast.retract(&k.frame)
	}
	err := d.over(ctx, became != fateDropped)
	switch became {
	case fatePartly:
		c.end(errHalfOut)
	case fateSent:
		if d.method != methodInitialize { // CALL-10
			c.sendCancelled(k.id, err)
		}
	}
	c.release(k)
	return err
}

// release lets a call be used again, unless the outbox still holds its frame.
func (c *Client) release(k *call) {
	if f := k.frame.is(); f != fateSent && f != fateDropped {
		return
	}
	if cap(k.frame.buf) > 64<<10 {
		k.frame.buf = nil
	}
	k.answer, k.err, k.lost, k.late = jsonrpc.Message{}, nil, false, false
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.st.free) < 256 {
		c.st.free = append(c.st.free, k)
	}
}

// sendCancelled tells the server that an answer is not wanted any more, best effort (CALL-10, CALL-11).
func (c *Client) sendCancelled(id int64, why error) {
	reason := "given up by the host"
	var late *TimeoutError
	if errors.As(why, &late) {
		reason = fmt.Sprintf("no answer within %s", late.After)
	}
	params := fmt.Appendf(nil, `{"requestId":%d,"reason":%q}`, id, reason)
	c.answers.send(jsonrpc.AppendNotification(nil, "notifications/cancelled", params))
}

// Notify sends a notification. It returns when it is out.
func (c *Client) Notify(ctx context.Context, method string, params jsontext.Value) error {
	if params != nil && !jsonrpc.Valid(params) {
		return fmt.Errorf("%s: the params are not valid JSON", method)
	}
	if err := c.Err(); err != nil {
		return &LostError{Method: method, Err: err}
	}
	d := deadline{method: method, began: time.Now(), timeout: c.o.Timeout}
	ctx, cancel := context.WithTimeout(ctx, d.timeout)
	defer cancel()
	m, err := jsonrpc.Parse(jsonrpc.AppendNotification(nil, method, params))
	if err == nil {
		err = c.conn.Write(ctx, m)
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return d.over(ctx, errors.Is(err, errHalfOut))
	case c.fast != nil:
		return &LostError{Method: method, Sent: true, Err: c.whyUnwritten(err)}
	}
	return fmt.Errorf("%s: %w", method, err)
}
