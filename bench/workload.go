package main

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"
)

const (
	rounds   = 21
	oneRound = 60 * time.Millisecond // how long one contestant has the machine for itself
)

// contestant is what a workload is given to.
type contestant struct {
	name  string
	call  func(size int) error // one call of echo
	close func()
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
	most    int // calls that a round makes at the most; 0 for as many as it has time for
}

// sample is one contestant's round.
type sample struct {
	perCall time.Duration
	allocs  float64
	bytes   float64
}

// result is what a workload came to, by contestant.
type result map[string]sample

// ratio is the median time of a call of one contestant by that of another.
func (r result) ratio(name, to string) float64 {
	return float64(r[name].perCall) / float64(r[to].perCall)
}

// measure prints what the workload takes of each contestant.
func (w workload) measure(cs []*contestant) (result, error) {
	samples := make([][]sample, len(cs))
	for round := range rounds + 1 {
		for i, c := range cs {
			s, err := w.round(c)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", w.name, c.name, err)
			}
			if round > 0 { // the first one warms up
				samples[i] = append(samples[i], s)
			}
		}
	}
	r := make(result)
	fmt.Printf("\n%s\n%-24s %12s %8s %12s %14s\n", w.name, "", "µs/call", "ratio", "allocs/call", "bytes/call")
	for i, c := range cs {
		s := sample{
			perCall: time.Duration(median(samples[i], func(s sample) float64 { return float64(s.perCall) })),
			allocs:  median(samples[i], func(s sample) float64 { return s.allocs }),
			bytes:   median(samples[i], func(s sample) float64 { return s.bytes }),
		}
		r[c.name] = s
		fmt.Printf("%-24s %12.1f %8.2f %12.1f %14.0f\n", c.name, float64(s.perCall.Nanoseconds())/1000,
			r.ratio(c.name, cs[0].name), s.allocs, s.bytes)
	}
	return r, nil
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
			for time.Since(start) < oneRound && (w.most == 0 || calls[i] < w.most/w.callers) || calls[i] == 0 {
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
	n := 0
	for i, err := range errs {
		if err != nil {
			return sample{}, err
		}
		n += calls[i]
	}
	return sample{
		perCall: took / time.Duration(n),
		allocs:  float64(after.Mallocs-before.Mallocs) / float64(n),
		bytes:   float64(after.TotalAlloc-before.TotalAlloc) / float64(n),
	}, nil
}

func median[T any](samples []T, of func(T) float64) float64 {
	var v []float64
	for _, s := range samples {
		v = append(v, of(s))
	}
	slices.Sort(v)
	return v[len(v)/2]
}

// goal prints whether what was measured is at most what it may be.
func goal(what string, measured, atMost float64, unit string) {
	verdict := "reached"
	if measured > atMost {
		verdict = "NOT REACHED"
	}
	fmt.Printf("goal %-46s ≤ %6.2f%s  measured %6.2f%s  %s\n", what, atMost, unit, measured, unit, verdict)
}
