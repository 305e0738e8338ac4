package mcp_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

func message(t *testing.T, text string) jsonrpc.Message {
	t.Helper()
	m, err := jsonrpc.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestChildConn uses a child without a client: reads are interrupted and go on, batches come apart, the exit is told after
// what was written before it, and again whenever it is asked for.
func TestChildConn(t *testing.T) {
	cmd, _ := scripted(t, "noise", "@@AFTER:a@@", `[{"jsonrpc":"2.0","id":1,"result":{}},7,{"jsonrpc":"2.0","method":"b"}]`, "@@EXIT 4@@")
	tap := new(wiretap)
	cmd.Tap = tap
	conn, err := cmd.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := conn.Read(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if err := conn.Write(t.Context(), message(t, "{\"jsonrpc\":\"2.0\",\n\"id\":1,\"method\":\"a\"}")); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","method":"b"}`} {
		if m, err := conn.Read(t.Context()); err != nil || string(m.Raw) != want {
			t.Errorf("%s, %v", m.Raw, err)
		}
	}
	for range 2 {
		_, err := conn.Read(t.Context())
		var exit *mcp.ExitError
		if !errors.As(err, &exit) || exit.Status.Code != 4 {
			t.Errorf("%v", err)
		}
	}
	sameStrings(t, "from the client", tap.of(mcp.FromClient, mcp.FrameMessage), `{"jsonrpc":"2.0", "id":1,"method":"a"}`)
	sameStrings(t, "from the server", tap.of(mcp.FromServer, mcp.FrameMessage), `[{"jsonrpc":"2.0","id":1,"result":{}},7,{"jsonrpc":"2.0","method":"b"}]`)
	if err := conn.Write(t.Context(), message(t, `{"jsonrpc":"2.0","method":"late"}`)); err == nil {
		t.Error("a message was taken after the exit")
	}
}

func TestChildConnIsClosed(t *testing.T) {
	cmd, _ := scripted(t, `{"jsonrpc":"2.0","method":"a"}`)
	conn, err := cmd.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(t.Context()); err != nil {
		t.Fatal(err)
	}
	read := make(chan error, 1)
	go func() {
		_, err := conn.Read(t.Context())
		read <- err
	}()
	for range 2 {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := <-read; !errors.Is(err, mcp.ErrClosed) {
		t.Errorf("%v", err)
	}
	if err := conn.Write(t.Context(), message(t, `{"jsonrpc":"2.0","method":"late"}`)); !errors.Is(err, mcp.ErrClosed) {
		t.Errorf("%v", err)
	}
}

func TestPair(t *testing.T) {
	near, far := mcp.NewPair()
	tap := new(wiretap)
	conn, err := (&mcp.Memory{Conn: near, Tap: tap}).Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	raw := []byte(`{"jsonrpc":"2.0","method":"a"}`)
	if err := conn.Write(t.Context(), jsonrpc.Message{Raw: raw}); err != nil {
		t.Fatal(err)
	}
	raw[len(raw)-3] = 'X' // the bytes are the caller's again
	if m, err := far.Read(t.Context()); err != nil || m.Method != "a" {
		t.Errorf("%s, %v", m.Raw, err)
	}
	p := &peer{t, far}
	p.write(`[{"jsonrpc":"2.0","method":"b"},{"jsonrpc":"2.0","method":"c"}]`)
	p.write("no message")
	far.Close()
	for _, want := range []string{"b", "c"} {
		if m, err := conn.Read(t.Context()); err != nil || m.Method != want {
			t.Errorf("%s, %v", m.Raw, err)
		}
	}
	if _, err := conn.Read(t.Context()); err != io.EOF {
		t.Errorf("%v", err)
	}
	if err := conn.Write(t.Context(), message(t, `{"jsonrpc":"2.0","method":"a"}`)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%v", err)
	}
	conn.Close()
	if _, err := conn.Read(t.Context()); !errors.Is(err, mcp.ErrClosed) {
		t.Errorf("%v", err)
	}
	sameStrings(t, "from the client", tap.of(mcp.FromClient, mcp.FrameMessage), `{"jsonrpc":"2.0","method":"a"}`, `{"jsonrpc":"2.0","method":"a"}`)
	sameStrings(t, "from the server", tap.of(mcp.FromServer, mcp.FrameMessage), `{"jsonrpc":"2.0","method":"b"}`, `{"jsonrpc":"2.0","method":"c"}`)
	sameStrings(t, "closes", tap.of(mcp.FromClient, mcp.FrameClose), "")
}

// TestPairWithoutAReader holds RPC-9 in memory: what the other end does not take in time fails alone.
func TestPairWithoutAReader(t *testing.T) {
	c, _ := inMemory(t, &mcp.Options{Timeout: 20 * time.Millisecond})
	notSent := 0
	for range 80 {
		if _, err := c.Call(t.Context(), "x", nil); errors.Is(err, mcp.ErrNotSent) {
			notSent++
		}
	}
	if notSent == 0 || c.Err() != nil {
		t.Errorf("%d were not sent; the connection: %v", notSent, c.Err())
	}
}
