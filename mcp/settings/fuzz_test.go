package settings_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/settings"
)

// FuzzUpdate: whatever stands in the file and whatever is posted, nothing panics; a save that is refused leaves the file
// as it is, and after one that is not the file can be read and has the server.
func FuzzUpdate(f *testing.F) {
	for _, text := range []string{
		"", "{}", "[]", `{"mcp":{}}`, `{"mcp":null}`, `{"mcp":{"servers":[]}}`, `{"mcp":{"servers":[{"id":"a"}]}}`,
		"{\n\t\"mcp\": {\n\t\t\"servers\": [\n\t\t\t{\"id\": \"a\", \"command\": \"x\", \"env\": {}}\n\t\t]\n\t}\n}\n",
		`{"mcp":{"servers":[{"id":"a","command":"x","env":{"A":"1","\u0041":"2"}},7,null,[]]},"x":"` + "\xff" + `"}`,
		"\xef\xbb\xbf{\r\n}\r\n", "\xff\xfe{\x00}\x00", `{"a":{"b":[1,{"c":2}]},"mcp":{"servers":[{"id":"gmail"}]}}`, `{"mcp" :{"servers" :[ ] , "policy":1}}`,
	} {
		f.Add([]byte(text), []byte(`{"id":"a","command":"y","args":["--key","********"],"env":{"A":"********","B":"c"},"timeout":null}`))
	}
	f.Add([]byte(`{"mcp":{"servers":[{"id":"a","url":"https://u:p@h/?key=k","headers":{"A":"b"}}]}}`), []byte(`{"id":"a","url":"https://********@h/?key=********","headers":{}}`))
	f.Add([]byte(`{"mcp":{"servers":[{"id":"a","command":"x"}]}}`), []byte(`{"id":"a","transport":"http","url":"https://h","command":null}`))
	f.Fuzz(func(t *testing.T, text, body []byte) {
		patch, err := settings.ParsePatch(jsontext.Value(body))
		if err != nil {
			return
		}
		file := settings.In(t.TempDir())
		file.Program = "mcp-replay"
		if err := os.WriteFile(file.Path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := file.Update(func(e *settings.Edit) error { return e.Put(patch) })
		after, readErr := os.ReadFile(file.Path)
		if readErr != nil {
			t.Fatal(readErr)
		}
		if err != nil {
			if !bytes.Equal(after, text) {
				t.Fatalf("a refused save changed the file: %v\n%q", err, after)
			}
			return
		}
		saved, found := s.Server(patch.ID)
		if !found || saved.Err != nil {
			t.Fatalf("after the save the server is %+v, %v\n%q", saved, saved.Err, after)
		}
		if _, err := file.Load(); err != nil {
			t.Fatalf("after the save the file is broken: %v\n%q", err, after)
		}
		_ = saved.Masked()
		_, _ = saved.Resolve(nil)
	})
}

// FuzzReadHosts: no file of another host panics, and what is taken can be saved.
func FuzzReadHosts(f *testing.F) {
	f.Add([]byte(`{"mcpServers":{"a":{"command":["x","y"],"args":["-e","A=b","--header","X: y"],"env":{"T":1}},"b":{"url":"https://u:p@h/?k=v","headers":{"A":"B c"}}}}`))
	f.Add([]byte("{// c\n\"servers\":{\"ü\":{\"type\":\"sse\",},/* */}}"))
	f.Add([]byte(`{"servers":{"a":{"command":"${input:x}${env:Y}${Z}${python}$${a}"}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		found, err := settings.ReadHosts("f", data)
		if err != nil {
			return
		}
		for _, in := range found {
			if in.Err != nil {
				continue
			}
			file := settings.In(t.TempDir())
			if _, err := file.Update(func(e *settings.Edit) error { return e.Put(in.Patch()) }); err != nil {
				t.Fatalf("%q was taken, and cannot be saved: %v", in.Name, err)
			}
		}
	})
}
