package steps

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/imurun/mcp-replay/steps/fake"
)

// fakesSteps makes servers that follow a script; package fake has the notation.
var fakesSteps = []Step{{
	Pattern: `^a server that answers:$`,
	Example: "Given a server that answers:\n  \"\"\"\n  tools/call  {\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}\n  \"\"\"",
	Doc:     "A server on stdio, not started yet, that answers by rules: method, then a result, error JSON, nothing, or exit CODE. {server} is its command line.",
	Do: func(_ context.Context, w *World, script Doc) error {
		return stdioFake(w, fake.AnswerMode, string(script))
	},
}, {
	Pattern: `^a server on (stdio|HTTP) that answers:$`,
	Example: "Given a server on HTTP that answers:\n  \"\"\"\n  tools/call  {\"content\":[]}\n  \"\"\"",
	Doc:     "The same over the transport that an outline names; {server} or {url} names it on a command line.",
	Do: func(_ context.Context, w *World, transport string, script Doc) error {
		if transport == "stdio" {
			return stdioFake(w, fake.AnswerMode, string(script))
		}
		server, err := fake.ServeAnswers(string(script))
		return httpFake(w, server, err)
	},
}, {
	Pattern: `^a server with the defaults of a fake$`,
	Example: `Given a server with the defaults of a fake`,
	Doc:     `A server on stdio with the tool "echo", which answers "ok".`,
	Do:      func(_ context.Context, w *World) error { return stdioFake(w, fake.AnswerMode, "") },
}, {
	Pattern: `^a server that writes:$`,
	Example: "Given a server that writes:\n  \"\"\"\n  ready\n  @@ANSWER initialize@@\n  \"\"\"",
	Doc:     "A server on stdio, not started yet, that writes these lines byte for byte; a line that names a request waits for it.",
	Do: func(_ context.Context, w *World, script Doc) error {
		return stdioFake(w, fake.WriteMode, string(script))
	},
}, {
	Pattern: `^an HTTP server that answers:$`,
	Example: "Given an HTTP server that answers:\n  \"\"\"\n  tools/call  error {\"code\":-32000,\"message\":\"no\"}\n  \"\"\"",
	Doc:     "A Streamable HTTP server that answers by the same rules, as JSON. {url} is its URL.",
	Do: func(_ context.Context, w *World, script Doc) error {
		server, err := fake.ServeAnswers(string(script))
		return httpFake(w, server, err)
	},
}, {
	Pattern: `^an HTTP server with the exchanges:$`,
	Example: "Given an HTTP server with the exchanges:\n  \"\"\"\n  POST tools/call -> 500 text/plain\n    out of paper\n  \"\"\"",
	Doc:     "A Streamable HTTP server that gives these answers, status, headers and body, to the requests they name.",
	Do: func(_ context.Context, w *World, script Doc) error {
		server, err := fake.ServeExchanges(string(script))
		return httpFake(w, server, err)
	},
}}

// fakeState is the scenario's fake servers; the last one made is the one that steps speak of.
type fakeState struct {
	stdio *fake.Server
	http  *fake.HTTP
}

func stdioFake(w *World, mode, script string) error {
	dir, err := w.Dir()
	if err != nil {
		return err
	}
	program := os.Executable
	if w.Config.Fake != nil {
		program = w.Config.Fake
	}
	path, err := program()
	if err != nil {
		return err
	}
	server, err := fake.StdioProgram(path, dir, mode, script)
	if err != nil {
		return err
	}
	*State[fakeState](w) = fakeState{stdio: server}
	command := append([]string{server.Path}, server.Args...)
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = quoteWord(word)
	}
	w.Define("server", strings.Join(words, " "))
	w.SetTarget(Target{Command: command})
	return nil
}

func httpFake(w *World, server *fake.HTTP, err error) error {
	if err != nil {
		return err
	}
	w.Cleanup(server.Close)
	*State[fakeState](w) = fakeState{http: server}
	w.Define("url", server.URL())
	w.SetTarget(Target{URL: server.URL()})
	return nil
}

// FakeServer is the scenario's fake server on stdio.
func (w *World) FakeServer() (*fake.Server, error) {
	if s := State[fakeState](w).stdio; s != nil {
		return s, nil
	}
	return nil, errors.New("the scenario has no fake server on stdio")
}

// FakeHTTP is the scenario's fake HTTP server.
func (w *World) FakeHTTP() (*fake.HTTP, error) {
	if s := State[fakeState](w).http; s != nil {
		return s, nil
	}
	return nil, errors.New("the scenario has no fake HTTP server")
}

// Received is the messages that the scenario's fake server has got so far, over either transport.
func (w *World) Received() ([]string, error) {
	switch s := State[fakeState](w); {
	case s.stdio != nil:
		return s.stdio.Received()
	case s.http != nil:
		return s.http.Received()
	}
	return nil, errors.New("the scenario has no fake server")
}
