// Command live runs the pinned real servers of interop: it surveys them, records them, and runs their specs against them.
//
//	go run ./interop/live survey [NAME…]   prints what each server is and says
//	go run ./interop/live record [NAME…]   records a session with each into cassettes/servers
//	go run ./interop/live test [NAME…]     runs the specs of each server against it
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"

	"github.com/imurun/mcp-replay/interop"
)

// verbs are what the program can do with one server.
var verbs = map[string]func(context.Context, *interop.Server) error{
	"record": record,
	"survey": survey,
	"test":   test,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := live(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "live:", err)
		os.Exit(1)
	}
}

func live(ctx context.Context, args []string) error {
	if len(args) == 0 || verbs[args[0]] == nil {
		return fmt.Errorf("usage: go run ./interop/live survey|record|test [NAME…]")
	}
	servers, err := interop.Servers()
	if err != nil {
		return err
	}
	wanted := args[1:]
	failed, done := 0, 0
	for i := range servers {
		s := &servers[i]
		if len(wanted) > 0 && !slices.Contains(wanted, s.Name) {
			continue
		}
		done++
		if err := verbs[args[0]](ctx, s); err != nil {
			failed++
			fmt.Fprintf(os.Stderr, "live: %s: %v\n", s.Name, err)
		}
	}
	fmt.Printf("%s: %d passed, %d failed\n", args[0], done-failed, failed)
	switch {
	case failed > 0:
		return fmt.Errorf("%d of %d servers failed", failed, done)
	case len(wanted) > 0 && done != len(wanted):
		return fmt.Errorf("%d of the %d servers named are in the table", done, len(wanted))
	}
	return nil
}
