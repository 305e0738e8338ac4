package steps_test

import (
	"context"
	"fmt"

	"github.com/imurun/mcp-replay/steps"
)

// A vocabulary is data: steps of one's own stand beside the built-in ones.
func ExampleVocabulary_With() {
	type weather struct{ degrees int }
	v, err := steps.Public().With(steps.Area{Name: "weather", Steps: []steps.Step{{
		Pattern: `^it is (-?\d+) degrees$`,
		Example: "Given it is 21 degrees",
		Doc:     "Sets the temperature that the server's sensor reports.",
		Do: func(_ context.Context, w *steps.World, degrees int) error {
			steps.State[weather](w).degrees = degrees
			return nil
		},
	}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range v.Match("it is -4 degrees") {
		fmt.Println(m.Area, m.Captures)
	}
	// Output: weather [-4]
}
