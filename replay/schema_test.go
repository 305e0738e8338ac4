package replay

import (
	"bufio"
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// lineSchemas are the two halves of docs/cassette.schema.json, so that a failure tells what is wrong with its line.
func lineSchemas(t *testing.T) (header, frame *jsonschema.Resolved) {
	t.Helper()
	text, err := os.ReadFile("../docs/cassette.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	resolve := func(ref string) *jsonschema.Resolved {
		var s jsonschema.Schema
		if err := s.UnmarshalJSON(text); err != nil {
			t.Fatal(err)
		}
		s.OneOf = []*jsonschema.Schema{{Ref: ref}}
		r, err := s.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	return resolve("#/$defs/header"), resolve("#/$defs/frame")
}

func validLine(s *jsonschema.Resolved, line []byte) error {
	value := make(map[string]any)
	err := eachMember(line, func(name string, part []byte) error {
		var v any
		if name != "message" { // which may be any JSON, repeated names and all
			if err := json.Unmarshal(part, &v, jsontext.AllowInvalidUTF8(true)); err != nil {
				return err
			}
		}
		value[name] = v
		return nil
	})
	if err != nil {
		return err
	}
	return s.Validate(value)
}

// The published schema takes every line that the writer writes, and none that the reader refuses.
func TestSchemaAgreesWithTheCode(t *testing.T) {
	header, frame := lineSchemas(t)
	h := testHeader()
	h.Rules.User = Rules{Pointers: []string{"/a"}}.Digest()
	if err := validLine(header, appendHeader(nil, h)); err != nil {
		t.Errorf("the header: %v", err)
	}
	for _, vary := range []string{"", "/result", "tools/list /result/tools/*/description", "tools/call:a b /result/content/0/text", "/exit"} {
		h.Vary = []string{vary}
		if err := validLine(header, appendHeader(nil, h)); err != nil {
			t.Errorf("%q: %v", vary, err)
		}
		if _, err := parseVary(vary); err != nil {
			t.Error(err)
		}
	}
	h.Vary = []string{"result/content"}
	if validLine(header, appendHeader(nil, h)) == nil {
		t.Error("vary without a pointer passes the schema")
	}
	for _, e := range everyFrame {
		if err := validLine(frame, []byte(e.line)); err != nil {
			t.Errorf("%s: %v", e.line, err)
		}
		if err := validLine(header, []byte(e.line)); err == nil {
			t.Errorf("%s passes for a header", e.line)
		}
	}
	for _, line := range []string{
		`{"from":"client","noise":""}`, `{"at":-1,"from":"client","noise":""}`, `{"at":0,"from":"sideways","noise":""}`,
		`{"at":0,"from":"client","noise":"","close":true}`, `{"at":0,"from":"client","close":false}`,
		`{"at":0,"from":"client","of":"body","bytes":"*"}`, `{"at":0,"from":"client","bytes":""}`, `{"at":0,"from":"client","end":"soon"}`,
		`{"at":0,"from":"server","exit":{}}`, `{"at":0,"from":"server","http":{"header":{}}}`, `{"at":0,"from":"server","session":"1","sse":{}}`,
	} {
		if validLine(frame, []byte(line)) == nil {
			t.Errorf("%s passes the schema", line)
		}
		if decodeFrame([]byte(line), new(Frame), false) == nil {
			t.Errorf("%s passes the reader", line)
		}
	}
}

// Every cassette in the repository reads, and each of its lines fits the schema.
func TestCassettesFitTheSchema(t *testing.T) {
	header, frame := lineSchemas(t)
	count := 0
	err := filepath.WalkDir("../cassettes", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(data, []byte(`{"cassette":`)) {
			return err
		}
		count++
		if c, err := Parse(data, path); err != nil || c.Cut() {
			t.Errorf("%s: %v", path, err)
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, len(data)+1)
		for n := 1; lines.Scan(); n++ {
			schema := frame
			if n == 1 {
				schema = header
			}
			if err := validLine(schema, lines.Bytes()); err != nil {
				t.Errorf("%s:%d: %v", path, n, err)
			}
		}
		return lines.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	if count == 0 {
		t.Error("there is no cassette at all")
	}
}

// No cassette in the repository holds what the redactor of today would remove.
func TestCassettesHoldNoSecret(t *testing.T) {
	filepath.WalkDir("../cassettes", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		report, err := RedactCheck(path, &RedactOptions{Folders: new(Folders)})
		if err != nil {
			t.Error(err)
			return nil
		}
		for _, find := range report.Finds {
			t.Errorf("%s: %s", path, find)
		}
		return nil
	})
}

// The reader that the format's page shows reads what this package writes.
func TestReaderOfThePage(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here")
	}
	page, err := os.ReadFile("../docs/cassette-format.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```python\n")
	program, _, _ := strings.Cut(rest, "```")
	path := filepath.Join(t.TempDir(), "c.jsonl")
	file := appendHeader(nil, testHeader())
	for _, e := range everyFrame {
		file = append(append(file, e.line...), '\n')
	}
	want := []string{"message", "message", "message", "noise", "noise", "stderr", "stderr"}
	if err := os.WriteFile(path, file[:len(file)-5], 0o600); err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	command := exec.Command(python, "-c", program, path)
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	lines := strings.Split(strings.TrimRight(string(out), "\n"), "\n")
	if len(lines) != len(everyFrame) || !strings.Contains(stderr.String(), "cut off in line") {
		t.Errorf("%d lines, %s", len(lines), stderr.String())
	}
	for i, kind := range want {
		if !strings.HasSuffix(lines[i+1], " "+kind) {
			t.Errorf("frame %d: %s, want %s", i+1, lines[i+1], kind)
		}
	}
}
