package timeline

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay"
)

// WriteJSON writes the timeline as one JSON object on one line, as docs/show.md describes it: the header as it
// stands in the cassette, the number of frames, each request of the client ("calls") and of the server
// ("serverCalls"), what went wrong, and whether the recording was cut off ("truncated").
func (t *Timeline) WriteJSON(w io.Writer) error {
	header, err := headerLine(t.Header)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	b := append([]byte(`{"header":`), header...)
	b = append(b, `,"frames":`...)
	b = strconv.AppendInt(b, int64(t.Frames), 10)
	b = append(b, `,"seconds":`...)
	b = appendSeconds(b, t.Length)
	b = append(b, `,"calls":[`...)
	b = t.appendCalls(out, b, mcp.FromClient)
	b = append(b, `],"serverCalls":[`...)
	b = t.appendCalls(out, b, mcp.FromServer)
	b = append(b, `],"problems":[`...)
	for i, p := range t.Problems {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"text":`...)
		b = appendText(b, p.Text)
		b = append(b, `,"frame":`...)
		b = strconv.AppendInt(b, int64(p.Frame), 10)
		b = append(b, `,"count":`...)
		b = strconv.AppendInt(b, int64(p.Count), 10)
		b = append(b, '}')
	}
	b = append(b, `],"truncated":`...)
	b = strconv.AppendBool(b, t.Cut)
	b = append(b, "}\n"...)
	out.Write(b)
	return out.Flush()
}

// appendCalls appends the calls of one side to b, which it hands on to out as it grows. The error of out stays there.
func (t *Timeline) appendCalls(out *bufio.Writer, b []byte, from mcp.Side) []byte {
	first := true
	for c := range t.AllCalls(from) {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = appendCall(b, &c)
		if len(b) > 1<<15 {
			out.Write(b)
			b = b[:0]
		}
	}
	return b
}

func appendCall(b []byte, c *Call) []byte {
	b = append(b, `{"method":`...)
	b = appendText(b, c.Method)
	b = append(b, `,"name":`...)
	b = appendText(b, c.Name)
	b = append(b, `,"at":`...)
	b = appendSeconds(b, c.At)
	b = append(b, `,"durationMs":`...)
	if c.Duration < 0 {
		b = append(b, "null"...)
	} else {
		b = appendMillis(b, c.Duration)
	}
	b = append(b, `,"outcome":"`...)
	b = append(b, c.Outcome.String()...)
	b = append(b, `","frame":`...)
	b = strconv.AppendInt(b, int64(c.Frame), 10)
	if c.Answer > 0 {
		b = append(b, `,"answer":`...)
		b = strconv.AppendInt(b, int64(c.Answer), 10)
	}
	if c.Session > 0 {
		b = append(b, `,"session":`...)
		b = strconv.AppendInt(b, int64(c.Session), 10)
	}
	return append(b, '}')
}

// headerLine is the header as a cassette has it.
func headerLine(h *replay.Header) ([]byte, error) {
	var line bytes.Buffer
	if _, err := replay.NewWriter(&line, h); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(line.Bytes()), nil
}

func appendText(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s) // what is no UTF-8 is replaced
	return b
}

func appendSeconds(b []byte, d time.Duration) []byte { return appendFixed(b, d.Microseconds(), 6) }

func appendMillis(b []byte, d time.Duration) []byte { return appendFixed(b, d.Microseconds(), 3) }

// appendFixed writes n with that many digits after the point, as few of them as say the same.
func appendFixed(b []byte, n int64, digits int) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	unit := int64(1)
	for range digits {
		unit *= 10
	}
	b = strconv.AppendInt(b, n/unit, 10)
	if n%unit == 0 {
		return b
	}
	tail := strconv.AppendInt(nil, unit+n%unit, 10)
	tail[0] = '.'
	return append(b, bytes.TrimRight(tail, "0")...)
}
