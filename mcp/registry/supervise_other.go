//go:build !linux

package registry

import (
	"fmt"
	"os"
)

// CanSupervise says whether this system can run servers under a supervisor.
const CanSupervise = false

// Supervise runs a server under a supervisor, which Linux alone can (LIFE-7).
func Supervise([]string) int {
	fmt.Fprintln(os.Stderr, "supervise: there is no supervisor on this system")
	return 2
}
