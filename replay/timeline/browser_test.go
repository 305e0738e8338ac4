//go:build browser

package timeline

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// dom opens a page in headless Chromium (the one that the variable CHROMIUM names, or the one in PATH) and gives the
// document as its script has left it, and what the browser complained of.
func dom(t *testing.T, address string) (document, complaints string) {
	t.Helper()
	browser := os.Getenv("CHROMIUM")
	if browser == "" {
		browser = "chromium"
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-logging=stderr",
		"--user-data-dir="+t.TempDir(), "--window-size=1200,800", "--virtual-time-budget=5000", "--dump-dom", address)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "CONSOLE") {
			complaints += line
		}
	}
	return string(out), complaints
}

// The page in a real browser: go test -tags browser ./replay/timeline
func TestPageInBrowser(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page(t, session1, "session.jsonl")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		hash string
		want []string
	}{
		{"#light", []string{`<html lang="en">`, "tiny 2.0 · protocol 2025-06-18", "What went wrong", "the server wrote on stdout what is no message: Server ready", "<b>tools/call echo</b>"}},
		{"#dark&frame=9", []string{`<html lang="en" class="dark">`, "frame 9 · 1.300 s · server → host · ok after 300 ms", "Its request · frame 6", `<pre>Echo: hi</pre>`}},
		{"#light&calls", []string{`aria-selected="true">Calls</button>`, "6 calls", "server asks", "unanswered"}},
	} {
		t.Run(c.hash, func(t *testing.T) {
			got, complaints := dom(t, "file://"+file+c.hash)
			if complaints != "" {
				t.Errorf("the browser complains: %s", complaints)
			}
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("%q is not in the page", want)
				}
			}
		})
	}
}
