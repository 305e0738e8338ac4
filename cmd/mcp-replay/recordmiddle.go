package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
)

// recordMiddle stands between a host of its own and the server.
func recordMiddle(ctx context.Context, s *streams, o *recordOptions) error {
	recorder, err := o.create(s)
	if err != nil {
		return err
	}
	return recordStdio(ctx, s, o, recorder)
}

// recordStdio passes bytes between the host on stdin and stdout and the server's process, and ends as that did.
// Signals go to the server: it says when the session is over.
func recordStdio(ctx context.Context, s *streams, o *recordOptions, recorder *replay.Recorder) error {
	command, cwd := o.target.commandLine()
	own, err := o.target.ownEnv()
	if err != nil {
		return err
	}
	env := os.Environ() // the whole of it: nothing changes for the server (REP-3)
	for name, value := range own {
		env = append(env, name+"="+value)
	}
	signals := make(chan os.Signal, 8)
	replay.NotifySignals(signals)
	defer signal.Stop(signals)
	server := &mcp.Command{Path: command[0], Args: command[1:], Env: env, Dir: cwd}
	host := replay.HostStreams{In: s.in, Out: s.out, Err: s.err, Signals: signals}
	status, err := replay.RecordStdio(context.WithoutCancel(ctx), server, host, recorder)
	if err != nil {
		recorder.Discard()
		return unreachableError(err)
	}
	if err := recorder.Close(); err != nil {
		s.warn(recordingError(err).Error())
	}
	return endAs(status)
}
