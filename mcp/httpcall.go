package mcp

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// asker is a Conn on which each request has an exchange of its own, so that who asks can take the answer itself.
// What ask returns as queued comes through Read, and so does everything that is not the answer.
type asker interface {
	ask(ctx context.Context, timeout time.Duration, m jsonrpc.Message) (answer jsonrpc.Message, queued bool, err error)
}

// awaitAsked does what await does on a Conn that can be asked.
func (c *Client) awaitAsked(ctx context.Context, k *call, d deadline) (jsonrpc.Message, error) {
	raw := k.frame.buf
	k.frame.buf = nil // the transport may look at it for longer than the call lasts
	k.frame.fate.Store(int32(fateSent))
	m := jsonrpc.Message{Raw: raw, Method: d.method, ID: idOf(raw)}
	left := d.left()
	answer, queued, err := c.asker.ask(ctx, left, m)
	switch {
	case queued:
		return c.awaitReady(ctx, k, d)
	case err == nil:
		if c.pendingFor(answer.ID) == k {
			c.release(k)
			return answer, nil
		}
	}
	if !c.forget(k) { // it was answered on another way, or the connection has ended
		<-k.ready
		return c.finish(ctx, k, d)
	}
	if ctx.Err() != nil || err == context.DeadlineExceeded {
		return jsonrpc.Message{}, c.abandon(ctx, k, d)
	}
	var lost *LostError
	if errors.As(err, &lost) { // the request, and not the connection
		c.release(k)
		return jsonrpc.Message{}, err
	}
	k.err, k.lost = err, errors.Is(err, ErrClosed)
	return c.finish(ctx, k, d)
}

// idOf finds the id in a request as [jsonrpc.AppendRequest] writes it.
func idOf(raw []byte) jsontext.Value {
	const before = len(`{"jsonrpc":"2.0","id":`)
	for i := before; i < len(raw); i++ {
		if raw[i] < '0' || raw[i] > '9' {
			return raw[before:i:i]
		}
	}
	return nil
}
