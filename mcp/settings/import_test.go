package settings_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp/settings"
)

func TestReadHosts(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_" + strings.Repeat("a1B2", 9)
	const file = `{
  // the file of another host
  "mcpServers": {
    "My Files": {"command": "npx", "args": ["-y", "pkg", "${workspaceFolder}",], "type": "stdio",}, /* more, } */
    "github": {"command": ["docker", "run"], "args": ["-e", "MODE=secret-1"], "env": {"GITHUB_TOKEN": "TOKEN", "HOSTED": "a//b", "N": 7, "OLD": "${OLD_VALUE}"}},
    "remote": {"type": "streamable-http", "url": "https://h/?key=abc", "headers": {"Authorization": "Bearer abc", "Accept": "x", "X-Api-Key": "${input:my-key}"}, "disabled": true},
    "cased": {"url": "https://h/", "alwaysAllow": ["read"], "icon": "x"},
    "old": {"type": "sse", "url": "https://h/sse"},
    "odd": {"command": "x", "args": ["${fancy:thing}"]},
    "Cased": {"command": "y"},
    "bad": 7
  }
}`
	found, err := settings.ReadHosts("hosts.json", []byte(strings.Replace(file, `"TOKEN"`, `"`+token+`"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, in := range found {
		s := in.Server
		got = append(got, fmt.Sprintf("%s as %s: %s %s %q env %v url %s headers %v enabled %v approve %q set %v notes %q err %v",
			in.Name, s.ID, s.Transport, s.Command, s.Args, s.Env, s.URL, s.Headers, s.Enabled, s.AutoApprove, in.Set, in.Notes, in.Err))
	}
	want := []string{
		`My Files as my-files: stdio npx ["-y" "pkg" "${repo}"] env map[] url  headers map[] enabled true approve [] set [] notes [] err <nil>`,
		`github as github: stdio docker ["run" "-e" "MODE=${env:GITHUB_MODE}"] env map[GITHUB_TOKEN:${env:GITHUB_TOKEN} HOSTED:a//b N:7 OLD:${env:OLD_VALUE}] url  headers map[] enabled true approve [] set [{env.GITHUB_TOKEN GITHUB_TOKEN } {args[2] GITHUB_MODE }] notes [] err <nil>`,
		`remote as remote: http  [] env map[] url https://h/?key=${env:REMOTE_KEY} headers map[Accept:x Authorization:Bearer ${env:REMOTE_AUTHORIZATION} X-Api-Key:${env:MY_KEY}] enabled false approve [] set [{headers.X-Api-Key MY_KEY my-key} {headers.Authorization REMOTE_AUTHORIZATION } {url REMOTE_KEY }] notes [] err <nil>`,
		`cased as cased: http  [] env map[] url https://h/ headers map[] enabled true approve ["read"] set [] notes ["icon is not taken over"] err <nil>`,
		`old as old: http  [] env map[] url https://h/sse headers map[] enabled true approve [] set [] notes [] err server old: type: is the HTTP+SSE transport of 2024-11-05, which is not supported; ask the server for Streamable HTTP`,
		`odd as odd: stdio x ["${fancy:thing}"] env map[] url  headers map[] enabled true approve [] set [] notes [] err server odd: args[0]: unknown placeholder ${fancy:thing}; known are ${python}, ${repo}, ${home} and ${env:NAME}; $${ stands for a literal ${`,
		`Cased as cased-2: stdio y [] env map[] url  headers map[] enabled true approve [] set [] notes [] err <nil>`,
		`bad as bad:   [] env map[] url  headers map[] enabled true approve [] set [] notes [] err server bad: entry: must be an object`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, in := range found {
		if in.Err != nil {
			continue
		}
		target := fileWith(t, "{}")
		s, err := target.Update(func(e *settings.Edit) error { return e.Put(in.Patch()) })
		if err != nil {
			t.Fatalf("%s: %v", in.Name, err)
		}
		if stored, _ := s.Server(in.Server.ID); !stored.Equal(&in.Server) {
			t.Errorf("%s is stored as %+v, was read as %+v", in.Name, stored, in.Server)
		}
		if strings.Contains(content(t, target), token) || strings.Contains(content(t, target), "secret-1") {
			t.Errorf("%s: a secret went into the file", in.Name)
		}
	}
}

func TestReadHostsPlaces(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"servers":{"a":{"command":"x"}},"inputs":[]}`, `{"mcp":{"servers":{"a":{"command":"x"}}}}`,
		`{"context_servers":{"a":{"command":"x"}}}`, "\xef\xbb\xbf{\"mcpServers\":{\"a\":{\"command\":\"x\"}}}",
	} {
		found, err := settings.ReadHosts("f", []byte(text))
		if err != nil || len(found) != 1 || found[0].Server.ID != "a" || found[0].Err != nil {
			t.Errorf("%s gives %+v, %v", text, found, err)
		}
	}
	for text, want := range map[string]string{
		`{}`:                              "f: holds no map of servers",
		`{"servers":[]}`:                  "f: holds no map of servers",
		"{\n// note\n\"mcpServers\": }":   "f:3:",
		"{\n/* a\nb */ \"mcpServers\": }": "f:3:",
		`{"a": "// no comment", }x`:       "f:1:",
		`{"a": "unclosed`:                 "f:1:",
		`{ /* unclosed`:                   "f:1:",
		`[1,,]`:                           "f:1:",
	} {
		if _, err := settings.ReadHosts("f", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s gives %v, want %s…", text, err, want)
		}
	}
}
