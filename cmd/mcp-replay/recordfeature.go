package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/steps"
	runner "github.com/imurun/mcp-replay/steps/run"
)

// driveFeature runs the scenarios of a feature against the server.
func driveFeature(ctx context.Context, s *streams, o *recordOptions, recorder *replay.Recorder) (began bool, err error) {
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
	if result == nil {
		return false, cannotRun(err)
	}
	return sessions.Load() > 0, verdict(result)
}
