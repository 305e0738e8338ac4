package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/steps/fake"
)

func TestMain(m *testing.M) {
	fake.Main()
	os.Exit(m.Run())
}

// planted is a secret for each place where one can stand. Those with odd characters are written differently in JSON,
// in URLs and in base64.
var planted = map[string]string{
	"env, under a credential's name":          `k"/+env-01-planted`,
	"env, under another name, by placeholder": `k"/+env-02-planted`,
	"args, after a flag":                      `k"/+arg-03-planted`,
	"args, in a header":                       `k"/+arg-04-planted`,
	"args, anywhere, by placeholder":          `k"/+arg-05-planted`,
	"cwd, by placeholder":                     `k+cwd-06-planted`,
	"url, userinfo":                           `url-07-planted`,
	"url, query":                              `url-08-planted`,
	"url, path, by placeholder":               `url-09-planted`,
	"headers, Authorization":                  `k"/+head-10-planted`,
	"headers, another, by placeholder":        `k"/+head-11-planted`,
	"env of a server that does not start":     `k"/+env-12-planted`,
	"args of a server that does not start":    `k"/+arg-13-planted`,
	"env of a server that is disabled":        `k"/+env-14-planted`,
}

// spellings are the ways in which a server may repeat a secret.
func spellings(secret string) []string {
	quoted, _ := jsontext.AppendQuote(nil, secret)
	list := []string{secret, strings.Trim(string(quoted), `"`), url.QueryEscape(secret), url.PathEscape(secret), hex.EncodeToString([]byte(secret))}
	for _, before := range []string{"", "u", "u:"} {
		whole := base64.StdEncoding.EncodeToString([]byte(before + secret))
		list = append(list, whole, strings.NewReplacer("+", "-", "/", "_").Replace(whole))
	}
	return list
}

// traces are what must not be found of a secret, wherever it was looked for, nor of its beginning where a text was cut: the
// middle of its base64 is the same whatever stands around it.
func traces(secret string) []string {
	list := []string{secret[3:]} // no quote is in it: it is the same in JSON, and in JSON in JSON
	for _, spelt := range spellings(secret)[:5] {
		list = append(list, spelt, spelt[:len(spelt)-3])
	}
	for offset := range 3 {
		whole := base64.StdEncoding.EncodeToString(append(make([]byte, offset), secret...))
		middle := whole[4 : len(whole)-4]
		list = append(list, middle, strings.NewReplacer("+", "-", "/", "_").Replace(middle))
	}
	return list
}

// repeated is everything that a server can say of its secrets, as JSON writes it in a string.
func repeated(places ...string) string {
	var text strings.Builder
	for place, secret := range planted {
		for _, p := range places {
			if strings.HasPrefix(place, p) {
				text.WriteString(strings.Join(spellings(secret), " , ") + " ; ")
			}
		}
	}
	quoted, _ := jsontext.AppendQuote(nil, text.String())
	return string(quoted)
}

// chatty is a server on stdio that repeats what it was given, on every way out.
func chatty() string {
	said := repeated("env, ", "args, ", "cwd")
	var plain string
	if err := json.Unmarshal([]byte(said), &plain); err != nil {
		panic(err)
	}
	return strings.Join([]string{
		"@@STDERR " + plain + "@@",
		"noise: " + plain,
		"@@ANSWER initialize@@",
		`{"jsonrpc":"2.0","id":@@ID:tools/list@@,"result":{"tools":[{"name":"fails"},{"name":"refuses"},{"name":"dies"}]}}`,
		`{"jsonrpc":"2.0","id":@@ID:tools/call@@,"result":{"isError":true,"content":[{"type":"text","text":` + said + `}],"structuredContent":{"k":` + said + `}}}`,
		`{"jsonrpc":"2.0","id":@@ID:tools/call#2@@,"error":{"code":-32000,"message":` + said + `,"data":` + said + `}}`,
		`@@AFTER:tools/call#3@@`,
		"@@STDERR " + plain + "@@",
		"@@EXIT 3@@",
	}, "\n")
}

// repeating is a server on HTTP that refuses all and repeats what it was sent, or connects and refuses calls so.
func repeating(w http.ResponseWriter, r *http.Request) {
	said := repeated("url", "headers") + fmt.Sprint(r.Header, r.URL)
	if strings.HasPrefix(r.URL.Path, "/refuses") {
		w.Header().Set("WWW-Authenticate", "Bearer "+r.Header.Get("X-Any"))
		http.Error(w, said, http.StatusUnauthorized)
		return
	}
	body, _ := io.ReadAll(r.Body)
	m, err := jsonrpc.Parse(body)
	if err != nil || m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	quoted, _ := jsontext.AppendQuote(nil, said)
	result := map[string]string{
		"initialize": `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"repeats","version":"1"}}`,
		"tools/list": `"result":{"tools":[{"name":"refuses"}]}`,
	}[m.Method]
	if result == "" {
		result = `"error":{"code":-32000,"message":` + string(quoted) + `}`
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, m.ID, result)
}

// plant writes settings with all the secrets, and gives the variables that they name.
func plant(t *testing.T, home string) (variables []string) {
	t.Helper()
	server, err := fake.Stdio(t.TempDir(), fake.WriteMode, chatty())
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(http.HandlerFunc(repeating))
	t.Cleanup(web.Close)
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, planted["cwd, by placeholder"]), 0o700); err != nil {
		t.Fatal(err)
	}
	address := func(path string) string {
		return fmt.Sprintf("http://u:%s@%s/%s/${env:FX_PATH}?api_key=%s", planted["url, userinfo"], web.Listener.Addr(), path, planted["url, query"])
	}
	headers := map[string]string{"Authorization": "Bearer " + planted["headers, Authorization"], "X-Any": "${env:FX_HEADER}"}
	servers := []map[string]any{
		{
			"id": "chatty", "command": server.Path, "cwd": folder + "/${env:FX_CWD}", "auto_approve": []string{"fails", "refuses", "dies"},
			"args": append(server.Args, "--token", planted["args, after a flag"], "-H", "X-Cred: "+planted["args, in a header"], "${env:FX_ARG}"),
			"env":  map[string]string{"API_KEY": planted["env, under a credential's name"], "MODE": "${env:FX_MODE}"},
		},
		{"id": "refuses", "url": address("refuses"), "headers": headers},
		{"id": "answers", "url": address("answers"), "headers": headers, "auto_approve": []string{"refuses"}},
		{
			"id": "nowhere", "command": "/no/such/program", "args": []string{"--password", planted["args of a server that does not start"]},
			"env": map[string]string{"API_KEY": planted["env of a server that does not start"]},
		},
		{"id": "off", "command": "x", "enabled": false, "env": map[string]string{"API_KEY": planted["env of a server that is disabled"]}},
	}
	text, err := json.Marshal(map[string]any{"mcp": map[string]any{"servers": servers}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "settings.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, place := range map[string]string{
		"FX_MODE": "env, under another name, by placeholder", "FX_ARG": "args, anywhere, by placeholder", "FX_CWD": "cwd, by placeholder",
		"FX_PATH": "url, path, by placeholder", "FX_HEADER": "headers, another, by placeholder",
	} {
		variables = append(variables, name+"="+planted[place])
	}
	return variables
}

// host is the program as a person runs it, and all that it has said.
type host struct {
	*testing.T
	address, token string

	mu   sync.Mutex
	said map[string]string
}

func (h *host) hears(where, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.said[where] += text
}

// send sends a request and keeps its answer.
func (h *host) send(method, path, body string) string {
	h.Helper()
	request, err := http.NewRequestWithContext(h.Context(), method, h.address+path, strings.NewReader(body))
	if err != nil {
		h.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+h.token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		h.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		h.Fatal(err)
	}
	h.hears("answer to "+method+" "+path, fmt.Sprint(answer.Header)+string(text))
	return string(text)
}

// listen keeps the events, from the first one on, until ctx ends.
func (h *host) listen(ctx context.Context) {
	request, err := http.NewRequestWithContext(ctx, "GET", h.address+"api/events", nil)
	if err != nil {
		return
	}
	request.Header.Set("Authorization", "Bearer "+h.token)
	request.Header.Set("Last-Event-ID", "1")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return
	}
	defer answer.Body.Close()
	for lines := bufio.NewReader(answer.Body); ; {
		line, err := lines.ReadString('\n')
		h.hears("events", line)
		if err != nil {
			return
		}
	}
}

// TestPlantedSecrets plants a secret in every place where one can stand, has every server repeat all it knows, and looks for
// each, however it is spelt, in every answer, event, log line and file of serve. Only the settings may hold one.
func TestPlantedSecrets(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	home, records := filepath.Join(folder, "home"), filepath.Join(folder, "records")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	variables := plant(t, home)
	program := filepath.Join(t.TempDir(), "mcp-replay")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	serve := exec.Command(program, "serve", "--home", home, "--record", records, "--listen", "127.0.0.1:0")
	serve.Env = append(os.Environ(), variables...)
	var stderr bytes.Buffer
	serve.Stderr = &stderr
	stdout, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	stop := sync.OnceFunc(func() {
		_ = serve.Process.Signal(os.Interrupt)
		_ = serve.Wait()
	})
	t.Cleanup(stop)
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	token, err := os.ReadFile(filepath.Join(home, "api-token"))
	if err != nil {
		t.Fatal(err)
	}
	h := &host{T: t, address: strings.TrimSpace(strings.TrimPrefix(line, "listening on ")), token: strings.TrimSpace(string(token)), said: map[string]string{}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go h.listen(ctx)
	h.exercise()
	stop()
	h.hears("log", stderr.String())
	h.mu.Lock()
	defer h.mu.Unlock()
	h.files(folder)
	if n := strings.Count(h.said["events"], "event: "); n < 6 {
		t.Errorf("only %d events came:\n%s", n, h.said["events"])
	}
	for where, text := range h.said {
		for place, secret := range planted {
			for _, trace := range traces(secret) {
				if strings.Contains(text, trace) {
					t.Errorf("%s shows what was planted in %s, as %q:\n%s", where, place, trace, text)
				}
			}
		}
		if strings.Contains(text, h.token) {
			t.Errorf("%s shows the token", where)
		}
	}
}

// exercise has every server do its worst.
func (h *host) exercise() {
	const servers = "api/mcp/servers"
	ids := []string{"chatty", "refuses", "answers", "nowhere", "off"}
	for _, id := range ids {
		h.send("POST", servers+"/"+id+"/connect", "")
		h.send("GET", servers+"/"+id, "")
		h.send("GET", servers+"/"+id+"/tools", "")
	}
	for _, name := range []string{"chatty_fails", "chatty_refuses", "chatty_dies", "answers_refuses", "refuses_any", "nowhere_any", "off_any"} {
		text := h.send("POST", "api/mcp/tools/mcp_"+name+"/call", "{}")
		if !strings.Contains(text, `"failed":true`) {
			h.Errorf("the call of %s does not fail: %s", name, text)
		}
	}
	h.send("GET", servers, "")
	h.send("POST", servers, `{"id":"chatty","env":{"API_KEY":"********","OTHER":"********"}}`)
	h.send("POST", servers, `{"id":"chatty","name":"Chatty","timeout":5}`)
	h.send("POST", servers+"/chatty/connect", "")
	h.send("POST", servers+"/chatty/disconnect", "")
	h.send("DELETE", servers+"/off", "")
	h.send("GET", "api/mcp/host", "")
	h.send("GET", "api/mcp/approvals", "")
	deadline := time.Now().Add(5 * time.Second)
	for time.Now().Before(deadline) {
		h.mu.Lock()
		n := strings.Count(h.said["events"], "event: ")
		h.mu.Unlock()
		if n >= 6 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// files hears what the program has written: all below the folder but the settings, and the token's own file.
func (h *host) files(folder string) {
	cassettes := 0
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "settings.json" || e.Name() == "api-token" {
			return err
		}
		data, err := os.ReadFile(path)
		h.said["file "+e.Name()] = string(data)
		if strings.HasSuffix(e.Name(), ".jsonl") {
			cassettes++
		}
		return err
	})
	if err != nil {
		h.Fatal(err)
	}
	if cassettes < 3 {
		h.Errorf("there are %d cassettes", cassettes)
	}
}
