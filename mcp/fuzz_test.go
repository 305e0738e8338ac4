package mcp_test

import (
	"bytes"
	"context"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// FuzzSession holds that whatever a server says, a call ends by its timeout, with a result or an error, and the client
// can be closed. The server answers each request with the next line, in which a $ stands for the request's id.
func FuzzSession(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":$,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}}}}` + "\n" +
		`{"jsonrpc":"2.0","id":$,"result":{"tools":[{"name":"echo","inputSchema":{"properties":{"n":{"type":"integer"}}}}],"nextCursor":"a"}}` + "\n" +
		`[{"jsonrpc":"2.0","id":"$","error":{"code":1}},{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}]` + "\n" +
		`{"jsonrpc":"2.0","id":$,"method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":$,"result":{"content":[{"type":"text","text":"x"}]}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":$,"result":{"protocolVersion":"2024-11-05","capabilities":[]}}` + "\n" + `{"jsonrpc":"2.0","id":$}` + "\n{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		synctest.Test(t, func(t *testing.T) { fuzzSession(t, bytes.Split(data, []byte("\n"))) })
	})
}

func fuzzSession(t *testing.T, lines [][]byte) {
	near, far := mcp.NewPair()
	defer far.Close()
	go func() {
		for {
			m, err := far.Read(context.Background())
			if err != nil {
				return
			}
			if m.Kind() == jsonrpc.Request && len(lines) > 0 {
				_ = far.Write(context.Background(), jsonrpc.Message{Raw: bytes.ReplaceAll(lines[0], []byte("$"), m.ID)})
				lines = lines[1:]
			}
		}
	}()
	const timeout = time.Second
	var c *mcp.Client
	relist := make(chan struct{})
	began := time.Now()
	c, err := mcp.Connect(context.Background(), &mcp.Memory{Conn: near}, &mcp.Options{Timeout: timeout, ConnectTimeout: timeout, OnToolsChanged: func() {
		if <-relist; c != nil {
			_, _ = c.ListTools(context.Background())
		}
	}})
	close(relist)
	if err == nil {
		_, _ = c.ListTools(context.Background())
		for range 3 {
			r, err := c.CallTool(context.Background(), "echo", jsontext.Value(`{"n":"5"}`))
			if err != nil {
				r = mcp.FailedResult(err)
			}
			if !utf8.ValidString(r.Text) || utf8.RuneCountInString(r.Text) > 12000 {
				t.Errorf("%q", r.Text)
			}
		}
		c.Status()
		c.Close()
	}
	if took := time.Since(began); took > 5*timeout {
		t.Errorf("it took %s", took)
	}
	synctest.Wait()
}
