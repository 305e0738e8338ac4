package replay

import (
	"bytes"
	"io"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
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

// FuzzRedactor redacts anything: JSON stays JSON, the known secret is gone, and redacting again changes nothing.
func FuzzRedactor(f *testing.F) {
	const secret = "fx-s3cret-0001"
	for _, s := range []string{
		`{"password":"` + secret + `","a":["` + secret + `",{"token":12345678}],"id":"` + `x"}`,
		`{"text":"{\"api_key\":5,\"p\":\"C:\\\\Users\\\\fxuser\"}","u":"https://u:p@h/?token=abc"}`,
		`{"a":"[redacted:x:1] [[path:home] \u005bredacted:"}`, "Bearer " + secret, "a=1&token=" + secret, "%66x-s3cret-0001 \\u0066x-s3cret-0001",
		"fx-s3\ncret-0001", "ZngtczNjcmV0LTAwMDE=", "/home/fxuser/x %2Fhome%2Ffxuser", "-----BEGIN PRIVATE " + "KEY-----", "\xff" + secret, `["` + secret,
	} {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	o := &RedactOptions{Env: []string{"ACME_KEY=" + secret}, Folders: &Folders{Home: "/home/fxuser", Tmp: "/tmp"},
		Rules: Rules{Patterns: []Pattern{{Name: "code", Expr: `code \S+`}}, Pointers: []string{"/params/*"}}}
	f.Fuzz(func(t *testing.T, data []byte, isMessage bool) {
		r, err := NewRedactor(o)
		if err != nil {
			t.Fatal(err)
		}
		frame := Frame{Frame: mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameBody, Data: data}}
		if isMessage {
			frame.Kind = mcp.FrameMessage
		}
		once := r.Frame(frame)
		if isMessageLine(data) && !isMessageLine(once.Data) {
			t.Errorf("%q becomes %q", data, once.Data)
		}
		if bytes.Contains(once.Data, []byte(secret)) && !plainID(data) {
			t.Errorf("%q stays in %q", data, once.Data)
		}
		twice := r.Again(once)
		if !bytes.Equal(once.Data, twice.Data) {
			t.Errorf("%q\n once %q\ntwice %q", data, once.Data, twice.Data)
		}
	})
}

// FuzzQuiet holds the shortcut against the whole way: a message that is quiet has nothing to redact.
func FuzzQuiet(f *testing.F) {
	const secret = "fx-s3cret-0001"
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}`,
		`{"password":"x"}`, `{"a":{"env":{"B":"c"}},"token" :"abcdefgh"}`, `{"n":12345678,"inputSchema":{"apiKey":{"type":"string"}}}`,
		`{"a":"` + secret + `"}`, `["Bearer a1B2c3D4e5F6g7H8i9"]`, `{"a":"/home/fxuser/x","b":"[path:home]"}`, `{"a":[],"b":{},"c":"eyJ"}`, `{"a":"ZngtczNjcmV0LTAwMDE="}`,
	} {
		f.Add([]byte(s))
	}
	r, err := NewRedactor(&RedactOptions{Env: []string{"ACME_KEY=" + secret, "PIN_KEY=12345678"}, Folders: &Folders{Home: "/home/fxuser", Tmp: "/tmp"}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !isMessageLine(data) || !r.quiet(data) {
			return
		}
		j := r.newJob(false)
		out := j.frame(Frame{Frame: mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameMessage, Data: data}})
		if !bytes.Equal(out.Data, data) || len(j.learns) > 0 {
			t.Errorf("%q is quiet, and becomes %q", data, out.Data)
		}
	})
}

// plainID tells whether a secret may stay where a message's id is left as it is.
func plainID(data []byte) bool {
	for _, name := range []string{`"id"`, `"requestId"`, `"progressToken"`, `\u`} {
		if bytes.Contains(data, []byte(name)) {
			return true
		}
	}
	return false
}

// FuzzPump cuts a stream into blocks anywhere: all of it is passed on, and all of it is recorded, line by line.
func FuzzPump(f *testing.F) {
	f.Add([]byte("{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\r\nnoise\n\n[]\n{\"jsonrpc\":\"2.0\",\"method\":\"b\"}"), 3)
	f.Add([]byte("\n\n\xff\n\uFEFF{}"), 1)
	f.Fuzz(func(t *testing.T, data []byte, block int) {
		var out, recorded bytes.Buffer
		lines := bytes.SplitAfter(data, []byte{'\n'})
		m := &middle{warn: func(string) {}, record: func(frames ...mcp.Frame) {
			for _, frame := range frames {
				recorded.Write(frame.Data)
				if frame.Kind == mcp.FrameMessage { // its line end is no part of it
					recorded.Write(lines[0][len(frame.Data):])
				}
				lines = lines[1:]
			}
		}}
		whole := false
		p := pump{src: &blockReader{data, max(block, 1)}, dst: &out, from: mcp.FromServer, middle: m, over: func(w bool) { whole = w }}
		if p.run(); !whole || !bytes.Equal(out.Bytes(), data) || !bytes.Equal(recorded.Bytes(), data) {
			t.Errorf("%q passes as %q and is recorded as %q", data, out.Bytes(), recorded.Bytes())
		}
	})
}

// A blockReader gives a few bytes at a time.
type blockReader struct {
	data []byte
	size int
}

func (r *blockReader) Read(b []byte) (int, error) {
	if len(r.data) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), r.size)], r.data)
	r.data = r.data[n:]
	return n, nil
}
