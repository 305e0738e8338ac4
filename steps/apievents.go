package steps

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// apiEvent is an event as it came.
type apiEvent struct{ id, kind, data string }

// apiStream is a client that listens.
type apiStream struct {
	close func()

	mu     sync.Mutex
	events []apiEvent
}

// all gives the events so far.
func (s *apiStream) all() []apiEvent {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events[:len(s.events):len(s.events)]
}

func listens(ctx context.Context, w *World, after string) error {
	s := State[apiState](w)
	if s.stream != nil {
		s.stream.close()
	}
	ctx, cancel := context.WithCancel(ctx)
	answer, err := s.open(ctx, &apiRequest{method: "GET", path: "/api/events", header: map[string]string{"Last-Event-ID": after}})
	if err != nil {
		cancel()
		return err
	}
	if answer.StatusCode != 200 || answer.Header.Get("Content-Type") != "text/event-stream" {
		cancel()
		return fmt.Errorf("it answers %d %s", answer.StatusCode, answer.Header.Get("Content-Type"))
	}
	in := bufio.NewReader(answer.Body)
	if _, err := in.ReadString('\n'); err != nil { // the comment that says that it stands
		cancel()
		return err
	}
	stream := &apiStream{}
	done := make(chan struct{})
	stream.close = func() { cancel(); <-done }
	s.stream = stream
	w.Cleanup(func() error { stream.close(); return nil })
	go func() {
		defer close(done)
		defer answer.Body.Close()
		stream.read(in)
	}()
	return nil
}

// read reads events until the stream ends.
func (s *apiStream) read(in *bufio.Reader) {
	var e apiEvent
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch {
		case line == "\n" && e.data != "":
			s.mu.Lock()
			s.events = append(s.events, e)
			s.mu.Unlock()
			e = apiEvent{}
		case name == "id":
			e.id = value
		case name == "event":
			e.kind = value
		case name == "data":
			e.data += value
		}
	}
}

func listensAfter(ctx context.Context, w *World, n int) error {
	s := State[apiState](w)
	if s.stream == nil || len(s.stream.all()) < n {
		return errors.New("the client has not got so many events")
	}
	return listens(ctx, w, s.stream.all()[n-1].id)
}

func gotEvents(ctx context.Context, w *World, want Doc) error {
	s := State[apiState](w)
	if s.stream == nil {
		return errors.New("no client listens")
	}
	return Eventually(ctx, func() error {
		var lines []string
		for _, e := range s.stream.all() {
			lines = append(lines, e.kind+" "+e.data)
		}
		return sameText(strings.Join(lines, "\n"), string(want))
	})
}

func idsRise(w *World) error {
	s := State[apiState](w)
	if s.stream == nil || len(s.stream.all()) < 2 {
		return errors.New("the client has not got two events")
	}
	last := int64(0)
	for i, e := range s.stream.all() {
		id, err := strconv.ParseInt(e.id, 10, 64)
		if err != nil {
			return err
		}
		if i > 0 && id != last+1 {
			return fmt.Errorf("after %d comes %d", last, id)
		}
		last = id
	}
	return nil
}

func logIsJSON(w *World) error {
	text := State[apiState](w).log.String()
	if text == "" {
		return io.ErrUnexpectedEOF
	}
	for line := range strings.Lines(text) {
		var entry map[string]jsontext.Value
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
		for _, name := range []string{"time", "level", "msg"} {
			if entry[name] == nil {
				return fmt.Errorf("%q has no %s", line, name)
			}
		}
	}
	return nil
}
