package replay

import (
	"math"
)

// A score is a cassette read for playing: what each frame is, and what it follows, in 24 bytes a frame. The frames' bytes
// stay in the cassette.
type score struct {
	cassette *Cassette
	parts    []*scorePart        // the recorded sessions, in the order of their first frames
	asides   map[string][]*aside // by method and path
	versions map[string]bool     // that requests over HTTP named
}

// A scorePart is one recorded session.
type scorePart struct {
	session  int
	cues     []cue
	requests []int32 // the client's requests that hold no placeholder, by key and then in their order
	wild     []int32 // those that do; their key is made of the method and what is named
	notices  []int32 // the client's notifications, by key and then in their order
	opening  int32   // the client's first request; -1 where there is none
	crash    int32   // the exit that the client did not bring about by closing; -1 where there is none
	refused  bool    // a request was answered with the status of an error
	pushes   bool    // the server sent messages that belong to no request
	deleted  int     // the status that a DELETE was answered with; 0 where there was none
}

// A cue is one thing that passed: a message (an element of one, where a batch passed), or what else comes back.
type cue struct {
	frame uint32
	elem  uint16 // of a batch; noElem where the frame is the message
	kind  cueKind
	flags cueFlags
	next  int32  // of a request, or what belongs to one: what comes next of the same request; -1 at the end
	peer  int32  // a request's answer and an answer's request; -1 where there is none
	key   uint64 // a request's or notification's meaning
}

const (
	noElem = math.MaxUint16
	none   = int32(-1)
)

type cueKind uint8

const (
	// From the client.
	cueRequest cueKind = iota + 1
	cueNotice
	cueReply // to a request of the server
	cueClose

	// From the server.
	cueAnswer
	cueDemand // a request of the server
	cueNews   // a notification
	cueStderr
	cueExit
	cueHead  // of an HTTP answer that is not the usual 2xx
	cueBody  // an HTTP body, or the data of an event, that is no message
	cueEvent // an event of a stream without data
	cueReset // the answer broke off
	cueBreak // the stream ended before the answer, and could be resumed
)

// anchors tells whether what the server sends by itself can follow a cue of this kind.
func (k cueKind) anchors() bool { return k <= cueAnswer }

type cueFlags uint8

const (
	flagLoose     cueFlags = 1 << iota // of the server: belongs to no request
	flagCancelled                      // a request that the client gave up
	flagLate                           // an answer that came although the client had given up
	flagWindow                         // a request: between it and its answer something loose follows a notification
	flagStream                         // a request: its answer was an event stream
	flagNullID                         // an answer under the id null
	flagPing                           // a request: ping
	flagWild                           // a request that holds placeholders
)
