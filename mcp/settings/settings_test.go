package settings_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp/settings"
	"github.com/imurun/mcp-replay/policy"
)

// fileWith gives a settings file with the text in it.
func fileWith(t testing.TB, text string) *settings.File {
	t.Helper()
	file := settings.In(t.TempDir())
	file.Program = "mcp-replay"
	if err := os.WriteFile(file.Path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func load(t testing.TB, text string) *settings.Settings {
	t.Helper()
	s, err := fileWith(t, text).Load()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t testing.TB, file *settings.File, body string) *settings.Settings {
	t.Helper()
	s, err := tryPut(file, body)
	if err != nil {
		t.Fatalf("put %s: %v", body, err)
	}
	return s
}

func tryPut(file *settings.File, body string) (*settings.Settings, error) {
	patch, err := settings.ParsePatch(jsontext.Value(body))
	if err != nil {
		return nil, err
	}
	return file.Update(func(e *settings.Edit) error { return e.Put(patch) })
}

func content(t testing.TB, file *settings.File) string {
	t.Helper()
	data, err := os.ReadFile(file.Path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// specification is the example that the specification gives.
const specification = `{"servers": [
  {"id": "files", "name": "Files", "transport": "stdio",
   "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "C:/Users/me/notes"],
   "env": {"SOME_KEY": "${env:SOME_KEY}"}, "cwd": "",
   "enabled": true, "auto_approve": ["read_file", "list_directory"], "timeout": 60},
  {"id": "remote", "name": "Remote", "transport": "http",
   "url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${env:REMOTE_TOKEN}"},
   "enabled": false}
]}`

func TestLoad(t *testing.T) {
	t.Parallel()
	got := load(t, `{"mcp": `+specification+`}`)
	want := []settings.Server{
		{
			ID: "files", Name: "Files", Transport: "stdio", Command: "npx",
			Args: []string{"-y", "@modelcontextprotocol/server-filesystem", "C:/Users/me/notes"},
			Env:  map[string]string{"SOME_KEY": "${env:SOME_KEY}"}, Enabled: true,
			AutoApprove: []string{"read_file", "list_directory"}, Timeout: 60,
		},
		{
			ID: "remote", Name: "Remote", Transport: "http", URL: "https://example.com/mcp",
			Headers: map[string]string{"Authorization": "Bearer ${env:REMOTE_TOKEN}"}, Timeout: 60,
		},
		{
			ID: "gmail", Name: "Gmail", Transport: "stdio", Command: "mcp-replay",
			Args: []string{"server", "gmail", "--home", "${home}"}, Timeout: 60, BuiltIn: true,
		},
		{
			ID: "connectors", Name: "Connectors", Transport: "stdio", Command: "mcp-replay",
			Args: []string{"server", "connectors", "--home", "${home}"}, Timeout: 60, BuiltIn: true,
		},
	}
	if diff := cmp.Diff(want, got.Servers); diff != "" {
		t.Error(diff)
	}
	if got.Policy != policy.Ask || !got.Network {
		t.Errorf("policy %v, network %v", got.Policy, got.Network)
	}
}

func TestLoadNothing(t *testing.T) {
	t.Parallel()
	s, err := (&settings.File{Path: filepath.Join(t.TempDir(), "none", "settings.json")}).Load()
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Servers) != 2 || s.Servers[0].Enabled || s.Servers[1].Enabled {
		t.Errorf("servers %+v, want the two built-in ones, disabled", s.Servers)
	}
	for _, text := range []string{"{}", `{"mcp":null}`, `{"mcp":{}}`, `{"mcp":{"servers":null}}`, `{"mcp":{"servers":[]}}`} {
		if s := load(t, text); len(s.Servers) != 2 || s.Policy != policy.Ask || !s.Network {
			t.Errorf("%s gives %+v", text, s)
		}
	}
}

// TestSwitches: what cannot be understood gives the stricter.
func TestSwitches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text     string
		policy   policy.Level
		network  bool
		problems int
	}{
		{`{"policy":"allow-reads","network":false}`, policy.AllowReads, false, 0},
		{`{"policy":"allow-all","network":true}`, policy.AllowAll, true, 0},
		{`{"policy":null,"network":null}`, policy.Ask, true, 0},
		{`{"policy":"Allow-All"}`, policy.Ask, true, 1},
		{`{"policy":true}`, policy.Ask, true, 1},
		{`{"network":"true"}`, policy.Ask, false, 1},
		{`{"network":0,"policy":1}`, policy.Ask, false, 2},
	} {
		s := load(t, `{"mcp":`+c.text+`}`)
		if s.Policy != c.policy || s.Network != c.network || len(s.Problems) != c.problems {
			t.Errorf("%s gives %v, %v, %q", c.text, s.Policy, s.Network, s.Problems)
		}
	}
}

// TestUnreadable: the error names the place, and the file is not written to (fault 30).
func TestUnreadable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"trailing comma", "{\n  \"mcp\": {\n    \"servers\": [],\n  }\n}", ":3:18: a comma stands before a closing bracket"},
		{"cut off", "{\n  \"mcp\": {", ":2:11: ends too early"},
		{"empty", "", ":1:1: is empty"},
		{"blank", "\n\n", ":3:1: is empty"},
		{"more after the end", "{}\n{}", ":2:"},
		{"a list", " []", ":1:2: must hold a JSON object"},
		{"wide characters before", "{\"äöü\": tru}", ":1:"},
		{"UTF-16", "\xff\xfe{\x00}\x00", ": is UTF-16 text"},
		{"UTF-16, big end first", "\xfe\xff\x00{\x00}", ": is UTF-16 text"},
		{"UTF-16 without a mark", "{\x00}\x00", ": is UTF-16 text"},
		{"a comment", "// mine\n{}", ":1:1: a comment, which JSON does not have"},
		{"a comment behind a value", "{\"mcp\": {} /* mine */}", ":1:12: a comment, which JSON does not have"},
		{"section of another kind", "{\n\"mcp\": []}", ":2:8: "},
		{"servers of another kind", "{\"mcp\": {\n\"servers\": {}}}", ":2:12: "},
		{"section twice", "{\"mcp\": {},\n\"mcp\": {}}", `:2:8: the section "mcp" stands twice`},
		{"servers twice", "{\"mcp\": {\"servers\": [],\n\"servers\": []}}", `:2:12: "servers" stands twice`},
		{"two byte-order marks", "\xef\xbb\xbf\xef\xbb\xbf{}", ":1:1: "},
	} {
		file := fileWith(t, c.text)
		_, err := file.Load()
		var syntax *settings.SyntaxError
		if !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), file.Path+c.want) {
			t.Errorf("%s: %v, want …%s", c.name, err, c.want)
		}
		if _, err := tryPut(file, `{"id":"a","command":"run"}`); !errors.As(err, &syntax) {
			t.Errorf("%s: a save gives %v", c.name, err)
		}
		if got := content(t, file); got != c.text {
			t.Errorf("%s: the file was changed to %q", c.name, got)
		}
	}
}

func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	file := fileWith(t, "\xef\xbb\xbf{\r\n\t\"mcp\": {\r\n\t\t\"policy\": \"ask\"\r\n\t}\r\n}\r\n")
	put(t, file, `{"id":"a","command":"run"}`)
	want := "\xef\xbb\xbf{\r\n\t\"mcp\": {\r\n\t\t\"policy\": \"ask\",\r\n\t\t\"servers\": [\r\n\t\t\t{\r\n" +
		"\t\t\t\t\"id\": \"a\",\r\n\t\t\t\t\"transport\": \"stdio\",\r\n\t\t\t\t\"command\": \"run\",\r\n\t\t\t\t\"enabled\": true\r\n" +
		"\t\t\t}\r\n\t\t]\r\n\t}\r\n}\r\n"
	if diff := cmp.Diff(want, content(t, file)); diff != "" {
		t.Error(diff)
	}
}

// TestEntryErrors: one bad entry is listed with its error, and takes nobody down (CFG-4).
func TestEntryErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ entry, want string }{
		{`7`, "server number 1 of the list: entry: must be an object"},
		{`{"command":"x"}`, "server number 1 of the list: id: is missing"},
		{`{"id":7,"command":"x"}`, "server number 1 of the list: id: must be a text"},
		{`{"id":"A b","command":"x"}`, `server "A b": id: must be 1 to 32 characters of a-z, 0-9, - and _`},
		{`{"id":"` + strings.Repeat("a", 33) + `","command":"x"}`, `server "` + strings.Repeat("a", 33) + `": id: must be 1 to 32`},
		{`{"id":"a","transport":"sse","url":"https://h"}`, "server a: transport: must be stdio or http"},
		{`{"id":"a"}`, "server a: transport: is missing"},
		{`{"id":"a","command":"x","url":"https://h"}`, "server a: transport: is missing"},
		{`{"id":"a","transport":"stdio"}`, "server a: command: is missing"},
		{`{"id":"a","transport":"http"}`, "server a: url: is missing"},
		{`{"id":"a","transport":"stdio","command":"x","url":"https://h"}`, "server a: url: belongs to the transport http"},
		{`{"id":"a","transport":"stdio","command":"x","headers":{"A":"b"}}`, "server a: headers: belongs to the transport http"},
		{`{"id":"a","transport":"http","url":"https://h","command":"x"}`, "server a: command: belongs to the transport stdio"},
		{`{"id":"a","transport":"http","url":"https://h","args":["x"]}`, "server a: args: belongs to the transport stdio"},
		{`{"id":"a","transport":"http","url":"https://h","env":{"A":"b"}}`, "server a: env: belongs to the transport stdio"},
		{`{"id":"a","transport":"http","url":"https://h","cwd":"/"}`, "server a: cwd: belongs to the transport stdio"},
		{`{"id":"a","transport":"http","url":"http://h"}`, "server a: url: http:// is taken on exactly"},
		{`{"id":"a","command":7}`, "server a: command: must be a text"},
		{`{"id":"a","command":"x\u0000"}`, "server a: command: holds a NUL character"},
		{`{"id":"a","command":"x","args":"y"}`, "server a: args: must be a list of texts"},
		{`{"id":"a","command":"x","args":["y",1]}`, "server a: args[1]: must be a text"},
		{`{"id":"a","command":"x","env":[]}`, "server a: env: must be an object of texts"},
		{`{"id":"a","command":"x","env":{"PORT":80}}`, "server a: env.PORT: must be a text"},
		{`{"id":"a","command":"x","env":{"A=B":"c"}}`, `server a: env: "A=B" cannot be the name of a variable`},
		{`{"id":"a","command":"x","env":{"A":"b","A":"c"}}`, "server a: env.A: stands twice"},
		{`{"id":"a","url":"https://h","headers":{"A B":"c"}}`, `server a: headers: "A B" cannot be the name of a header`},
		{`{"id":"a","url":"https://h","headers":{"A":"c\r\nB: d"}}`, "server a: headers.A: holds a line break"},
		{`{"id":"a","url":"https://h","headers":{"A":"b","a":"c"}}`, "server a: headers.a: stands twice, in different case"},
		{`{"id":"a","command":"x","enabled":"true"}`, "server a: enabled: must be true or false"},
		{`{"id":"a","command":"x","timeout":0}`, "server a: timeout: must be a whole number of seconds from 1 to 600"},
		{`{"id":"a","command":"x","timeout":601}`, "server a: timeout: must be a whole number"},
		{`{"id":"a","command":"x","timeout":1.5}`, "server a: timeout: must be a whole number"},
		{`{"id":"a","command":"x","timeout":"60"}`, "server a: timeout: must be a whole number"},
		{`{"id":"a","command":"x","timeout":1e999}`, "server a: timeout: must be a whole number"},
		{`{"id":"a","command":"x","auto_approve":"t"}`, "server a: auto_approve: must be a list of texts"},
		{`{"id":"a","command":"x","auto_approve":[""]}`, "server a: auto_approve: holds an empty name"},
		{`{"id":"a","command":"x","command":"y"}`, "server a: command: stands twice"},
		{`{"id":"a","command":"` + "\xff" + `"}`, "server a: command: is not valid UTF-8"},
		{`{"id":"a","command":"${nope}"}`, "server a: command: unknown placeholder ${nope}; known are ${python}, ${repo}, ${home} and ${env:NAME}"},
	} {
		s := load(t, `{"mcp":{"servers":[`+c.entry+`,{"id":"good","command":"run"}]}}`)
		bad, good := s.Servers[0], s.Servers[1]
		if bad.Err == nil || !strings.HasPrefix(bad.Err.Error(), c.want) {
			t.Errorf("%s\n got %v\nwant %s…", c.entry, bad.Err, c.want)
		}
		if good.ID != "good" || good.Err != nil {
			t.Errorf("%s takes the good server down: %+v", c.entry, good)
		}
	}
}

func TestTwins(t *testing.T) {
	t.Parallel()
	s := load(t, `{"mcp":{"servers":[{"id":"a","command":"x"},{"id":"b","command":"y"},{"id":"a","command":"z"}]}}`)
	for i, want := range []string{`server a: id: 2 servers have the id "a"; give each its own`, "", `server a: id: 2 servers have the id "a"; give each its own`} {
		got := ""
		if err := s.Servers[i].Err; err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("servers[%d]: %q, want %q", i, got, want)
		}
	}
}

func TestBuiltInOverride(t *testing.T) {
	t.Parallel()
	file := fileWith(t, "{}")
	s := put(t, file, `{"id":"gmail","enabled":true}`)
	want := "{\n  \"mcp\": {\n    \"servers\": [\n      {\n        \"id\": \"gmail\",\n        \"enabled\": true\n      }\n    ]\n  }\n}"
	if diff := cmp.Diff(want, content(t, file)); diff != "" {
		t.Error(diff)
	}
	gmail, _ := s.Server("gmail")
	if gmail.Command != "mcp-replay" || !gmail.Enabled || gmail.Err != nil {
		t.Errorf("gmail is %+v", gmail)
	}
	remove := func(id string) error {
		_, err := file.Update(func(e *settings.Edit) error { return e.Remove(id) })
		return err
	}
	if err := remove("gmail"); err != nil {
		t.Fatal(err)
	}
	if err := remove("gmail"); err == nil || !strings.Contains(err.Error(), "is built in") {
		t.Errorf("removing it again: %v", err)
	}
	var missing *settings.NotFoundError
	if err := remove("none"); !errors.As(err, &missing) {
		t.Errorf("removing what is not there: %v", err)
	}
}

func TestCheckURL(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"https://example.com/mcp", "https://user:pw@example.com/", "HTTPS://example.com", "https://1.2.3.4:8443/x?y=z",
		"http://127.0.0.1/mcp", "http://localhost:3000", "http://[::1]:80/mcp", " http://localhost/ ",
		"http://u:p@localhost/",
	} {
		if err := settings.CheckURL(address); err != nil {
			t.Errorf("CheckURL(%q): %v", address, err)
		}
	}
	for _, address := range []string{
		"", "example.com", "/mcp", "ftp://example.com", "file:///etc/passwd", "https:example.com", "https:///mcp", "https://",
		"http://example.com", "http://localhost.evil.example", "http://localhost@evil.example",
		"http://127.0.0.1.nip.io", "http://127.0.0.1@evil.example/", "http://127.1", "http://0", "http://2130706433",
		"http://127.0.0.2", "http://0x7f.0.0.1", "http://LOCALHOST", "http://localhost.", "http://[::1%25lo]/", "http://[::ffff:127.0.0.1]/",
		"http://localhost\\@evil.example", "http://evil.example#@localhost", "http://evil.example?@localhost",
		"https://h:99999", "https://h:0", "https://h:x", "http://loc\talhost", "https://exa mple.com",
	} {
		if err := settings.CheckURL(address); err == nil {
			t.Errorf("CheckURL(%q) takes it", address)
		}
	}
}

func ExampleFile_Update() {
	home, err := os.MkdirTemp("", "settings")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(home)
	file := settings.In(home)

	command, args := "npx", []string{"-y", "@modelcontextprotocol/server-filesystem", "${home}/notes"}
	env := map[string]string{"API_KEY": "${env:NOTES_KEY}"}
	all, err := file.Update(func(e *settings.Edit) error {
		return e.Put(settings.Patch{ID: "files", Command: &command, Args: &args, Env: &env})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	files, _ := all.Server("files")
	fmt.Println(files.Masked().Env["API_KEY"])

	_, err = files.Resolve(&settings.Places{
		Home:      home,
		LookupEnv: func(string) (string, bool) { return "", false },
	})
	fmt.Println(err)
	// Output:
	// ********
	// server files: env.API_KEY: the environment variable NOTES_KEY is not set
}
