package replay

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// ServeStdio plays one session to the host at the other end of in and out, and ends as the recorded server did: by itself where
// the recording says so, else when in ends. It gives the status that the process ends with. Stderr gets what the
// recorded server wrote there. When ctx ends, the error is its cause; the goroutine that reads in goes on until in ends.
func (p *Player) ServeStdio(ctx context.Context, in io.Reader, out, stderr io.Writer) (mcp.ExitStatus, error) {
	st := &stdioStage{out: bufio.NewWriterSize(out, 64<<10), errOut: stderr, done: make(chan struct{})}
	s := p.newPlaying(p.first(), st)
	s.pinned = true
	s.begin()
	st.flush()
	go st.read(s, in)
	select {
	case <-st.done:
	case <-ctx.Done():
		st.end(mcp.ExitStatus{}, context.Cause(ctx))
	}
	st.flush()
	s.stop()
	st.mu.Lock()
	st.closed = true
	st.mu.Unlock()
	return st.status, st.err
}

// stdioStage writes one message a line.
type stdioStage struct {
	mu     sync.Mutex // guards out and errOut
	out    *bufio.Writer
	errOut io.Writer
	closed bool // nothing is written any more

	once   sync.Once
	done   chan struct{} // closed after status and err are set
	status mcp.ExitStatus
	err    error
}

func (st *stdioStage) end(status mcp.ExitStatus, err error) {
	st.once.Do(func() {
		st.status, st.err = status, err
		close(st.done)
	})
}

// read takes the host's lines until they end. Whatever has been answered goes out before the next wait for input.
func (st *stdioStage) read(s *playing, in io.Reader) {
	lines := jsonrpc.NewLineReader(flushReader{in, st}, 0)
	for first := true; ; first = false {
		line, err := lines.ReadLine()
		var long *jsonrpc.TooLongError
		switch {
		case errors.As(err, &long):
			s.refuseLong(long)
			continue
		case err != nil && err != io.EOF:
			st.end(mcp.ExitStatus{}, err)
			return
		case err != nil:
			select {
			case <-s.end():
				st.end(mcp.ExitStatus{}, nil)
			case <-st.done:
			}
			return
		}
		if first {
			line = jsonrpc.TrimBOM(line)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			s.receive(line, nil)
		}
	}
}

func (s *playing) refuseLong(long *jsonrpc.TooLongError) {
	s.say1(utterance{data: jsonrpc.AppendError(nil, long.ID, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: long.Error()}),
		req: &liveRequest{id: long.ID, done: true}, final: true})
}

// A flushReader sends what is written out before it waits for what is to be read.
type flushReader struct {
	io.Reader
	st *stdioStage
}

func (f flushReader) Read(b []byte) (int, error) {
	f.st.flush()
	return f.Reader.Read(b)
}

func (st *stdioStage) flush() {
	st.mu.Lock()
	var err error
	if !st.closed {
		err = st.out.Flush()
	}
	st.mu.Unlock()
	if err != nil {
		st.end(mcp.ExitStatus{}, err)
	}
}

func (st *stdioStage) message(u utterance) {
	select {
	case <-st.done:
		return // a fault has ended the server
	default:
	}
	data := oneLine(u.data)
	if u.fault != nil {
		switch u.fault.Kind {
		case FaultError:
			data = u.fault.answer(u.req.id)
		case FaultGarbage:
			st.line([]byte("Segmentation fault? no: this line is garbage, injected by a fault"))
		case FaultTruncate:
			data = data[:len(data)/2]
		case FaultSlow:
			st.slowly(append(data, '\n'), u.fault.Rate)
			return
		case FaultDisconnect:
			st.end(mcp.ExitStatus{}, nil)
			return
		case FaultExit:
			st.end(mcp.ExitStatus{Code: u.fault.Code}, nil)
			return
		}
	}
	if data != nil {
		st.line(data)
	}
}

func (st *stdioStage) line(data []byte) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.out.Write(data)
	st.out.WriteByte('\n')
}

// slowly writes data in pieces of a tenth of a second each.
func (st *stdioStage) slowly(data []byte, rate int) {
	piece := max(1, rate/10)
	for len(data) > 0 {
		n := min(piece, len(data))
		st.mu.Lock()
		st.out.Write(data[:n])
		st.mu.Unlock()
		st.flush()
		if data = data[n:]; len(data) == 0 {
			return
		}
		select {
		case <-time.After(time.Second * time.Duration(n) / time.Duration(rate)):
		case <-st.done:
			return
		}
	}
}

func (st *stdioStage) stderr(text []byte) {
	st.flush()
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.errOut != nil && !st.closed {
		st.errOut.Write(text)
	}
}

func (st *stdioStage) exit(status mcp.ExitStatus) {
	st.flush()
	st.end(status, nil)
}

func (st *stdioStage) lost(*liveRequest) { st.end(mcp.ExitStatus{}, nil) }
