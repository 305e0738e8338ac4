package suite_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"testing/fstest"

	"github.com/cucumber/godog"

	"github.com/imurun/mcp-replay/mcp/servers/demo"
	"github.com/imurun/mcp-replay/steps"
	"github.com/imurun/mcp-replay/steps/suite"
)

// A team's features, its server on a free port, and a step of its own beside the built-in ones. In a test it would be
// suite.Run(t, 1, …).
func ExampleCheck() {
	server := httptest.NewServer(demo.Handler(nil))
	defer server.Close()
	features := fstest.MapFS{"notes.feature": {Data: []byte(`
Feature: The notebook keeps notes
  Scenario: The groceries are in it
    Given the server is started
    When the host calls the tool "read_note" with:
      | title | Groceries |
    Then the result contains "Milk"
    And the tool's server is in revision 2025-06-18
`)}}
	err := suite.Check(1, &suite.Options{
		FS:     features,
		Config: &steps.Config{Target: steps.Target{URL: server.URL}},
		Initialize: func(sc *godog.ScenarioContext) {
			sc.Step(`^the tool's server is in revision (\S+)$`, func(ctx context.Context, want string) error {
				client, err := steps.From(ctx).Client()
				if err != nil {
					return err
				}
				if got := client.ProtocolVersion(); got != want {
					return fmt.Errorf("it is in %s", got)
				}
				return nil
			})
		},
	})
	fmt.Println("error:", err)
	// Output: error: <nil>
}
