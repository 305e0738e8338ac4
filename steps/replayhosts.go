package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/steps/fake"
)

// hostsState is the hosts that speak HTTP by hand, and the player that they speak to.
type hostsState struct {
	url   string
	hosts map[string]*handHost
}

type handHost struct {
	session string
	status  int
	header  http.Header
	body    string
	err     error
	notice  *Notice
}

func servePlayer(_ context.Context, w *World, name string) error {
	path, err := w.Path(name)
	if err != nil {
		return err
	}
	cassette, err := replay.Open(path)
	if err != nil {
		return err
	}
	w.Cleanup(cassette.Close)
	player, err := replay.NewPlayer(cassette, nil)
	if err != nil {
		return err
	}
	server, err := fake.Serve(player)
	if err != nil {
		return err
	}
	w.Cleanup(server.Close)
	s := State[hostsState](w)
	s.url, s.hosts = server.Origin+"/mcp", make(map[string]*handHost)
	w.Define("url", s.url)
	return nil
}

func (w *World) handHost(name string) (*handHost, error) {
	s := State[hostsState](w)
	if s.hosts == nil {
		return nil, errors.New("no cassette is served over HTTP")
	}
	if s.hosts[name] == nil {
		s.hosts[name] = new(handHost)
	}
	return s.hosts[name], nil
}

func hostSends(ctx context.Context, w *World, name, method, body, header string) error {
	h, err := w.handHost(name)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, State[hostsState](w).url, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if h.session != "" {
		r.Header.Set("Mcp-Session-Id", h.session)
	}
	if key, value, ok := strings.Cut(header, ": "); ok {
		r.Header.Set(key, value)
	}
	h.status, h.header, h.body, h.err = 0, nil, "", nil
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		h.err = err
		h.notice = w.Notice("host %s: %v", name, err)
		return nil
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		h.err = err
		h.notice = w.Notice("host %s: %v", name, err)
	}
	h.status, h.header, h.body = resp.StatusCode, resp.Header, string(data)
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		h.body = eventData(data)
	}
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
		h.session = id
	}
	return nil
}

// eventData gives the data of a stream's events, a line each.
func eventData(stream []byte) string {
	var lines []string
	for event := range bytes.SplitSeq(stream, []byte("\n\n")) {
		var data []string
		for line := range strings.SplitSeq(string(event), "\n") {
			if value, ok := strings.CutPrefix(line, "data: "); ok {
				data = append(data, value)
			}
		}
		if data != nil {
			lines = append(lines, strings.Join(data, "\n"))
		}
	}
	return strings.Join(lines, "\n")
}

func hostHas(w *World, name string, status int, body string) error {
	h, err := w.handHost(name)
	if err != nil {
		return err
	}
	if h.err != nil {
		return fmt.Errorf("it has no answer: %w", h.err)
	}
	if h.status != status {
		return fmt.Errorf("it has %d with:\n%s", h.status, h.body)
	}
	return sameText(strings.TrimSuffix(h.body, "\n"), body)
}

func hostHasHeader(_ context.Context, w *World, name, header, want string) error {
	h, err := w.handHost(name)
	if err != nil {
		return err
	}
	return sameText(h.header.Get(header), want)
}

func differentSessions(_ context.Context, w *World, a, b string) error {
	one, err := w.handHost(a)
	if err != nil {
		return err
	}
	two, err := w.handHost(b)
	if err != nil {
		return err
	}
	if one.session == "" || one.session == two.session {
		return fmt.Errorf("they are in %q and %q", one.session, two.session)
	}
	return nil
}

func connectionBreaks(_ context.Context, w *World, name string) error {
	h, err := w.handHost(name)
	if err != nil {
		return err
	}
	if h.notice != nil {
		h.notice.Mention()
	}
	if h.err == nil {
		return fmt.Errorf("it has %d with:\n%s", h.status, h.body)
	}
	return nil
}
