package mcp

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
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

// narrow is a sink that has room for what its test gives it.
type narrow struct {
	room chan int // bytes that a writer may count on, once
	left int
	out  []byte
}

func newNarrow() *narrow { return &narrow{room: make(chan int)} }

func (n *narrow) blocks() bool { return false }
func (n *narrow) wait() error  { n.left += <-n.room; return nil }
func (n *narrow) try(b []byte) (int, error) {
	fits := min(n.left, len(b))
	n.left -= fits
	n.out = append(n.out, b[:fits]...)
	return fits, nil
}

// give makes room, and returns when it is used up and the writer waits again or has nothing to write.
func (n *narrow) give(bytes int) {
	n.room <- bytes
	synctest.Wait()
}

func postFrames(t *testing.T, o *outbox, n int) []*frame {
	t.Helper()
	frames := make([]*frame, n)
	for i := range frames {
		frames[i] = &frame{buf: fmt.Appendf(nil, "frame%d\n", i), settled: make(chan struct{}, 1)}
		if err := o.post(frames[i]); err != nil {
			t.Fatal(err)
		}
	}
	return frames
}

func retracted(t *testing.T, o *outbox, f *frame, want fate) {
	t.Helper()
	if got := o.retract(f); got != want {
		t.Errorf("%q: fate %d, want %d", f.buf, got, want)
	}
}

// TestOutboxRetract holds RPC-9: what is not begun is taken back, wherever it waits, and the rest goes out whole.
func TestOutboxRetract(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := newNarrow()
		o := &outbox{sink: sink, failed: func(error) {}}
		frames := postFrames(t, o, 5)
		retracted(t, o, frames[2], fateDropped) // it stands in the queue
		sink.give(2)
		retracted(t, o, frames[0], fatePartly)
		sink.give(len("frame0\n") - 2)
		retracted(t, o, frames[0], fateSent)
		retracted(t, o, frames[3], fateDropped) // of the batch under way, of which nothing is out
		sink.give(100)
		if got := string(sink.out); got != "frame0\nframe1\nframe4\n" {
			t.Errorf("%q", got)
		}
		for _, i := range []int{0, 1, 4} {
			retracted(t, o, frames[i], fateSent)
		}
	})
}

// TestOutboxRetractAtOnce takes a frame back that a writer is about to begin with, whichever comes first.
func TestOutboxRetractAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := newNarrow()
		o := &outbox{sink: sink, failed: func(error) {}}
		for range 100 {
			retracted(t, o, postFrames(t, o, 1)[0], fateDropped)
		}
		last := postFrames(t, o, 1)[0]
		synctest.Wait()
		sink.give(100)
		retracted(t, o, last, fateSent)
		if got := string(sink.out); got != "frame0\n" {
			t.Errorf("%q", got)
		}
	})
}

func TestOutboxIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := newNarrow()
		o := &outbox{sink: sink, failed: func(error) {}}
		refused := 0
		for range 3 * maxOwn {
			if o.post(&frame{buf: []byte("{}\n"), own: true}) == errQueueFull {
				refused++
			}
		}
		if refused != 2*maxOwn-1 { // one is with the writer, and does not wait
			t.Errorf("%d refused", refused)
		}
		if err := o.post(&frame{buf: []byte("{}\n")}); err != nil {
			t.Errorf("a call: %v", err)
		}
		synctest.Wait()
		sink.give(1 << 20)
		if got, want := len(sink.out), len("{}\n")*(maxOwn+2); got != want {
			t.Errorf("%d bytes out, want %d", got, want)
		}
	})
}

func TestNotFound(t *testing.T) {
	_, err := FindCommand("linux", "nope", "", []string{"PATH=relative:/nowhere"})
	if got, want := err.Error(), fmt.Sprintf("command %q: %v: looked in PATH=relative:/nowhere", "nope", exec.ErrNotFound); got != want {
		t.Errorf("%s", got)
	}
}
