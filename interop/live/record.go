package main

import (
	"context"
	"fmt"
	"os"

	"github.com/imurun/mcp-replay/interop"
	"github.com/imurun/mcp-replay/replay"
)

// record drives a server through its calls and writes what passes into its cassette.
func record(ctx context.Context, s *interop.Server) error {
	running, err := s.Start(ctx)
	if err != nil {
		return err
	}
	defer running.Close()
	options := &replay.RecordOptions{
		By:        "mcp-replay 0.1.0",
		Transport: "stdio",
		Server:    replay.ServerLine{URL: running.URL},
		Redact:    &replay.RedactOptions{Inherited: running.Env},
		Force:     true,
		Warn:      func(text string) { fmt.Fprintf(os.Stderr, "live: %s: %s\n", s.Name, text) },
	}
	if running.URL != "" {
		options.Transport = "http"
	} else {
		options.Server = replay.ServerLine{Command: running.Command[0], Args: running.Command[1:]}
	}
	recorder, err := replay.Create(s.Cassette(), options)
	if err != nil {
		return err
	}
	did, err := s.Drive(ctx, running.Transport(recorder), running.Fill, nil)
	if err != nil {
		recorder.Discard()
		return err
	}
	if err := recorder.Close(); err != nil {
		return err
	}
	return s.Check(did)
}
