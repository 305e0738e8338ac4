package replay

import (
	"bytes"

	"github.com/imurun/mcp-replay/mcp"
)

// complete makes of what a tap has told the frame that is due now, if one is: the session gets its number, and what was
// written to stderr comes line by line. One more frame may be due before it.
func (r *Recorder) complete(f *Frame) (before *Frame, due bool) {
	if f.SessionID == "" && f.Kind != mcp.FrameStderr && f.Kind != mcp.FrameExit {
		return nil, true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	f.Session, f.SessionID = r.session(f.SessionID), ""
	switch f.Kind {
	case mcp.FrameStderr:
		pending := append(r.stderr[f.Session], f.Data...)
		end := bytes.LastIndexByte(pending, '\n') + 1
		if len(pending)-end > maxStderrLine {
			end = len(pending)
		}
		r.stderr[f.Session] = pending[end:]
		f.Data = pending[:end:end]
		return nil, end > 0
	case mcp.FrameExit:
		return r.restOfStderr(f.Session), true
	}
	return nil, true
}

// maxStderrLine is how long a line on stderr may get before its beginning is written.
const maxStderrLine = 1 << 20

func (r *Recorder) restOfStderr(session int) *Frame {
	pending := r.stderr[session]
	delete(r.stderr, session)
	if len(pending) == 0 {
		return nil
	}
	return &Frame{Session: session, Frame: mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameStderr, Data: pending}}
}

// session gives the number of a session, from 1, in the order in which the sessions are first seen. The id itself is a key
// to the session: from now on it is a secret.
func (r *Recorder) session(id string) int {
	if id == "" {
		return 0
	}
	n, ok := r.sessions[id]
	if !ok {
		n = len(r.sessions) + 1
		r.sessions[id] = n
		if len(id) >= minSecret {
			r.redactor.know("session", id)
		}
	}
	return n
}
