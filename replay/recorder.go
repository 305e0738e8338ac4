package replay

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/imurun/mcp-replay/mcp"
)

// RecordOptions tell a [Recorder] what goes into the header, and what to keep out of the file.
type RecordOptions struct {
	By        string     // the program that records, such as "mcp-replay 0.1.0"
	Transport string     // "stdio" or "http"; empty means stdio
	Server    ServerLine // as it is; the recorder redacts it
	Vary      []string   // JSON Pointers into answers that are known to vary

	// Redact holds the secrets and the user's rules. Its Args and URL are taken from Server where they are empty.
	Redact *RedactOptions

	// Force lets [Create] put the recording in the place of an existing file, once there is a first frame.
	Force bool
	// NextFree lets [Create] leave an existing NAME.jsonl alone and take the next free NAME.2.jsonl, and say so by Warn:
	// hosts start their servers again, and the session comes first.
	NextFree bool

	// Warn is told, in plain words, what the user should know: that recording has stopped, and why, once. It may be
	// called from any goroutine, in the middle of the session, which waits for it; nil drops the words.
	Warn func(string)
}

// A Recorder writes what passes on a wire into a cassette, a line for each frame as it happens. It is the [mcp.Tap] of any
// transport, and what [RecordStdio] and [Proxy] feed from the middle of a host and a server.
//
// Nothing that happens to the file reaches the session: a full disk ends the recording, not what is recorded. The
// file then ends with its last whole frame, Warn is called once, and [Recorder.Err] and Close return the reason.
type Recorder struct {
	redactor *Redactor
	warn     func(string)
	started  time.Time
	path     string

	mu       sync.Mutex // guards what follows, and keeps the lines of the file in order
	out      io.Writer
	file     *recordingFile // nil where out is no file of ours
	batch    []byte
	lastAt   time.Duration
	frames   int
	err      error
	closed   bool
	sessions map[string]int
	stderr   map[int][]byte // by session: the line that has not ended yet
}

// Create begins a recording in a new file, which is the recorder's alone: no second one can open it for writing.
// Folders on the way are made. The header line is in the file when Create returns. Where path is a pipe or a device, the
// recording goes there; whoever reads the pipe must keep up with it.
func Create(path string, o *RecordOptions) (*Recorder, error) {
	if o == nil {
		o = new(RecordOptions)
	}
	r, header, err := newRecorder(o)
	if err != nil {
		return nil, err
	}
	if r.file, err = createRecording(path, o); err != nil {
		return nil, err
	}
	r.out, r.path = r.file, r.file.path
	if err := r.write(header); err != nil {
		r.file.remove()
		return nil, fmt.Errorf("record: %w", err)
	}
	if r.path != path {
		r.warn(fmt.Sprintf("%s exists, recording to %s", path, r.path))
	}
	for _, w := range r.redactor.Warnings() {
		r.warn(w)
	}
	return r, nil
}

// NewRecorder begins a recording that goes to w, one Write a line. Close leaves w open.
func NewRecorder(w io.Writer, o *RecordOptions) (*Recorder, error) {
	if o == nil {
		o = new(RecordOptions)
	}
	r, header, err := newRecorder(o)
	if err != nil {
		return nil, err
	}
	r.out = w
	if err := r.write(header); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return r, nil
}

func newRecorder(o *RecordOptions) (*Recorder, []byte, error) {
	var redact RedactOptions
	if o.Redact != nil {
		redact = *o.Redact
	}
	if redact.Args == nil {
		redact.Args = o.Server.Args
	}
	if redact.URL == "" {
		redact.URL = o.Server.URL
	}
	redactor, err := NewRedactor(&redact)
	if err != nil {
		return nil, nil, err
	}
	r := &Recorder{redactor: redactor, warn: o.Warn, started: time.Now(),
		sessions: make(map[string]int), stderr: make(map[int][]byte)}
	if r.warn == nil {
		r.warn = func(string) {}
	}
	h := redactor.Header(Header{Version: Version, Recorded: r.started.Round(time.Millisecond), By: o.By,
		Transport: o.Transport, Server: o.Server, Vary: o.Vary})
	if h.Transport == "" {
		h.Transport = "stdio"
	}
	return r, appendHeader(nil, &h), nil
}

// Path names the file that is written, which need not be the one that was asked for. It is empty for [NewRecorder].
func (r *Recorder) Path() string { return r.path }

// Redactor returns what keeps secrets out of this recording, for words about the session that go elsewhere.
func (r *Recorder) Redactor() *Redactor { return r.redactor }

// Frame records one frame: when it returns, the frame is in the file. The bytes of a line on stderr that has not ended yet
// wait for its end, so that no secret is cut in two.
func (r *Recorder) Frame(f mcp.Frame) { r.record(f) }

// record writes frames that arrived together, each as a line of its own, with one call.
func (r *Recorder) record(frames ...mcp.Frame) {
	l := linesPool.Get().(*frameLines)
	l.text, l.ends = l.text[:0], l.ends[:0]
	for i := range frames {
		f := Frame{Frame: frames[i]}
		before, due := r.complete(&f)
		if before != nil {
			l.add(r.redactor.Frame(*before))
		}
		if due {
			l.add(r.redactor.Frame(f))
		}
	}
	r.append(l)
	if cap(l.text) <= maxPooled {
		linesPool.Put(l)
	}
}

// frameLines are lines for a cassette to which the time is still to come.
type frameLines struct {
	text []byte
	ends []int
}

func (l *frameLines) add(f Frame) {
	l.text = appendFrameRest(l.text, &f)
	l.ends = append(l.ends, len(l.text))
}

const maxPooled = 1 << 20

var linesPool = sync.Pool{New: func() any { return new(frameLines) }}

// append puts the time in front of each line and writes them. That this fails is told once, and nothing is written after.
func (r *Recorder) append(l *frameLines) {
	if len(l.ends) == 0 {
		return
	}
	if err := r.appendLocked(l); err != nil {
		r.warn(err.Error() + "; the session goes on without it")
	}
}

func (r *Recorder) appendLocked(l *frameLines) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil || r.closed {
		return nil
	}
	r.lastAt = max(r.lastAt, time.Since(r.started))
	r.batch = r.batch[:0]
	start := 0
	for _, end := range l.ends {
		r.batch = appendFrameTime(r.batch, r.lastAt)
		r.batch = append(r.batch, l.text[start:end]...)
		start = end
	}
	err := r.write(r.batch)
	if cap(r.batch) > maxPooled {
		r.batch = nil
	}
	if err != nil {
		r.err = fmt.Errorf("recording stopped after %d frames: %w", r.frames, err)
		return r.err
	}
	r.frames += len(l.ends)
	return nil
}

func (r *Recorder) write(b []byte) error {
	n, err := r.out.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return err
}

// Err tells why the recording has stopped, or nil.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Close ends the recording and reads the file, where it is one, once more for secrets that are known by now. A *[LeakError] says where one
// stands; the file stays as it is. Close blocks for that reading, and may be called again.
func (r *Recorder) Close() error {
	r.mu.Lock()
	if r.closed {
		defer r.mu.Unlock()
		return r.err
	}
	var rest []Frame
	for session := range r.stderr {
		if f := r.restOfStderr(session); f != nil {
			rest = append(rest, *f)
		}
	}
	r.mu.Unlock()
	for i := range rest {
		var l frameLines
		l.add(r.redactor.Frame(rest[i]))
		r.append(&l)
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return r.err
	}
	r.closed = true
	if r.file == nil {
		return r.err
	}
	r.err = errors.Join(r.err, r.file.close())
	if r.file.special {
		return r.err
	}
	if leaks := r.redactor.leaks(r.path); leaks != nil {
		r.err = errors.Join(r.err, leaks)
	}
	return r.err
}

// Discard ends a recording that is not wanted, such as one of a server that could not be started, and removes its file. A
// file that [RecordOptions] Force would have replaced is still there if no frame was recorded.
func (r *Recorder) Discard() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed && r.file != nil {
		r.closed = true
		r.file.remove()
	}
}

var _ mcp.Tap = (*Recorder)(nil)
