// Package timeline shows a cassette to people: what was called, how long it took, how it ended, and on top of it
// all what went wrong.
//
// [Read] goes through a cassette once and keeps a few dozen bytes a frame, so that a recording of gigabytes can be
// shown, too. What it gives is written by [Timeline.WriteText] for a terminal and [Timeline.WriteJSON] for scripts.
// [WriteHTML] makes a page that stands alone: a sequence diagram, a table of the calls, a search, and the raw
// frames on demand.
//
//	r, err := replay.NewReader(file, "session.jsonl")
//	…
//	t, err := timeline.Read(r)
//	…
//	err = t.WriteText(os.Stdout, &timeline.TextOptions{Width: 100})
package timeline

import (
	"iter"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
)

// Outcome is how a request ended.
type Outcome uint8

// The outcomes.
const (
	Unanswered Outcome = iota // no answer in the recording
	OK                        // an answer that is no failure
	Failed                    // a tool result with isError
	Error                     // a JSON-RPC error, or an HTTP status in place of an answer
	Cancelled                 // given up by the side that asked
)

var outcomeNames = [...]string{Unanswered: "unanswered", OK: "ok", Failed: "failed", Error: "error", Cancelled: "cancelled"}

func (o Outcome) String() string { return outcomeNames[o] }

// Kind says what a row shows.
type Kind uint8

// The kinds of row.
const (
	KindRequest      Kind = iota + 1 // a request, with its answer
	KindNotification                 // one or, where Repeat says so, several alike in a row
	KindStray                        // an answer that no request waits for
	KindNoise                        // output on stdout, or a body, that is no message
	KindStderr
	KindClose // the client closed the server's stdin
	KindExit
	KindHTTP // an HTTP exchange without a message, or an answer whose status is no success
	KindEnd  // an exchange that was broken off
	KindUnknown
)

// Row is one line of the timeline.
type Row struct {
	Kind     Kind
	From     mcp.Side
	Frame    int           // the frame's number, from 1
	Answer   int           // the answer's frame; 0 where there is none
	At       time.Duration // since the recording began
	Duration time.Duration // of a request or exchange; negative where it has no end
	Method   string
	Name     string // of the tool or prompt, or the resource's URI
	Outcome  Outcome
	Said     string // a short form of what was sent
	Got      string // a short form of the answer
	Repeat   int    // how many alike this row stands for
	Session  int
}

// Call is a request and how it ended.
type Call = Row

// Timeline is what a cassette tells, in short.
type Timeline struct {
	Header   *replay.Header
	Frames   int           // how many
	Cut      bool          // the recording ends in half a frame: a crash cut it off
	Length   time.Duration // from the header to the last frame
	Server   string        // name and version, as the server gave them first
	Protocol string        // the version agreed on first
	Calls    int           // requests of the client
	Outcomes [len(outcomeNames)]int
	Sessions int // HTTP sessions
	Problems []Problem

	rows   rows
	labels labels
}

// Problem is something that went wrong.
type Problem struct {
	Text  string
	Frame int // where it showed first
	Count int // how often
}

// Read reads the rest of r. A cassette cut off by a crash is no error; a damaged one is.
func Read(r *replay.Reader) (*Timeline, error) {
	b := newBuilder(r.Header())
	if err := b.readAll(r); err != nil {
		return nil, err
	}
	return b.finish(r.Cut()), nil
}

// Rows gives the rows in the order of the wire.
func (t *Timeline) Rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for i := range t.rows.len() {
			if !yield(t.row(t.rows.at(i))) {
				return
			}
		}
	}
}

// AllCalls gives the requests of one side in the order of the wire.
func (t *Timeline) AllCalls(from mcp.Side) iter.Seq[Call] {
	return func(yield func(Call) bool) {
		for row := range t.Rows() {
			if row.Kind == KindRequest && row.From == from && !yield(row) {
				return
			}
		}
	}
}

func (t *Timeline) row(c *compact) Row {
	l := t.labels.list[c.label]
	row := Row{
		Kind: c.kind, From: c.from, Frame: int(c.frame), Answer: int(c.answer), Method: l.method, Name: l.name,
		At: c.at, Duration: c.took, Outcome: c.outcome, Repeat: int(c.repeat), Session: int(c.session),
		Said: t.rows.text(c.said), Got: t.rows.text(c.got),
	}
	return row
}

// Of makes the timeline of a cassette that is open.
func Of(c *replay.Cassette) (*Timeline, error) {
	b := newBuilder(c.Header())
	for f, err := range c.Frames() {
		if err != nil {
			return nil, err
		}
		if err := b.add(&f); err != nil {
			return nil, err
		}
	}
	return b.finish(c.Cut()), nil
}
