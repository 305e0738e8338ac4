package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/servers/demo"
)

// A session with a server over Streamable HTTP.
func ExampleHTTP() {
	server := httptest.NewServer(demo.Handler(nil))
	defer server.Close()

	ctx := context.Background()
	client, err := mcp.Connect(ctx, &mcp.HTTP{
		URL:    server.URL + "/mcp",
		Header: http.Header{"X-Team": {"red"}},
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	result, err := client.CallTool(ctx, "read_note", []byte(`{"title":"Groceries"}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Text)
	// Output: Milk, bread, apples.
}

// What a server refuses, a caller can tell apart.
func ExampleHTTPError() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()

	_, err := mcp.Connect(context.Background(), &mcp.HTTP{URL: server.URL}, nil)
	var refused *mcp.HTTPError
	if errors.As(err, &refused) && refused.NeedsCredentials() {
		fmt.Println(refused.Status)
		fmt.Println(refused.Hint())
	}
	// Output:
	// 401
	// set a header such as Authorization through ${env:NAME} to a credential that the server takes
}
