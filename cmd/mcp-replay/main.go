// Command mcp-replay records, plays, checks and inspects sessions of the Model Context Protocol.
//
// main is thin: all of the command is run, which tests call as they would the program. A verb stands in a file of
// its name: its flags, and a function that does the work. What verbs share is in streams.go (input and
// output), exit.go (errors, hints and exit codes) and target.go (how a server is named).
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// version is the program's own, as cassettes and --version name it.
const version = "0.1.0"

// errInterrupted is the cause of the context when the program was told to stop.
var errInterrupted = errors.New("interrupted")

func main() {
	ctx, cancel := context.WithCancelCause(context.Background())
	go func() { // asking for a signal takes threads that wait for each other, so nothing waits for this
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		<-signals
		signal.Stop(signals) // the second one ends the program at once
		cancel(errInterrupted)
	}()
	os.Exit(run(ctx, os.Args[1:], standardStreams()))
}
