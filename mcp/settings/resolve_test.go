package settings_test

import (
	"encoding/base64"
	"errors"
	"net/url"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp/settings"
)

func places(env map[string]string) *settings.Places {
	return &settings.Places{
		Home: "/the/home", Repo: "/the/repo",
		Python:    func() (string, error) { return "/bin/python9", nil },
		LookupEnv: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
	}
}

// TestResolve is fault 31: every field, one pass.
func TestResolve(t *testing.T) {
	t.Parallel()
	p := places(map[string]string{"FX_A": "v-one", "FX_B": "holds ${env:FX_A} and $HOME", "FX_EMPTY": ""})
	s := settings.Server{
		ID: "s", Transport: "stdio", Command: "${env:FX_A}-bin",
		Args: []string{"--k=${env:FX_A}", "${env:FX_B}", "${python} ${repo} ${home}", "$${env:FX_A} $HOME $ $$ ${env:FX_EMPTY}", "$$${home}"},
		Env:  map[string]string{"T": "x${env:FX_A}y"}, Cwd: "/tmp/${env:FX_A}", Timeout: 60,
	}
	r, err := s.Resolve(p)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"--k=v-one", "holds ${env:FX_A} and $HOME", "/bin/python9 /the/repo /the/home", "${env:FX_A} $HOME $ $$ ", "$${home}"}
	if diff := cmp.Diff(want, r.Args); diff != "" {
		t.Error(diff)
	}
	if r.Command != "v-one-bin" || r.Env["T"] != "xv-oney" || r.Cwd != "/tmp/v-one" {
		t.Errorf("got %+v", r.Server)
	}
	if s.Command != "${env:FX_A}-bin" || s.Env["T"] != "x${env:FX_A}y" || s.Args[0] != "--k=${env:FX_A}" {
		t.Errorf("what is stored was changed: %+v", s)
	}
	h := settings.Server{
		ID: "h", Transport: "http", URL: "http://127.0.0.1:1/${env:FX_A}/mcp",
		Headers: map[string]string{"Authorization": "Bearer ${env:FX_A}"}, Timeout: 60,
	}
	r, err = h.Resolve(p)
	if err != nil || r.URL != "http://127.0.0.1:1/v-one/mcp" || r.Headers["Authorization"] != "Bearer v-one" {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestResolveErrors(t *testing.T) {
	t.Parallel()
	p := places(map[string]string{"LOCAL": "localhost", "EVIL": "evil.example", "BREAK": "a\r\nb: c", "NUL": "a\x00b"})
	p.Python = func() (string, error) { return "", exec.ErrNotFound }
	stdio := func(arg string) settings.Server {
		return settings.Server{ID: "s", Transport: "stdio", Command: "x", Args: []string{arg}, Timeout: 60}
	}
	http := func(address, header string) settings.Server {
		return settings.Server{ID: "s", Transport: "http", URL: address, Headers: map[string]string{"X": header}, Timeout: 60}
	}
	for _, c := range []struct {
		server settings.Server
		want   string
	}{
		{stdio("${env:NONE}"), "server s: args[0]: the environment variable NONE is not set"},
		{stdio("${python}"), "server s: args[0]: executable file not found in $PATH"},
		{stdio("${other}"), "server s: args[0]: unknown placeholder"},
		{stdio("${open"), "server s: args[0]: a placeholder begins with ${ and has no }"},
		{stdio("${}"), "server s: args[0]: ${} is no placeholder"},
		{stdio("${env:NUL}"), "server s: args[0]: holds a NUL character"},
		{http("http://${env:EVIL}/", ""), "server s: url: http:// is taken on exactly"},
		{http("https://h/", "${env:BREAK}"), "server s: headers.X: holds a line break"},
		{settings.Server{ID: "s", Err: errors.New("bad entry")}, "bad entry"},
	} {
		_, err := c.server.Resolve(p)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v %v: %v, want %s…", c.server.Args, c.server.URL, err, c.want)
		}
	}
	ok := http("http://${env:LOCAL}:8080/", "")
	if _, err := ok.Resolve(p); err != nil {
		t.Error(err)
	}
}

// TestStoredURL: as much of an address as can be told is checked when it is saved (CFG-6).
func TestStoredURL(t *testing.T) {
	t.Parallel()
	for address, ok := range map[string]bool{
		"${env:URL}": true, "https://${env:HOST}/x": true, "http://${env:HOST}/": true, "https://h/${env:P}?k=${env:K}": true,
		"http://localhost/${env:P}": true, "http://evil.example/${env:P}": false, "ftp://${env:HOST}/": false,
		"gopher${env:HOST}": true, "http:${env:HOST}": true, "https://h?${other}": false,
	} {
		s := settings.Server{ID: "s", Transport: "http", URL: address, Timeout: 60}
		if err := s.Check(); (err == nil) != ok {
			t.Errorf("Check of %s: %v", address, err)
		}
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	for cwd, want := range map[string]string{
		"": "/the/repo", "/abs": "/abs", "sub": filepath.Join("/the/repo", "sub"), "${home}": "/the/home",
	} {
		s := settings.Server{ID: "s", Transport: "stdio", Command: "x", Cwd: cwd, Timeout: 60}
		r, err := s.Resolve(places(nil))
		if err != nil || r.Cwd != want {
			t.Errorf("cwd %q gives %q, %v, want %q", cwd, r.Cwd, err, want)
		}
	}
}

func TestChildEnv(t *testing.T) {
	t.Parallel()
	parent := []string{"PATH=/bin", "HOME=/root", "FAKE_API_KEY=leak-me-not", "my_token=x", "MODE=parent", "EMPTY=", "SSH_AUTH_SOCK=/s", "NPM_AUTH=x"}
	for _, own := range []map[string]string{nil, {}} { // fault 33: with env, and without
		got := settings.ChildEnv(parent, own)
		if diff := cmp.Diff([]string{"PATH=/bin", "HOME=/root", "MODE=parent", "EMPTY=", "SSH_AUTH_SOCK=/s"}, got); diff != "" {
			t.Error(diff)
		}
	}
	got := settings.ChildEnv(parent, map[string]string{"MODE": "own", "K_TOKEN": "given"})
	if diff := cmp.Diff([]string{"PATH=/bin", "HOME=/root", "EMPTY=", "SSH_AUTH_SOCK=/s", "K_TOKEN=given", "MODE=own"}, got); diff != "" {
		t.Error(diff)
	}
	if settings.ChildEnv(nil, nil) == nil {
		t.Error("a nil environment would be the parent's")
	}
}

func TestMasked(t *testing.T) {
	t.Parallel()
	s := settings.Server{
		ID: "a", Env: map[string]string{"MODE": "x", "EMPTY": ""}, Headers: map[string]string{"Accept": "y"},
		URL: "https://u:p@h/?token=t&page=2", Args: []string{"--token", "t", "${env:A}"},
	}
	want := settings.Server{
		ID: "a", Env: map[string]string{"MODE": "********", "EMPTY": "********"}, Headers: map[string]string{"Accept": "********"},
		URL: "https://********@h/?token=********&page=2", Args: []string{"--token", "********", "${env:A}"},
	}
	if diff := cmp.Diff(want, s.Masked()); diff != "" {
		t.Error(diff)
	}
	if s.Env["MODE"] != "x" || s.Args[1] != "t" {
		t.Errorf("the server itself was changed: %+v", s)
	}
}

// TestSecrets: every place where a secret can stand, in every spelling (faults 34, 37, 38).
// TestSecretsCut: where a text was cut off, the beginning of a secret is one, too.
func TestSecretsCut(t *testing.T) {
	t.Parallel()
	server := settings.Server{ID: "a", Transport: settings.Stdio, Command: "x", Env: map[string]string{"API_KEY": "hunter2hunter2", "PASSWORD": `say "friend"`}, Timeout: 5}
	resolved, err := server.Resolve(&settings.Places{})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"it is hunter2hunt…":                              "it is ********…",
		"hunter2…hunter2hunter2":                          "********…********",
		"it is hunter2hu\n[cut: 40000 characters in all]": "it is ********\n[cut: 40000 characters in all]",
		"it is hunter2hu":                                 "it is hunter2hu", // not cut
		"the hunte…":                                      "the hunte…",      // too little to tell
		`in JSON in JSON: say \\\"friend\\\"!`:            "in JSON in JSON: ********!",
	} {
		if got := resolved.Secrets.Mask(text); got != want {
			t.Errorf("Mask(%q) = %q, want %q", text, got, want)
		}
	}
	if got := resolved.Secrets.MaskCut("it is hunter2hu"); got != "it is ********" {
		t.Errorf("MaskCut gives %q", got)
	}
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	p := places(map[string]string{"FX_SECRET": "fx-s3cret-0001", "FX_PLAIN": "fx-plain-0002", "HOME": "/home/somebody"})
	stdio := settings.Server{
		ID: "a", Transport: "stdio", Command: "echo", Timeout: 60,
		Args: []string{"-e", "TOKEN=${env:FX_SECRET}", "${env:FX_PLAIN}", "${env:HOME}", "--api-key", "k9/+"},
		Env:  map[string]string{"MODE": "dev", "LONG": "long-value", "A_KEY": "k\"/+ey-99"},
	}
	http := settings.Server{
		ID: "b", Transport: "http", URL: "http://u:p%40ss-w0rd@127.0.0.1:1/mcp?key=query-key", Timeout: 60,
		Headers: map[string]string{"X-Any": "any-header-value", "Authorization": "Basic " + base64.StdEncoding.EncodeToString([]byte("user:basic-pw"))},
	}
	for _, c := range []struct {
		server  settings.Server
		hidden  []string
		visible []string
	}{
		{stdio, []string{"fx-s3cret-0001", "fx-plain-0002", "k9/+", "long-value", `k"/+ey-99`}, []string{"dev", "/home/somebody", "echo"}},
		{http, []string{"p%40ss-w0rd", "p@ss-w0rd", "query-key", "any-header-value", "basic-pw", "user:basic-pw"}, []string{"127.0.0.1:1/mcp", "Basic "}},
	} {
		r, err := c.server.Resolve(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range c.hidden {
			for _, spelt := range spellings(secret) {
				if got := r.Secrets.Mask("before " + spelt + " after"); strings.Contains(got, spelt) {
					t.Errorf("%s survives as %s", secret, got)
				}
			}
		}
		for _, plain := range c.visible {
			if got := r.Secrets.Mask(plain); got != plain {
				t.Errorf("%s becomes %s", plain, got)
			}
		}
	}
	var none *settings.Secrets
	if none.Mask("text") != "text" {
		t.Error("no secrets mask something")
	}
}

func spellings(s string) []string {
	quoted, _ := jsontext.AppendQuote(nil, s)
	all := []string{s, string(quoted), url.QueryEscape(s), url.PathEscape(s)}
	if len(s) >= 8 {
		for _, before := range []string{"", "u", "us", "user:"} {
			encoded := base64.StdEncoding.EncodeToString([]byte(before + s + "\n"))
			all = append(all, encoded, base64.URLEncoding.EncodeToString([]byte(before+s+"\n")))
		}
	}
	return all
}

func TestMaskJSON(t *testing.T) {
	t.Parallel()
	s := settings.Server{ID: "a", Transport: "stdio", Command: "x", Env: map[string]string{"A_KEY": "tok\"en-1"}, Timeout: 60}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	got := r.Secrets.MaskJSON(jsontext.Value(`{"n":1.0,"tok\"en-1":[" tok\"en-1 ","\u0074ok\"en-1","plain\u00e9"]}`))
	if want := `{"n":1.0,"********":[" ******** ","********","plain\u00e9"]}`; string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := r.Secrets.MaskJSON(nil); got != nil {
		t.Errorf("nothing becomes %s", got)
	}
}

func TestPython(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 on this machine")
	}
	s := settings.Server{ID: "a", Transport: "stdio", Command: "${python}", Timeout: 60}
	r, err := s.Resolve(nil)
	if err != nil || r.Command != python {
		t.Errorf("${python} is %q, %v, want %q", r.Command, err, python)
	}
}

func TestSettingsAreSorted(t *testing.T) {
	t.Parallel()
	s := load(t, `{"mcp":{"servers":[{"id":"z","command":"x"},{"id":"a","command":"x"}]}}`)
	var ids []string
	for _, server := range s.Servers {
		ids = append(ids, server.ID)
	}
	if !slices.Equal(ids, []string{"z", "a", "gmail", "connectors"}) {
		t.Errorf("order %q", ids)
	}
}
