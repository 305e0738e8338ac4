package mcp

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestBatchLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, `cmd.exe /e:ON /v:OFF /d /c ""C:\n p\npx.cmd""`},
		{[]string{"-y", "pkg", `C:\x\y`}, `cmd.exe /e:ON /v:OFF /d /c ""C:\n p\npx.cmd" -y pkg C:\x\y"`},
		{[]string{`C:\a b\x`, `C:\a b\`, ""}, `cmd.exe /e:ON /v:OFF /d /c ""C:\n p\npx.cmd" "C:\a b\x" "C:\a b\\" """`},
		{[]string{"50%", "%PATH%"}, `cmd.exe /e:ON /v:OFF /d /c ""C:\n p\npx.cmd" "50%%cd:~,%" "%%cd:~,%PATH%%cd:~,%""`},
		{[]string{"a&b", `say "hi"`, `\"`}, `cmd.exe /e:ON /v:OFF /d /c ""C:\n p\npx.cmd" "a&b" "say ""hi""" "\\"""` + `"`},
	} {
		if got, err := batchLine(`C:\n p\npx.cmd`, c.args); got != c.want || err != nil {
			t.Errorf("%q:\n got %s, %v\nwant %s", c.args, got, err, c.want)
		}
	}
	for _, bad := range []string{"a\nb", "a\rb", "a\x00b"} {
		if _, err := batchLine("x.cmd", []string{bad}); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestPathExtensions(t *testing.T) {
	for _, c := range []struct{ command, pathext, want string }{
		{"npx", ".COM;.EXE;;BAT;.CMD", ".com .exe .bat .cmd"},
		{"npx.CMD", ".COM;.EXE;.BAT;.CMD", ""},
		{"a.b", "", ".com .exe .bat .cmd"},
	} {
		if got := strings.Join(finder{windows: true, env: []string{"Pathext=" + c.pathext}}.extensions(c.command), " "); got != c.want {
			t.Errorf("%s: %q", c.command, got)
		}
	}
}

func TestTail(t *testing.T) {
	var tl tail
	for i := range 30 {
		tl.add(fmt.Appendf(nil, "line %d\r\n", i))
	}
	tl.add([]byte("par"))
	tl.add([]byte("tly \xff"))
	lines := strings.Split(tl.String(), "\n")
	if len(lines) != 20 || lines[0] != "line 11" || lines[19] != "partly \uFFFD" {
		t.Errorf("%q", lines)
	}
	tl.add([]byte(strings.Repeat("x", 5_000_000)))
	if n := len(tl.String()); n > tailLines*tailLineLen {
		t.Errorf("%d bytes kept", n)
	}
}

func TestMask(t *testing.T) {
	token := "abcdef" + "0123456789"
	m := newMask([]string{"hunter2-", "hunter2-hunter2", "short"}, []string{"FX_KEY=from-the-environment", "HOME=/home/someone"})
	for in, want := range map[string]string{
		"it is hunter2-hunter2, short":         "it is ********, short",
		"x from-the-environment /home/someone": "x ******** /home/someone",
		"API_KEY=" + token + " ok":             "API_KEY=******** ok",
		`{"password": "` + token + `"}`:        `{"password": "********"}`,
		"Authorization: Bearer " + token:       "Authorization: Bearer ********",
		"got bearer " + token:                  "got bearer ********",
		"sk-" + token + token + " rejected":    "******** rejected",
		"nothing to hide: key":                 "nothing to hide: key",
		"KeyError: 'API_TOKEN'":                "KeyError: 'API_TOKEN'",
		"Unexpected token: } in JSON":          "Unexpected token: } in JSON",
		"keyboard: interrupt":                  "keyboard: interrupt",
		"token=" + token:                       "token=********",
		"client_secret: '" + token + "'":       "client_secret: '********'",
	} {
		if got := m.in(in); got != want {
			t.Errorf("%q becomes %q, not %q", in, got, want)
		}
	}
}

func TestFraming(t *testing.T) {
	for _, c := range []struct {
		lines []string
		want  bool
	}{
		{[]string{"Content-Length: 12", ""}, true},
		{[]string{"content-length:12", "Content-Type: x", " "}, true},
		{[]string{"Content-Length: twelve", ""}, false},
		{[]string{"hello", "Content-Length: 12", ""}, false},
		{[]string{"Content-Length: 12", "hello", ""}, false},
	} {
		var f framing
		got := slices.ContainsFunc(c.lines, func(l string) bool { return f.line([]byte(l)) })
		if got != c.want {
			t.Errorf("%q: %v", c.lines, got)
		}
	}
}

// blocked is a sink without room until it is given some.
type blocked struct {
	room int
	out  []byte
	more chan struct{}
}

func (b *blocked) blocks() bool { return false }
func (b *blocked) wait() error  { <-b.more; return nil }
func (b *blocked) try(p []byte) (int, error) {
	n := min(b.room, len(p))
	b.room -= n
	b.out = append(b.out, p[:n]...)
	return n, nil
}

// TestOutboxRetract holds RPC-9: what is not begun is taken back, wherever it waits, and the rest goes out whole.
func TestOutboxRetract(t *testing.T) {
	b := &blocked{room: 2, more: make(chan struct{}, 10)}
	o := &outbox{sink: b, failed: func(error) {}}
	frames := make([]*frame, 5)
	for i := range frames {
		frames[i] = &frame{buf: fmt.Appendf(nil, "frame%d\n", i), settled: make(chan struct{}, 1)}
		if err := o.post(frames[i]); err != nil {
			t.Fatal(err)
		}
	}
	if got := o.retract(frames[0]); got != fatePartly {
		t.Errorf("the one that is half out: %v", got)
	}
	if got := o.retract(frames[2]); got != fateDropped {
		t.Errorf("one that waits: %v", got)
	}
	give := func(n int) {
		o.turn.Lock()
		b.room = n
		o.turn.Unlock()
		b.more <- struct{}{}
	}
	give(len("frame0\n") - 2)
	<-frames[0].settled
	// Now the others are the batch under way, of which nothing is out, or are about to be.
	if got := o.retract(frames[3]); got != fateDropped {
		t.Errorf("one of the batch: %v", got)
	}
	give(100)
	<-frames[4].settled
	o.turn.Lock()
	defer o.turn.Unlock()
	if got := string(b.out); got != "frame0\nframe1\nframe4\n" {
		t.Errorf("%q", got)
	}
	if got := frames[1].is(); got != fateSent {
		t.Errorf("one that is out: %v", got)
	}
}

func TestOutboxIsBounded(t *testing.T) {
	b := &blocked{more: make(chan struct{})}
	o := &outbox{sink: b, failed: func(error) {}}
	refused := 0
	for range 3 * maxOwn {
		if o.post(&frame{buf: []byte("{}\n"), own: true}) == errQueueFull {
			refused++
		}
	}
	if refused < maxOwn || refused > 2*maxOwn {
		t.Errorf("%d refused", refused)
	}
	if err := o.post(&frame{buf: []byte("{}\n")}); err != nil {
		t.Errorf("a call: %v", err)
	}
}

func TestNotFound(t *testing.T) {
	_, err := FindCommand("linux", "nope", "", []string{"PATH=relative:/nowhere"})
	if got, want := err.Error(), fmt.Sprintf("command %q: %v: looked in PATH=relative:/nowhere", "nope", exec.ErrNotFound); got != want {
		t.Errorf("%s", got)
	}
}
