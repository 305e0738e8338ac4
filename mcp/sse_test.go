package mcp_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

func ExampleEventReader() {
	r := mcp.NewEventReader(strings.NewReader("id: 7\ndata: one\ndata: two\n\n: still here\n\n"), 0)
	for {
		event, err := r.Next()
		if err == io.EOF {
			break
		}
		fmt.Printf("data %q, comment %q\n", event.Data, event.Comment)
	}
	fmt.Println("resume after", r.LastID())
	// Output:
	// data "one\ntwo", comment ""
	// data "", comment "still here"
	// resume after 7
}

// readEvents reads a stream to its end.
func readEvents(r *mcp.EventReader) (events []mcp.Event, err error) {
	for {
		event, err := r.Next()
		var tooLong *jsonrpc.TooLongError
		switch {
		case err == io.EOF:
			return events, nil
		case errors.As(err, &tooLong):
			events = append(events, mcp.Event{SSE: mcp.SSE{Comment: "too long"}, Data: tooLong.Prefix})
		case err != nil:
			return events, err
		default:
			events = append(events, event)
		}
	}
}

func data(text string) mcp.Event { return mcp.Event{Data: []byte(text)} }

func TestEventReader(t *testing.T) {
	long := strings.Repeat("x", 70_000)
	tests := []struct {
		name, stream string
		want         []mcp.Event
		lastID       string
		retry        time.Duration
	}{
		{"nothing", "", nil, "", -1},
		{"blank lines only", "\n\n\r\r\n\n", nil, "", -1},
		{"one event", "data: a\n\n", []mcp.Event{data("a")}, "", -1},
		{"CR", "data: a\r\rdata: b\r\r", []mcp.Event{data("a"), data("b")}, "", -1},
		{"CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", []mcp.Event{data("a"), data("b")}, "", -1},
		{"every end mixed", "data: a\rdata: b\r\ndata: c\n\r\ndata: d\n\r", []mcp.Event{data("a\nb\nc"), data("d")}, "", -1},
		{"no space after the colon", "data:a\n\n", []mcp.Event{data("a")}, "", -1},
		{"only one space is left out", "data:  a \n\n", []mcp.Event{data(" a ")}, "", -1},
		{"no colon", "data\n\n", []mcp.Event{{}}, "", -1},
		{"two empty data lines", "data\ndata:\n\n", []mcp.Event{data("\n")}, "", -1},
		{"many data lines", "data: {\ndata:  1\n: note\ndata: }\n\n", []mcp.Event{{SSE: mcp.SSE{Comment: "note"}, Data: []byte("{\n 1\n}")}}, "", -1},
		{"BOM", "\uFEFFdata: a\n\n", []mcp.Event{data("a")}, "", -1},
		{"BOM in a later line belongs to a name", "data: a\n\uFEFFdata: b\n\n", []mcp.Event{data("a")}, "", -1},
		{"BOM of a value stays", "data: \uFEFFa\n\n", []mcp.Event{data("\uFEFFa")}, "", -1},
		{"comments", ":\n: a\n:b\n\n", []mcp.Event{{SSE: mcp.SSE{Comment: "\na\nb"}}}, "", -1},
		{"unknown field", "foo: bar\nDATA: b\n\n", []mcp.Event{{}}, "", -1},
		{"event", "event: x\nevent: message\ndata: {}\n\n", []mcp.Event{{SSE: mcp.SSE{Event: "message"}, Data: []byte("{}")}}, "", -1},
		{"id", "id: 1\ndata: a\n\nid\n\nid: 2\n\n", []mcp.Event{
			{SSE: mcp.SSE{ID: "1", HasID: true}, Data: []byte("a")}, {SSE: mcp.SSE{HasID: true}}, {SSE: mcp.SSE{ID: "2", HasID: true}},
		}, "2", -1},
		{"id with NUL", "id: 1\n\nid: 2\x003\ndata: a\n\n", []mcp.Event{{SSE: mcp.SSE{ID: "1", HasID: true}}, data("a")}, "1", -1},
		{"id of a cut-off event", "id: 1\ndata: a\n\nid: 2\ndata: b\n", []mcp.Event{{SSE: mcp.SSE{ID: "1", HasID: true}, Data: []byte("a")}}, "1", -1},
		{"retry", "retry: 050\n\n", []mcp.Event{{SSE: mcp.SSE{Retry: "050"}}}, "", 50 * time.Millisecond},
		{"retry of a cut-off event", "retry: 20\n", nil, "", 20 * time.Millisecond},
		{"retry that is no number", "retry: 5s\n\nretry:\n\nretry: -1\n\nretry: ٣\n\n", []mcp.Event{{}, {}, {}, {}}, "", -1},
		{"retry beyond all bounds", "retry: 99999999999999999999\n\n", []mcp.Event{{SSE: mcp.SSE{Retry: "99999999999999999999"}}}, "", 9223372036854 * time.Millisecond},
		{"separators of Unicode", "data: a\u2028b\u0085c\v\n\n", []mcp.Event{data("a\u2028b\u0085c\v")}, "", -1},
		{"cut off", "data: a\n\ndata: b", []mcp.Event{data("a")}, "", -1},
		{"a large value", "data: " + long + "\ndata: a\n\ndata: b\n\n", []mcp.Event{data(long + "\na"), data("b")}, "", -1},
		{"a large second value", "data: a\r\ndata: " + long + "\r\n\r\ndata: b\n\n", []mcp.Event{data("a\n" + long), data("b")}, "", -1},
	}
	readers := map[string]func(io.Reader) io.Reader{
		"whole":           func(r io.Reader) io.Reader { return r },
		"byte by byte":    iotest.OneByteReader,
		"data with error": iotest.DataErrReader,
	}
	for _, test := range tests {
		for how, reader := range readers {
			t.Run(test.name+"/"+how, func(t *testing.T) {
				r := mcp.NewEventReader(reader(strings.NewReader(test.stream)), 0)
				got, err := readEvents(r)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.want, got, cmp.Transformer("text", func(b []byte) string { return string(b) })); diff != "" {
					t.Errorf("events (-want +got):\n%s", diff)
				}
				if r.LastID() != test.lastID || r.Retry() != test.retry {
					t.Errorf("resume after %q in %v, want %q in %v", r.LastID(), r.Retry(), test.lastID, test.retry)
				}
			})
		}
	}
}

func TestEventReaderLimit(t *testing.T) {
	const limit = 100
	fits := strings.Repeat("x", limit-len("data: "))
	r := func(stream string) []mcp.Event {
		whole, err := readEvents(mcp.NewEventReader(strings.NewReader(stream), limit))
		if err != nil {
			t.Fatal(err)
		}
		cut, err := readEvents(mcp.NewEventReader(iotest.OneByteReader(strings.NewReader(stream)), limit))
		if err != nil || len(cut) != len(whole) {
			t.Fatalf("%d events, byte by byte %d, %v", len(whole), len(cut), err)
		}
		return whole
	}
	if got := r("data: " + fits + "\n\n"); string(got[0].Data) != fits {
		t.Errorf("an event of the limit's length: got %v", got)
	}
	for name, stream := range map[string]string{
		"one line":        "data: " + fits + "x\n\n",
		"many lines":      strings.Repeat("data: 1234\n", 20) + "\n",
		"unfinished":      "data: " + strings.Repeat("x", 1000),
		"only comments":   strings.Repeat(": 1234\n", 40) + "\n",
		"lines after it":  "data: " + strings.Repeat("y", 9000) + "\r\ndata: more\r\nid: 4\r\n\r\n",
		"one long name":   strings.Repeat("n", 300) + "\n\n",
		"exactly too far": "data: a\ndata: " + strings.Repeat("x", limit-13) + "\n\n",
	} {
		got := r(stream + "data: next\n\n")
		if got[0].Comment != "too long" {
			t.Errorf("%s: got %q first", name, got[0].Data)
		}
		if name == "unfinished" {
			continue
		}
		if len(got) != 2 || string(got[1].Data) != "next" {
			t.Errorf("%s: the event after it did not come: %v", name, got)
		}
	}
}

func TestEventReaderError(t *testing.T) {
	broken := errors.New("broken")
	r := mcp.NewEventReader(io.MultiReader(strings.NewReader("data: a\n\ndata: b\n"), iotest.ErrReader(broken)), 0)
	events, err := readEvents(r)
	if len(events) != 1 || err != broken {
		t.Errorf("got %d events and %v", len(events), err)
	}
	if _, err := r.Next(); err != broken {
		t.Errorf("the next call gives %v", err)
	}
	if _, err := mcp.NewEventReader(idle{}, 0).Next(); err != io.ErrNoProgress {
		t.Errorf("a reader that never reads gives %v", err)
	}
}

// idle is a reader that returns nothing and no error.
type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// TestEventReaderMemory reads an endless line: no more may be kept than the limit.
func TestEventReaderMemory(t *testing.T) {
	const limit = 1 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := readEvents(mcp.NewEventReader(io.LimitReader(repeat('x'), 64*limit), limit)); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 4*limit {
		t.Errorf("%d bytes allocated for a limit of %d", allocated, limit)
	}
}

type repeat byte

func (r repeat) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r)
	}
	return len(p), nil
}

// FuzzEventReader holds the reader against the standard's algorithm written down line by line, and against itself
// with other chunks.
func FuzzEventReader(f *testing.F) {
	f.Add([]byte("data: a\r\n\r\n"), 1)
	f.Add([]byte("\uFEFFid: 1\nretry: 50\nevent: ping\ndata\n\n"), 2)
	f.Add([]byte(": c\rdata:x\rdata: y\r\rfoo"), 3)
	f.Add([]byte("id: \x00\ndata: é\n\n\n\n"), 5)
	f.Fuzz(func(t *testing.T, stream []byte, chunk int) {
		chunk = max(1, min(chunk, 64))
		whole := mcp.NewEventReader(bytes.NewReader(stream), 0)
		events, err := readEvents(whole)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range events {
			if e.Data != nil {
				got = append(got, e.Event+"\x00"+string(e.Data))
			}
		}
		want, lastID := byTheStandard(stream)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-standard +got):\n%s", diff)
		}
		if whole.LastID() != lastID {
			t.Errorf("last id %q, by the standard %q", whole.LastID(), lastID)
		}
		cut, err := readEvents(mcp.NewEventReader(&chunks{stream, chunk}, 0))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(events, cut); diff != "" {
			t.Errorf("in chunks of %d:\n%s", chunk, diff)
		}
		if _, err := readEvents(mcp.NewEventReader(&chunks{stream, chunk}, 16)); err != nil {
			t.Fatal(err)
		}
	})
}

type chunks struct {
	rest []byte
	size int
}

func (c *chunks) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.rest[:min(len(c.rest), c.size)])
	c.rest = c.rest[n:]
	return n, nil
}

// byTheStandard interprets a whole stream: for each event that has data lines its type and data, and the last event id.
func byTheStandard(stream []byte) (events []string, lastID string) {
	text := strings.TrimPrefix(string(stream), "\uFEFF")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(text, "\n")
	var kind, id, buffer string
	for _, line := range lines[:len(lines)-1] { // the last has no end
		if line == "" {
			lastID = id
			if buffer != "" {
				events = append(events, kind+"\x00"+strings.TrimSuffix(buffer, "\n"))
			}
			kind, buffer = "", ""
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "data":
			buffer += value + "\n"
		case "event":
			kind = value
		case "id":
			if !strings.Contains(value, "\x00") {
				id = value
			}
		}
	}
	return events, lastID
}
