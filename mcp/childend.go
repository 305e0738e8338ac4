package mcp

import (
	"errors"
	"io"
)

// end gives the connection up while the server still runs; Close reads what it still writes.
func (c *childConn) end(why error) {
	c.broken.CompareAndSwap(nil, &why)
	c.ended = why
	go c.Close()
}

// writeFailed ends the connection to a server that does not take anything any more. Most have exited, and then their
// status says more than a broken pipe.
func (c *childConn) writeFailed(err error) {
	if c.closing.Load() {
		return
	}
	go func() {
		if c.p.hasExited(settleTime) {
			return
		}
		why := error(&ProtocolError{Problem: "the server closed its stdin, though it runs on", Err: err})
		c.broken.CompareAndSwap(nil, &why)
		c.stdout.interrupt()
		c.Close()
	}()
}

// why says why the connection has ended: with the exit status where the process ended by itself.
func (c *childConn) why() error {
	if broken := c.broken.Load(); broken != nil {
		return *broken
	}
	if c.ended != nil && c.ended != io.EOF {
		return c.ended
	}
	if c.closing.Load() {
		<-c.finished
		return ErrClosed
	}
	if !c.p.hasExited(settleTime) {
		c.end(&ProtocolError{Problem: "the server closed its stdout, though it runs on"})
		return c.ended
	}
	<-c.finished
	c.ended = &ExitError{Status: c.p.status, Stderr: c.noise.mask.in(c.tail.String())}
	return c.ended
}

// watch waits for the end of the process and of its pipes.
func (c *childConn) watch() {
	<-c.p.exited
	c.p.tree.killRest() // LIFE-7
	c.stdout.exited(settleTime)
	c.stderr.exited(settleTime)
	<-c.stdoutDone
	<-c.stderrDone
	status := c.p.status
	c.cmd.tell(Frame{From: FromServer, Kind: FrameExit, Exit: &status})
	closeAll(c.pipes.out, c.pipes.err, c.pipes.in)
	c.finish()
}

// Close ends the server as LIFE-5 says: stdin is closed, and what still runs after the grace is killed with the whole
// process tree. It blocks until the process has ended, and never waits for a write.
func (c *childConn) Close() error {
	c.closeOnce.Do(func() {
		c.p.tree.look()
		c.closing.Store(true)
		c.out.close(ErrClosed)
		select {
		case <-c.finished:
			return
		default:
		}
		c.cmd.tell(Frame{From: FromClient, Kind: FrameClose})
		c.closeInput()
		go c.drain()
		grace := c.cmd.Grace
		if grace <= 0 {
			grace = defaultGrace
		}
		if !c.p.hasExited(grace) {
			c.p.tree.look()
			c.p.tree.kill()
			if !c.p.hasExited(4 * settleTime) {
				c.closeErr = &ProtocolError{Problem: "the server's process cannot be killed"}
				closeAll(c.pipes.out, c.pipes.err) // nobody shall wait for it
				c.finish()
				return
			}
		}
		<-c.finished
	})
	return c.closeErr
}

// closeInput closes the server's stdin. Where a write under way blocks, closing may, too, and is not waited for (RPC-9).
func (c *childConn) closeInput() {
	if c.out.sink.blocks() {
		go c.pipes.in.Close()
		return
	}
	c.pipes.in.Close()
}

// drain reads stdout to its end: a server that has still to write something would not exit otherwise.
func (c *childConn) drain() {
	c.reading.Lock()
	defer c.reading.Unlock()
	for {
		select {
		case <-c.stdoutDone:
			return
		default:
		}
		if _, _, err := c.readLine(); errors.Is(err, errInterrupted) {
			c.stdout.resume()
		}
	}
}
