package steps

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
)

// open makes the transport to the scenario's server: a live one, a cassette's player, or a live one that is recorded.
func (w *World) open() (mcp.Transport, error) {
	t := w.Target()
	if t.Cassette != "" {
		return w.play(t.Cassette)
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
	return w.play(path)
}

// play makes a player of a cassette.
func (w *World) play(path string) (mcp.Transport, error) {
	cassette, err := replay.Open(path)
	if err != nil {
		err = &CassetteError{Err: err}
		if errors.Is(err, fs.ErrNotExist) && w.Config.Cassettes != nil {
			return nil, &HintError{Err: err, Hint: "record it: --mode once records what is missing from the server that is named"}
		}
		return nil, err
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
