package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// call is one request on its way. Calls are used again, with their buffer, channel and timer: a call costs little
// memory of its own.
type call struct {
	id     int64
	gen    int // of the session it was sent in
	frame  frame
	ready  chan struct{} // gets a value when the answer or err is set
	timer  *time.Timer
	answer jsonrpc.Message
	err    error
	lost   bool // err is the end of the connection
}

// Call sends any request and waits for its result. The error of an answer is a *[jsonrpc.Error].
//
// It fails with a *[TimeoutError] after Options.Timeout, or when ctx ends; the server is then told by
// notifications/cancelled (CALL-10, CALL-11). Where the connection ends first it fails with a *[LostError].
func (c *Client) Call(ctx context.Context, method string, params jsontext.Value) (jsontext.Value, error) {
	if params != nil && !jsonrpc.Valid(params) {
		return nil, fmt.Errorf("%s: the params are not valid JSON", method)
	}
	return c.call(ctx, method, params, c.o.Timeout)
}

// call is Call with a timeout of its own.
func (c *Client) call(ctx context.Context, method string, params jsontext.Value, timeout time.Duration) (jsontext.Value, error) {
	began := time.Now()
	m, err := c.exchange(ctx, method, params, timeout)
	if err != nil && errors.Is(err, ErrSessionEnded) {
		left := timeout - time.Since(began)
		if left <= 0 {
			return nil, &TimeoutError{Method: method, After: timeout}
		}
		m, err = c.exchange(ctx, method, params, left) // HTTP-5: once more, in a new session
	}
	if err != nil {
		return nil, err
	}
	if e := m.Err(); e != nil {
		return nil, e
	}
	return m.Result, nil
}

// exchange sends a request in a session that stands and waits for its answer.
func (c *Client) exchange(ctx context.Context, method string, params jsontext.Value, timeout time.Duration) (jsonrpc.Message, error) {
	if err := ctx.Err(); err != nil {
		return jsonrpc.Message{}, givenUp(ctx, method, 0, false)
	}
	k, err := c.begin(ctx, method, method == methodInitialize)
	if err != nil {
		return jsonrpc.Message{}, err
	}
	k.frame.buf = jsonrpc.AppendRequest(k.frame.buf[:0], k.id, method, params)
	k.timer.Reset(timeout)
	return c.await(ctx, k, method, timeout)
}

// begin gives a request its id and place among the pending ones.
func (c *Client) begin(ctx context.Context, method string, first bool) (*call, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.st.renewal != nil && !first {
		if err := c.awaitRenewal(ctx, method); err != nil {
			return nil, err
		}
	}
	if c.st.err != nil {
		return nil, &LostError{Method: method, Err: c.st.err}
	}
	var k *call
	if n := len(c.st.free); n > 0 {
		k = c.st.free[n-1]
		c.st.free = c.st.free[:n-1]
	} else {
		k = &call{ready: make(chan struct{}, 1), timer: time.NewTimer(time.Hour)}
	}
	c.st.lastID++
	k.id, k.gen = c.st.lastID, c.st.session.gen
	k.frame.fate.Store(int32(fateWaiting))
	c.st.pending[k.id] = k
	return k, nil
}

// await sends k and waits for its answer, its timeout, or the end of ctx.
func (c *Client) await(ctx context.Context, k *call, method string, timeout time.Duration) (jsonrpc.Message, error) {
	switch {
	case c.asker != nil:
		return c.awaitAsked(ctx, k, method, timeout)
	case c.fast == nil:
		return c.awaitSlow(ctx, k, method, timeout)
	}
	if bytes.IndexByte(k.frame.buf, '\n') >= 0 {
		k.frame.buf = appendFrame(nil, k.frame.buf)
	} else {
		k.frame.buf = append(k.frame.buf, '\n')
	}
	_ = c.fast.post(&k.frame) // an error is the end of the connection, which the reader reports
	select {
	case <-k.ready:
	case <-k.timer.C:
		if c.forget(k) {
			return jsonrpc.Message{}, c.abandon(ctx, k, method, timeout)
		}
		<-k.ready
	case <-ctx.Done():
		if c.forget(k) {
			return jsonrpc.Message{}, c.abandon(ctx, k, method, 0)
		}
		<-k.ready
	}
	return c.finish(k, method, k.frame.is() != fateDropped)
}

// awaitSlow does what await does on a Conn whose Write may block.
func (c *Client) awaitSlow(ctx context.Context, k *call, method string, timeout time.Duration) (jsonrpc.Message, error) {
	wctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	raw := k.frame.buf
	k.frame.buf = nil // the transport may look at it for longer than the call lasts
	m, err := jsonrpc.Parse(raw)
	if err == nil {
		err = c.conn.Write(wctx, m)
	}
	sent := err == nil
	k.frame.fate.Store(int32(fateSent))
	if err != nil {
		k.frame.fate.Store(int32(fateDropped))
		if c.forget(k) {
			defer c.release(k)
			if wctx.Err() != nil {
				return jsonrpc.Message{}, givenUp(ctx, method, timeout, errors.Is(err, errHalfOut))
			}
			return jsonrpc.Message{}, fmt.Errorf("%s: %w", method, err)
		}
	}
	select {
	case <-k.ready:
	case <-wctx.Done():
		if c.forget(k) {
			if ctx.Err() != nil {
				timeout = 0
			}
			return jsonrpc.Message{}, c.abandon(ctx, k, method, timeout)
		}
		<-k.ready
	}
	return c.finish(k, method, sent)
}

// finish takes the answer of a call and lets the call be used again.
func (c *Client) finish(k *call, method string, sent bool) (jsonrpc.Message, error) {
	m, err, lost, gen := k.answer, k.err, k.lost, k.gen
	c.release(k)
	switch {
	case err == nil:
		return m, nil
	case lost:
		return m, &LostError{Method: method, Sent: sent, Err: err}
	case errors.Is(err, ErrSessionEnded) && method != methodInitialize:
		if err := c.renew(gen); err != nil {
			return m, &LostError{Method: method, Err: err}
		}
		return m, ErrSessionEnded
	}
	var itself *LostError
	if errors.As(err, &itself) { // it names the method
		return m, err
	}
	return m, fmt.Errorf("%s: %w", method, err)
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
func (c *Client) abandon(ctx context.Context, k *call, method string, timeout time.Duration) error {
	became := k.frame.is()
	if c.fast != nil && became != fateSent {
		became = c.fast.retract(&k.frame)
	}
	id := k.id
	switch became {
	case fatePartly:
		c.end(errHalfOut)
	case fateSent:
		if method != methodInitialize { // CALL-10
			c.sendCancelled(id, timeout)
		}
	}
	c.release(k)
	return givenUp(ctx, method, timeout, became != fateDropped)
}

// release lets a call be used again, unless the outbox still holds its frame.
func (c *Client) release(k *call) {
	k.timer.Stop()
	if f := k.frame.is(); f != fateSent && f != fateDropped {
		return
	}
	if cap(k.frame.buf) > 64<<10 {
		k.frame.buf = nil
	}
	k.answer, k.err, k.lost = jsonrpc.Message{}, nil, false
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.st.free) < 256 {
		c.st.free = append(c.st.free, k)
	}
}

// givenUp is the error of a call that ran out of time, by its timeout or its context's, or was given up.
func givenUp(ctx context.Context, method string, timeout time.Duration, sent bool) error {
	if timeout > 0 && ctx.Err() == nil {
		return &TimeoutError{Method: method, After: timeout, Sent: sent}
	}
	return &CancelledError{Method: method, Sent: sent, Err: context.Cause(ctx)}
}

func (c *Client) sendCancelled(id int64, timeout time.Duration) {
	reason := "given up by the host"
	if timeout > 0 {
		reason = fmt.Sprintf("no answer within %s", timeout)
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
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	m, err := jsonrpc.Parse(jsonrpc.AppendNotification(nil, method, params))
	if err == nil {
		err = c.conn.Write(ctx, m)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}
