// Package suite runs behaviour specs under godog, inside "go test".
//
// A Go team that has an MCP server writes features in the public vocabulary of package steps, and one test:
//
//	func TestFeatures(t *testing.T) {
//		suite.Run(t, 12, &suite.Options{
//			Paths:  []string{"features"},
//			Config: &steps.Config{Target: steps.Target{Command: []string{"go", "run", "./cmd/server"}}},
//		})
//	}
//
// The number is the floor: with fewer scenarios than that the test fails, for a wrong path or tag would otherwise run
// nothing and pass. Everything else that godog lets pass in silence fails too: undefined, pending and ambiguous steps,
// a step that Gherkin takes for a description because its keyword is misspelt, a docstring that a step does not
// read, and a failed tool result, an error exit or an unplayed frame of a cassette that no step mentions.
//
// Scenarios run side by side and in random order. Each has a world of its own, and the context of a step carries it,
// so that steps of your own, registered by [Options.Initialize], stand beside the built-in ones.
//
// Importing godog runs "go env" at every start of the program: import this package from tests only. The shipped
// command runs the same features by package steps/run.
package suite
