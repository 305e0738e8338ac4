package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/steps/fake"
)

// replaySteps is about playing cassettes.
var replaySteps = []Step{{
	Pattern: `^a cassette "([^"]*)" with:$`,
	Example: "Given a cassette \"session.jsonl\" with:\n  \"\"\"\n  > {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n  < {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n  {\"from\":\"server\",\"exit\":{\"code\":3}}\n  \"\"\"",
	Doc: "Writes a cassette from stdio: a line with > is a message of the client, one with < a message of the server, any other a frame " +
		"without its time. The frames are a tenth of a second apart.",
	Do: func(_ context.Context, w *World, name string, lines Doc) error {
		return writeCassette(w, name, `"transport":"stdio","server":{"command":"recorded"},"rules":{"built-in":1}`, string(lines))
	},
}, {
	Pattern: `^a cassette "([^"]*)" from HTTP with:$`,
	Example: "Given a cassette \"session.jsonl\" from HTTP with:\n  \"\"\"\n  1 > POST {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n  1 < 200 application/json\n  1 < {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n  1 < end\n  \"\"\"",
	Doc: "Writes a cassette from HTTP, in session 1. A line begins with the number of its exchange; > POST with a message or > GET is a request, < with a " +
		"status and a content type the head of its answer, < with JSON a message, < end, < reset or < with text in quotes the rest.",
	Do: func(_ context.Context, w *World, name string, lines Doc) error {
		frames, err := httpFrames(string(lines))
		if err != nil {
			return err
		}
		return writeCassette(w, name, `"transport":"http","server":{"url":"http://127.0.0.1/mcp"},"rules":{"built-in":1}`, frames)
	},
}, {
	Pattern: `^a cassette "([^"]*)" of the redaction rules "([^"]*)" with:$`,
	Example: "Given a cassette \"session.jsonl\" of the redaction rules \"sha256:1\" with:\n  \"\"\"\n  > {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n  \"\"\"",
	Doc:     "Writes a cassette that says it was recorded under redaction rules of the user's with this digest.",
	Do: func(_ context.Context, w *World, name, digest string, lines Doc) error {
		return writeCassette(w, name, `"transport":"stdio","server":{"command":"recorded"},"rules":{"built-in":1,"user":"`+digest+`"}`, string(lines))
	},
}, {
	Pattern: `^the cassette "([^"]*)" is served over HTTP$`,
	Example: `Given the cassette "session.jsonl" is served over HTTP`,
	Doc:     "Plays a cassette of the scenario's folder to hosts that speak Streamable HTTP by hand; {url} is its URL.",
	Do:      servePlayer,
}, {
	Pattern: `^host (\w+) posts:$`,
	Example: "When host A posts:\n  \"\"\"\n  {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n  \"\"\"",
	Doc:     "Sends a message to the player, in the session that the host was given, and waits for the whole answer.",
	Do: func(ctx context.Context, w *World, host string, body Doc) error {
		return hostSends(ctx, w, host, http.MethodPost, string(body), "")
	},
}, {
	Pattern: `^host (\w+) posts with the header "([^"]*)":$`,
	Example: "When host A posts with the header \"Mcp-Protocol-Version: 1.0\":\n  \"\"\"\n  {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n  \"\"\"",
	Doc:     "The same with one header more.",
	Do: func(ctx context.Context, w *World, host, header string, body Doc) error {
		return hostSends(ctx, w, host, http.MethodPost, string(body), header)
	},
}, {
	Pattern: `^host (\w+) sends (GET|DELETE)$`,
	Example: `When host A sends DELETE`,
	Doc:     "Sends a request without a body, in the host's session.",
	Do: func(ctx context.Context, w *World, host, method string) error {
		return hostSends(ctx, w, host, method, "", "")
	},
}, {
	Pattern: `^host (\w+) has (\d+)$`,
	Example: `Then host A has 202`,
	Doc:     "Asserts the status of the host's last answer, and that it has no body.",
	Do: func(_ context.Context, w *World, host string, status int) error {
		return hostHas(w, host, status, "")
	},
}, {
	Pattern: `^host (\w+) has (\d+) with:$`,
	Example: "Then host A has 200 with:\n  \"\"\"\n  {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n  \"\"\"",
	Doc:     "Asserts status and body of the host's last answer; of an event stream the data of its events, a line each.",
	Do: func(_ context.Context, w *World, host string, status int, body Doc) error {
		return hostHas(w, host, status, string(body))
	},
}, {
	Pattern: `^host (\w+) has the header "([^"]*)" equal to "([^"]*)"$`,
	Example: `Then host A has the header "Allow" equal to "POST, DELETE"`,
	Doc:     "Asserts one header of the host's last answer.",
	Do:      hostHasHeader,
}, {
	Pattern: `^hosts (\w+) and (\w+) are in different sessions$`,
	Example: `Then hosts A and B are in different sessions`,
	Doc:     "Asserts that both were given a session, and not the same.",
	Do:      differentSessions,
}, {
	Pattern: `^host (\w+)'s connection breaks$`,
	Example: `Then host A's connection breaks`,
	Doc:     "Asserts that the host's last request ended without an answer.",
	Do:      connectionBreaks,
}, {
	Pattern: `^it takes more than (\d+ m?s)$`,
	Example: `Then it takes more than 399 ms`,
	Doc:     "Bounds how long the user's last command ran, from below.",
	Do: func(_ context.Context, w *World, bound time.Duration) error {
		if s := State[cliState](w); s.took <= bound {
			return fmt.Errorf("it takes %v", s.took.Round(time.Millisecond))
		}
		return nil
	},
}}

// writeCassette writes the header with the given members, and the frames.
func writeCassette(w *World, name, members, lines string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "{\"cassette\":1,\"recorded\":\"2026-12-01T10:00:00Z\",\"by\":\"steps\",%s}\n", members)
	at := 0
	for line := range strings.SplitSeq(lines, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		at++
		side := map[byte]string{'>': "client", '<': "server"}[line[0]]
		switch {
		case side != "":
			fmt.Fprintf(&b, "{\"at\":%d.%d00000,\"from\":%q,\"message\":%s}\n", at/10, at%10, side, strings.TrimSpace(line[1:]))
		case line[0] == '{':
			fmt.Fprintf(&b, "{\"at\":%d.%d00000,%s\n", at/10, at%10, line[1:])
		default:
			return fmt.Errorf("%q is neither a message (> or <) nor a frame", line)
		}
	}
	if _, err := replay.Parse([]byte(b.String()), name); err != nil {
		return err
	}
	return writeFile(context.Background(), w, name, Doc(strings.TrimSuffix(b.String(), "\n")))
}

// httpFrames turns the short notation for exchanges into frames.
func httpFrames(lines string) (string, error) {
	var b strings.Builder
	for line := range strings.SplitSeq(lines, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		words := strings.SplitN(line, " ", 4)
		if len(words) < 3 {
			return "", fmt.Errorf("%q is no line of an exchange", line)
		}
		exchange, side, rest := words[0], words[1], strings.Join(words[2:], " ")
		from := "client"
		if side == "<" {
			from = "server"
		}
		frame := func(payload string) {
			fmt.Fprintf(&b, "{\"from\":%q,\"exchange\":%s,\"session\":1,%s}\n", from, exchange, payload)
		}
		switch first := words[2]; {
		case side == ">":
			frame(`"http":{"method":"` + first + `","path":"/mcp","header":{}}`)
			if len(words) == 4 {
				frame(`"message":` + words[3])
			}
		case first == "end":
			frame(`"end":"complete"`)
		case first == "reset":
			frame(`"end":"reset"`)
		case first[0] == '{':
			frame(`"message":` + rest)
		case first[0] == '"':
			frame(`"body":` + rest)
		default:
			header := ""
			if len(words) == 4 {
				header = `"Content-Type":["` + words[3] + `"]`
			}
			frame(`"http":{"status":` + first + `,"header":{` + header + `}}`)
		}
	}
	return b.String(), nil
}

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
