package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/imurun/mcp-replay/replay"
)

// A driver is the host of one session. It says whether the session began at all: a recording of one that did not is
// no use to anybody.
type driver func(context.Context, *streams, *recordOptions, *replay.Recorder) (began bool, err error)

// recordDriven records a session in which the command is the host itself.
func recordDriven(ctx context.Context, s *streams, o *recordOptions, drive driver) error {
	recorder, err := o.create(s)
	if err != nil {
		return err
	}
	began, err := drive(ctx, s, o, recorder)
	if !began {
		recorder.Discard()
		return err
	}
	if err := recorder.Close(); err != nil {
		return recordingError(err)
	}
	if err == nil && o.twice {
		err = o.learn(ctx, s, drive, recorder.Path())
	}
	fmt.Fprintf(s.err, "wrote %s\n", recorder.Path())
	return err
}

// learn records the session once more, and writes what the two show to vary into the header of the first.
func (o *recordOptions) learn(ctx context.Context, s *streams, drive driver, path string) error {
	options, err := o.target.recordOptions(&o.redact)
	if err != nil {
		return err
	}
	options.Warn = s.warn
	var again bytes.Buffer
	recorder, err := replay.NewRecorder(&again, options)
	if err != nil {
		return usageError("", "%w", err)
	}
	if _, err := drive(ctx, s, o, recorder); err != nil {
		return err
	}
	if err := recorder.Close(); err != nil {
		return recordingError(err)
	}
	second, err := replay.Parse(again.Bytes(), "the second recording")
	if err != nil {
		return asUsage(err)
	}
	first, err := replay.Open(path)
	if err != nil {
		return cassetteError(path, err)
	}
	defer first.Close()
	vary, err := replay.LearnVary(ctx, first, second)
	if err != nil {
		return unreachableError(fmt.Errorf("comparing the two recordings: %w", err))
	}
	for _, place := range vary {
		fmt.Fprintf(s.err, "varies: %s\n", place)
	}
	header := *first.Header()
	header.Vary = vary
	if err := replay.Rewrite(path, first, &header); err != nil {
		return usageError("", "%w", err)
	}
	return nil
}
