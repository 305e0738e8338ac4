package main

import (
	"context"
	"fmt"
	"os"

	"github.com/imurun/mcp-replay/interop"
	"github.com/imurun/mcp-replay/steps"
	"github.com/imurun/mcp-replay/steps/run"
)

// test runs the specs of a server against it, with the shipped runner.
func test(ctx context.Context, s *interop.Server) error {
	running, err := s.Start(ctx)
	if err != nil {
		return err
	}
	defer running.Close()
	target := steps.Target{URL: running.URL}
	if running.URL == "" {
		target = steps.Target{Command: running.Command, Env: running.Env}
	}
	result, err := run.Run(ctx, &run.Options{
		Paths:   s.Specs(),
		Config:  &steps.Config{Target: target},
		Formats: []run.Format{{Name: "progress", Out: os.Stderr}},
	})
	if err != nil {
		return err
	}
	if n := len(result.Failed()); n > 0 {
		return fmt.Errorf("%d of %d scenarios do not hold", n, len(result.Scenarios))
	}
	fmt.Printf("%s: %d scenarios hold\n", s.Name, len(result.Scenarios))
	return nil
}
