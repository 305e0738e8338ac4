package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/replay"
)

// playOptions are the flags of play.
type playOptions struct {
	redact  redactFlags
	listen  string
	match   string
	pace    string
	faults  []string
	session int
}

// newPlayCommand is the verb play: is the server that a cassette recorded.
func newPlayCommand(s *streams) *cobra.Command {
	var o playOptions
	cmd := &cobra.Command{
		Use:   "play FILE",
		Short: "Be the recorded server, on stdin and stdout or on an address",
		Long: strings.TrimSpace(`
play answers a host as the recorded server did, over either transport, whichever was recorded. It starts no process
and needs no network.

A request is matched by its method and the meaning of its params. Equal requests are answered in their recorded
order; a request that was never recorded is answered at once with an error (code -32050) that shows the nearest
recorded one and how it differs.

--fault makes something go wrong on purpose: KIND[=VALUE][@TARGET], where KIND is delay, drop, error, garbage,
truncate, slow, disconnect or exit, and TARGET is a METHOD, METHOD:NAME or * (all but initialize, as without one), then
#N for the Nth, #N+ for all from the Nth on, or %P for P percent of them by chance: the same ones at every run, and others
with %P/SEED. error=-32000:busy@tools/call:deploy#2 fails the second call of deploy, delay=2s@*%10/7 delays one answer in ten.

On stdio play ends as recorded, with the server's exit code; with --listen it goes on until it is interrupted.`),
		Example: `  mcp-replay play session.jsonl
  mcp-replay play session.jsonl --listen 127.0.0.1:0
  mcp-replay play session.jsonl --pace recorded --fault 'delay=2s@tools/call#3'`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runPlay(cmd.Context(), s, &o, args[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "", "serve Streamable HTTP on `HOST:PORT` (port 0: any free one) instead of stdin and stdout")
	f.StringVar(&o.match, "match", "meaning", "how requests match: `meaning`, strict (in the recorded order, too) or method")
	f.StringVar(&o.pace, "pace", "none", "time: `none`, recorded, or a factor such as 2x")
	listFlag(f, &o.faults, "fault", "what goes wrong, as `KIND[=VALUE][@TARGET]` (repeatable)")
	f.IntVar(&o.session, "session", 0, "the recorded session to play, by its `number` (default: the first that fits)")
	o.redact.flags(cmd)
	return cmd
}

func runPlay(ctx context.Context, s *streams, o *playOptions, path string) error {
	player, closeCassette, err := o.player(s, path)
	if err != nil {
		return err
	}
	defer closeCassette()
	if o.listen != "" {
		return o.playHTTP(ctx, s, player)
	}
	status, err := player.ServeStdio(ctx, s.in, s.out, s.err)
	if err != nil {
		return unreachableError(err)
	}
	return endAs(status)
}

// player opens the cassette and reads the flags.
func (o *playOptions) player(s *streams, path string) (*replay.Player, func() error, error) {
	play := &replay.PlayOptions{Session: o.session, Warn: s.warn}
	var err error
	if play.Match, err = replay.ParseMatch(o.match); err != nil {
		return nil, nil, usageError("mcp-replay play --help shows what there is", "--%w", err)
	}
	if play.Pace, err = replay.ParsePace(o.pace); err != nil {
		return nil, nil, usageError("mcp-replay play --help shows what there is", "--%w", err)
	}
	for _, text := range o.faults {
		fault, err := replay.ParseFault(text)
		if err != nil {
			return nil, nil, usageError("mcp-replay play --help shows how a fault is written", "--%w", err)
		}
		play.Faults = append(play.Faults, fault)
	}
	if play.UserRules, err = o.redact.digest(); err != nil {
		return nil, nil, err
	}
	if play.Dir, err = os.Getwd(); err != nil {
		return nil, nil, usageError("", "%w", err)
	}
	cassette, err := openCassette(s, path)
	if err != nil {
		return nil, nil, err
	}
	player, err := replay.NewPlayer(cassette, play)
	if err != nil {
		return nil, nil, errors.Join(playError(err), cassette.Close())
	}
	return player, cassette.Close, nil
}

// playError gives an error of a cassette that cannot be played as asked its exit code.
func playError(err error) error {
	if _, ok := errors.AsType[*replay.RulesError](err); ok {
		return usageError("give the rules that it was recorded with: --redact, --redact-pointer", "%w", err)
	}
	return asUsage(err)
}

// playHTTP serves until it is told to stop, or a fault of the kind exit strikes.
func (o *playOptions) playHTTP(ctx context.Context, s *streams, player *replay.Player) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-player.Ended():
			cancel()
		case <-ctx.Done():
		}
	}()
	if err := serveHTTP(ctx, s, o.listen, player); err != nil {
		return err
	}
	select {
	case <-player.Ended():
		return exitWith(player.ExitCode())
	default:
		return nil
	}
}
