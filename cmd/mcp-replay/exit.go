package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/imurun/mcp-replay/mcp"
)

// The exit codes that people script against.
const (
	exitOK          = 0
	exitFailed      = 1 // the thing checked does not hold: a difference, a failed result, a timeout of a call, a refusal
	exitUsage       = 2 // wrong use, or input that cannot be read
	exitUnreachable = 3 // the server could not be reached or started, or broke off
	exitInterrupted = 130
)

// exitError is an error that knows its exit code and what to do next.
type exitError struct {
	code int
	err  error // nil: everything has been said already
	hint string
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usageError is wrong use or unreadable input.
func usageError(hint, format string, args ...any) error {
	return &exitError{code: exitUsage, err: fmt.Errorf(format, args...), hint: hint}
}

// failedError is a check that does not hold.
func failedError(hint, format string, args ...any) error {
	return &exitError{code: exitFailed, err: fmt.Errorf(format, args...), hint: hint}
}

// unreachableError is a server that could not be reached or started, or broke off.
func unreachableError(err error) error {
	return &exitError{code: exitUnreachable, err: err}
}

// exitWith ends with code when all there is to say has been said.
func exitWith(code int) error {
	if code == exitOK {
		return nil
	}
	return &exitError{code: code}
}

// report says what err is, for people, and gives the exit code. Errors of cobra and pflag are wrong use, and so is
// any error that a verb has not given a code.
func report(ctx context.Context, w io.Writer, err error) int {
	if err == nil {
		return exitOK
	}
	if e, ok := errors.AsType[*endedError](err); ok {
		return e.code()
	}
	if errors.Is(context.Cause(ctx), errInterrupted) {
		fmt.Fprintln(w, "mcp-replay: interrupted")
		return exitInterrupted
	}
	e, ok := errors.AsType[*exitError](err)
	if !ok {
		e = &exitError{code: exitUsage, err: err}
	}
	if e.err == nil {
		return e.code
	}
	hint := e.hint
	if hint == "" {
		hint = hintFor(err)
	}
	text := strings.TrimSpace(err.Error())
	if hint != "" {
		text = strings.TrimSuffix(text, "; "+hint) // an error that also speaks where nobody prints hints
	}
	fmt.Fprintf(w, "mcp-replay: %s\n", plain(text))
	if hint != "" {
		fmt.Fprintf(w, "hint: %s\n", hint)
	}
	return e.code
}

// endedError ends the program as a server's process ended.
type endedError struct{ status mcp.ExitStatus }

func (e *endedError) Error() string { return "ended as the server did" }

// endAs ends the program as a recorded or live server's process ended: with its code, or by the same signal.
func endAs(status mcp.ExitStatus) error { return &endedError{status} }

// code ends the program by the signal, where there is one, and gives the exit code otherwise.
func (e *endedError) code() int {
	if e.status.Signal == "" {
		return e.status.Code
	}
	return dieBy(e.status.Signal)
}
