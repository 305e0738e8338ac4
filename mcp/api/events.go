package api

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/imurun/mcp-replay/mcp/registry"
)

// heartbeat is how often a silent event stream says that it is alive.
const heartbeat = 15 * time.Second

// events streams what happens as SSE, each event with its number as its id: from now on, or after Last-Event-ID (API-5).
func (a *API) events(w http.ResponseWriter, r *http.Request) {
	after := a.registry.LastEvent()
	if id := r.Header.Get("Last-Event-ID"); id != "" {
		n, err := strconv.ParseUint(id, 10, 64)
		if err != nil {
			writeError(w, http.StatusBadRequest, "Last-Event-ID is not a number that this server has given", "")
			return
		}
		if n > after { // of an earlier run of the program: all of this one's events are new
			n = 0
		}
		after = n
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	rc := http.NewResponseController(w)
	fmt.Fprint(w, ": here\n\n")
	if rc.Flush() != nil {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	queue := make(chan registry.Event)
	go func() {
		defer close(queue)
		for e := range a.registry.Events(ctx, after) {
			select {
			case queue <- e:
			case <-ctx.Done():
				return
			}
		}
	}()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case e, open := <-queue:
			if !open {
				return
			}
			fmt.Fprintf(w, "id: %d\nevent: %s\ndata: %s\n\n", e.Seq, e.Type, e.Data)
		case <-beat.C:
			fmt.Fprint(w, ":\n\n")
		}
		if rc.Flush() != nil {
			return
		}
	}
}
