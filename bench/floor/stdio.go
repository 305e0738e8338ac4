// Package floor is the least that a client of an MCP server must do, written by hand on the standard library: what a
// good client is measured against. It is frozen: it changes only where it is wrong.
//
// It does no handshake beyond initialize, has no timeouts, no cancellation, no tap and no limits.
package floor

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

type request struct {
	JSONRPC string `json:"jsonrpc"`
	ID      int64  `json:"id"`
	Method  string `json:"method"`
	Params  any    `json:"params,omitempty"`
}

type response struct {
	ID     int64           `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// Stdio is a client over a server's pipes.
type Stdio struct {
	in io.Writer

	writing sync.Mutex

	mu      sync.Mutex
	next    int64
	pending map[int64]chan response
}

// NewStdio starts the reader of a server's pipes.
func NewStdio(in io.Writer, out io.Reader) *Stdio {
	c := &Stdio{in: in, pending: map[int64]chan response{}}
	go c.read(bufio.NewReaderSize(out, 64<<10))
	return c
}

func (c *Stdio) read(r *bufio.Reader) {
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		var m response
		if json.Unmarshal(line, &m) != nil {
			continue
		}
		c.mu.Lock()
		answer := c.pending[m.ID]
		delete(c.pending, m.ID)
		c.mu.Unlock()
		if answer != nil {
			answer <- m
		}
	}
}

// Call marshals one request, writes once, and waits for the response of its id.
func (c *Stdio) Call(method string, params any) (json.RawMessage, error) {
	answer := make(chan response, 1)
	c.mu.Lock()
	c.next++
	id := c.next
	c.pending[id] = answer
	c.mu.Unlock()
	frame, err := json.Marshal(request{JSONRPC: "2.0", ID: id, Method: method, Params: params})
	if err != nil {
		return nil, err
	}
	c.writing.Lock()
	_, err = c.in.Write(append(frame, '\n'))
	c.writing.Unlock()
	if err != nil {
		return nil, err
	}
	m := <-answer
	if m.Error != nil {
		return nil, fmt.Errorf("%s", m.Error)
	}
	return m.Result, nil
}
