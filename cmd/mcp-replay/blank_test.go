package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// goodCassette is a whole session: the handshake and a call.
const goodCassette = `{"cassette":1,"recorded":"2026-12-01T10:00:00Z","by":"test","transport":"stdio","server":{"command":"x"}}
{"at":0.000001,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}}
{"at":0.000002,"from":"server","message":{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}}
{"at":0.000003,"from":"client","message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}}}
{"at":0.000004,"from":"server","message":{"jsonrpc":"2.0","id":2,"result":{"content":[]}}}
`

// TestErrorsShowNoSecret: a server that echoes what a placeholder was filled in with puts it into no error, wherever in
// a header or address it stood.
func TestErrorsShowNoSecret(t *testing.T) {
	const secret = "hush-4711-hush"
	t.Setenv("THE_VALUE", secret)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte("no such account: " + strings.TrimPrefix(r.Header.Get("X-Account"), "account-")))
	}))
	defer server.Close()
	home := t.TempDir()
	settings := `{"mcp":{"servers":[{"id":"far","transport":"http","url":"` + server.URL + `","headers":{"X-Account":"account-${env:THE_VALUE}"}}]}}`
	if err := os.WriteFile(filepath.Join(home, "settings.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	cassette := filepath.Join(home, "good.jsonl")
	if err := os.WriteFile(cassette, []byte(goodCassette), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"tools"}, {"call", "echo", "--yes", "--json"}, {"verify", cassette, "--yes"},
	} {
		var out, stderr bytes.Buffer
		s := &streams{in: strings.NewReader(""), out: &out, err: &stderr, width: 80}
		code := run(t.Context(), append(args, "--server", "far", "--home", home), s)
		said := out.String() + stderr.String()
		if code == exitOK || !strings.Contains(said, "no such account: [redacted:") {
			t.Errorf("%s: exit %d\n%s", args[0], code, said)
		}
		if strings.Contains(said, secret) {
			t.Errorf("%s shows the secret:\n%s", args[0], said)
		}
	}
}
