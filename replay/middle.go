package replay

import (
	"context"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/imurun/mcp-replay/mcp"
)

// HostStreams are a host's side of a session on stdio: what a host that starts this program as its server holds the
// other ends of.
type HostStreams struct {
	In  io.Reader // closed at the end where it is an [io.Closer], so that nobody is left reading it
	Out io.Writer
	Err io.Writer // gets the server's stderr; nil drops it. It holds up nobody

	// Signals are passed on to the server; see [NotifySignals]. nil passes on none.
	Signals <-chan os.Signal
}

// RecordStdio starts a server and stands between it and a host, until the server has ended: every byte passes as it is,
// and so do the end of each stream and the signals (REP-3). Each frame is in rec's file before its last byte is passed on
// (REP-2). Lines of any length pass; one over 64 MiB is no message, and only its beginning is recorded.
//
// Of c it takes Path, Args, Env and Dir. The server stays in this program's process group, as if the host had started it.
// The status says how the server ended. A server that cannot be started is a *[mcp.StartError]. The end of ctx kills the
// server: whoever wants signals to reach it as signals gives a context that they do not end.
func RecordStdio(ctx context.Context, c *mcp.Command, host HostStreams, rec *Recorder) (mcp.ExitStatus, error) {
	m := &middle{host: host, record: rec.record, warn: rec.warn, quit: make(chan struct{})}
	return m.run(ctx, c)
}

// A middle is one session of a host and a server on stdio.
type middle struct {
	host   HostStreams
	record func(...mcp.Frame)
	warn   func(string)
	stderr *overflow
	quit   chan struct{} // closed when what the server has left is waited for no longer
}

// childPipes are the child's ends of its three streams, and ours.
type childPipes struct {
	in, out, err                *os.File
	childIn, childOut, childErr *os.File
}

func (m *middle) run(ctx context.Context, c *mcp.Command) (mcp.ExitStatus, error) {
	path, err := mcp.LookPath(c.Path, c.Dir, c.Env)
	if err != nil {
		return mcp.ExitStatus{}, err
	}
	pipes, err := newChildPipes(pipesFor(m.host))
	if err != nil {
		return mcp.ExitStatus{}, &mcp.StartError{Command: c.Path, Dir: c.Dir, Err: err}
	}
	cmd := &exec.Cmd{Path: path, Args: append([]string{c.Path}, c.Args...), Env: c.Env, Dir: c.Dir,
		Stdin: pipes.childIn, Stdout: pipes.childOut, Stderr: pipes.childErr, SysProcAttr: middleSysProcAttr()}
	child, err := startChild(cmd)
	pipes.closeChild()
	if err != nil {
		pipes.close()
		return mcp.ExitStatus{}, &mcp.StartError{Command: c.Path, Dir: c.Dir, Err: err}
	}
	return m.session(ctx, child, pipes), nil
}

// session passes everything on until the child has ended and its streams have, too.
func (m *middle) session(ctx context.Context, child *child, pipes *childPipes) mcp.ExitStatus {
	m.stderr = newOverflow(m.host.Err)
	over := make(chan struct{})
	var helpers, outputs sync.WaitGroup
	helpers.Go(func() { m.passSignals(ctx, child, over) })
	outputs.Go(func() { m.passStderr(pipes.err) })
	outputs.Add(1)
	toHost := &pump{src: pipes.out, dst: m.host.Out, from: mcp.FromServer, middle: m, over: func(bool) {
		pipes.out.Close() // a server that goes on writing to a host that is gone is told so
		outputs.Done()
	}}
	toServer := &pump{src: m.host.In, dst: pipes.in, from: mcp.FromClient, middle: m, over: func(whole bool) {
		switch {
		case !whole:
			closeReader(m.host.In) // the host is told that the server takes no more
		case !child.hasEnded():
			m.record(mcp.Frame{From: mcp.FromClient, Kind: mcp.FrameClose})
		}
		pipes.in.Close()
	}}
	closed := passBoth(toServer, toHost)

	<-child.ended
	passed := make(chan struct{})
	go func() {
		outputs.Wait()
		close(passed)
	}()
	m.linger(toHost, passed)
	pipes.close()
	closed()
	select {
	case <-passed:
	case <-m.quit:
	}
	close(over)
	helpers.Wait()
	closeReader(m.host.In)
	m.record(mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameExit, Exit: &child.status})
	m.stderr.close(lingering)
	return child.status
}

// lingering is how long what a process has left in its pipes may take to come after its end: it is there already,
// unless a child of its own still holds the other end.
const lingering = 500 * time.Millisecond

// linger waits until what the server has left in its pipes has passed. That the host takes its time to read it does not count.
func (m *middle) linger(toHost *pump, passed <-chan struct{}) {
	for {
		select {
		case <-passed:
			return
		case <-m.quit:
			return
		case <-time.After(lingering):
			if toHost.waits.Load() {
				return
			}
		}
	}
}

// passSignals sends the host's signals to the server. When it has ended, one that asks for the end is for us, and after one
// that it ended by, the host has no more than a while to read what is left.
func (m *middle) passSignals(ctx context.Context, child *child, over <-chan struct{}) {
	var ended <-chan struct{}
	var enough <-chan time.Time
	for {
		select {
		case s := <-m.host.Signals:
			switch {
			case !asksToEnd(s):
			case child.hasEnded():
				enough = time.After(0)
			default:
				ended = child.ended
			}
			if !reachedGroup(s) {
				child.signal(s)
			}
		case <-ctx.Done():
			child.signal(os.Kill)
			<-child.ended
			enough = time.After(0)
			ctx = context.Background()
		case <-ended:
			ended, enough = nil, time.After(lingering)
		case <-enough:
			close(m.quit)
			<-over
			return
		case <-over:
			return
		}
	}
}

func asksToEnd(s os.Signal) bool {
	return s == os.Interrupt || s == syscall.SIGTERM || s == syscall.SIGHUP || s == syscall.SIGQUIT
}

// passStderr records the server's stderr and passes it on, without waiting for a host that does not read it.
func (m *middle) passStderr(src io.Reader) {
	buf := make([]byte, 16<<10)
	for {
		n, err := src.Read(buf)
		if n > 0 {
			m.record(mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameStderr, Data: buf[:n]})
			m.stderr.write(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

// A child is the server's process.
type child struct {
	cmd    *exec.Cmd
	ended  chan struct{} // closed when status is set
	status mcp.ExitStatus
}

// startChild starts cmd and waits for its end, both on one thread: on Linux the child gets a signal when the thread that
// forked it ends.
func startChild(cmd *exec.Cmd) (*child, error) {
	c := &child{cmd: cmd, ended: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			cmd.Wait() // its error says what ProcessState says
			c.status = exitStatus(cmd.ProcessState)
			close(c.ended)
		}
	}()
	return c, <-started
}

// signal sends s to the child, unless it has ended.
func (c *child) signal(s os.Signal) { c.cmd.Process.Signal(s) }

func (c *child) hasEnded() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

// newChildPipes makes the pipes for stdin and stdout by the given function.
func newChildPipes(pipe func() (r, w *os.File, err error)) (p *childPipes, err error) {
	p = new(childPipes)
	for _, each := range []struct {
		r, w **os.File
		pipe func() (r, w *os.File, err error)
	}{{&p.childIn, &p.in, pipe}, {&p.out, &p.childOut, pipe}, {&p.err, &p.childErr, os.Pipe}} {
		if *each.r, *each.w, err = each.pipe(); err != nil {
			p.closeChild()
			p.close()
			return nil, err
		}
	}
	return p, nil
}

func (p *childPipes) closeChild() { closeFiles(p.childIn, p.childOut, p.childErr) }
func (p *childPipes) close()      { closeFiles(p.in, p.out, p.err) }

func closeFiles(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

func closeReader(r io.Reader) {
	if c, ok := r.(io.Closer); ok {
		c.Close()
	}
}
