package replay

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// What passes beside the answers is compared, too: what the server told by itself, and how its process ended. It depends on time and on who is
// asked next, so a difference there is a notice: it is shown, and fails nothing.

// mostHeard bounds how many notifications of the live server are kept to be compared. What is beyond is counted.
const mostHeard = 1000

// lastWords is how long is waited at the end for notifications that the live server still owes.
const lastWords = 200 * time.Millisecond

// besideAnswers compares the notifications of a session. They are paired by their method, in their order.
func (s *verifying) besideAnswers(ctx context.Context) error {
	recorded := make(map[string][]int32)
	for i, c := range s.part.cues {
		if c.kind == cueNews {
			m, err := s.message(c)
			if err != nil {
				return err
			}
			recorded[m.Method] = append(recorded[m.Method], int32(i))
		}
	}
	s.waitAtMost(ctx, lastWords, func() bool {
		for method, cues := range recorded {
			if s.heard[method] < len(cues) {
				return false
			}
		}
		return true
	})
	s.mu.Lock()
	heard, news := maps.Clone(s.heard), slices.Clone(s.news)
	s.mu.Unlock()
	live := make(map[string][]jsonrpc.Message)
	for _, m := range news {
		live[m.Method] = append(live[m.Method], m)
	}
	methods := maps.Clone(heard)
	for method := range recorded {
		methods[method] += 0
	}
	for _, method := range slices.Sorted(maps.Keys(methods)) {
		place := "/notifications/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(method)
		if n := len(recorded[method]); n != heard[method] {
			s.notice(meaning.Delta{Pointer: place, Recorded: fmt.Append(nil, n), Live: fmt.Append(nil, heard[method])})
		}
		for n := range min(len(recorded[method]), len(live[method])) {
			at := recorded[method][n]
			m, err := s.message(s.part.cues[at])
			if err != nil {
				return err
			}
			c := s.comparison(s.ignoredBeside, at)
			c.Set = nil
			for _, d := range c.Run(fmt.Sprintf("%s/%d/params", place, n), orEmpty(m.Params), orEmpty(live[method][n].Params)) {
				s.notice(d)
			}
		}
	}
	return nil
}

// orEmpty takes params that are left out, null or an empty array for an empty object: in a notification they are the same.
func orEmpty(params []byte) []byte {
	switch string(params) {
	case "", "null", "[]":
		return []byte("{}")
	}
	return params
}

// notice adds a difference that stands beside the answers, unless it may be.
func (s *verifying) notice(d meaning.Delta) {
	if d.Spelling || s.notices >= mostDifferences || s.ignoredBeside(d.Pointer) {
		return
	}
	s.notices++
	s.report.add(Difference{Session: s.part.session, Pointer: d.Pointer, Recorded: bytes.Clone(d.Recorded), Live: s.hide(d.Live), Severity: SeverityNotice})
}

// ignoredBeside tells whether a place beside the answers may differ. A pointer covers all that is below it.
func (v *verifier) ignoredBeside(pointer string) bool {
	for i := range v.ignore {
		if v.ignore[i].method != "" {
			continue
		}
		for at := pointer; at != ""; at = at[:strings.LastIndexByte(at, '/')] {
			if v.ignore[i].covers("", "", at) {
				return true
			}
		}
	}
	return false
}

// exitTap notes how a server's process ends, and counts the lines of its stdout that are no messages.
type exitTap struct {
	next mcp.Tap

	mu     sync.Mutex // guards what follows
	status *mcp.ExitStatus
	noise  int
}

func (t *exitTap) Frame(f mcp.Frame) {
	switch {
	case f.Kind == mcp.FrameExit && f.Exit != nil:
		t.mu.Lock()
		status := *f.Exit
		t.status = &status
		t.mu.Unlock()
	case f.Kind == mcp.FrameNoise && f.From == mcp.FromServer:
		t.mu.Lock()
		t.noise++
		t.mu.Unlock()
	}
	if t.next != nil {
		t.next.Frame(f)
	}
}

// watched gives the transport with a tap on its exit, where it runs a process.
func watched(t mcp.Transport) (mcp.Transport, *exitTap) {
	command, ok := t.(*mcp.Command)
	if !ok {
		return t, nil
	}
	tap := &exitTap{next: command.Tap}
	tapped := *command
	tapped.Tap = tap
	return &tapped, tap
}

// compareExit holds how the live process ended against the recorded end, and what of its output was no message.
func (s *verifying) compareExit(tap *exitTap) error {
	if tap == nil {
		return nil
	}
	tap.mu.Lock()
	live, noise := tap.status, tap.noise
	tap.mu.Unlock()
	if n := s.recordedNoise(); n != noise {
		s.notice(meaning.Delta{Pointer: "/noise", Recorded: fmt.Append(nil, n), Live: fmt.Append(nil, noise)})
	}
	for _, c := range slices.Backward(s.part.cues) {
		if c.kind != cueExit {
			continue
		}
		f, err := s.score.cassette.Frame(int(c.frame))
		if err != nil || f.Exit == nil || live == nil || *f.Exit == *live {
			return err
		}
		s.notice(meaning.Delta{Pointer: "/exit", Recorded: exitJSON(*f.Exit), Live: exitJSON(*live)})
		return nil
	}
	return nil
}

// recordedNoise counts the lines of the recorded session that are no messages.
func (s *verifying) recordedNoise() int {
	n := 0
	for i := range s.score.cassette.Len() {
		if e := s.score.cassette.Entry(i); e.Kind == mcp.FrameNoise && e.From == mcp.FromServer && e.Session == s.part.session {
			n++
		}
	}
	return n
}

func exitJSON(status mcp.ExitStatus) []byte {
	if status.Signal != "" {
		return append(append([]byte(`{"signal":`), quoted(status.Signal)...), '}')
	}
	return fmt.Appendf(nil, `{"code":%d}`, status.Code)
}
