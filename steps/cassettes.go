package steps

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/imurun/mcp-replay/replay"
)

// Mode says what becomes of a scenario's cassette.
type Mode string

// The modes. Only live and record, and once where there is no cassette, reach the server.
const (
	ModeReplay Mode = "replay" // play the cassette; without one the scenario fails
	ModeOnce   Mode = "once"   // play the cassette, or record it where there is none
	ModeRecord Mode = "record" // record the cassette anew
	ModeLive   Mode = "live"   // leave cassettes alone
)

// ParseMode reads the name of a mode.
func ParseMode(name string) (Mode, error) {
	switch m := Mode(name); m {
	case ModeReplay, ModeOnce, ModeRecord, ModeLive:
		return m, nil
	}
	return "", fmt.Errorf("mode %q: there are replay, once, record and live", name)
}

// Cassettes keeps one cassette for each scenario.
type Cassettes struct {
	// Dir is the folder of the cassettes, which is laid out as the features are.
	Dir string
	// Mode is what happens with them; empty means ModeReplay.
	Mode Mode
	// Play says how they are played.
	Play replay.PlayOptions
	// Record says what recordings tell of the server, and what they keep secret. A recording takes the place of the older one
	// when its scenario has passed.
	Record replay.RecordOptions
}

// Path is the cassette of a scenario: DIR/FEATURE/SCENARIO.jsonl. FEATURE is the path of the feature from the folder "features"
// on, so that it is the same wherever the run is started; SCENARIO is its name in lower case with dashes.
func (c *Cassettes) Path(s Scenario) (string, error) {
	name := slug(s.Name)
	if name == "" {
		return "", fmt.Errorf("%s:%d: the scenario has no name, and so no cassette", s.Feature, s.Line)
	}
	feature := strings.TrimSuffix(filepath.ToSlash(filepath.Clean(s.Feature)), ".feature")
	parts := strings.Split(feature, "/")
	for i, part := range parts {
		if part == "features" && i < len(parts)-1 {
			feature = path.Join(parts[i+1:]...)
		}
	}
	if strings.HasPrefix(feature, "/") || strings.HasPrefix(feature, "..") || filepath.VolumeName(feature) != "" {
		feature = path.Base(feature)
	}
	return filepath.Join(c.Dir, filepath.FromSlash(feature), name+".jsonl"), nil
}

// maxSlug bounds a file's name.
const maxSlug = 80

// slug makes a file's name of a scenario's.
func slug(name string) string {
	var b strings.Builder
	dash := false
	for _, c := range strings.ToLower(name) {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c > 127 {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(c)
			continue
		}
		dash = true
	}
	runes := []rune(b.String())
	return string(runes[:min(len(runes), maxSlug)])
}

// Distinct fails where two scenarios would share a cassette.
func (c *Cassettes) Distinct(scenarios []Scenario) error {
	seen := make(map[string]Scenario)
	var errs []error
	for _, s := range scenarios {
		file, err := c.Path(s)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if first, ok := seen[file]; ok {
			errs = append(errs, fmt.Errorf("%s:%d: the scenario %q shares its cassette %s with line %d: give it another name; "+
				"the name of an outline holds its columns", s.Feature, s.Line, s.Name, file, first.Line))
		}
		seen[file] = s
	}
	return errors.Join(errs...)
}

// StartError says that the server could not be started, or not be reached.
type StartError struct{ Err error }

func (e *StartError) Error() string { return "the server cannot be started: " + e.Err.Error() }

// Unwrap gives the reason.
func (e *StartError) Unwrap() error { return e.Err }

// CassetteError says that a cassette cannot be read or written.
type CassetteError struct{ Err error }

func (e *CassetteError) Error() string { return e.Err.Error() }

// Unwrap gives the reason.
func (e *CassetteError) Unwrap() error { return e.Err }
