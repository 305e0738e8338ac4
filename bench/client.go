package main

import "fmt"

// measureClient holds the client against the floor and its peers.
func measureClient(*programs) error {
	if err := clientStdio(); err != nil {
		return err
	}
	return clientHTTP()
}

func clientStdio() error {
	cs, err := stdioContestants()
	if err != nil {
		return err
	}
	defer closeAll(cs)
	for _, w := range []struct {
		workload
		limits limits
	}{
		{workload{name: "client, stdio, 1 caller", callers: 1}, limits{1.10, 0.5, 0.8}},
		{workload{name: "client, stdio, 64 callers", callers: 64}, limits{1.25, 0.5, 0.8}},
		{workload{name: "client, stdio, an answer of 10 MB", callers: 1, size: 10_000_000}, limits{}},
	} {
		r, err := w.measure(cs)
		if err != nil {
			return err
		}
		w.limits.print(r)
	}
	return nil
}

func clientHTTP() error {
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
			w := workload{name: fmt.Sprintf("client, Streamable HTTP, %s answers, %d callers", answers, callers), callers: callers}
			r, err := w.measure(cs)
			if err != nil {
				return err
			}
			limits{1.15, 0.4, 0.85}.print(r)
		}
		closeAll(cs)
	}
	return nil
}

// limits are how long the client may take for a call, by what the others take.
type limits struct{ floor, sdk, mcpGo float64 }

func (l limits) print(r result) {
	if l == (limits{}) {
		return
	}
	goal("time by the floor's", r.ratio("mcp-replay Call", "floor"), l.floor, " ")
	goal("time by the SDK's", r.ratio("mcp-replay CallTool", "go-sdk"), l.sdk, " ")
	goal("time by mcp-go's", r.ratio("mcp-replay CallTool", "mcp-go"), l.mcpGo, " ")
	goal("allocations by the floor's", r["mcp-replay Call"].allocs/r["floor"].allocs, 1, " ")
}
