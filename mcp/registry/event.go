package registry

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The types of event that a registry publishes.
const (
	EventConnected    = "mcp.connected"    // [Connected]
	EventDisconnected = "mcp.disconnected" // [Disconnected]
	EventError        = "mcp.error"        // [Failed]
	EventTools        = "mcp.tools"        // [ToolsChanged]
)

// Event is something that happened.
type Event struct {
	Seq  uint64 // from 1, without gaps
	Time time.Time
	Type string
	Data jsontext.Value // an object
}

// Connected is the data of [EventConnected] (API-4).
type Connected struct {
	ID              string     `json:"id"`
	Name            string     `json:"name"`
	Tools           int        `json:"tools"`
	ProtocolVersion string     `json:"protocolVersion"`
	Server          ServerInfo `json:"server"`
}

// ServerInfo is what a server calls itself.
type ServerInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Title   string `json:"title,omitzero"`
}

// Disconnected is the data of [EventDisconnected] (API-4).
type Disconnected struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// Failed is the data of [EventError] (API-4).
type Failed struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Error string `json:"error"`
}

// ToolsChanged is the data of [EventTools]: what another listing changed. Tools go by the names that the server
// gives them.
type ToolsChanged struct {
	ID      string        `json:"id"`
	Name    string        `json:"name"`
	Tools   int           `json:"tools"`
	Added   []string      `json:"added,omitzero"`
	Removed []string      `json:"removed,omitzero"`
	Changed []ToolChanged `json:"changed,omitzero"`
}

// ToolChanged is a tool whose definition changed (PERM-9).
type ToolChanged struct {
	Tool      string   `json:"tool"`
	What      []string `json:"what"`               // of "description", "schema" and "hints"
	Forgotten bool     `json:"forgotten,omitzero"` // a remembered answer was dropped for it
}

// maxEvents is how many events are kept for listeners that resume.
const maxEvents = 1024

// eventLog keeps the last events. Who listens slowly misses some, and holds up nobody.
type eventLog struct {
	mu     sync.Mutex
	kept   []Event
	last   uint64
	wake   chan struct{} // closed at the next event
	closed bool
}

func newEventLog() *eventLog { return &eventLog{wake: make(chan struct{})} }

func (l *eventLog) publish(kind string, data any) {
	raw, err := json.Marshal(data, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		raw = jsontext.Value("{}")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.last++
	if len(l.kept) == maxEvents {
		l.kept = append(l.kept[:0:0], l.kept[1:]...)
	}
	l.kept = append(l.kept, Event{Seq: l.last, Time: time.Now(), Type: kind, Data: raw})
	close(l.wake)
	l.wake = make(chan struct{})
}

// since gives the kept events after seq, and what to wait on for more; nil when no more will come. A seq that no event has
// yet is of an earlier run of the program, and gives all.
func (l *eventLog) since(seq uint64) ([]Event, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	wake := l.wake
	if l.closed {
		wake = nil
	}
	if seq > l.last {
		seq = 0
	}
	first := l.last - uint64(len(l.kept)) + 1
	from := 0
	if seq >= first {
		from = int(seq - first + 1)
	}
	return l.kept[from:len(l.kept):len(l.kept)], wake
}

func (l *eventLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.closed = true
		close(l.wake)
	}
}

// Events gives the events after the one with the number after (0: all that are kept), and then each as it happens,
// until ctx ends or the registry is closed and all have been given. The last 1024 are kept: a first Seq above
// after+1 means that some are gone.
func (r *Registry) Events(ctx context.Context, after uint64) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		for {
			events, wake := r.events.since(after)
			for _, e := range events {
				if ctx.Err() != nil || !yield(e) {
					return
				}
				after = e.Seq
			}
			if wake == nil {
				return
			}
			select {
			case <-wake:
			case <-ctx.Done():
				return
			}
		}
	}
}

// LastEvent is the number of the last event; events after it are new.
func (r *Registry) LastEvent() uint64 {
	r.events.mu.Lock()
	defer r.events.mu.Unlock()
	return r.events.last
}

// Publish adds an event; data becomes a JSON object.
func (r *Registry) Publish(kind string, data any) { r.events.publish(kind, data) }
