package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/steps"
	runner "github.com/imurun/mcp-replay/steps/run"
)

// recordFeature is the host itself: it runs the scenarios of a feature against the server.
func recordFeature(ctx context.Context, s *streams, o *recordOptions) error {
	recorder, err := o.create(s)
	if err != nil {
		return err
	}
	var sessions atomic.Int32
	dial := func(mcp.Tap) (mcp.Transport, error) {
		if sessions.Add(1) > 1 && o.target.address() == "" {
			return nil, fmt.Errorf("a cassette of a server on stdio holds one session: name one scenario, as FEATURE:LINE, or use mcp-replay test --mode record")
		}
		return o.target.transport(recorder)
	}
	result, err := runner.Run(ctx, &runner.Options{
		Paths: []string{o.drive},
		Config: &steps.Config{Version: version, Target: steps.Target{
			Dial:           dial,
			Timeout:        time.Duration(o.target.timeout) * time.Second,
			ConnectTimeout: time.Duration(o.target.connectTimeout) * time.Second,
		}},
		Formats: []runner.Format{{Name: "pretty", Out: s.err}},
	})
	if result == nil || sessions.Load() == 0 {
		recorder.Discard()
	}
	if result == nil {
		return cannotRun(err)
	}
	if err := recorder.Close(); err != nil {
		return recordingError(err)
	}
	if err := verdict(result); err != nil {
		return err
	}
	fmt.Fprintf(s.err, "wrote %s\n", recorder.Path())
	return nil
}
