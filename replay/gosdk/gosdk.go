// Package gosdk joins recorded sessions and the official Go SDK (github.com/modelcontextprotocol/go-sdk).
//
// [Transport] lets an SDK client meet whatever is an [mcp.Transport] of this project: a cassette's player, or what package replaytest
// gives a test.
//
//	cassette, err := replay.Open("session.jsonl")
//	player, err := replay.NewPlayer(cassette, nil)
//	client := sdk.NewClient(&sdk.Implementation{Name: "my-host", Version: "1"}, nil)
//	session, err := client.Connect(ctx, gosdk.Transport(player), nil)
//
// [Record] goes the other way: it records what passes over any transport of the SDK, a client's or a server's.
//
//	recorder, err := replay.Create("session.jsonl", nil)
//	session, err := client.Connect(ctx, gosdk.Record(&sdk.CommandTransport{Command: cmd}, recorder, gosdk.Client), nil)
//
// An SDK transport hands over decoded messages, so that a recording made here has their meaning and not their bytes;
// what must be exact to the byte is recorded by the command's record, or below [mcp.Command] and [mcp.HTTP].
package gosdk

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/imurun/mcp-replay/mcp"
	wire "github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// Transport gives the SDK's client the server at the other end of t.
func Transport(t mcp.Transport) sdk.Transport { return transport{t} }

type transport struct{ mcp.Transport }

func (t transport) Connect(ctx context.Context) (sdk.Connection, error) {
	conn, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	// The SDK's context for Connect ends with Connect; the connection goes on.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	return &connection{conn: conn, ctx: running, stop: stop}, nil
}

// connection is a Conn as the SDK wants one.
type connection struct {
	conn mcp.Conn
	ctx  context.Context // of what is written: an exchange of HTTP outlives the call that began it
	stop context.CancelFunc
}

// Read gives the next message. The failure of one request reaches the SDK as its error answer.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := c.conn.Read(ctx)
		var failed *mcp.RequestError
		if errors.As(err, &failed) {
			return jsonrpc.DecodeMessage(wire.AppendError(nil, failed.ID,
				&wire.Error{Code: wire.CodeInternalError, Message: failed.Err.Error()}))
		}
		if errors.Is(err, mcp.ErrClosed) {
			return nil, io.EOF
		}
		if err != nil {
			return nil, err
		}
		decoded, err := jsonrpc.DecodeMessage(m.Raw)
		if err != nil {
			continue // the SDK ends a session for what it cannot read; a client passes it over
		}
		return decoded, nil
	}
}

func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	message, err := wire.Parse(data)
	if err != nil {
		return err
	}
	return c.conn.Write(c.ctx, message)
}

// Close closes the Conn, and may block as that does.
func (c *connection) Close() error {
	err := c.conn.Close()
	c.stop()
	return err
}

// SessionID is empty: the Conn keeps what it needs of it.
func (c *connection) SessionID() string { return "" }

// Side says whose end of the wire a recorded transport is.
type Side = mcp.Side

// The two ends of an SDK transport: a client's, as given to Client.Connect, or a server's, as given to Server.Connect or Run.
const (
	Client = mcp.FromClient
	Server = mcp.FromServer
)

// Record gives a transport like t whose messages tap is told, a recorder as a rule. Own says whose end t is.
func Record(t sdk.Transport, tap mcp.Tap, own Side) sdk.Transport {
	return &recorded{t, tap, own}
}

type recorded struct {
	sdk.Transport
	tap mcp.Tap
	own Side
}

func (t *recorded) Connect(ctx context.Context) (sdk.Connection, error) {
	conn, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	peer := mcp.FromServer
	if t.own == mcp.FromServer {
		peer = mcp.FromClient
	}
	return &recordedConnection{Connection: conn, tap: t.tap, own: t.own, peer: peer}, nil
}

type recordedConnection struct {
	sdk.Connection
	tap       mcp.Tap
	own, peer Side
	once      sync.Once
}

func (c *recordedConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if err == nil {
		c.tell(m, c.peer)
	}
	return m, err
}

func (c *recordedConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	c.tell(m, c.own)
	return c.Connection.Write(ctx, m)
}

func (c *recordedConnection) Close() error {
	c.once.Do(func() { c.tap.Frame(mcp.Frame{From: mcp.FromClient, Kind: mcp.FrameClose}) })
	return c.Connection.Close()
}

func (c *recordedConnection) tell(m jsonrpc.Message, from Side) {
	if data, err := jsonrpc.EncodeMessage(m); err == nil {
		c.tap.Frame(mcp.Frame{From: from, Kind: mcp.FrameMessage, Data: data})
	}
}
