package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	mcpgo "github.com/mark3labs/mcp-go/client"
	mcpgotransport "github.com/mark3labs/mcp-go/client/transport"
	mcpgotypes "github.com/mark3labs/mcp-go/mcp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/imurun/mcp-replay/bench/floor"
	"github.com/imurun/mcp-replay/mcp"
)

// rawServer is this program again, as the server.
func rawServer(mode string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "BENCH_SERVE="+mode)
	cmd.Stderr = os.Stderr
	return cmd
}

// params are those of one call of echo, as JSON.
func params(size int) jsontext.Value {
	if size == 0 {
		return jsontext.Value(`{"name":"echo","arguments":{"text":"hello"}}`)
	}
	return jsontext.Value(fmt.Sprintf(`{"name":"echo","arguments":{"size":%d}}`, size))
}

// arguments are those of one call of echo.
func arguments(size int) map[string]any {
	if size == 0 {
		return map[string]any{"text": "hello"}
	}
	return map[string]any{"size": size}
}

type toolCall struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

func floorStdio() (*contestant, error) {
	cmd := rawServer("stdio")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := floor.NewStdio(in, out)
	call := func(size int) error {
		_, err := c.Call("tools/call", toolCall{Name: "echo", Arguments: arguments(size)})
		return err
	}
	return &contestant{"floor", call, func() { in.Close(); cmd.Wait() }}, nil
}

func floorHTTP(url string) (*contestant, error) {
	c := floor.NewHTTP(url, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 128}})
	call := func(size int) error {
		_, err := c.Call("tools/call", toolCall{Name: "echo", Arguments: arguments(size)})
		return err
	}
	return &contestant{"floor", call, func() {}}, nil
}

// ours is the client of this project; whole adds the contestant that renders the tool's result, too.
func ours(t mcp.Transport) ([]*contestant, error) {
	ctx := context.Background()
	c, err := mcp.Connect(ctx, t, nil)
	if err != nil {
		return nil, err
	}
	raw := func(size int) error {
		_, err := c.Call(ctx, "tools/call", params(size))
		return err
	}
	whole := func(size int) error {
		args := jsontext.Value(`{"text":"hello"}`)
		if size > 0 {
			args = jsontext.Value(fmt.Sprintf(`{"size":%d}`, size))
		}
		r, err := c.CallTool(ctx, "echo", args)
		if err == nil && r.Failed {
			err = fmt.Errorf("failed: %s", r.Text)
		}
		return err
	}
	return []*contestant{
		{"mcp-replay Call", raw, func() { c.Close() }},
		{"mcp-replay CallTool", whole, func() {}},
	}, nil
}

func theSDK(t sdk.Transport) (*contestant, error) {
	ctx := context.Background()
	c := sdk.NewClient(&sdk.Implementation{Name: "bench", Version: "1"}, nil)
	session, err := c.Connect(ctx, t, nil)
	if err != nil {
		return nil, err
	}
	call := func(size int) error {
		r, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "echo", Arguments: arguments(size)})
		if err == nil && r.IsError {
			err = fmt.Errorf("failed")
		}
		return err
	}
	return &contestant{"go-sdk", call, func() { session.Close() }}, nil
}

func mcpGo(c *mcpgo.Client) (*contestant, error) {
	ctx := context.Background()
	init := mcpgotypes.InitializeRequest{}
	init.Params.ProtocolVersion = "2025-06-18"
	init.Params.ClientInfo = mcpgotypes.Implementation{Name: "bench", Version: "1"}
	if _, err := c.Initialize(ctx, init); err != nil {
		return nil, err
	}
	call := func(size int) error {
		req := mcpgotypes.CallToolRequest{}
		req.Params.Name = "echo"
		req.Params.Arguments = arguments(size)
		r, err := c.CallTool(ctx, req)
		if err == nil && r.IsError {
			err = fmt.Errorf("failed")
		}
		return err
	}
	return &contestant{"mcp-go", call, func() { c.Close() }}, nil
}

// stdioContestants connects every client, each to a raw server of its own.
func stdioContestants() ([]*contestant, error) {
	f, err := floorStdio()
	if err != nil {
		return nil, err
	}
	o, err := ours(&mcp.Command{Path: os.Args[0], Env: append(os.Environ(), "BENCH_SERVE=stdio")})
	if err != nil {
		return nil, err
	}
	s, err := theSDK(&sdk.CommandTransport{Command: rawServer("stdio")})
	if err != nil {
		return nil, err
	}
	c, err := mcpgo.NewStdioMCPClient(os.Args[0], []string{"BENCH_SERVE=stdio"})
	if err != nil {
		return nil, err
	}
	m, err := mcpGo(c)
	if err != nil {
		return nil, err
	}
	return append(append([]*contestant{f}, o...), s, m), nil
}

// httpContestants connects every client to one raw server.
func httpContestants(url string) ([]*contestant, error) {
	f, err := floorHTTP(url)
	if err != nil {
		return nil, err
	}
	o, err := ours(&mcp.HTTP{URL: url})
	if err != nil {
		return nil, err
	}
	pool := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 128}}
	s, err := theSDK(&sdk.StreamableClientTransport{Endpoint: url, HTTPClient: pool})
	if err != nil {
		return nil, err
	}
	c, err := mcpgo.NewStreamableHttpClient(url, mcpgotransport.WithHTTPBasicClient(pool))
	if err != nil {
		return nil, err
	}
	m, err := mcpGo(c)
	if err != nil {
		return nil, err
	}
	return append(append([]*contestant{f}, o...), s, m), nil
}

// startHTTP starts the raw HTTP server and gives its address.
func startHTTP() (addr string, stop func(), err error) {
	cmd := rawServer("http")
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	return strings.TrimSpace(line), func() { in.Close(); cmd.Wait() }, err
}
