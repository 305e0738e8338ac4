// Command fakeserver plays the servers on stdio of package fake, in a program that links nothing else.
package main

import (
	"fmt"
	"os"

	"github.com/imurun/mcp-replay/steps/fake"
)

func main() {
	fake.Main()
	fmt.Fprintln(os.Stderr, "fakeserver: it is started by the scenarios, with the script that it plays")
	os.Exit(2)
}
