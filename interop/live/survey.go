package main

import (
	"context"
	"fmt"
	"time"

	"github.com/imurun/mcp-replay/interop"
)

// survey prints what a server is and what it says to its calls.
func survey(ctx context.Context, s *interop.Server) error {
	running, err := s.Start(ctx)
	if err != nil {
		return err
	}
	defer running.Close()
	did, err := s.Drive(ctx, running.Transport(nil), running.Fill, nil)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %s %s, revision %s, %d tools, started in %s, closed in %s\n", s.Name, did.Server.Name, did.Server.Version,
		did.Revision, len(did.Tools.Tools), did.Started.Round(time.Millisecond), did.Closed.Round(time.Millisecond))
	if did.Status.Noise > 0 {
		fmt.Printf("  noise: %d, as %q\n", did.Status.Noise, did.Status.NoiseSample)
	}
	for _, note := range append(did.Status.Notes, did.Tools.Notes...) {
		fmt.Printf("  note: %s\n", note)
	}
	for method, n := range did.Notices {
		fmt.Printf("  notice: %s × %d\n", method, n)
	}
	for i, result := range did.Results {
		outcome := "ok"
		if result.Failed {
			outcome = "failed"
		}
		fmt.Printf("  %s %s: %s %.300q\n", s.Calls[i].Tool, s.Calls[i].Arguments, outcome, result.Text)
	}
	return s.Check(did)
}
