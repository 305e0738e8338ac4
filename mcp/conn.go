package mcp

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// Transport makes a connection to one server. [Command], [HTTP] and [Memory] are transports, and so is
// a cassette's player: who holds a Conn cannot tell a recorded server from a live one.
//
// Each Connect makes a new connection (a Memory has just the one), which the context does not end. When it fails, it leaves
// nothing behind.
type Transport interface {
	Connect(ctx context.Context) (Conn, error)
}

// Conn carries whole messages both ways. Read and Write may run at the same time, and so may several Writes;
// Close unblocks both.
//
// Read returns one message at a time; the bytes of it belong to the caller. A *[RequestError] from Read fails the
// one request that it names; any other error ends the Conn, and every Read after it returns the same.
//
// Write hands one message on and does not keep its bytes. It returns when the message is on its way, not when it
// is answered: a request that fails later comes back from Read as a *RequestError. The context governs the writing
// and, where a transport has an exchange for each request (HTTP), that exchange until it is answered.
//
// Close may block for as long as the transport's grace allows, is safe to call again, and says so by returning the
// same error.
type Conn interface {
	Read(ctx context.Context) (jsonrpc.Message, error)
	Write(ctx context.Context, m jsonrpc.Message) error
	Close() error
}

// RequestError is the failure of one request on a Conn that goes on.
type RequestError struct {
	ID  jsontext.Value // of the request
	Err error
}

func (e *RequestError) Error() string { return fmt.Sprintf("request %s: %v", e.ID, e.Err) }
func (e *RequestError) Unwrap() error { return e.Err }
