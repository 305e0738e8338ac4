package demo_test

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/imurun/mcp-replay/mcp/servers/demo"
)

func ExampleNew() {
	ctx := context.Background()
	near, far := sdk.NewInMemoryTransports()
	if _, err := demo.New().Connect(ctx, far, nil); err != nil {
		fmt.Println(err)
		return
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "example"}, nil).Connect(ctx, near, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()
	result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "read_note", Arguments: map[string]string{"title": "Groceries"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Content[0].(*sdk.TextContent).Text)
	// Output: Milk, bread, apples.
}
