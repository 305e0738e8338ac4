package jsonrpc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// lines reads all lines of r as text, with their ends, and errors in brackets.
func lines(r io.Reader, limit int) (all []string) {
	l := NewLineReader(r, limit)
	for {
		line, err := l.ReadLine()
		var long *TooLongError
		switch {
		case err == nil:
			all = append(all, string(line)+l.End())
		case errors.As(err, &long):
			all = append(all, fmt.Sprintf("[too long: %.5s id %s]", long.Prefix, long.ID))
		case err == io.EOF:
			return all
		default:
			return append(all, "["+err.Error()+"]")
		}
	}
}

func TestLineReader(t *testing.T) {
	id := `{"jsonrpc":"2.0","id":7,"result":"` + strings.Repeat("x", 100) + `"}`
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"LF and CRLF", "a\nb\r\nc\n", []string{"a\n", "b\r\n", "c\n"}},
		{"blank lines", "\n\r\n\n", []string{"\n", "\r\n", "\n"}},
		{"no end", "a\nb", []string{"a\n", "b"}},
		{"a lone CR is none", "a\rb\r\r\n", []string{"a\rb\r\r\n"}},
		{"other line ends", "a\u2028b\u0085c\vd\n", []string{"a\u2028b\u0085c\vd\n"}},
		{"at the limit", strings.Repeat("x", 64) + "\r\ny\n", []string{strings.Repeat("x", 64) + "\r\n", "y\n"}},
		{"over the limit", strings.Repeat("x", 65) + "\ny\n", []string{"[too long: xxxxx id null]", "y\n"}},
		{"over the limit at the end", strings.Repeat("x", 65), []string{"[too long: xxxxx id null]"}},
		{"over the limit, with an id", id + "\n", []string{`[too long: {"jso id 7]`}},
		{"over the limit, the id last", `{"result":{"id":1,"x":"\"},` + strings.Repeat("x", 100) + `"},"jsonrpc":"2.0","id":"a"}` + "\nz", []string{`[too long: {"res id "a"]`, "z"}},
		{"over the limit, a request", `{"method":"x","id":1,"params":"` + strings.Repeat("x", 100) + `"}` + "\nz", []string{`[too long: {"met id null]`, "z"}},
		{"over the limit, with a BOM", "\ufeff" + id + "\n", []string{"[too long: \ufeff{\"js id 7]"}},
	} {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(c.in), "by bytes": iotest.OneByteReader(strings.NewReader(c.in)),
			"by halves": iotest.HalfReader(strings.NewReader(c.in)), "with the end": iotest.DataErrReader(strings.NewReader(c.in))} {
			if got := lines(r, 64); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
				t.Errorf("%s, %s:\n got %q\nwant %q", c.name, name, got, c.want)
			}
		}
	}
}

func TestLineReaderKeepsItsErrors(t *testing.T) {
	boom := errors.New("boom")
	l := NewLineReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(boom)), 0)
	for i, want := range []error{nil, boom, boom} {
		if _, err := l.ReadLine(); err != want {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func TestLineReaderGoesOnAfterATimeout(t *testing.T) {
	l := NewLineReader(io.MultiReader(strings.NewReader("a"), &once{err: os.ErrDeadlineExceeded}, strings.NewReader("b\n")), 0)
	if _, err := l.ReadLine(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal(err)
	}
	if line, err := l.ReadLine(); string(line) != "ab" || err != nil {
		t.Errorf("%q, %v", line, err)
	}
}

// once fails the first time.
type once struct{ err error }

func (o *once) Read([]byte) (int, error) {
	err := o.err
	if o.err = io.EOF; err == io.EOF {
		return 0, io.EOF
	}
	return 0, err
}

// TestLineReaderMemory holds that lines which were handed out stay as they are, and that a flood of short lines behind
// a long one costs no more than its size.
func TestLineReaderMemory(t *testing.T) {
	long := strings.Repeat("x", 12_000_000)
	in := long + "\n" + strings.Repeat("short\n", 200_000)
	l := NewLineReader(iotest.OneByteReader(strings.NewReader("first\n")), 0)
	l.r = io.MultiReader(l.r, strings.NewReader(in))
	first, _ := l.ReadLine()
	second, err := l.ReadLine()
	if err != nil || len(second) != len(long) || cap(second) != len(long) {
		t.Fatal(len(second), cap(second), err)
	}
	n := 0
	for {
		line, err := l.ReadLine()
		if err != nil {
			break
		}
		if string(line) != "short" {
			t.Fatalf("%q", line)
		}
		n++
	}
	if string(first) != "first" || string(second) != long || n != 200_000 || cap(l.buf) > 4*chunk {
		t.Errorf("%q, %d lines, %d bytes kept", first, n, cap(l.buf))
	}
}

// TestLineReaderIsLinear holds that a long line in small pieces costs less than four times its length.
func TestLineReaderIsLinear(t *testing.T) {
	line := bytes.Repeat([]byte("x"), 12_000_000)
	line[len(line)-1] = '\n'
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := NewLineReader(&chunks{line, 1024}, 0).ReadLine()
	runtime.ReadMemStats(&after)
	if len(got) != len(line)-1 || err != nil {
		t.Fatal(len(got), err)
	}
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 4*uint64(len(line)) {
		t.Errorf("%d bytes for %d", spent, len(line))
	}
}

// FuzzLineReader compares with a split of the whole text, whatever the chunks.
func FuzzLineReader(f *testing.F) {
	f.Add([]byte("a\nb\r\n\r\r\n\nc"), uint8(3), uint8(5))
	f.Add([]byte(`{"id":1,"result":"xxxxxxxxxxxxx"}`+"\n{}\n"), uint8(1), uint8(20))
	f.Add([]byte("\xef\xbb\xbf{}\n\xff\xfe\n"), uint8(2), uint8(64))
	f.Fuzz(func(t *testing.T, data []byte, size, limit uint8) {
		limit = max(limit, 1)
		var want []string
		rest := data
		for len(rest) > 0 {
			line, after, ended := bytes.Cut(rest, []byte("\n"))
			rest = after
			end := ""
			if ended {
				end = "\n"
			}
			if n := len(line); n > 0 && line[n-1] == '\r' {
				line, end = line[:n-1], "\r"+end
			}
			if len(line) > int(limit) {
				want = append(want, "[too long]")
			} else {
				want = append(want, string(line)+end)
			}
		}
		got := lines(&chunks{data, int(size%16) + 1}, int(limit))
		for i, s := range got {
			if strings.HasPrefix(s, "[too long: ") {
				got[i] = "[too long]"
			}
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("%q with limit %d:\n got %q\nwant %q", data, limit, got, want)
		}
	})
}

// chunks is a reader that gives a few bytes at a time.
type chunks struct {
	rest []byte
	size int
}

func (c *chunks) Read(b []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(c.size, len(b))], c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

// FuzzSniffID holds the sniffer to the parser: on a whole answer both find the same id.
func FuzzSniffID(f *testing.F) {
	f.Add([]byte(`{"result":{"id":1,"a":"\"}"},"jsonrpc":"2.0","id":"x"}`))
	f.Add([]byte(`{"jsonrpc":"2.0","\u0069d":-3,"error":[]}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"id":2,"result":null,"method":""}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		id, ok := SniffID(data)
		m, err := Parse(data)
		if err != nil || m.Kind() != Response || len(m.ID) > maxToken || m.ID[0] == 'n' || bytes.Contains(data, []byte(`method`)) || bytes.Contains(data, []byte(`\`)) {
			return
		}
		if !ok || string(id) != string(m.ID) {
			t.Errorf("%q: %s, %v", data, id, ok)
		}
	})
}
