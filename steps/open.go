package steps

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
)

// open makes the transport to the scenario's server: a live one, a cassette's player, or a live one that is recorded.
func (w *World) open() (mcp.Transport, error) {
	t := w.Target()
	if t.Cassette != "" {
		player, err := w.play(t.Cassette)
		if err != nil {
			return nil, err
		}
		return player, nil
	}
	c := w.Config.Cassettes
	if c == nil || c.Mode == ModeLive || State[targetState](w).set {
		return t.transport(nil)
	}
	path, err := c.Path(w.Scenario)
	if err != nil {
		return nil, err
	}
	switch c.Mode {
	case ModeRecord:
		return w.record(t, path)
	case ModeOnce:
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return w.record(t, path)
		}
	}
	player, err := w.play(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &HintError{Err: err, Hint: "record it: --mode once records what is missing from the server that is named"}
	}
	if err != nil {
		return nil, err
	}
	w.AtEnd(State[playState](w).check)
	return player, nil
}

// playState is the player of the scenario's cassette.
type playState struct {
	player    *replay.Player
	mentioned bool // a step has looked at what was left unplayed
}

// shownUnplayed is how many unplayed messages a failure names.
const shownUnplayed = 5

// check fails a scenario that leaves some of its own cassette unplayed: it does less than what was recorded for it.
func (s *playState) check(passed bool) error {
	left := s.player.Unplayed()
	if !passed || s.mentioned || len(left) == 0 {
		return nil
	}
	var titles []string
	for _, u := range left[:min(len(left), shownUnplayed)] {
		titles = append(titles, fmt.Sprintf("frame %d, %s", u.Frame, u.Title))
	}
	if len(left) > shownUnplayed {
		titles = append(titles, fmt.Sprintf("and %d more", len(left)-shownUnplayed))
	}
	return &HintError{
		Err:  fmt.Errorf("the cassette is not played to its end: %s", strings.Join(titles, "; ")),
		Hint: "record it anew with --mode record, or mention it: Then 1 recorded message is left unplayed",
	}
}

// play makes a player of a cassette.
func (w *World) play(path string) (*replay.Player, error) {
	cassette, err := replay.Open(path)
	if err != nil {
		return nil, &CassetteError{Err: err}
	}
	w.Cleanup(cassette.Close)
	var o replay.PlayOptions
	if c := w.Config.Cassettes; c != nil {
		o = c.Play
	}
	player, err := replay.NewPlayer(cassette, &o)
	if err != nil {
		return nil, &CassetteError{Err: err}
	}
	State[playState](w).player = player
	return player, nil
}

// record makes the transport to a live server, and a cassette that takes the old one's place when all steps have passed.
func (w *World) record(t Target, path string) (mcp.Transport, error) {
	part := path + ".new"
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &CassetteError{Err: err}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, &CassetteError{Err: err}
	}
	o := w.Config.Cassettes.Record
	recorder, err := replay.Create(part, &o)
	if err != nil {
		return nil, &CassetteError{Err: err}
	}
	w.AtEnd(func(passed bool) error {
		if err := recorder.Close(); err != nil {
			return fmt.Errorf("the cassette %s is not written: %w", path, errors.Join(err, os.Remove(part)))
		}
		if !passed {
			return os.Remove(part)
		}
		return os.Rename(part, path)
	})
	return t.transport(recorder)
}
