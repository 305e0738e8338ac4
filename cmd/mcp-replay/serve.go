package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
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
	names    []string
	record   string
	open     bool
	approval int
}

// maxApproval is a day: whoever has not answered by then does not know what the question was about.
const maxApproval = 24 * 60 * 60

// newServeCommand is the verb serve: the host.
func newServeCommand(s *streams) *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Be the host: the servers of the settings, an HTTP API, events, and a page",
		Long: strings.TrimSpace(`
serve connects the enabled servers of the settings and offers their tools at an HTTP API, with events and a page to
look at. It listens on this machine only, unless --listen says otherwise; then --name says by which names it is
reached, for a request to any other is refused.

What other programs change in the settings, such as "mcp-replay servers", is taken over a second or so later.

Every request to the API carries a token, "Authorization: Bearer TOKEN"; it stands in the file api-token of the home
folder, which only you can read. --open hands it to your browser and brings the page up.

A call that the policy asks about waits for an answer on the page, or at POST /api/mcp/approvals/{id}; without one it
is refused after --approval-timeout. No server outlives serve, however it ends. The address goes to stdout, and the log
to stderr, a JSON object a line. SIGINT and SIGTERM end serve with exit code 0.`),
		Example: `  mcp-replay serve --open
  mcp-replay serve --listen 127.0.0.1:8931 --record recordings`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return runServe(cmd.Context(), s, &o) },
	}
	o.host.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.listen, "listen", "127.0.0.1:8930", "`HOST:PORT` to listen on (port 0: any free one)")
	listFlag(f, &o.names, "name", "another `host` name that requests may be sent to (repeatable)")
	f.StringVar(&o.record, "record", "", "write the cassette of each session into a `folder`")
	f.BoolVar(&o.open, "open", false, "bring the page up in a browser, with the token")
	f.IntVar(&o.approval, "approval-timeout", 120, "`seconds` that a question waits for its answer")
	return cmd
}

func runServe(ctx context.Context, s *streams, o *serveOptions) error {
	if o.approval < 1 || o.approval > maxApproval {
		return usageError(fmt.Sprintf("give 1 to %d seconds", maxApproval), "--approval-timeout %d: out of range", o.approval)
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
	for _, problem := range r.Problems() {
		log.Warn("settings", "problem", problem)
	}
	address := "http://" + reachable(l.Addr()) + "/"
	log.Info("listening", "address", address)
	fmt.Fprintf(s.out, "listening on %s\n", address)
	r.Start()
	go r.Follow(ctx)
	if o.open {
		if err := openBrowser(address + "#token=" + token); err != nil {
			log.Warn("no browser could be started: open the address, and paste the token of the file api-token", "error", err.Error())
		}
	}
	handler := api.New(r, approvals, token, &api.Options{
		Hosts: append(o.names, host), Name: "mcp-replay", Version: version, Log: log,
	})
	return serveOn(ctx, l, &http.Server{Handler: handler, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelError)})
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
		t := &sessionTap{Recorder: recorder}
		return t, func() {
			if !t.began.Load() { // a recording of nothing is no use to anybody
				recorder.Discard()
				return
			}
			if err := recorder.Close(); err != nil {
				log.Error("recording", "id", server.ID, "error", err.Error())
			}
		}
	}
}

// sessionTap is a recorder that knows whether the session began.
type sessionTap struct {
	*replay.Recorder
	began atomic.Bool
}

// Frame records a frame.
func (t *sessionTap) Frame(f mcp.Frame) {
	t.began.Store(true)
	t.Recorder.Frame(f)
}

// reachable is an address that a browser on this machine can open, also where the program listens on all of them.
func reachable(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return a.String()
}

// openBrowser brings an address up in the user's browser.
func openBrowser(address string) error {
	opener := []string{"xdg-open"}
	switch runtime.GOOS {
	case "darwin":
		opener = []string{"open"}
	case "windows":
		opener = []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	cmd := exec.Command(opener[0], append(opener[1:], address)...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // so that it leaves no zombie; how it ends is nobody's concern
	return nil
}
