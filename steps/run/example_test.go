package run_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"testing/fstest"

	"github.com/imurun/mcp-replay/mcp/servers/demo"
	"github.com/imurun/mcp-replay/steps"
	"github.com/imurun/mcp-replay/steps/run"
)

func ExampleRun() {
	server := httptest.NewServer(demo.Handler(nil))
	defer server.Close()
	features := fstest.MapFS{"diary.feature": {Data: []byte(`
Feature: The diary
  Scenario: It is locked
    Given the server is started
    When the host calls the tool "read_diary"
    Then the call fails with "the diary is open"
`)}}
	result, err := run.Run(context.Background(), &run.Options{
		FS: features, Config: &steps.Config{Target: steps.Target{URL: server.URL}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range result.Scenarios {
		fmt.Println(o.Case.Name, "-", o.Status)
		for _, s := range o.Steps {
			fmt.Println(s.Status, s.Keyword, s.Text)
		}
	}
	// Output:
	// It is locked - failed
	// passed Given the server is started
	// passed When the host calls the tool "read_diary"
	// failed Then the call fails with "the diary is open"
}
