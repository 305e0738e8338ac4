package replay

import (
	"errors"
	"fmt"
)

// ErrEmpty is what opening a cassette without a single byte in it gives, wrapped with the file's name.
var ErrEmpty = errors.New("the cassette is empty")

// A DamageError says that a line of a cassette cannot be read (REP-10). Nothing of the cassette is used then.
type DamageError struct {
	File  string
	Line  int // from 1
	Cause error
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("%s:%d: damaged cassette: %v", e.File, e.Line, e.Cause)
}

func (e *DamageError) Unwrap() error { return e.Cause }

// A VersionError says that a cassette was written by a newer program than this one.
type VersionError struct {
	File    string
	Version string // as it is spelt in the header
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("%s: cassette version %s is newer than this program reads (%d)", e.File, e.Version, Version)
}
