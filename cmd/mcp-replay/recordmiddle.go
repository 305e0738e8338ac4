package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
)

// recordMiddle stands between a host of its own and the server. Where both speak the same transport nothing changes
// between them; else it is a bridge.
func recordMiddle(ctx context.Context, s *streams, o *recordOptions) error {
	recorder, err := o.create(s)
	if err != nil {
		return err
	}
	var began bool
	switch remote := o.target.address() != ""; {
	case o.listen == "" && !remote:
		began, err = recordStdio(ctx, s, o, recorder)
	case o.listen == "":
		began, err = bridgeStdio(ctx, s, o, recorder)
	case remote:
		began, err = proxyHTTP(ctx, s, o, recorder)
	default:
		began, err = bridgeHTTP(ctx, s, o, recorder)
	}
	if !began {
		recorder.Discard()
		return err
	}
	told := recorder.Err() // when it happened, and once is enough
	if closing := recorder.Close(); closing != nil && (told == nil || closing.Error() != told.Error()) {
		s.warn(recordingError(closing).Error())
	}
	return err
}

// command is the server's process with the whole of this program's environment: nothing changes for it (REP-3).
func (o *recordOptions) command() (*mcp.Command, error) {
	own, err := o.target.ownEnv()
	if err != nil {
		return nil, err
	}
	env := os.Environ()
	for name, value := range own {
		env = append(env, name+"="+value)
	}
	line, cwd := o.target.commandLine()
	return &mcp.Command{Path: line[0], Args: line[1:], Env: env, Dir: cwd}, nil
}

// recordStdio passes bytes between the host on stdin and stdout and the server's process, and ends as that did.
// Signals go to the server: it says when the session is over.
func recordStdio(ctx context.Context, s *streams, o *recordOptions, recorder *replay.Recorder) (began bool, err error) {
	server, err := o.command()
	if err != nil {
		return false, err
	}
	signals := make(chan os.Signal, 8)
	var notified sync.WaitGroup
	notified.Go(func() { // while the server starts
		replay.NotifySignals(signals)
		if ctx.Err() != nil { // it came before
			signals <- syscall.SIGTERM
		}
	})
	defer func() {
		notified.Wait()
		signal.Stop(signals)
	}()
	host := replay.HostStreams{In: s.in, Out: s.wire(), Err: s.err, Signals: signals}
	status, err := replay.RecordStdio(context.WithoutCancel(ctx), server, host, recorder)
	if err != nil {
		return false, unreachableError(err)
	}
	return true, endAs(status)
}

// bridgeStdio lets a host on stdin and stdout speak to a server on HTTP.
func bridgeStdio(ctx context.Context, s *streams, o *recordOptions, recorder *replay.Recorder) (began bool, err error) {
	transport, err := o.target.transport(recorder)
	if err != nil {
		return false, err
	}
	if err := replay.BridgeStdio(ctx, transport, replay.HostStreams{In: s.in, Out: s.out, Err: s.err}); err != nil {
		return true, unreachableError(o.target.blank(err))
	}
	return true, nil
}

// proxyHTTP is a reverse proxy in front of a server on HTTP, until it is told to stop.
func proxyHTTP(ctx context.Context, s *streams, o *recordOptions, recorder *replay.Recorder) (began bool, err error) {
	header, err := o.target.header()
	if err != nil {
		return false, err
	}
	proxy, err := replay.NewProxy(o.target.address(), recorder, &replay.ProxyOptions{Header: header})
	if err != nil {
		return false, usageError("", "%w", err)
	}
	err = serveAll(ctx, s, o.listen, proxy)
	proxy.Close()
	return ctx.Err() != nil, err
}

// bridgeHTTP lets hosts on HTTP speak to a server that is a process, one for each session, until it is told to stop.
func bridgeHTTP(ctx context.Context, s *streams, o *recordOptions, recorder *replay.Recorder) (began bool, err error) {
	server, err := o.command()
	if err != nil {
		return false, err
	}
	bridge := replay.NewBridge(server, recorder)
	err = serveHTTP(ctx, s, o.listen, bridge)
	if closing := bridge.Close(); err == nil && closing != nil {
		err = unreachableError(closing)
	}
	return ctx.Err() != nil, err
}
