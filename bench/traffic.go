package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

const (
	trafficPage = 16_000 // bytes of an answer
	trafficAt   = 100e6  // bytes of traffic when memory is looked at first
	traffic     = 1e9
)

// measureTraffic records a gigabyte from four callers, and looks at the recorder's memory on the way.
func measureTraffic(p *programs) error {
	cassette := p.file("traffic.jsonl")
	defer os.Remove(cassette)
	s, err := startServer(p.recorded(cassette, "pages"))
	if err != nil {
		return err
	}
	early, err := s.readPages(trafficAt)
	if err != nil {
		return err
	}
	late, err := s.readPages(traffic - trafficAt)
	if err != nil {
		return err
	}
	if err := s.stop(); err != nil {
		return err
	}
	info, err := os.Stat(cassette)
	if err != nil {
		return err
	}
	fmt.Printf("\n1 GB of traffic recorded: a cassette of %.0f MB\n%-24s %8.1f MB\n%-24s %8.1f MB\n", float64(info.Size())/1e6,
		"peak after 100 MB", early, "peak after 1 GB", late)
	goal("peak after 1 GB by that after 100 MB", late/early, 1.1, " ")
	return nil
}

// readPages calls until so many bytes have been answered, and gives the server's peak of memory.
func (s *server) readPages(total float64) (float64, error) {
	var left, page atomic.Int64
	left.Store(int64(total))
	errs := make([]error, 4)
	var callers sync.WaitGroup
	for i := range errs {
		callers.Go(func() {
			for errs[i] == nil && left.Load() > 0 {
				var result []byte
				result, errs[i] = s.Call("tools/call", toolCall{Name: "page", Arguments: map[string]any{"page": page.Add(1), "size": trafficPage}})
				left.Add(-int64(len(result)))
			}
		})
	}
	callers.Wait()
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	return peak(s.cmd.Process.Pid)
}
