package replay

import (
	"bytes"
	"io"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// FuzzScanValue holds the scanner against the JSON package: they take the same texts.
func FuzzScanValue(f *testing.F) {
	for _, s := range []string{`{"a":[1,-0.5e+3,true,false,null,"\u00e9\\"]}`, `[1,]`, `{"a"}`, `01`, `"\ud800"`, "\"\x1f\"", `{"a":1,"a":2}`,
		`"1234567\"8"`, `nul`, `-`, `1.`, `1e`, `[[[]]]`, `{"a":{}}`, ``} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		end, _, err := scanValue(data, 0)
		ours := err == nil && skipSpace(data, end) == len(data)
		d := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		_, err = d.ReadValue()
		if err == nil {
			_, err = d.ReadToken()
			if err == io.EOF {
				err = nil
			} else if err == nil {
				err = io.ErrUnexpectedEOF
			}
		}
		if theirs := err == nil; ours != theirs {
			t.Errorf("%q: ours %v, theirs %v (%v)", data, ours, theirs, err)
		}
	})
}

// FuzzReader feeds the reader anything: it must not panic, and what it reads must survive being written.
func FuzzReader(f *testing.F) {
	header := appendHeader(nil, testHeader())
	whole := bytes.Clone(header)
	for _, e := range everyFrame {
		f.Add(append(append(bytes.Clone(header), e.line...), '\n'))
		whole = append(append(whole, e.line...), '\n')
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-9])
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse(data, "fuzz")
		if err != nil {
			return
		}
		for frame, err := range c.Frames() {
			if err != nil {
				t.Fatalf("indexed, but: %v", err)
			}
			line := appendFrame(nil, &frame)
			var again Frame
			if err := decodeFrame(line[:len(line)-1], &again, false); err != nil {
				t.Fatalf("written as %q, which does not read: %v", line, err)
			}
			if twice := appendFrame(nil, &again); !bytes.Equal(line, twice) {
				t.Fatalf("written as %q, then as %q", line, twice)
			}
		}
	})
}
