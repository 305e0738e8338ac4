// Package shrink makes a recording that shows a fault as small as it can be: the fewest frames, and in them the
// smallest arguments and answers, for which a test still says that the fault is there.
//
// It is delta debugging (ddmin): first whole exchanges are left out, then single frames, then members, elements and
// characters of what the messages carry. The same cassette and the same answers of the test give the same result.
//
//	keep := func(ctx context.Context, path string) (bool, error) {
//		return showsTheFault(path), nil
//	}
//	result, err := shrink.Run(ctx, cassette, "small.jsonl", keep, nil)
//
// From the first successful test on the output file holds the smallest cassette found so far, whole at every moment:
// whoever loses patience keeps what was reached.
package shrink

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/internal/wholefile"
)

// Keep says whether the cassette at path still shows what is looked for. An error ends the search.
type Keep func(ctx context.Context, path string) (bool, error)

// ErrNotShown is returned when the whole cassette does not show what is looked for.
var ErrNotShown = errors.New("the whole cassette does not show it")

// Options of a search.
type Options struct {
	MaxRuns  int                 // tests at most; 0 means 10 000
	Progress func(step Progress) // told after each test that found something smaller, and when a stage begins
}

// Progress is how far a search has come.
type Progress struct {
	Stage  string // "exchanges", "frames" or "contents"
	Runs   int    // tests so far
	Frames int    // of the smallest found
	Bytes  int64
}

// Result is what a search reached.
type Result struct {
	Runs                      int
	FramesBefore, FramesAfter int
	BytesBefore, BytesAfter   int64
	Complete                  bool // nothing more can be left out; false where MaxRuns ended the search
}

// Run looks for the smallest cassette that keep accepts, and leaves it in the file out. When ctx ends, out holds the
// smallest one so far.
func Run(ctx context.Context, c *replay.Cassette, out string, keep Keep, o *Options) (*Result, error) {
	if o == nil {
		o = &Options{}
	}
	dir, err := os.MkdirTemp("", "mcp-replay-shrink-")
	if err != nil {
		return nil, fmt.Errorf("shrink: %w", err)
	}
	defer os.RemoveAll(dir)
	s := &search{ctx: ctx, cassette: c, keep: keep, o: o, out: out, max: o.MaxRuns, seen: map[[32]byte]bool{},
		candidate: filepath.Join(dir, filepath.Base(out)), changed: map[int]replay.Frame{}}
	if s.max == 0 {
		s.max = 10_000
	}
	for i := range c.Len() {
		s.kept = append(s.kept, i)
	}
	if err := s.whole(); err != nil {
		return nil, err
	}
	err = s.stages()
	s.result.Runs, s.result.Complete = s.runs, err == nil
	if errors.Is(err, errSpent) {
		err = nil
	}
	return &s.result, err
}

// errSpent ends the search when no tests are left.
var errSpent = errors.New("no tests left")

// search is the state of one search: the smallest that was found.
type search struct {
	ctx       context.Context
	cassette  *replay.Cassette
	keep      Keep
	o         *Options
	out       string
	candidate string // the file that is tested

	kept    []int                // frames, by their index in the cassette
	changed map[int]replay.Frame // those whose content has been made smaller

	stage  string
	runs   int
	max    int
	seen   map[[32]byte]bool // candidates and what the test said
	result Result
}

// whole tests the cassette as it is.
func (s *search) whole() error {
	ok, size, err := s.test(s.kept, s.changed)
	if err != nil {
		return err
	}
	if !ok {
		return ErrNotShown
	}
	s.result.FramesBefore, s.result.BytesBefore = len(s.kept), size
	return s.take(s.kept, s.changed, size)
}

// stages runs until a whole round finds nothing.
func (s *search) stages() error {
	for {
		before := s.result.BytesAfter
		for _, stage := range []struct {
			name string
			run  func() error
		}{{"exchanges", s.exchanges}, {"frames", s.frames}, {"contents", s.contents}} {
			s.stage = stage.name
			s.tell()
			if err := stage.run(); err != nil {
				return err
			}
		}
		if s.result.BytesAfter == before {
			return nil
		}
	}
}

// exchanges leaves out whole exchanges: a request with its answer and all that belongs to it.
func (s *search) exchanges() error {
	groups, err := exchanges(s.cassette, s.kept)
	if err != nil {
		return err
	}
	_, err = reduce(groups, func(rest [][]int) (bool, error) { return s.try(merge(rest), s.changed) })
	return err
}

// frames leaves out single frames.
func (s *search) frames() error {
	_, err := reduce(s.kept, func(rest []int) (bool, error) { return s.try(rest, s.changed) })
	return err
}

// try tests a candidate, and keeps it where it still shows the fault and is smaller than the best so far.
func (s *search) try(kept []int, changed map[int]replay.Frame) (bool, error) {
	ok, size, err := s.test(kept, changed)
	if err != nil || !ok {
		return false, err
	}
	if size >= s.result.BytesAfter {
		return false, nil
	}
	return true, s.take(kept, changed, size)
}

// take makes a candidate, which stands in the candidate's file, the best so far.
func (s *search) take(kept []int, changed map[int]replay.Frame, size int64) error {
	data, err := s.write(kept, changed)
	if err != nil {
		return err
	}
	err = wholefile.Replace(s.out, "", func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return fmt.Errorf("shrink: %w", err)
	}
	s.kept, s.changed = kept, changed
	s.result.FramesAfter, s.result.BytesAfter = len(kept), size
	s.tell()
	return nil
}

func (s *search) tell() {
	if s.o.Progress != nil {
		s.o.Progress(Progress{Stage: s.stage, Runs: s.runs, Frames: len(s.kept), Bytes: s.result.BytesAfter})
	}
}

// test asks about a candidate, once for each.
func (s *search) test(kept []int, changed map[int]replay.Frame) (bool, int64, error) {
	data, err := s.write(kept, changed)
	if err != nil {
		return false, 0, err
	}
	sum := sha256.Sum256(data)
	if ok, known := s.seen[sum]; known {
		return ok, int64(len(data)), nil
	}
	if s.runs >= s.max {
		return false, 0, errSpent
	}
	if err := context.Cause(s.ctx); err != nil {
		return false, 0, err
	}
	if err := os.WriteFile(s.candidate, data, 0o600); err != nil {
		return false, 0, fmt.Errorf("shrink: %w", err)
	}
	s.runs++
	ok, err := s.keep(s.ctx, s.candidate)
	if err == nil {
		err = context.Cause(s.ctx)
	}
	if err != nil {
		return false, 0, err
	}
	s.seen[sum] = ok
	return ok, int64(len(data)), nil
}

// write makes the bytes of a candidate.
func (s *search) write(kept []int, changed map[int]replay.Frame) ([]byte, error) {
	var b bytes.Buffer
	w, err := replay.NewWriter(&b, s.cassette.Header())
	if err != nil {
		return nil, err
	}
	for _, i := range kept {
		f, ok := changed[i]
		if !ok {
			if f, err = s.cassette.Frame(i); err != nil {
				return nil, err
			}
		}
		if err := w.WriteFrame(&f); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}
