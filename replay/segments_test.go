package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// longCassette has lines of all lengths, blank ones, and one that is longer than two segments; the whole is several segments long.
func longCassette() []byte {
	b := appendHeader(nil, testHeader())
	for i := 0; len(b) < 5*segmentSize; i++ {
		length := i * 7919 % 30_000
		if i == 100 {
			length = 5 * segmentSize / 2
		}
		b = fmt.Appendf(b, `{"at":%d.000000,"from":"server","message":{"jsonrpc":"2.0","method":"m","params":{"s":"%s"}}}`+"\n", i, strings.Repeat("é", length/2))
		if i%50 == 0 {
			b = append(b, "\n\r\n"...)
		}
	}
	return b
}

// The index of a large cassette, which is made of its segments side by side, is that of its lines one after the other.
func TestIndexOfSegments(t *testing.T) {
	data := longCassette()
	c, err := Parse(data, "long")
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(bytes.NewReader(data), "long")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for ; ; n++ {
		want, err := r.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		got, err := c.Frame(n)
		if err != nil {
			t.Fatal(err)
		}
		if e := c.Entry(n); e.At != time.Duration(n)*time.Second || !bytes.Equal(got.Data, want.Data) {
			t.Fatalf("frame %d: %v, %d bytes, not %d", n, e.At, len(got.Data), len(want.Data))
		}
	}
	if n != c.Len() || c.Cut() {
		t.Errorf("%d frames, not %d; cut: %v", c.Len(), n, c.Cut())
	}

	last := bytes.LastIndexByte(bytes.TrimRight(data, "\r\n"), '\n')
	if c, err = Parse(data[:last+30], "cut"); err != nil || c.Len() != n-1 || !c.Cut() {
		t.Errorf("cut off in its last line: %d frames, cut: %v, %v", c.Len(), c.Cut(), err)
	}
	broken := append(bytes.Clone(data[:last+1]), "{}\n"...)
	_, err = Parse(broken, "broken")
	if damage := (*DamageError)(nil); !errors.As(err, &damage) || damage.Line != bytes.Count(broken, []byte{'\n'}) {
		t.Errorf("damaged in line %d: %v", bytes.Count(broken, []byte{'\n'}), err)
	}
}
