package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/timeline"
)

// newDemoCommand is the verb demo: the whole loop on the built-in demo server.
func newDemoCommand(s *streams) *cobra.Command {
	d := demonstration{streams: s}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "The whole loop on the built-in demo server: record, show, play, verify",
		Long: strings.TrimSpace(`
demo starts the built-in demo server as a child process and records a session with it, shows the timeline, plays the
cassette to a client, and verifies it against the live server. It leaves the cassette behind and says where.`),
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return d.run(cmd.Context()) },
	}
	f := cmd.Flags()
	f.StringVarP(&d.output, "output", "o", "demo.jsonl", "`file` of the cassette; where there is one, the next free name is taken")
	return cmd
}

// demonstration is one run of demo.
type demonstration struct {
	*streams
	output string

	server  *mcp.Command // the demo server, as a child
	path    string       // of the cassette
	results []string     // of the calls that were recorded
}

// demoCalls are what demo asks of the notebook: a read, a write, a read of what was written, data, a picture, and a
// failure.
var demoCalls = []struct{ tool, args string }{
	{"list_notes", `{}`},
	{"add_note", `{"title":"Tea","text":"Assam, and a little milk."}`},
	{"read_note", `{"title":"Tea"}`},
	{"count_notes", `{}`},
	{"show_sketch", `{}`},
	{"bind_notebook", `{"pages":2,"pause_ms":50}`},
	{"read_diary", `{}`},
}

func (d *demonstration) run(ctx context.Context) error {
	program, err := os.Executable()
	if err != nil {
		return unreachableError(err)
	}
	d.server = &mcp.Command{Path: program, Args: []string{"server", "demo"}}
	for _, step := range []func(context.Context) error{d.record, d.show, d.play, d.verify} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	fmt.Fprintf(d.out, "\nThe cassette is %s. Try:\n  mcp-replay show %[1]s\n  mcp-replay play %[1]s --listen 127.0.0.1:0\n", d.path)
	return nil
}

// record drives a session with the live server.
func (d *demonstration) record(ctx context.Context) error {
	recorder, err := replay.Create(d.output, &replay.RecordOptions{
		By:       "mcp-replay " + version,
		Server:   replay.ServerLine{Command: "mcp-replay", Args: d.server.Args},
		NextFree: true,
		Warn:     d.warn,
	})
	if err != nil {
		return createError(err)
	}
	d.path = recorder.Path()
	live := *d.server
	live.Tap = recorder
	if d.results, err = callAll(ctx, &live); err != nil {
		recorder.Discard()
		return unreachableError(err)
	}
	if err := recorder.Close(); err != nil {
		return recordingError(err)
	}
	fmt.Fprintf(d.out, "record  %d calls to the demo server, a child process, are in %s\n", len(d.results), d.path)
	return nil
}

// show prints the timeline.
func (d *demonstration) show(context.Context) error {
	file, r, err := openReader(d.path)
	if err != nil {
		return err
	}
	defer file.Close()
	t, err := timeline.Read(r)
	if err != nil {
		return asUsage(err)
	}
	fmt.Fprintf(d.out, "show    what happened:\n\n")
	if err := t.WriteText(d.out, &timeline.TextOptions{Width: d.width, Color: d.color, Name: d.path}); err != nil {
		return err
	}
	fmt.Fprintln(d.out)
	return nil
}

// play lets a client meet the cassette instead of the server, and compares what it gets.
func (d *demonstration) play(ctx context.Context) error {
	cassette, err := replay.Open(d.path)
	if err != nil {
		return cassetteError(d.path, err)
	}
	defer cassette.Close()
	player, err := replay.NewPlayer(cassette, &replay.PlayOptions{Warn: d.warn})
	if err != nil {
		return playError(err)
	}
	played, err := callAll(ctx, player)
	if err != nil {
		return unreachableError(err)
	}
	for i, text := range played {
		if text != d.results[i] {
			return failedError("", "play: %s: got %q, recorded was %q", demoCalls[i].tool, text, d.results[i])
		}
	}
	fmt.Fprintf(d.out, "play    the cassette gave a client the same %d results, with no process and no network\n", len(played))
	return nil
}

// callAll makes the calls of demoCalls in one session and gives their texts.
func callAll(ctx context.Context, t mcp.Transport) ([]string, error) {
	client, err := mcp.Connect(ctx, t, &mcp.Options{Name: "mcp-replay", Version: version})
	if err != nil {
		return nil, err
	}
	defer client.Close()
	if _, err := client.ListTools(ctx); err != nil {
		return nil, err
	}
	var texts []string
	for _, call := range demoCalls {
		result, err := client.CallTool(ctx, call.tool, jsontext.Value(call.args))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", call.tool, err)
		}
		texts = append(texts, result.Text)
	}
	return texts, client.Close()
}

// verify holds the live server against the cassette.
func (d *demonstration) verify(ctx context.Context) error {
	cassette, err := replay.Open(d.path)
	if err != nil {
		return cassetteError(d.path, err)
	}
	defer cassette.Close()
	report, err := replay.Verify(ctx, cassette, d.server, &replay.VerifyOptions{
		Consent: func([]string) bool { return true },
	})
	if err != nil {
		return unreachableError(err)
	}
	if !report.OK() {
		return errors.Join(report.WriteText(d.out), exitWith(exitFailed))
	}
	fmt.Fprintf(d.out, "verify  the live server, asked again, gave %d of %d recorded answers the same\n", report.Same, report.Requests)
	return nil
}
