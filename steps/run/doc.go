// Package run runs behaviour specs outside of "go test", on cucumber's own parser and without a test framework: it is
// what "mcp-replay test" does.
//
// It gives the same verdicts as package steps/suite gives under godog with Strict: a scenario passes when it has steps and
// each of them is defined once, is built, and returns no error. The rest of a scenario that has failed is skipped, though
// its undefined steps are still named.
//
//	result, err := run.Run(ctx, &run.Options{
//		Paths:   []string{"features"},
//		Config:  &steps.Config{Target: steps.Target{URL: "http://localhost:8080/mcp"}},
//		Formats: []run.Format{{Name: "pretty", Out: os.Stdout}},
//	})
//
// An error means that nothing ran: a feature cannot be read, a tag expression is wrong, no scenario is selected. What ran and
// did not hold is in the [Result].
package run
