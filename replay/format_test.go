package replay

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
)

func testHeader() *Header {
	return &Header{
		Version:   1,
		Recorded:  time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC),
		By:        "mcp-replay 0.1.0",
		Transport: "stdio",
		Server:    ServerLine{Command: "npx", Args: []string{"-y", "a \"b\""}},
		Rules:     RuleSet{BuiltIn: 1, User: "sha256:00"},
		Vary:      []string{"/result/time"},
	}
}

// everyFrame holds a frame of each kind, with the line that tells it.
var everyFrame = []struct {
	line  string
	frame Frame
}{
	{`{"at":0.000113,"from":"client","message":{"jsonrpc":"2.0","id":1.0,"method":"x", "a":1,"a":"\ud800"}}`,
		Frame{Frame: mcp.Frame{At: 113 * time.Microsecond, From: mcp.FromClient, Kind: mcp.FrameMessage,
			Data: []byte(`{"jsonrpc":"2.0","id":1.0,"method":"x", "a":1,"a":"\ud800"}`)}}},
	{`{"at":0.000000,"from":"server","text":" {\r\n}"}`,
		Frame{Frame: mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameMessage, Data: []byte(" {\r\n}")}}},
	{`{"at":1.500000,"from":"server","of":"message","bytes":"eyL/In0="}`,
		Frame{Frame: mcp.Frame{At: 1500 * time.Millisecond, From: mcp.FromServer, Kind: mcp.FrameMessage, Data: []byte("{\"\xff\"}")}}},
	{`{"at":0.000000,"from":"server","noise":"Server ready\n"}`,
		Frame{Frame: mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameNoise, Data: []byte("Server ready\n")}}},
	{`{"at":0.000000,"from":"server","of":"noise","bytes":"//8="}`,
		Frame{Frame: mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameNoise, Data: []byte("\xff\xff")}}},
	{"{\"at\":0.000000,\"from\":\"server\",\"stderr\":\"warning: \u2028\\n\"}",
		Frame{Frame: mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameStderr, Data: []byte("warning: \u2028\n")}}},
	{`{"at":0.000000,"from":"server","of":"stderr","bytes":"/w=="}`,
		Frame{Frame: mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameStderr, Data: []byte("\xff")}}},
	{`{"at":9.100000,"from":"client","close":true}`,
		Frame{Frame: mcp.Frame{At: 9100 * time.Millisecond, From: mcp.FromClient, Kind: mcp.FrameClose}}},
	{`{"at":3600.130000,"from":"server","exit":{"code":0}}`,
		Frame{Frame: mcp.Frame{At: time.Hour + 130*time.Millisecond, From: mcp.FromServer, Kind: mcp.FrameExit, Exit: &mcp.ExitStatus{}}}},
	{`{"at":0.000000,"from":"server","exit":{"signal":"SIGKILL"}}`,
		Frame{Frame: mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameExit, Exit: &mcp.ExitStatus{Signal: "SIGKILL"}}}},
	{`{"at":0.000000,"from":"client","session":2,"exchange":7,"http":{"method":"POST","path":"/mcp?a=%20","header":{"Accept":["a","b"],"X-Y":[]}}}`,
		Frame{Session: 2, Frame: mcp.Frame{From: mcp.FromClient, Exchange: 7, Kind: mcp.FrameHTTP,
			Head: &mcp.HTTPHead{Method: "POST", Path: "/mcp?a=%20", Header: http.Header{"Accept": {"a", "b"}, "X-Y": {}}}}}},
	{`{"at":0.000000,"from":"server","exchange":7,"http":{"status":200,"header":{}}}`,
		Frame{Frame: mcp.Frame{From: mcp.FromServer, Exchange: 7, Kind: mcp.FrameHTTP, Head: &mcp.HTTPHead{Status: 200, Header: http.Header{}}}}},
	{`{"at":0.000000,"from":"server","exchange":7,"sse":{"event":"message","id":"","retry":"0300","comment":"a\nb"},"message":[]}`,
		Frame{Frame: mcp.Frame{From: mcp.FromServer, Exchange: 7, Kind: mcp.FrameMessage, Data: []byte("[]"),
			Event: &mcp.SSE{Event: "message", HasID: true, Retry: "0300", Comment: "a\nb"}}}},
	{`{"at":0.000000,"from":"server","exchange":7,"sse":{}}`,
		Frame{Frame: mcp.Frame{From: mcp.FromServer, Exchange: 7, Kind: mcp.FrameEvent, Event: &mcp.SSE{}}}},
	{`{"at":0.000000,"from":"server","exchange":7,"body":"<html>"}`,
		Frame{Frame: mcp.Frame{From: mcp.FromServer, Exchange: 7, Kind: mcp.FrameBody, Data: []byte("<html>")}}},
	{`{"at":0.000000,"from":"server","exchange":7,"of":"body","bytes":"/w=="}`,
		Frame{Frame: mcp.Frame{From: mcp.FromServer, Exchange: 7, Kind: mcp.FrameBody, Data: []byte("\xff")}}},
	{`{"at":0.000000,"from":"server","exchange":7,"end":"complete"}`,
		Frame{Frame: mcp.Frame{From: mcp.FromServer, Exchange: 7, Kind: mcp.FrameEnd, End: mcp.EndComplete}}},
	// Unknown keys, at the top, inside, and as the only payload, survive a rewrite.
	{`{"at":0.000000,"from":"server","note":[1.50],"http":{"status":200,"header":{},"proto":"h2"}}`,
		Frame{Frame: mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameHTTP, Head: &mcp.HTTPHead{Status: 200, Header: http.Header{}}},
			Extra: jsontext.Value(`{"note":[1.50],"http":{"proto":"h2"}}`)}},
	{`{"at":0.000000,"from":"server","future":{"a":1}}`,
		Frame{Frame: mcp.Frame{From: mcp.FromServer}, Extra: jsontext.Value(`{"future":{"a":1}}`)}},
}

func TestEveryKindOfFrameIsWrittenAndRead(t *testing.T) {
	var file bytes.Buffer
	w, err := NewWriter(&file, testHeader())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"mcp-replay 0.1.0","transport":"stdio",` +
		`"server":{"command":"npx","args":["-y","a \"b\""]},"rules":{"built-in":1,"user":"sha256:00"},"vary":["/result/time"]}` + "\n"
	for _, e := range everyFrame {
		if err := w.WriteFrame(&e.frame); err != nil {
			t.Fatal(err)
		}
		want += e.line + "\n"
	}
	if diff := cmp.Diff(want, file.String()); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}

	r, err := NewReader(strings.NewReader("\uFEFF"+strings.ReplaceAll(want, "\n", "\r\n\n")), "crlf.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(testHeader(), r.Header()); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
	c, err := Parse(file.Bytes(), "x")
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range everyFrame {
		f, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(e.frame, f); diff != "" {
			t.Errorf("read %s (-want +got):\n%s", e.line, diff)
		}
		again, err := c.Frame(i)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(e.frame, again); diff != "" {
			t.Errorf("read by index %s (-want +got):\n%s", e.line, diff)
		}
		entry := Entry{At: f.At, From: f.From, Kind: f.Kind, Exchange: f.Exchange, Session: f.Session}
		if diff := cmp.Diff(entry, c.Entry(i)); diff != "" {
			t.Errorf("index of %s (-want +got):\n%s", e.line, diff)
		}
	}
	if _, err := r.Next(); err != io.EOF || r.Cut() {
		t.Errorf("at the end: %v, cut %v", err, r.Cut())
	}
}

func TestHeaderKeepsUnknownKeys(t *testing.T) {
	line := `{"cassette":1,"recorded":"2026-12-01T10:00:00.5Z","by":"x","transport":"http",` +
		`"server":{"url":"http://h/mcp","era":1},"rules":{"built-in":2,"by":"y"},"note":"n"}` + "\n"
	h, err := decodeHeader([]byte(strings.TrimSpace(line)))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(appendHeader(nil, h)); got != line {
		t.Errorf("rewritten\n%s, want\n%s", got, line)
	}
}

// REP-10: cut off at any byte, a cassette is read up to its last whole line, and says so.
func TestCassetteCutOffAtAnyByte(t *testing.T) {
	whole := appendHeader(nil, testHeader())
	headerEnd := len(whole)
	ends := []int{headerEnd}
	for _, e := range everyFrame {
		whole = append(append(whole, e.line...), '\n')
		ends = append(ends, len(whole))
	}
	for n := 1; n < len(whole); n++ {
		c, err := Parse(whole[:n], "cut.jsonl")
		if n < headerEnd-1 {
			if damage := (*DamageError)(nil); !errors.As(err, &damage) || damage.Line != 1 ||
				!strings.HasPrefix(damage.Cause.Error(), "the header is cut off") {
				t.Fatalf("cut off at byte %d: %v", n, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("cut off at byte %d: %v", n, err)
		}
		frames, cut := -1, true
		for _, end := range ends {
			if n >= end-1 { // the line feed alone may be missing
				frames++
				cut = n > end
			}
		}
		if c.Len() != frames || c.Cut() != cut {
			t.Fatalf("cut off at byte %d: %d frames, cut %v; want %d, %v", n, c.Len(), c.Cut(), frames, cut)
		}
	}
}

// REP-10, fault 90: what is wrong with a cassette is told apart, with its file and line.
func TestDamageIsToldApart(t *testing.T) {
	header := string(appendHeader(nil, testHeader()))
	good := everyFrame[0].line + "\n"
	for name, test := range map[string]struct{ file, want string }{
		"no JSON":           {header + good + "not json at all\n" + good, `c.jsonl:3: damaged cassette: column 1: 'n' where an object is due`},
		"no JSON, last":     {header + good + "not json at all", `c.jsonl:3: damaged cassette: column 1: 'n' where an object is due`},
		"half line inside":  {header + good[:40] + "\n" + good, `c.jsonl:2: damaged cassette: column 41: the line ends where ':' is due`},
		"two objects":       {header + good[:len(good)-1] + good, `c.jsonl:2: damaged cassette: column 102: more after the end of the object`},
		"bad UTF-8":         {header + "{\"at\":0,\"from\":\"server\",\"noise\":\"\xff\"}\n", `c.jsonl:2: damaged cassette: bytes that are not UTF-8`},
		"sideways":          {header + `{"at":0,"from":"sideways","noise":""}` + "\n", `c.jsonl:2: damaged cassette: "from": "\"sideways\"" is neither client nor server`},
		"no time":           {header + `{"from":"client","noise":""}` + "\n", `c.jsonl:2: damaged cassette: a frame without "at"`},
		"time backwards":    {header + `{"at":-1,"from":"client","noise":""}` + "\n", `c.jsonl:2: damaged cassette: "at": "-1" is no time in seconds`},
		"two payloads":      {header + `{"at":0,"from":"client","noise":"","close":true}` + "\n", `c.jsonl:2: damaged cassette: "close": a line tells one thing, and this is its second`},
		"a key twice":       {header + `{"at":0,"at":1,"from":"client","noise":""}` + "\n", `c.jsonl:2: damaged cassette: "at": stands twice on one line`},
		"no base64":         {header + `{"at":0,"from":"client","of":"body","bytes":"*"}` + "\n", `c.jsonl:2: damaged cassette: "bytes": illegal base64 data at input byte 0`},
		"bytes of nothing":  {header + `{"at":0,"from":"client","bytes":""}` + "\n", `c.jsonl:2: damaged cassette: "of": "" is none of message, noise, stderr and body`},
		"another end":       {header + `{"at":0,"from":"client","end":"soon"}` + "\n", `c.jsonl:2: damaged cassette: "end": "soon" is none of complete, reset and client`},
		"empty exit":        {header + `{"at":0,"from":"server","exit":{}}` + "\n", `c.jsonl:2: damaged cassette: "exit": neither code nor signal`},
		"head of what":      {header + `{"at":0,"from":"server","http":{"header":{}}}` + "\n", `c.jsonl:2: damaged cassette: "http": neither a request's head (method) nor an answer's (status)`},
		"no cassette":       {good, `c.jsonl:1: damaged cassette: the first line has no "cassette" key: this is not a cassette`},
		"UTF-16":            {"\xff\xfe{\x00", `c.jsonl:1: damaged cassette: the file is UTF-16; a cassette is UTF-8`},
		"version nothing":   {`{"cassette":"one"}` + "\n", `c.jsonl:1: damaged cassette: "cassette": "\"one\"" is no version`},
		"unknown transport": {`{"cassette":1,"transport":"pigeon"}` + "\n", `c.jsonl:1: damaged cassette: "transport": "pigeon" is neither stdio nor http`},
	} {
		_, err := Parse([]byte(test.file), "c.jsonl")
		if damage := (*DamageError)(nil); !errors.As(err, &damage) || err.Error() != test.want {
			t.Errorf("%s: %v\nwant %s", name, err, test.want)
		}
	}

	_, err := Parse([]byte(`{"cassette":2,"transport":{}}`+"\n"), "c.jsonl")
	if newer := (*VersionError)(nil); !errors.As(err, &newer) || err.Error() != "c.jsonl: cassette version 2 is newer than this program reads (1)" {
		t.Errorf("newer version: %v", err)
	}
	dir := t.TempDir()
	if _, err := Open(filepath.Join(dir, "none.jsonl")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	empty := filepath.Join(dir, "empty.jsonl")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(empty); !errors.Is(err, ErrEmpty) || !strings.Contains(err.Error(), empty) {
		t.Errorf("empty: %v", err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("a folder: %v", err)
	}
}

// A message stands in its line byte for byte where that can be, as text or base64 where not.
func TestHowAMessageIsHeld(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for data, key := range map[string]string{
		`{"a":1.0, "b":[ ]}`: "message",
		`[]`:                 "message",
		deep(8999):           "message",
		deep(9000):           "text",
		` {}`:                "text",
		"{}\r":               "text",
		"{\r}":               "text",
		"{\n}":               "text",
		"\uFEFF{}":           "text",
		`{"a":}`:             "text",
		"":                   "text",
		"{\"a\":\"\u2028\"}": "message",
		"\"\xff\"":           "bytes",
	} {
		line := appendFrame(nil, &Frame{Frame: mcp.Frame{From: mcp.FromClient, Kind: mcp.FrameMessage, Data: []byte(data)}})
		if !bytes.Contains(line, []byte(`,"`+key+`":`)) {
			t.Errorf("%.40q is held as %.80s, want %s", data, line, key)
		}
		var f Frame
		if err := decodeFrame(line, &f, false); err != nil || string(f.Data) != data {
			t.Errorf("%.40q comes back as %.40q, %v", data, f.Data, err)
		}
	}
}
