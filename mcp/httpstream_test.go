package mcp_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

const eventStream = "text/event-stream"

// reset breaks the connection off.
func reset(http.ResponseWriter) { panic(http.ErrAbortHandler) }

// TestHTTPResume is theme I, 62 and 64: the rest of a stream is asked for with its last event's id, after the pause
// that the server wants.
func TestHTTPResume(t *testing.T) {
	note := `{"jsonrpc":"2.0","method":"notifications/progress"}`
	for _, test := range []struct {
		name  string
		first []string // the chunks of the POST's answer
		abort bool     // which then breaks off
		last  []string // Last-Event-ID of each GET
		gets  []string // and its answer
		pause time.Duration
	}{
		{"priming event", []string{"id: s1-0\nretry: 20\ndata:\n\n"}, false, []string{"s1-0"}, []string{"id: s1-1\ndata: " + ok1 + "\n\n"}, 20 * time.Millisecond},
		{"reset", []string{"id: é 1\nretry: 60\ndata: " + note + "\n\ndata: {"}, true, []string{"é 1"}, []string{"data: " + ok1 + "\n\n"}, 60 * time.Millisecond},
		{"twice", []string{"id: a\nretry: 5\n\n"}, false, []string{"a", "b"}, []string{"id: b\n\n", "data: " + ok1 + "\n\n"}, 10 * time.Millisecond},
		{"an id that was cut off does not count", []string{"id: a\nretry: 5\n\nid: b\ndata: {}\n"}, false, []string{"a"}, []string{"data: " + ok1 + "\n\n"}, 5 * time.Millisecond},
		{"the id holds on", []string{"id: a\nretry: 5\n\n"}, false, []string{"a", "a"}, []string{": nothing new\n\n", "data: " + ok1 + "\n\n"}, 10 * time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			gets := 0
			f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
				if r.Method == "POST" {
					writeChunks(w, eventStream, test.first...)
					if test.abort {
						reset(w)
					}
					return true
				}
				writeChunks(w, eventStream, test.gets[gets])
				gets++
				return true
			})
			c := connectHTTP(t, &mcp.HTTP{URL: f.URL})
			start := time.Now()
			got, err := c.call(1, "tools/call")
			if got == note {
				got, err = c.next()
			}
			if got != ok1 || err != nil {
				t.Fatalf("%s, %v", got, err)
			}
			if d := time.Since(start); d < test.pause || d > test.pause+900*time.Millisecond {
				t.Errorf("it took %v, the pauses are %v in all", d, test.pause)
			}
			c.Close()
			var last []string
			for i := 1; i < len(f.requests()); i++ {
				last = append(last, f.request(i).header.Get("Last-Event-ID"))
				if f.request(i).method != "GET" || f.request(i).header.Get("Accept") != eventStream {
					t.Errorf("%+v", f.request(i))
				}
			}
			if diff := cmp.Diff(test.last, last); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestHTTPStreamEndsWithoutAnswer(t *testing.T) {
	for _, test := range []struct {
		name   string
		events string
		abort  bool
		status int // of the GET
		want   string
	}{
		{"no id", "data: {}\n\n", false, 0,
			"tools/call: outcome unknown: the stream ended without an answer, and without an event id it cannot be resumed"},
		{"no id, broken off", "data: {", true, 0,
			"tools/call: outcome unknown: the stream broke off before the answer: unexpected EOF, and without an event id it cannot be resumed"},
		{"refused", "id: 1\nretry: 1\n\n", false, 405,
			"tools/call: outcome unknown: the stream ended without an answer, and the server did not resume it: HTTP 405 Method Not Allowed"},
		{"moved", "id: 1\nretry: 1\n\n", false, 301,
			"tools/call: outcome unknown: the stream ended without an answer, and the server did not resume it: HTTP 301 Moved Permanently"},
		{"the id was taken back", "id: 1\n\nid\n\n", false, 0,
			"tools/call: outcome unknown: the stream ended without an answer, and without an event id it cannot be resumed"},
		{"an id that no header can hold", "id: \x01\n\n", false, 0,
			"tools/call: outcome unknown: the stream ended without an answer, and without an event id it cannot be resumed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
				if r.Method == "GET" {
					w.Header().Set("Location", "/other")
					w.WriteHeader(test.status)
					return true
				}
				writeChunks(w, eventStream, test.events)
				if test.abort {
					reset(w)
				}
				return true
			})
			c := connectHTTP(t, &mcp.HTTP{URL: f.URL})
			start := time.Now()
			err := c.fails(1, "tools/call")
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("it took %v", d)
			}
			wantText(t, err, test.want)
			var ended *mcp.StreamError
			if !errors.As(err, &ended) || ended.Status != test.status || !mcp.OutcomeUnknown(err) {
				t.Errorf("%#v", err)
			}
		})
	}
}

// answers gives answers without a network, so that a test can have a clock of its own.
type answers func(*http.Request) *http.Response

func (f answers) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return f(r), nil
}

func streamOf(text string) *http.Response {
	return &http.Response{
		StatusCode: 200, ContentLength: -1, Body: io.NopCloser(strings.NewReader(text)),
		Header: http.Header{"Content-Type": {eventStream}},
	}
}

// TestHTTPResumeGivesUp: five connections in a row that bring nothing are enough, with longer and longer pauses.
func TestHTTPResumeGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var at []time.Duration
		c := connectHTTP(t, &mcp.HTTP{URL: "http://server.example/mcp", Client: &http.Client{Transport: answers(func(r *http.Request) *http.Response {
			at = append(at, time.Since(start))
			if r.Method == "POST" {
				return streamOf("id: 1\nretry: 300\n\n")
			}
			return streamOf(": nothing new")
		})}})
		err := c.fails(1, "tools/call")
		wantText(t, err, "tools/call: outcome unknown: the stream ended without an answer, and 5 tries to resume it brought none")
		want := []time.Duration{0, 300 * time.Millisecond, 600 * time.Millisecond, 1600 * time.Millisecond, 3600 * time.Millisecond, 7600 * time.Millisecond}
		if diff := cmp.Diff(want, at); diff != "" {
			t.Error(diff)
		}
	})
}

// TestHTTPResumeWithinTheTimeout: the pause that a server wants does not keep a call beyond its time (HTTP-8).
func TestHTTPResumeWithinTheTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := connectClient(t, &mcp.HTTP{URL: "http://server.example/mcp", Client: &http.Client{Transport: answers(func(r *http.Request) *http.Response {
			if r.Method != "POST" {
				return &http.Response{StatusCode: 405, Body: http.NoBody}
			}
			body, _ := io.ReadAll(r.Body)
			switch m, _ := jsonrpc.Parse(body); m.Method {
			case "initialize":
				return streamOf("data: " + response(m, `{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"f","version":"1"}}`) + "\n\n")
			case "tools/call":
				return streamOf("id: 1\nretry: 90000\n\n")
			}
			return &http.Response{StatusCode: 202, Body: http.NoBody}
		})}}, &mcp.Options{Timeout: 3 * time.Second})
		start := time.Now()
		_, err := client.Call(t.Context(), "tools/call", nil)
		wantText(t, err, "tools/call: timeout: no answer within 3s")
		if d := time.Since(start); d != 3*time.Second {
			t.Errorf("it took %v", d)
		}
	})
}

// TestHTTPListen is HTTP-11: the server's own stream brings messages, and is resumed when it breaks.
func TestHTTPListen(t *testing.T) {
	var gets atomic.Int32
	f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
		if r.Method != "GET" {
			return false
		}
		switch n := gets.Add(1); n {
		case 1:
			writeChunks(w, eventStream, "id: 7\nretry: 10\n\n", `data: {"jsonrpc":"2.0","method":"notifications/a"}`+"\n\n")
		case 2:
			writeChunks(w, eventStream, `data: {"jsonrpc":"2.0","method":"notifications/b"}`+"\n\n")
			reset(w)
		case 3:
			writeChunks(w, eventStream, `data: {"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n\n")
			<-r.Context().Done()
		}
		return true
	})
	c := connectHTTP(t, &mcp.HTTP{URL: f.URL})
	c.initialize()
	for _, want := range []string{`{"jsonrpc":"2.0","method":"notifications/a"}`, `{"jsonrpc":"2.0","method":"notifications/b"}`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`} {
		if got, err := c.next(); got != want || err != nil {
			t.Fatalf("%s, %v, want %s", got, err, want)
		}
	}
	c.Close()
	var last []string
	for i := range f.requests() {
		if r := f.request(i); r.method == "GET" {
			last = append(last, r.header.Get("Last-Event-ID"))
		}
	}
	if diff := cmp.Diff([]string{"", "7", "7"}, last); diff != "" {
		t.Error(diff)
	}
}

// TestHTTPListenEnds: the stream is resumed while the session lives, and not a moment longer.
func TestHTTPListenEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var gets []time.Duration
		start := time.Now()
		c := connectHTTP(t, &mcp.HTTP{URL: "http://server.example/mcp", Client: &http.Client{Transport: answers(func(r *http.Request) *http.Response {
			if r.Method == "GET" {
				gets = append(gets, time.Since(start))
				return streamOf("retry: 300\n\n")
			}
			return &http.Response{StatusCode: 202, Body: http.NoBody}
		})}})
		if err := c.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		c.Close()
		time.Sleep(time.Hour)
		want := []time.Duration{0, 300 * time.Millisecond, 600 * time.Millisecond, 900 * time.Millisecond}
		if diff := cmp.Diff(want, gets); diff != "" {
			t.Error(diff)
		}
	})
}

// TestHTTPListenRefused is theme J, 66: whatever GET is answered, calls work and GET is not tried again.
func TestHTTPListenRefused(t *testing.T) {
	for _, status := range []int{405, 404, 406, 400, 401, 500, 200, 204, 301, 307} {
		var gets atomic.Int32
		f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
			if r.Method != "GET" {
				return false
			}
			gets.Add(1)
			w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			if status == 200 {
				fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`)
			}
			return true
		})
		c := connectHTTP(t, &mcp.HTTP{URL: f.URL})
		c.initialize()
		eventually(t, "the GET", func() bool { return gets.Load() == 1 })
		if got, err := c.call(1, "ping"); got != ok1 || err != nil {
			t.Errorf("%d: %s, %v", status, got, err)
		}
		time.Sleep(20 * time.Millisecond)
		c.Close()
		if gets.Load() != 1 {
			t.Errorf("%d: %d GETs", status, gets.Load())
		}
	}
}

// TestHTTPListenDelaysNothing: a server that never answers the GET holds up neither calls nor Close.
func TestHTTPListenDelaysNothing(t *testing.T) {
	f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
		if r.Method != "GET" {
			return false
		}
		<-r.Context().Done()
		return true
	})
	c := connectHTTP(t, &mcp.HTTP{URL: f.URL})
	start := time.Now()
	c.initialize()
	if got, err := c.call(1, "ping"); got != ok1 || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	c.Close()
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("it took %v", d)
	}
}

// TestHTTPStreamLeftOpen: a server that keeps the stream open after the answer delays nothing, and Close ends it.
func TestHTTPStreamLeftOpen(t *testing.T) {
	var left atomic.Int32
	f := newFakeHTTP(t, func(w http.ResponseWriter, r *http.Request, m jsonrpc.Message) bool {
		if r.Method != "POST" {
			return false
		}
		writeChunks(w, eventStream, "data: "+ok1+"\n\n")
		<-r.Context().Done()
		left.Add(1)
		return true
	})
	c := connectHTTP(t, &mcp.HTTP{URL: f.URL})
	start := time.Now()
	for range 3 {
		if got, err := c.call(1, "ping"); got != ok1 || err != nil {
			t.Errorf("%s, %v", got, err)
		}
	}
	if d := time.Since(start); d > 2500*time.Millisecond {
		t.Errorf("three calls took %v", d)
	}
	c.Close()
	eventually(t, "the streams end", func() bool { return left.Load() == 3 })
}
