package api

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/imurun/mcp-replay/mcp/registry"
)

const (
	// heartbeat is how often a silent event stream says that it is alive.
	heartbeat = 15 * time.Second

	// sendTime is how long a listener may take for one event, before the stream to it ends.
	sendTime = 30 * time.Second
)

// events streams what happens as SSE, each event with an id: from now on, or after Last-Event-ID (API-5). An id that this
// run of the program has not given is of another one: then all events that are kept are new.
func (a *API) events(w http.ResponseWriter, r *http.Request) {
	after := a.registry.LastEvent()
	if id := r.Header.Get("Last-Event-ID"); id != "" {
		n, err := strconv.ParseUint(id, 10, 64)
		switch {
		case err != nil:
			writeError(w, http.StatusBadRequest, "Last-Event-ID is no id that this server gives", "")
			return
		case n < a.firstID || n-a.firstID > after:
			after = 0
		default:
			after = n - a.firstID
		}
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	s := &stream{w: w, control: http.NewResponseController(w)}
	if !s.send(": here\n\n") {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	queue := a.follow(ctx, after)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		sent := false
		select {
		case e, open := <-queue:
			sent = open && s.send("id: %d\nevent: %s\ndata: %s\n\n", a.firstID+e.Seq, e.Type, e.Data)
		case <-beat.C:
			sent = s.send(":\n\n")
		}
		if !sent {
			return
		}
	}
}

// follow gives the events after one, until ctx ends or the registry is closed.
func (a *API) follow(ctx context.Context, after uint64) <-chan registry.Event {
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
	return queue
}

// stream is an answer that goes out piece by piece.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// send writes a piece, and says whether it has gone.
func (s *stream) send(format string, values ...any) bool {
	_ = s.control.SetWriteDeadline(time.Now().Add(sendTime)) // where the connection has none, it is none
	fmt.Fprintf(s.w, format, values...)
	return s.control.Flush() == nil
}
