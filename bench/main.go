// Command bench measures this project against a floor written by hand and against its peers, interleaved in one run:
// what one contestant has to bear from the machine, the others bear too. Only the ratios carry over to another machine.
//
//   - client: the client, on stdio and HTTP, against the floor, the official Go SDK's client and mcp-go's
//   - record: the recorder between the floor and a server, against nothing between them
//   - play: the player as a server, against one made with the Go SDK
//   - start: how soon the command's first answer comes
//   - traffic: a gigabyte recorded
//   - cassette: a gigabyte of cassette played, shown and verified
//
// Arguments name the parts to run; without any it is the first four. Each part prints medians, ratios, and whether its
// goals are reached, computed from what was measured.
package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
)

// parts are what can be measured. The first four take seconds; the others take minutes and 2.5 GB of disk.
var parts = []struct {
	name    string
	measure func(*programs) error
}{
	{"client", measureClient},
	{"record", measureRecord},
	{"play", measurePlay},
	{"start", measureStart},
	{"traffic", measureTraffic},
	{"cassette", measureCassette},
}

func main() {
	if mode := os.Getenv("BENCH_SERVE"); mode != "" {
		exitOn(serve(mode))
		return
	}
	names := os.Args[1:]
	if len(names) == 0 {
		names = []string{"client", "record", "play", "start"}
	}
	exitOn(run(names))
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(names []string) error {
	fmt.Printf("%s, %d CPUs, %d rounds of %v for each\n", runtime.Version(), runtime.GOMAXPROCS(0), rounds, oneRound)
	p, err := buildPrograms()
	if err != nil {
		return err
	}
	defer p.remove()
	for _, part := range parts {
		if i := slices.Index(names, part.name); i >= 0 {
			names = slices.Delete(names, i, i+1)
			if err := part.measure(p); err != nil {
				return fmt.Errorf("%s: %w", part.name, err)
			}
		}
	}
	if len(names) > 0 {
		return fmt.Errorf("there is no part %q", names)
	}
	return nil
}

// serve is this program as one of the servers that are called.
func serve(mode string) error {
	switch mode {
	case "stdio":
		serveStdio(os.Stdin, os.Stdout, answer)
	case "pages":
		serveStdio(os.Stdin, os.Stdout, answerPages)
	case "sdk":
		return serveSDK()
	case "pump":
		return pump(os.Args[1])
	case "http":
		return serveHTTP()
	case "scan":
		return scanOnce(os.Args[1])
	}
	return nil
}
