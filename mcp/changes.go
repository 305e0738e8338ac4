package mcp

import "sync"

// changes turns notices into calls of OnToolsChanged: one at a time, and one more after the last notice.
type changes struct {
	c *Client

	mu      sync.Mutex
	running bool
	again   bool
}

func (n *changes) init(c *Client) { n.c = c }

func (n *changes) notice() {
	if n.c.o.OnToolsChanged == nil {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.running {
		n.again = true
		return
	}
	n.running = true
	go n.run()
}

func (n *changes) run() {
	for {
		n.c.o.OnToolsChanged()
		n.mu.Lock()
		if !n.again || n.c.bg.Err() != nil {
			n.running, n.again = false, false
			n.mu.Unlock()
			return
		}
		n.again = false
		n.mu.Unlock()
	}
}
