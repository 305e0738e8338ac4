package mcp_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// echoEnv makes the test binary a server that answers every call at once, so that what a benchmark counts is the client's.
const echoEnv = "MCP_TEST_ECHO"

// echo serves MCP as bare as can be: on stdio, or over HTTP, where it writes its address to stdout and lives as long as stdin.
func echo(how string) {
	if how == "stdio" {
		for lines := jsonrpc.NewLineReader(os.Stdin, 0); ; {
			line, err := lines.ReadLine()
			if err != nil {
				return
			}
			if answer := echoed(line); answer != nil {
				os.Stdout.Write(append(answer, '\n'))
			}
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		answer := echoed(body)
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case answer == nil:
			w.WriteHeader(http.StatusAccepted)
		case how == "SSE":
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: %s\n\n", answer)
		default:
			w.Header().Set("Content-Type", "application/json")
			w.Write(answer)
		}
	}))
	fmt.Println(server.URL)
	io.Copy(io.Discard, os.Stdin)
}

// echoed is the answer to a request, and nil to all else.
func echoed(line []byte) []byte {
	m, err := jsonrpc.Parse(line)
	switch {
	case err != nil || m.Kind() != jsonrpc.Request:
		return nil
	case m.Method == "initialize":
		return jsonrpc.AppendResult(nil, m.ID, jsontext.Value(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}}`))
	}
	return jsonrpc.AppendResult(nil, m.ID, jsontext.Value(`{"content":[{"type":"text","text":"ok"}]}`))
}

// toEcho is the transport to an echo server of its own.
func toEcho(tb testing.TB, how string) mcp.Transport {
	tb.Helper()
	exe, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	env := append(os.Environ(), echoEnv+"="+how)
	switch how {
	case "stdio":
		return &mcp.Command{Path: exe, Env: env}
	case "memory":
		near, far := mcp.NewPair()
		go func() {
			for {
				m, err := far.Read(context.Background())
				if err != nil {
					return
				}
				if answer := echoed(m.Raw); answer != nil {
					_ = far.Write(context.Background(), jsonrpc.Message{Raw: answer})
				}
			}
		}()
		return &mcp.Memory{Conn: near}
	}
	cmd := &exec.Cmd{Path: exe, Env: env, Stderr: os.Stderr}
	in, err := cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { in.Close(); _ = cmd.Wait() })
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		tb.Fatal(err)
	}
	return &mcp.HTTP{URL: strings.TrimSpace(url)}
}

// BenchmarkCall measures a whole call of a tool. The server is another process but for memory, whose own allocations count.
func BenchmarkCall(b *testing.B) {
	args := jsontext.Value(`{"text":"hello"}`)
	for _, how := range []string{"memory", "stdio", "JSON", "SSE"} {
		for _, callers := range []int{1, 64} {
			b.Run(fmt.Sprintf("%s/callers=%d", how, callers), func(b *testing.B) {
				c, err := mcp.Connect(b.Context(), toEcho(b, how), nil)
				if err != nil {
					b.Fatal(err)
				}
				b.Cleanup(func() { c.Close() })
				share(b, callers, func() error {
					_, err := c.CallTool(context.Background(), "echo", args)
					return err
				})
			})
		}
	}
}

// share does the benchmark's work by so many goroutines.
func share(b *testing.B, goroutines int, work func() error) {
	b.ReportAllocs()
	b.ResetTimer()
	done := make(chan error, goroutines)
	for g := range goroutines {
		go func() {
			var err error
			for i := g; i < b.N && err == nil; i += goroutines {
				err = work()
			}
			done <- err
		}()
	}
	for range goroutines {
		if err := <-done; err != nil {
			b.Error(err)
		}
	}
}

// TestCallAllocates holds what a call costs in memory: most of it is the answer, which is the caller's.
func TestCallAllocates(t *testing.T) {
	c := connect(t, toEcho(t, "stdio"), nil)
	args := jsontext.Value(`{"text":"hello"}`)
	got := testing.AllocsPerRun(200, func() {
		if _, err := c.CallTool(context.Background(), "echo", args); err != nil {
			t.Fatal(err)
		}
	})
	if got > 4 {
		t.Errorf("%.0f allocations", got)
	}
}
