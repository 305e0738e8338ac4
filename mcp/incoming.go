package mcp

import (
	"context"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// take handles one message of the server. It runs on the reading goroutine and never blocks.
func (c *Client) take(m jsonrpc.Message) {
	if !utf8.Valid(m.Raw) {
		c.notes.add("the server sends invalid UTF-8; it is shown as U+FFFD")
	}
	switch m.Kind() {
	case jsonrpc.Response:
		c.takeAnswer(m)
	case jsonrpc.Request:
		c.takeRequest(m)
	case jsonrpc.Notification:
		if m.Method == "notifications/tools/list_changed" {
			c.change.notice()
		}
		if c.o.OnNotification != nil {
			c.o.OnNotification(m)
		}
	}
}

// takeAnswer gives an answer to who waits for it. One that nobody waits for is dropped (RPC-1, RPC-7).
func (c *Client) takeAnswer(m jsonrpc.Message) {
	if k := c.pendingFor(m.ID); k != nil {
		k.answer = m
		k.ready <- struct{}{}
	}
}

// failOne fails the one request that a transport could not get an answer for.
func (c *Client) failOne(e *RequestError) {
	if k := c.pendingFor(e.ID); k != nil {
		k.err = e.Err
		k.ready <- struct{}{}
	}
}

// pendingFor takes the call with the given id from the pending ones.
func (c *Client) pendingFor(id jsontext.Value) *call {
	n, exact, ok := parseID(id)
	if !ok {
		return nil
	}
	c.mu.Lock()
	k := c.st.pending[n]
	delete(c.st.pending, n)
	c.mu.Unlock()
	if k != nil && !exact {
		c.notes.add("the server answers under the id " + string(id) + " what was asked under " + strconv.FormatInt(n, 10))
	}
	return k
}

// parseID reads one of our ids: a positive integer, or the same digits as a string, which is not exact.
func parseID(id jsontext.Value) (n int64, exact, ok bool) {
	exact = true
	if len(id) > 2 && id[0] == '"' {
		id, exact = id[1:len(id)-1], false
	}
	if len(id) == 0 || len(id) > 18 || id[0] == '0' {
		return 0, false, false
	}
	for _, c := range id {
		if c < '0' || c > '9' {
			return 0, false, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, exact, true
}

// maxID is how long the id of a request may be that is answered: answers wait in memory while the server does not read.
const maxID = 4096

func (c *Client) takeRequest(m jsonrpc.Message) {
	if len(m.ID) > maxID {
		c.notes.add("a request of the server under an id longer than 4096 bytes was left unanswered")
		return
	}
	if c.o.OnRequest == nil {
		if m.Method == "ping" {
			c.answers.send(jsonrpc.AppendResult(nil, m.ID, jsontext.Value("{}"))) // RPC-5
		} else {
			c.answers.send(jsonrpc.AppendError(nil, m.ID, notFound(m.Method))) // RPC-6
		}
		return
	}
	c.answers.work(m.ID, func(ctx context.Context) {
		result, e := c.o.OnRequest(ctx, m)
		switch {
		case e != nil:
			c.answers.send(jsonrpc.AppendError(nil, m.ID, e))
		case result == nil || !jsonrpc.Valid(result):
			c.answers.send(jsonrpc.AppendResult(nil, m.ID, jsontext.Value("{}")))
		default:
			c.answers.send(jsonrpc.AppendResult(nil, m.ID, result))
		}
	})
}

func notFound(method string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "method not found: " + cut(method, 200)}
}
