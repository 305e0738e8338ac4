package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

var (
	// ErrClosed says that the client or connection was closed on this side.
	ErrClosed = errors.New("the connection is closed")

	// ErrSessionEnded says that the server no longer knows the session, and did not take the request (HTTP-5). A
	// transport reports it in a *[RequestError]; the client begins a new session and sends the request again, once.
	ErrSessionEnded = errors.New("the session has ended")

	// ErrNotSent is what an error matches when nothing of the request has reached the server, so that it may be sent
	// again elsewhere.
	ErrNotSent = errors.New("the request was not sent")
)

// TimeoutError says that an answer did not come in time. It matches [context.DeadlineExceeded].
type TimeoutError struct {
	Method string
	After  time.Duration
	Sent   bool // the request may have reached the server: its outcome is unknown
}

func (e *TimeoutError) Error() string {
	if !e.Sent {
		return fmt.Sprintf("%s: not sent: the server took nothing within %s", e.Method, e.After)
	}
	return fmt.Sprintf("%s: timeout: no answer within %s", e.Method, e.After)
}

// Is makes the error match [context.DeadlineExceeded], and [ErrNotSent] where that is so.
func (e *TimeoutError) Is(target error) bool {
	return target == context.DeadlineExceeded || target == ErrNotSent && !e.Sent
}

// Timeout marks the error as one of time, as net.Error does.
func (e *TimeoutError) Timeout() bool { return true }

// LostError says that the connection ended before an answer came.
type LostError struct {
	Method string
	Sent   bool  // the request may have reached the server: its outcome is unknown
	Err    error // why the connection ended
}

func (e *LostError) Error() string {
	if !e.Sent {
		return fmt.Sprintf("%s: not sent: %v", e.Method, e.Err)
	}
	return fmt.Sprintf("%s: outcome unknown: %v", e.Method, e.Err)
}

func (e *LostError) Unwrap() error { return e.Err }

// Is makes the error match [ErrNotSent] where that is so.
func (e *LostError) Is(target error) bool { return target == ErrNotSent && !e.Sent }

// OutcomeUnknown says whether err leaves open if the server carried the request out: it was sent, or may have been,
// and no answer came. Such a request is never sent a second time by itself (LIFE-2).
func OutcomeUnknown(err error) bool {
	var lost *LostError
	if errors.As(err, &lost) {
		return lost.Sent
	}
	var late *TimeoutError
	return errors.As(err, &late) && late.Sent
}

// ExitError says that the server's process has ended, and shows the last lines of its stderr.
type ExitError struct {
	Status ExitStatus
	Stderr string // at most 20 lines, without the last line end
}

func (e *ExitError) Error() string {
	s := "the server exited with " + e.Status.String()
	if e.Stderr == "" {
		return s
	}
	return s + "; its stderr ends: " + strings.TrimSpace(e.Stderr)
}

// String says "code 3" or "signal SIGKILL".
func (s ExitStatus) String() string {
	if s.Signal != "" {
		return "signal " + s.Signal
	}
	return fmt.Sprintf("code %d", s.Code)
}

// StartError says that the server's command could not be started.
type StartError struct {
	Command string
	Dir     string // the folder it would have run in; empty means the program's own
	Path    string // the PATH that was searched; empty where the command was not looked for there
	Err     error  // exec.ErrNotFound where there is no such command
}

func (e *StartError) Error() string {
	s := fmt.Sprintf("command %q: %v", e.Command, e.Err)
	if e.Path != "" {
		s += fmt.Sprintf(": looked in PATH=%s", e.Path)
	}
	if e.Dir != "" {
		s += fmt.Sprintf(" (folder %s)", e.Dir)
	}
	return s
}

func (e *StartError) Unwrap() error { return e.Err }

// VersionError says that the server answered initialize with a protocol version this client does not speak (INIT-2).
type VersionError struct {
	Asked, Answered string
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("the server speaks protocol version %q; asked for was %q, and taken are %s",
		e.Answered, e.Asked, strings.Join(versions, ", "))
}

// ProtocolError says that the server does not keep to the protocol in a way that cannot be passed over.
type ProtocolError struct {
	Problem string
	Err     error // nil where there is none below
}

func (e *ProtocolError) Error() string {
	if e.Err != nil {
		return e.Problem + ": " + e.Err.Error()
	}
	return e.Problem
}

func (e *ProtocolError) Unwrap() error { return e.Err }

// CancelledError says that the caller gave a request up: its context ended.
type CancelledError struct {
	Method string
	Sent   bool  // the request may have reached the server: its outcome is unknown
	Err    error // the context's cause
}

func (e *CancelledError) Error() string { return fmt.Sprintf("%s: given up: %v", e.Method, e.Err) }
func (e *CancelledError) Unwrap() error { return e.Err }

// Is makes the error match [ErrNotSent] where that is so.
func (e *CancelledError) Is(target error) bool { return target == ErrNotSent && !e.Sent }
