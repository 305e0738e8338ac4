package gosdk_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/gosdk"
)

// The revisions that are tried: the last one but one with a question in the middle of a call, and the one without initialize.
const older, newest = "2025-11-25", "2026-07-28"

type greeting struct {
	Name string `json:"name"`
}

// newServer is a server that greets, tells how far it is, and asks the host's user once.
func newServer() *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "greeter", Version: "1"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "greet"}, func(ctx context.Context, r *sdk.CallToolRequest, in greeting) (*sdk.CallToolResult, any, error) {
		if token := r.Params.GetProgressToken(); token != nil {
			r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: 1})
		}
		text := "hello " + in.Name
		if r.Session.InitializeParams().ProtocolVersion == older {
			asked, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "how?", RequestedSchema: map[string]any{
				"type": "object", "properties": map[string]any{"title": map[string]any{"type": "string"}}}})
			if err != nil {
				return nil, nil, err
			}
			text += ", " + asked.Content["title"].(string)
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}, nil, nil
	})
	return server
}

// greet calls the tool and gives its text, and how much progress was told.
func greet(ctx context.Context, t sdk.Transport, version string, token any) (text string, progress int, err error) {
	told := make(chan struct{}, 10)
	client := sdk.NewClient(&sdk.Implementation{Name: "host", Version: "1"}, &sdk.ClientOptions{
		ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"title": "dear"}}, nil
		},
		ProgressNotificationHandler: func(context.Context, *sdk.ProgressNotificationClientRequest) { told <- struct{}{} },
	})
	session, err := client.Connect(ctx, t, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		return "", 0, err
	}
	defer session.Close()
	params := &sdk.CallToolParams{Name: "greet", Arguments: map[string]any{"name": "Ada"}}
	if token != nil {
		params.SetProgressToken(token)
	}
	result, err := session.CallTool(ctx, params)
	if err != nil {
		return "", 0, err
	}
	if token != nil {
		<-told
		progress++
	}
	return result.Content[0].(*sdk.TextContent).Text, progress, nil
}

// A session of the SDK's client and server, recorded at either end, plays to the SDK's client as it went.
func TestRecordAndPlay(t *testing.T) {
	sides := map[string]gosdk.Side{"client": gosdk.Client, "server": gosdk.Server}
	wants := map[string]string{older: "hello Ada, dear", newest: "hello Ada"}
	for _, name := range []string{"client " + older, "server " + older, "client " + newest, "server " + newest} {
		t.Run(name, func(t *testing.T) {
			end, version, _ := strings.Cut(name, " ")
			side, want := sides[end], wants[version]
			var file bytes.Buffer
			recorder, err := replay.NewRecorder(&file, nil)
			if err != nil {
				t.Fatal(err)
			}
			var near, far sdk.Transport = sdk.NewInMemoryTransports()
			if side == gosdk.Client {
				near = gosdk.Record(near, recorder, side)
			} else {
				far = gosdk.Record(far, recorder, side)
			}
			served, err := newServer().Connect(t.Context(), far, nil)
			if err != nil {
				t.Fatal(err)
			}
			if live, _, err := greet(t.Context(), near, version, "live"); err != nil || live != want {
				t.Fatalf("live: %q, %v", live, err)
			}
			served.Wait()
			if err := recorder.Close(); err != nil {
				t.Fatal(err)
			}

			cassette, err := replay.Parse(file.Bytes(), "cassette")
			if err != nil {
				t.Fatal(err)
			}
			player, err := replay.NewPlayer(cassette, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, progress, err := greet(t.Context(), gosdk.Transport(player), version, "other")
			if err != nil || got != want || progress != 1 {
				t.Errorf("played: %q with %d of progress, %v", got, progress, err)
			}
			if left := player.Unplayed(); left != nil {
				t.Errorf("not played: %+v", left)
			}
		})
	}
}

func ExampleTransport() {
	cassette, err := replay.Parse([]byte(`{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"example","transport":"stdio","server":{"command":"s"},"rules":{"built-in":1}}
{"at":0.1,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"initialize"}}
{"at":0.2,"from":"server","message":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}}
{"at":0.3,"from":"client","message":{"jsonrpc":"2.0","method":"notifications/initialized"}}
{"at":0.4,"from":"client","message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"greet","arguments":{"name":"Ada"}}}}
{"at":0.5,"from":"server","message":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"hello Ada"}]}}}
`), "example")
	if err != nil {
		log.Fatal(err)
	}
	player, err := replay.NewPlayer(cassette, nil)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	client := sdk.NewClient(&sdk.Implementation{Name: "host", Version: "1"}, nil)
	session, err := client.Connect(ctx, gosdk.Transport(player), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
	result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "greet", Arguments: map[string]any{"name": "Ada"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Content[0].(*sdk.TextContent).Text)
	// Output: hello Ada
}
