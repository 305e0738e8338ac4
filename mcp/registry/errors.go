package registry

import (
	"errors"
	"fmt"

	"github.com/imurun/mcp-replay/policy"
)

var (
	// ErrClosed says that the registry was closed.
	ErrClosed = errors.New("the host is closing")

	// ErrDisabled says that the server is disabled in the settings (LIFE-4).
	ErrDisabled = errors.New("the server is disabled")

	// ErrNetworkOff says that the server is reached over HTTP, and the network is switched off (PERM-8).
	ErrNetworkOff = errors.New("the network is switched off, and this server is reached over HTTP")

	// ErrDisconnected says that somebody disconnected, saved or removed the server while it was being waited for.
	ErrDisconnected = errors.New("the server was disconnected meanwhile")
)

// UnavailableError says that a name belongs to no tool that is offered.
type UnavailableError struct {
	Name   string // as it was called
	Reason string
}

// Error gives name and reason.
func (e *UnavailableError) Error() string {
	return fmt.Sprintf("the tool %.100q is unavailable: %s", e.Name, e.Reason)
}

// RefusedError says that a call was not allowed.
type RefusedError struct {
	Name     string
	Decision policy.Decision
	Asked    bool // somebody was asked, and refused; else there was nobody to ask
	Late     bool // somebody was asked, and did not answer in time
}

// Error gives the tool, the reason and the rule.
func (e *RefusedError) Error() string {
	why := fmt.Sprintf("%s (%s)", e.Decision.Why(), e.Decision.Rule)
	switch {
	case e.Decision.Action == policy.ActionDeny:
		return fmt.Sprintf("%s was not called: %s", e.Name, why)
	case e.Late:
		return fmt.Sprintf("%s was not called: it was asked for, and nobody answered in time; %s", e.Name, why)
	case e.Asked:
		return fmt.Sprintf("%s was not called: it was asked for and refused; %s", e.Name, why)
	}
	return fmt.Sprintf("%s was not called: it needs approval, and there is nobody to ask; %s", e.Name, why)
}

// ConnectError says why a server could not be connected.
type ConnectError struct {
	ID  string
	Err error
}

// Error gives id and reason. The reason may repeat what the server said; what leaves a registry is masked.
func (e *ConnectError) Error() string { return fmt.Sprintf("server %s: %v", e.ID, e.Err) }
func (e *ConnectError) Unwrap() error { return e.Err }

// maskedError is an error whose text is masked, and whose kind can still be told.
type maskedError struct {
	text string
	err  error
}

func (e *maskedError) Error() string        { return e.text }
func (e *maskedError) Is(target error) bool { return errors.Is(e.err, target) }
func (e *maskedError) As(target any) bool   { return errors.As(e.err, target) }
