package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/api"
	"github.com/imurun/mcp-replay/mcp/registry"
	"github.com/imurun/mcp-replay/mcp/settings"
	"github.com/imurun/mcp-replay/replay"
)

// serveOptions are the flags of serve.
type serveOptions struct {
	host     hostFlags
	listen   string
	record   string
	open     bool
	approval int
}

// newServeCommand is the verb serve: the host.
func newServeCommand(s *streams) *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Be the host: the servers of the settings, an HTTP API, events, and a page",
		Long: strings.TrimSpace(`
serve connects the enabled servers of the settings and offers their tools at an HTTP API, with events and a page to
look at. It listens on this machine only, unless --listen says otherwise.

Every request to the API carries a token, "Authorization: Bearer TOKEN"; it stands in the file api-token of the home
folder, which only you can read. --open hands it to your browser and brings the page up.

A call that the policy asks about waits for an answer on the page, or at POST /api/mcp/approvals/{id}; without one it
is refused after --approval-timeout. No server outlives serve, however it ends. Logs go to stderr, a JSON object a line.`),
		Example: `  mcp-replay serve --open
  mcp-replay serve --listen 127.0.0.1:8931 --record recordings`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return runServe(cmd.Context(), s, &o) },
	}
	o.host.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "127.0.0.1:8930", "`HOST:PORT` to listen on (port 0: any free one)")
	f.StringVar(&o.record, "record", "", "write the cassette of each session into a `folder`")
	f.BoolVar(&o.open, "open", false, "bring the page up in a browser, with the token")
	f.IntVar(&o.approval, "approval-timeout", 120, "`seconds` that a question waits for its answer")
	return cmd
}

func runServe(ctx context.Context, s *streams, o *serveOptions) error {
	if o.approval < 1 {
		return usageError("give 1 or more", "--approval-timeout %d: out of range", o.approval)
	}
	file, err := o.host.file()
	if err != nil {
		return err
	}
	token, err := api.Token(filepath.Dir(file.Path))
	if err != nil {
		return usageError("", "%w", err)
	}
	log := slog.New(slog.NewJSONHandler(s.err, nil))
	approvals := api.NewApprovals(time.Duration(o.approval) * time.Second)
	options := &registry.Options{Ask: approvals.Ask, Log: log, Supervisor: supervisor()}
	if o.record != "" {
		options.Tap = o.tap(log)
	}
	r, err := o.host.open(options)
	if err != nil {
		return err
	}
	defer r.Close()
	return serveAPI(ctx, s, o, r, approvals, token, log)
}

func serveAPI(ctx context.Context, s *streams, o *serveOptions, r *registry.Registry, approvals *api.Approvals, token string, log *slog.Logger) error {
	host, _, err := net.SplitHostPort(o.listen)
	if err != nil {
		return usageError("write HOST:PORT", "--listen %s: %v", o.listen, err)
	}
	l, err := listen(o.listen)
	if err != nil {
		return err
	}
	address := "http://" + l.Addr().String() + "/"
	fmt.Fprintf(s.err, "listening on %s\n", address)
	r.Start()
	if o.open {
		if err := openBrowser(address + "#token=" + token); err != nil {
			s.warn("no browser could be started: " + err.Error() + "; open " + address + " and paste the token of the file api-token")
		}
	}
	handler := api.New(r, approvals, token, &api.Options{Hosts: []string{host}, Log: log})
	return serveOn(ctx, l, handler)
}

// tap records each session into a cassette of its own.
func (o *serveOptions) tap(log *slog.Logger) func(*settings.Resolved) (mcp.Tap, func()) {
	return func(server *settings.Resolved) (mcp.Tap, func()) {
		recorder, err := replay.Create(filepath.Join(o.record, server.ID+".jsonl"), recordingOf(server, func(text string) {
			log.Warn("recording", "id", server.ID, "warning", text)
		}))
		if err != nil {
			log.Error("recording", "id", server.ID, "error", err.Error())
			return nil, nil
		}
		return recorder, func() {
			if err := recorder.Close(); err != nil {
				log.Error("recording", "id", server.ID, "error", err.Error())
			}
		}
	}
}

// openBrowser brings an address up in the user's browser.
func openBrowser(address string) error {
	switch runtime.GOOS {
	case "darwin":
		return exec.Command("open", address).Start()
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", address).Start()
	}
	return exec.Command("xdg-open", address).Start()
}
