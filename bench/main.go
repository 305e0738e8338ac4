// Command bench measures this project's client against a floor written by hand and against its peers, all talking to
// the same raw server, interleaved in one run: what one contestant has to bear from the machine, the others bear too.
//
// It prints, for each workload, the median time of a call, its ratio to the floor's, and what a call allocates. Only
// the ratios carry over to another machine.
package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"
)

const (
	rounds   = 21
	oneRound = 60 * time.Millisecond // how long one contestant has the machine for itself
)

func main() {
	switch os.Getenv("BENCH_SERVE") {
	case "stdio":
		serveStdio(os.Stdin, os.Stdout)
		return
	case "http":
		if err := serveHTTP(); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	fmt.Printf("%s, %d CPUs, %d rounds of %v for each\n", runtime.Version(), runtime.GOMAXPROCS(0), rounds, oneRound)
	if err := runStdio(); err != nil {
		return err
	}
	return runHTTP()
}

func runStdio() error {
	cs, err := stdioContestants()
	if err != nil {
		return err
	}
	defer closeAll(cs)
	for _, w := range []workload{
		{"stdio, 1 caller", 1, 0},
		{"stdio, 64 callers", 64, 0},
		{"stdio, an answer of 10 MB", 1, 10_000_000},
	} {
		if err := w.measure(cs); err != nil {
			return err
		}
	}
	return nil
}

func runHTTP() error {
	addr, stop, err := startHTTP()
	if err != nil {
		return err
	}
	defer stop()
	for _, answers := range []string{"json", "sse"} {
		cs, err := httpContestants("http://" + addr + "/" + answers)
		if err != nil {
			return err
		}
		for _, callers := range []int{1, 64} {
			w := workload{fmt.Sprintf("Streamable HTTP, %s answers, %d callers", answers, callers), callers, 0}
			if err := w.measure(cs); err != nil {
				return err
			}
		}
		closeAll(cs)
	}
	return nil
}

func closeAll(cs []*contestant) {
	for _, c := range cs {
		c.close()
	}
}

// workload is what every contestant has to do.
type workload struct {
	name    string
	callers int
	size    int // of the answer's text; 0 for a short one
}

// sample is one contestant's round.
type sample struct {
	perCall time.Duration
	allocs  float64
	bytes   float64
}

func (w workload) measure(cs []*contestant) error {
	samples := make([][]sample, len(cs))
	for _, c := range cs { // warm up
		if _, err := w.round(c); err != nil {
			return fmt.Errorf("%s: %s: %w", w.name, c.name, err)
		}
	}
	for range rounds {
		for i, c := range cs {
			s, err := w.round(c)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", w.name, c.name, err)
			}
			samples[i] = append(samples[i], s)
		}
	}
	fmt.Printf("\n%s\n%-22s %12s %8s %12s %14s\n", w.name, "", "µs/call", "× floor", "allocs/call", "bytes/call")
	floor := medianTime(samples[0])
	for i, c := range cs {
		t := medianTime(samples[i])
		fmt.Printf("%-22s %12.1f %8.2f %12.1f %14.0f\n", c.name, float64(t.Nanoseconds())/1000, float64(t)/float64(floor),
			median(samples[i], func(s sample) float64 { return s.allocs }),
			median(samples[i], func(s sample) float64 { return s.bytes }))
	}
	return nil
}

// round lets one contestant call for a while, and counts.
func (w workload) round(c *contestant) (sample, error) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	calls := make([]int, w.callers)
	errs := make([]error, w.callers)
	var all sync.WaitGroup
	for i := range w.callers {
		all.Go(func() {
			for time.Since(start) < oneRound || calls[i] == 0 {
				if errs[i] = c.call(w.size); errs[i] != nil {
					return
				}
				calls[i]++
			}
		})
	}
	all.Wait()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	for _, err := range errs {
		if err != nil {
			return sample{}, err
		}
	}
	n := 0
	for _, k := range calls {
		n += k
	}
	return sample{
		perCall: took / time.Duration(n),
		allocs:  float64(after.Mallocs-before.Mallocs) / float64(n),
		bytes:   float64(after.TotalAlloc-before.TotalAlloc) / float64(n),
	}, nil
}

func medianTime(s []sample) time.Duration {
	return time.Duration(median(s, func(s sample) float64 { return float64(s.perCall) }))
}

func median(samples []sample, of func(sample) float64) float64 {
	var v []float64
	for _, s := range samples {
		v = append(v, of(s))
	}
	slices.Sort(v)
	return v[len(v)/2]
}
