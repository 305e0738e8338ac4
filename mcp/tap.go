package mcp

import (
	"net/http"
	"time"
)

// Tap is told what passes on the wire below a [Conn]: every transport of this package has a field for one, and the
// recorder in the middle of a host and a server feeds the same. A recorder is a Tap that writes a cassette.
type Tap interface {
	// Frame is called once for each frame, before the last byte of what it tells is passed on, and may be called
	// from several goroutines at once; the order of the calls is the order of the wire. Data and the
	// pointers are the caller's again when Frame returns. A Tap has no way to fail the session.
	Frame(f Frame)
}

// Side is the end of the wire that a frame comes from.
type Side uint8

// The two sides.
const (
	FromClient Side = iota + 1
	FromServer
)

// FrameKind says what passed.
type FrameKind uint8

// The kinds of frame. The comment names the fields that count for each beside From, Exchange and SessionID.
const (
	FrameMessage FrameKind = iota + 1 // Data: one message (or batch) as it came, without its line end; Event where a stream carried it
	FrameNoise                        // Data: a line on stdout that is no message, with its line end
	FrameStderr                       // Data: bytes of the server's stderr
	FrameBody                         // Data: an HTTP body that is not JSON; Event where a stream carried it
	FrameClose                        // the client closed the server's stdin
	FrameExit                         // Exit: how the server's process ended
	FrameHTTP                         // Head: an HTTP request (from the client) or the head of an answer (from the server)
	FrameEvent                        // Event: an event of a stream without a message
	FrameEnd                          // End: how the exchange ended
)

// Frame is one thing that passed on the wire.
type Frame struct {
	At        time.Duration // since the recording began; the recorder sets it
	From      Side
	Kind      FrameKind
	Data      []byte
	Exchange  int    // HTTP: the number of the request, from 1; its frames share it. 0 on stdio
	SessionID string // HTTP: the Mcp-Session-Id that the exchange belongs to, once it is known
	Head      *HTTPHead
	Event     *SSE
	Exit      *ExitStatus
	End       EndReason
}

// HTTPHead is the head of an HTTP request (Method, Path) or answer (Status).
type HTTPHead struct {
	Method string
	Path   string // with its query, as it was written
	Status int
	Header http.Header
}

// SSE is what an event of a stream carries beside its data.
type SSE struct {
	Event   string // the event's name; empty means that none was sent
	ID      string
	HasID   bool   // an empty id was sent, too
	Retry   string // the digits as they were sent; empty means that none was
	Comment string // comment lines, joined by newlines
}

// ExitStatus is how a process ended: by Signal where that is not empty, else with Code.
type ExitStatus struct {
	Code   int
	Signal string // such as "SIGKILL"
}

// EndReason is how an HTTP exchange ended.
type EndReason string

// The ends of an exchange.
const (
	EndComplete EndReason = "complete" // the answer was whole
	EndReset    EndReason = "reset"    // the server, or the network, broke it off
	EndClient   EndReason = "client"   // the client hung up
)
