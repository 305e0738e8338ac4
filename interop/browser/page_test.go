//go:build browser

package browser

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// served is "mcp-replay serve", as a user would run it.
type served struct {
	command string // the path of mcp-replay
	home    string
	address string // with a slash at its end
	token   string
}

func serve(t *testing.T) *served {
	t.Helper()
	home := t.TempDir()
	s := &served{command: filepath.Join(t.TempDir(), "mcp-replay"), home: home}
	if out, err := exec.Command("go", "build", "-o", s.command, "../../cmd/mcp-replay").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(s.command, "serve", "--home", home, "--listen", "127.0.0.1:0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("serve: %v", err)
		}
		if t.Failed() {
			t.Log(stderr.String())
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	s.address = strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	token, err := os.ReadFile(filepath.Join(home, "api-token"))
	if err != nil {
		t.Fatal(err)
	}
	s.token = strings.TrimSpace(string(token))
	return s
}

// try sends a request as another client than the page, and gives the status of the answer.
func (s *served) try(ctx context.Context, path, body string) (status string, err error) {
	request, err := http.NewRequestWithContext(ctx, "POST", s.address+strings.TrimPrefix(path, "/"), strings.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	return answer.Status, answer.Body.Close()
}

// post is try for a request that succeeds.
func (s *served) post(t *testing.T, path, body string) {
	t.Helper()
	if status, err := s.try(t.Context(), path, body); err != nil || status != "200 OK" {
		t.Fatalf("%s: %s, %v", path, status, err)
	}
}

// step is something that is done to a page.
type step = chromedp.Action[chromedp.Void]

// tab is one page of a browser.
type tab struct {
	*testing.T
	ctx context.Context

	mu         sync.Mutex
	complaints []string
}

func open(t *testing.T) *tab {
	t.Helper()
	browser := os.Getenv("CHROMIUM")
	if browser == "" {
		var err error
		if browser, err = exec.LookPath("chromium"); err != nil {
			t.Fatal("no chromium in PATH, and none named by the variable CHROMIUM")
		}
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.WindowSize(1440, 900))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, time.Minute)
	t.Cleanup(cancel)
	p := &tab{T: t, ctx: ctx}
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil { // the browser lives as long as this context
		t.Fatal(err)
	}
	err := chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			p.complain(e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
				p.complain(e.Entry.Text + " " + e.Entry.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *tab) complain(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.complaints = append(p.complaints, text)
}

func (p *tab) run(what string, steps ...step) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 15*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		page, _ := chromedp.Run(p.ctx, chromedp.Text(chromedp.CSS("body")))
		p.Fatalf("%s: %v\n%s", what, err, page)
	}
}

// sees waits until an expression of the page's script is true.
func (p *tab) sees(what, expression string) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 15*time.Second)
	defer cancel()
	poll := chromedp.Poll[bool]("Boolean("+expression+")", chromedp.WithPollingTimeout(10*time.Second))
	if _, err := chromedp.Run(ctx, poll); err != nil {
		page, _ := chromedp.Run(p.ctx, chromedp.Text(chromedp.CSS("body")))
		p.Fatalf("%s: %v\n%s", what, err, page)
	}
}

// text is an expression that says whether an element that fits holds a text.
func text(selector, want string) string {
	return fmt.Sprintf("[...document.querySelectorAll(%q)].some((e) => e.textContent.includes(%q))", selector, want)
}

// fill types into the control with a label.
func fill(form, label, value string) step {
	find := fmt.Sprintf("[...document.querySelectorAll(%q)].find((l) => l.textContent.startsWith(%q)).htmlFor", form+" label", label)
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		control, err := chromedp.Evaluate[string](find)(ctx, t)
		if err != nil {
			return chromedp.Void{}, fmt.Errorf("no control is labelled %q: %w", label, err)
		}
		return chromedp.SendKeys(chromedp.CSS("#"+control), value)(ctx, t)
	}
}

func click(selector string) step { return chromedp.Click(chromedp.CSS(selector)) }

func visible(selector string) step { return chromedp.WaitVisible(chromedp.CSS(selector)) }

func script(text string) step {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Evaluate[string](text)(ctx, t)
		return chromedp.Void{}, err
	}
}

// TestPage adds a server, connects it, calls a tool that a person must allow, and sees a disconnect arrive.
func TestPage(t *testing.T) {
	s := serve(t)
	p := open(t)
	p.run("open", chromedp.Navigate(s.address+"#token="+s.token), visible("#house"))
	p.sees("the stream stands", text("#live", "Live"))
	p.sees("the token is out of the address bar, and kept for the tab",
		fmt.Sprintf("location.hash === '' && sessionStorage.getItem('mcp-replay-token') === %q", s.token))

	p.run("add a server", click("#add"), visible("form.edit"),
		fill("form.edit", "Id", "demo"), fill("form.edit", "Name", "<img src=x onerror=alert(1)>"),
		fill("form.edit", "Command", s.command), fill("form.edit", "Arguments", "server\ndemo"),
		click("form.edit button.primary"))
	p.sees("it is connected, and its name is text", text("#servers .server[data-state=connected] .name", "<img src=x onerror=alert(1)>"))
	p.sees("the event says so", text("#events li", "connected, with 13 tools"))
	p.sees("no markup came of it", "document.querySelectorAll('img').length === 1")
	p.run("give it another name", click("[data-key=edit]"), visible("form.edit"),
		script(`document.querySelector("form.edit input").value = "Notebook"`), click("form.edit button.primary"))
	p.sees("it is connected anew", text("#servers .server[data-state=connected] .name", "Notebook"))

	p.run("call a tool", visible(`[data-key="tool mcp_demo_add_note"]`), click(`[data-key="tool mcp_demo_add_note"]`),
		visible("details[open] form"), click("details[open] form button.primary"))
	p.sees("what is required is asked for, and nothing is sent", text("details[open] .field .error", "A value is needed."))
	p.run("fill it in", fill("details[open] form", "title", "Plans"), fill("details[open] form", "text", "Sleep."),
		click("details[open] form button.primary"), visible(".approval"))
	p.sees("the card says what will be sent", text(".approval pre", `"title": "Plans"`))
	p.sees("and why it asks", text(".approval .why", "the server does not say that this tool only reads PERM-4"))
	p.sees("and a screen reader is told", text("#alarm", "Notebook asks: may add_note be called?"))
	p.run("allow it, and remember that", click(".approval input[type=checkbox]"), click(".approval button.allow"))
	p.sees("the result is there", text("details[open] .result pre", `Added "Plans".`))
	p.sees("the card is gone", "document.querySelectorAll('.approval').length === 0")
	p.sees("what is remembered shows", text("details[open] .why", "PERM-6"))

	s.post(t, "/api/mcp/servers/demo/disconnect", "")
	p.sees("the disconnect arrives", text("#events li", "Notebook disconnected: disconnected by the user"))
	p.sees("and shows", text("#servers .server[data-state=disconnected] .name", "Notebook"))
	p.run("connect it again", click("[data-key=connect]"))
	p.sees("it is connected", text("#servers .server[data-state=connected] .name", "Notebook"))

	p.sees("each control has a name", `[...document.querySelectorAll("input, select, textarea")].every((c) => c.labels.length === 1) &&
		[...document.querySelectorAll("button")].every((b) => b.textContent.trim() !== "")`)
	p.run("remove it", click("[data-key=remove]"), visible("[data-key=really]"))
	p.sees("the focus is on what does no harm", "document.activeElement.dataset.key === 'keep'")
	p.run("really", click("[data-key=really]"))
	p.sees("it is gone", "!"+text("#servers .name", "Notebook"))
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, complaint := range p.complaints {
		// The page may have asked for the tools of a server that was removed meanwhile. It takes the 404 for none; the browser
		// tells of every 404.
		if strings.Contains(complaint, "404") && strings.HasSuffix(complaint, "/api/mcp/servers/demo/tools") {
			continue
		}
		t.Errorf("the browser complains: %s", complaint)
	}
}

// TestDoor asks for the token where there is none, and takes the right one alone.
func TestDoor(t *testing.T) {
	s := serve(t)
	p := open(t)
	p.run("open", chromedp.Navigate(s.address), visible("#door"), chromedp.SendKeys(chromedp.CSS("#token"), "wrong\r"))
	p.sees("a wrong one is refused", text("#token-error", "The host does not take this token."))
	p.run("the right one", chromedp.SendKeys(chromedp.CSS("#token"), s.token+"\r"), visible("#house"))
	p.sees("it is let in", text("#live", "Live"))
}

// TestPageShowsWhatIsSent: the card has the very numbers that will be sent, and no character that hides or turns others; a
// server that is there is not overwritten by adding it again; an entry that cannot be used says why.
func TestPageShowsWhatIsSent(t *testing.T) {
	s := serve(t)
	settings := fmt.Sprintf(`{"mcp": {"servers": [
		{"id": "UPPER", "command": "x"}, {"id": "demo", "command": %q, "args": ["server", "demo"]}
	]}}`, s.command)
	if err := os.WriteFile(filepath.Join(s.home, "settings.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	p := open(t)
	p.run("open", chromedp.Navigate(s.address+"#token="+s.token), visible("#house"))
	p.sees("the file is followed", text("#servers .server[data-state=connected] .name", "demo"))
	args := "{\"arguments\": {\"title\": \"a\u202e\u200b\U000e0041b\", \"text\": \"x\", \"n\": 9007199254740993, \"f\": 0.10000000000000000001, \"z\": 1e400, \"i\": 5}}"
	go func() { _, _ = s.try(t.Context(), "/api/mcp/tools/mcp_demo_add_note/call", args) }()
	p.run("it asks", visible(".approval"))
	for _, want := range []string{`"title": "a\u{202e}\u{200b}\u{e0041}b"`, `"n": 9007199254740993,`, `"f": 0.10000000000000000001,`, `"z": 1e400,`, `"i": 5`} {
		p.sees("the card says "+want, text(".approval pre", want))
	}
	p.run("refuse it", click(".approval button.deny"))

	p.run("add it again", click("#add"), visible("form.edit"), fill("form.edit", "Id", "demo"), fill("form.edit", "Command", "other"),
		click("form.edit button.primary"))
	p.sees("it is refused", text("form.edit .error", "A server has this id already."))
	p.run("give up", click("form.edit button[type=button]"), click(`[data-key="server "]`))
	p.sees("the entry says why", text("#detail .reason", `server "UPPER": id: must be 1 to 32 characters of a-z, 0-9, - and _`))
	p.sees("and offers nothing that cannot be done", "document.querySelectorAll('#detail .actions button').length === 0")
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, complaint := range p.complaints {
		t.Errorf("the browser complains: %s", complaint)
	}
}
