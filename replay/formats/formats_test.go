package formats

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

func load(t *testing.T, name string, o *ImportOptions) *Recording {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if o == nil {
		o = &ImportOptions{}
	}
	o.Name, o.By = name, "test"
	rec, err := Import(data, o)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// told writes frames as people would: side, kind, and method or id.
func told(rec *Recording) []string {
	var out []string
	for _, f := range rec.Frames {
		side := "→ "
		if f.From == mcp.FromServer {
			side = "← "
		}
		what := map[mcp.FrameKind]string{mcp.FrameNoise: "noise", mcp.FrameStderr: "stderr", mcp.FrameClose: "close", mcp.FrameExit: "exit",
			mcp.FrameHTTP: "http", mcp.FrameBody: "body", mcp.FrameEvent: "event", mcp.FrameEnd: "end"}[f.Kind]
		if f.Kind == mcp.FrameMessage {
			m, err := jsonrpc.Parse(f.Data)
			switch {
			case err != nil:
				what = err.Error()
			case m.Kind() == jsonrpc.Response:
				what = "answer " + string(m.ID)
			case m.Kind() == jsonrpc.Request:
				what = m.Method + " " + string(m.ID)
			default:
				what = m.Method
			}
		}
		out = append(out, side+what)
	}
	return out
}

// These files tell of one and the same session, as each tool recorded it.
func TestOneSessionInManyFormats(t *testing.T) {
	want := []string{
		"→ initialize 1", "← answer 1", "→ notifications/initialized", "→ tools/list 2", "← answer 2",
		"→ tools/call 3", "← answer 3", "→ tools/call 4", "← answer 4", "→ tools/call 5", "← answer 5", "→ tools/call 6",
		"← notifications/progress", "← notifications/progress", "← notifications/progress", "← notifications/progress", "← answer 6",
		"→ tools/call 7", "← sampling/createMessage 101", "→ answer 101", "← answer 7",
	}
	first := load(t, "ivermin-mcp-cassette-v2.jsonl", nil)
	for _, c := range []struct {
		file, by string
		server   replay.ServerLine
		notes    []string
	}{
		{"ivermin-mcp-cassette-v2.jsonl", "test from ivermin", replay.ServerLine{Command: "/usr/local/bin/tiny-server"},
			[]string{"line 1: mcp-cassette had redacted the recording: what it took out is not in the cassette"}},
		{"cheneeheng-mcp-cassette-v2.json", "test from cheneeheng", replay.ServerLine{}, nil},
		{"mcpsnoop.jsonl", "test from mcpsnoop", replay.ServerLine{Command: "/usr/local/bin/tiny-server"}, []string{"line 1: not carried over: cwd"}},
		{"mcp-rec.jsonl", "test from mcp-rec", replay.ServerLine{}, nil},
		{"toddegray-mcp-recorder.jsonl", "test from toddegray", replay.ServerLine{Command: "/usr/local/bin/tiny-server"}, nil},
		{"nachiket-mcp-vcr.yaml", "test from nachiket", replay.ServerLine{Command: "tiny"}, nil},
	} {
		t.Run(c.file, func(t *testing.T) {
			rec := load(t, c.file, nil)
			if d := cmp.Diff(want, told(rec)); d != "" {
				t.Error(d)
			}
			h := rec.Header
			if h.Server.Args = nil; cmp.Diff(c.server, h.Server) != "" || h.By != c.by || h.Transport != "stdio" {
				t.Errorf("header %+v", h)
			}
			if day := h.Recorded.Format(time.DateOnly); day != "2026-12-01" {
				t.Errorf("recorded on %s", day)
			}
			if d := cmp.Diff(c.notes, rec.Notes); d != "" {
				t.Errorf("notes: %s", d)
			}
			for i := range rec.Frames {
				if meaning.Hash(rec.Frames[i].Data) != meaning.Hash(first.Frames[i].Data) {
					t.Errorf("frame %d: %s, and elsewhere %s", i+1, rec.Frames[i].Data, first.Frames[i].Data)
				}
			}
			if took := rec.Frames[16].At - rec.Frames[11].At; took < 400*time.Millisecond || took > 410*time.Millisecond {
				t.Errorf("the long call took %v", took)
			}
		})
	}
}

func TestOtherFormats(t *testing.T) {
	for _, c := range []struct {
		file         string
		frames, note []string
		server       replay.ServerLine
	}{
		{"mcporter.ndjson", []string{"→ initialize 0", "← answer 0", "→ notifications/initialized", "→ tools/call 1", "← notifications/tools/list_changed", "← answer 1", "→ close"},
			nil, replay.ServerLine{}},
		{"devhelm-mcp-recorder-v1.json", []string{"→ initialize 0", "← answer 0", "→ notifications/initialized", "→ tools/list 1", "← answer 1", "→ tools/call 2", "← answer 2"},
			nil, replay.ServerLine{Command: "node", Args: []string{"/[REDACTED]"}}},
		{"agent-vcr.vcr", []string{"→ initialize 1", "← answer 1", "→ tools/list 2", "← answer 2", "→ tools/call 3", "← answer 3"},
			nil, replay.ServerLine{Command: "/usr/local/bin/tiny-server"}},
		{"mcp-tape.jsonl", []string{"→ ping 1", "← noise", "← answer 1", "← exit"},
			[]string{"line 1: not carried over: label", "line 3: no message of JSON-RPC: it becomes noise"}, replay.ServerLine{Command: "tiny", Args: []string{"--quick"}}},
	} {
		t.Run(c.file, func(t *testing.T) {
			rec := load(t, c.file, nil)
			if d := cmp.Diff(c.frames, told(rec)); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(c.note, rec.Notes); d != "" {
				t.Errorf("notes: %s", d)
			}
			if d := cmp.Diff(c.server, rec.Header.Server); d != "" {
				t.Errorf("server: %s", d)
			}
		})
	}
	if tape := load(t, "mcp-tape.jsonl", nil); string(tape.Frames[1].Data) != "ready\n" || tape.Frames[3].Exit.Code != 3 || tape.Frames[3].At != 99*time.Millisecond {
		t.Errorf("mcp-tape: %q, %+v", tape.Frames[1].Data, tape.Frames[3])
	}
	for _, f := range load(t, "mcporter.ndjson", nil).Frames {
		if strings.Contains(string(f.Data), "_meta") {
			t.Errorf("what mcporter added is in the message: %s", f.Data)
		}
	}
}

// Where the tool kept the first event of a stream instead of the answer, it does not become the answer.
func TestFirstEventIsNoAnswer(t *testing.T) {
	rec, err := Import([]byte(`{"version":"1.0","metadata":{"server_url":"http://127.0.0.1:1/mcp"},"interactions":[{"type":"jsonrpc_request",
		"request":{"jsonrpc":"2.0","id":1,"method":"tools/call"},"response":{"jsonrpc":"2.0","method":"notifications/progress"},"response_is_sse":true},
		{"type":"lifecycle","http_method":"DELETE","http_path":"/mcp"}]}`), &ImportOptions{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"→ http", "→ tools/call 1", "← http", "← notifications/progress"}
	if d := cmp.Diff(want, told(rec)); d != "" {
		t.Error(d)
	}
	notes := []string{
		"interaction 1: the tool kept the first event of a stream (notifications/progress) instead of the answer: it is imported as what it is, and the request has no answer",
		"interaction 2: DELETE /mcp is not carried over",
		"the tool kept no HTTP heads: exchanges are made up around the messages",
	}
	if d := cmp.Diff(notes, rec.Notes); d != "" {
		t.Error(d)
	}
}

func TestSeveralServers(t *testing.T) {
	data := []byte(`{"jsonrpc":"2.0","id":1,"method":"ping","_meta":{"dir":"send","server":"a","ts":"2026-12-01T03:14:26Z"}}
{"jsonrpc":"2.0","id":1,"method":"ping","_meta":{"dir":"send","server":"b","ts":"2026-12-01T03:14:26Z"}}`)
	_, err := Import(data, &ImportOptions{Name: "x"})
	var several *SeveralError
	if !errors.As(err, &several) || cmp.Diff([]string{"a", "b"}, several.Names) != "" {
		t.Fatalf("err %v", err)
	}
	rec, err := Import(data, &ImportOptions{Name: "x", Pick: "b"})
	if err != nil || len(rec.Frames) != 1 || rec.Notes[0] != "a is in the file, too, and is left out" {
		t.Errorf("%v %+v", err, rec)
	}
}

func TestCutOff(t *testing.T) {
	data, err := os.ReadFile("testdata/mcp-rec.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	rec, err := Import(data[:len(data)-7], &ImportOptions{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Frames) != 20 || cmp.Diff([]string{"line 21: cut off, left out"}, rec.Notes) != "" {
		t.Errorf("%d frames, notes %q", len(rec.Frames), rec.Notes)
	}
}

func TestUnknownData(t *testing.T) {
	for _, data := range []string{"", "hello", "{}", "[1,2]", `{"a":`, "a: [", "\x00\xff", `{"log":{"entries":[]}}`} {
		if _, err := Import([]byte(data), &ImportOptions{Name: "x"}); err == nil {
			t.Errorf("%q was imported", data)
		}
	}
	_, err := Import([]byte("{}"), &ImportOptions{Name: "x", Format: "har"})
	if err == nil || err.Error() != "x: not in the format har" {
		t.Errorf("err %v", err)
	}
}

// A YAML alias that would grow without measure is refused.
func TestYAMLBomb(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+",", 9) + "*" + string(c-1) + "]\n"
	}
	if _, err := fromYAML([]byte(bomb + "messages: *j\nmeta: *j\n")); err == nil {
		t.Error("it was taken")
	}
}

func FuzzImport(f *testing.F) {
	files, _ := filepath.Glob("testdata/*")
	for _, name := range files {
		if data, err := os.ReadFile(name); err == nil {
			f.Add(data[:min(len(data), 4000)])
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		rec, err := Import(data, &ImportOptions{Name: "x"})
		if err != nil {
			return
		}
		redactor, err := replay.NewRedactor(nil)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := rec.Write(&out, redactor); err != nil {
			t.Fatal(err)
		}
		if _, err := replay.Parse([]byte(out.String()), "x"); err != nil {
			t.Errorf("%v in\n%s", err, out.String())
		}
	})
}
