package timeline

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// builder makes a timeline of frames, one after the other.
type builder struct {
	t        *Timeline
	frame    *replay.Frame
	pairs    pairs
	problems problems
	lastRow  int // of which more of the same may follow
	open     map[int]*exchange
	closed   bool   // the client closed the server's stdin
	stderr   string // the last line of it
	watch    watcher
}

// A watcher is told of each message and other thing as it is read: the page keeps them all.
type watcher interface {
	// saw gets the row that was added (or -1), and for an answer the row of its request.
	saw(f *replay.Frame, kind Kind, m *jsonrpc.Message, row, request int) error
}

// exchange is an HTTP exchange under way.
type exchange struct {
	row     int // of its own, where it has no message; else -1
	line    string
	calls   []int
	message bool // the client sent one
	status  int
	start   time.Duration
}

func newBuilder(h *replay.Header) *builder {
	b := &builder{
		t:       &Timeline{Header: h, labels: labels{index: map[label]uint32{}}},
		pairs:   newPairs(),
		lastRow: -1,
		open:    map[int]*exchange{},
	}
	b.t.labels.of("", "")
	return b
}

func (b *builder) readAll(r *replay.Reader) error {
	for f, err := range frames(r) {
		if err != nil {
			return err
		}
		if err := b.add(f); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) add(f *replay.Frame) error {
	b.t.Frames++
	b.frame = f
	b.t.Length = max(b.t.Length, f.At)
	b.t.Sessions = max(b.t.Sessions, f.Session)
	switch f.Kind {
	case mcp.FrameMessage:
		return b.messages(f)
	case mcp.FrameHTTP:
		return b.http(f)
	case mcp.FrameEnd:
		return b.end(f)
	case mcp.FrameEvent:
		return b.tell(0, nil, -1, -1)
	}
	return b.other(f)
}

// messages takes a frame with a message or a batch of them.
func (b *builder) messages(f *replay.Frame) error {
	if m, err := jsonrpc.Parse(f.Data); err == nil {
		return b.message(&m)
	}
	list, _, err := jsonrpc.Split(f.Data)
	if err != nil {
		return b.other(f)
	}
	for i := range list {
		if err := b.message(&list[i]); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) message(m *jsonrpc.Message) error {
	if x := b.open[b.frame.Exchange]; x != nil && b.frame.From == mcp.FromClient {
		x.message = true
	}
	switch m.Kind() {
	case jsonrpc.Request:
		return b.request(m)
	case jsonrpc.Notification:
		return b.notification(m)
	}
	return b.answer(m)
}

func (b *builder) request(m *jsonrpc.Message) error {
	f := b.frame
	row := b.row(compact{kind: KindRequest, took: -1, label: b.t.labels.of(m.Method, nameOf(m.Method, m.Params))})
	if !b.t.rows.full() {
		b.t.rows.at(row).said = b.t.rows.keep(said(m.Method, m.Params))
	}
	if f.From == mcp.FromClient {
		b.t.Calls++
		if b.t.Protocol == "" && b.t.Calls <= mostIntroduced {
			b.t.Protocol = cutBytes(meaning.Text(meaning.At(m.Params, "_meta", "io.modelcontextprotocol/protocolVersion")), maxLabel)
		}
	}
	b.pairs.ask(f, m, row)
	if x := b.open[f.Exchange]; x != nil {
		x.calls = append(x.calls, row)
	}
	return b.tell(KindRequest, m, row, -1)
}

func (b *builder) notification(m *jsonrpc.Message) error {
	f := b.frame
	lab := b.t.labels.of(m.Method, nameOf(m.Method, m.Params))
	if m.Method == "notifications/cancelled" {
		if row, ok := b.pairs.find(f, meaning.At(m.Params, "requestId")); ok {
			if c := b.t.rows.at(row); c.outcome == Unanswered {
				c.outcome, c.took = Cancelled, f.At-c.at
			}
		}
	}
	if b.lastRow >= 0 {
		if c := b.t.rows.at(b.lastRow); c.kind == KindNotification && c.label == lab && c.from == f.From && c.session == session(f) {
			c.repeat++
			c.took = f.At - c.at
			return b.tell(KindNotification, m, b.lastRow, -1)
		}
	}
	row := b.row(compact{kind: KindNotification, label: lab, repeat: 1})
	if !b.t.rows.full() {
		b.t.rows.at(row).said = b.t.rows.keep(said(m.Method, m.Params))
	}
	return b.tell(KindNotification, m, row, -1)
}

func (b *builder) answer(m *jsonrpc.Message) error {
	f := b.frame
	asked, spelt := b.pairs.answer(f, m.ID)
	if asked < 0 {
		what := "an answer came to a request that nobody made"
		if asked == answeredTwice {
			what = "a request was answered a second time"
		}
		b.problems.add(b.t.Frames, "stray", "", fmt.Sprintf("%s (id %s)", what, cutBytes(string(m.ID), 40)))
		row := b.row(compact{kind: KindStray, outcome: outcomeOf(m)})
		return b.tell(KindStray, m, row, -1)
	}
	c := b.t.rows.at(asked)
	if !spelt {
		b.problems.add(b.t.Frames, "spelling", "", fmt.Sprintf("%s was answered under the id %s, another JSON type than it was asked under",
			b.name(c), cutBytes(string(m.ID), 40)))
	}
	c.answer = uint32(b.t.Frames)
	if c.outcome != Cancelled {
		c.outcome, c.took = outcomeOf(m), f.At-c.at
	}
	method := b.t.labels.list[c.label].method
	if c.outcome != OK || !b.t.rows.full() {
		c.got = b.t.rows.keep(shortAnswer(method, m))
	}
	switch {
	case b.t.Server != "" || c.outcome != OK:
	case method == "initialize":
		b.introduce(meaning.At(m.Result, "serverInfo"))
		b.t.Protocol = cutBytes(meaning.Text(meaning.At(m.Result, "protocolVersion")), maxLabel)
	case b.t.Calls <= mostIntroduced && len(m.Result) < maxIntroduction:
		b.introduce(meaning.At(m.Result, "_meta", "io.modelcontextprotocol/serverInfo"))
	}
	switch c.outcome {
	case Failed:
		b.problems.add(int(c.frame), "failed", b.name(c), b.name(c)+" failed: "+shortAnswer(method, m))
	case Error:
		b.problems.add(int(c.frame), "error", b.name(c), b.name(c)+" was answered with an error: "+shortAnswer(method, m))
	}
	return b.tell(KindRequest, m, -1, asked)
}

// Since 2026-07-28 each message says beside its payload who speaks, and in which version. It is looked for in the first few
// calls alone, and in answers of this many bytes.
const (
	mostIntroduced  = 4
	maxIntroduction = 1 << 20
)

func (b *builder) introduce(info jsontext.Value) {
	b.t.Server = strings.TrimSpace(cutBytes(meaning.Text(meaning.At(info, "name")), maxLabel) + " " + cutBytes(meaning.Text(meaning.At(info, "version")), maxLabel))
}

func outcomeOf(m *jsonrpc.Message) Outcome {
	switch {
	case m.Error != nil:
		return Error
	case isFailed(m.Result):
		return Failed
	}
	return OK
}

func shortAnswer(method string, m *jsonrpc.Message) string {
	if m.Error != nil {
		return failure(m)
	}
	return got(method, m.Result)
}

// name is how a request is called in a sentence.
func (b *builder) name(c *compact) string {
	l := b.t.labels.list[c.label]
	if c.from == mcp.FromServer {
		return "the server's request " + title(l.method, l.name)
	}
	return title(l.method, l.name)
}

// title puts a method and a name together.
func title(method, name string) string {
	if name == "" {
		return method
	}
	return method + " " + name
}

// row adds a row for the frame at hand.
func (b *builder) row(c compact) int {
	f := b.frame
	c.frame, c.at, c.from, c.session = uint32(b.t.Frames), f.At, f.From, session(f)
	if c.repeat == 0 {
		c.repeat = 1
	}
	b.lastRow = b.t.rows.add(c)
	return b.lastRow
}

func session(f *replay.Frame) uint16 { return uint16(min(f.Session, math.MaxUint16)) }

func (b *builder) tell(kind Kind, m *jsonrpc.Message, row, request int) error {
	if b.watch == nil {
		return nil
	}
	return b.watch.saw(b.frame, kind, m, row, request)
}
