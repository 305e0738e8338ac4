//go:build unix

package replay

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
)

// The test binary is its own server: with this variable set it plays one of the parts below instead of running tests.
const partVariable = "REPLAY_TEST_PART"

func init() {
	part, ok := os.LookupEnv(partVariable)
	if !ok {
		return
	}
	switch part {
	case "echo": // answers every line with itself
		in := bufio.NewReader(os.Stdin)
		io.Copy(os.Stdout, in)
	case "odd": // writes what no message is, and messages of every spelling
		os.Stdout.WriteString(oddOutput)
		os.Stderr.WriteString("half a ")
		time.Sleep(10 * time.Millisecond)
		os.Stderr.WriteString("line\nand no end")
		io.Copy(io.Discard, os.Stdin)
		os.Exit(7)
	case "burst": // writes what the pipes on the way have room for, and is gone
		os.Stdout.WriteString(burst)
	case "word": // writes less than the pipe to the host and its own have room for, and is gone
		os.Stdout.WriteString(burst[:100<<10])
	case "babble": // writes more than any pipe has room for before it reads
		os.Stdout.WriteString(babble)
		io.Copy(io.Discard, os.Stdin)
	case "flood": // writes 4 MB to stderr before it answers
		os.Stderr.WriteString(strings.Repeat("log\n", 1<<20))
		io.Copy(os.Stdout, os.Stdin)
	case "wait": // ends by the signal it gets
		fmt.Println(`{"jsonrpc":"2.0","method":"ready"}`)
		time.Sleep(time.Minute)
	case "tools":
		playTools()
	case "env":
		fmt.Printf("%s %s\n", os.Getenv("MY_TOKEN"), os.Getenv("PATH_TO_IT"))
	case "deaf": // closes its stdin and lives on until its stdout is closed
		os.Stdin.Close()
		for {
			if _, err := fmt.Println(`{"jsonrpc":"2.0","method":"tick"}`); err != nil {
				os.Exit(3)
			}
			time.Sleep(time.Millisecond)
		}
	}
	os.Exit(0)
}

const oddOutput = "Server ready\n" +
	"\n" +
	"\r\n" +
	"[]\n42\n" +
	`{"jsonrpc":"2.0","id":1,"result":{"n":1.0,"m":1E400, "s":"\u00e9é` + "\u2028" + `"}}` + "\n" +
	`{"jsonrpc":"2.0","id":2,"result":{}}` + "\r\n" +
	"\uFEFF" + `{"jsonrpc":"2.0","id":3,"result":{}}` + "\n" +
	`  {"jsonrpc":"2.0","id":4,"result":{}} ` + "\n" +
	`[{"jsonrpc":"2.0","id":5,"result":{}}]` + "\n" +
	"{\"jsonrpc\":\"2.0\",\"id\":6,\"result\":{\"s\":\"\xff\"}}\n" +
	`{"log":"json, but no message"}` + "\n" +
	`{"jsonrpc":"2.0","id":7,"result":{}}` // no line end

func serverPart(name string, env ...string) *mcp.Command {
	return &mcp.Command{Path: os.Args[0], Args: []string{"--server"}, Env: append(os.Environ(), append(env, partVariable+"="+name)...)}
}

var (
	burst  = strings.Repeat(strings.Repeat("b", 1023)+"\n", 180)
	babble = strings.Repeat(strings.Repeat("B", 1023)+"\n", 1024)
)

// A hostKind makes the streams of a host that writes the given input and collects what it reads; gone waits for the rest of it.
type hostKind func(t *testing.T, input string, out io.Writer) (host HostStreams, gone func())

// hostKinds are a host in this process, and hosts behind pipes and sockets (as Node has them), which the recorder serves in
// another way.
var hostKinds = map[string]hostKind{
	"in memory": func(_ *testing.T, input string, out io.Writer) (HostStreams, func()) {
		return HostStreams{In: strings.NewReader(input), Out: out}, func() {}
	},
	"pipes":   hostBehind(newPipe),
	"sockets": hostBehind(newSockets),
}

func hostBehind(pair func(*testing.T) (r, w *os.File)) hostKind {
	return func(t *testing.T, input string, out io.Writer) (HostStreams, func()) {
		in, hostOut := pair(t)
		hostIn, ourOut := pair(t)
		go func() {
			io.WriteString(hostOut, input)
			hostOut.Close()
		}()
		var read sync.WaitGroup
		read.Go(func() { io.Copy(out, hostIn) })
		return HostStreams{In: in, Out: ourOut}, func() {
			ourOut.Close()
			read.Wait()
		}
	}
}

func newSockets(t *testing.T) (r, w *os.File) {
	t.Helper()
	syscall.ForkLock.RLock() // no server inherits them
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(pair[0])
		syscall.CloseOnExec(pair[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	r, w = os.NewFile(uintptr(pair[0]), "socket"), os.NewFile(uintptr(pair[1]), "socket")
	t.Cleanup(func() { closeFiles(r, w) })
	return r, w
}

func newPipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeFiles(r, w) })
	return r, w
}

// recordServerPart runs a part behind a recorder, with the given input, and gives what its host sees and the cassette.
func recordServerPart(t *testing.T, kind hostKind, c *mcp.Command, input string, o *RecordOptions) (out, stderr string, status mcp.ExitStatus, cassette *Cassette) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if o == nil {
		o = &RecordOptions{}
	}
	if o.Redact == nil {
		o.Redact = &RedactOptions{Folders: &Folders{}}
	}
	o.Server = ServerLine{Command: "server", Args: c.Args}
	rec, err := Create(path, o)
	if err != nil {
		t.Fatal(err)
	}
	var outBuf, errBuf bytes.Buffer
	host, gone := kind(t, input, &outBuf)
	host.Err = &errBuf
	status, err = RecordStdio(t.Context(), c, host, rec)
	if err != nil {
		t.Fatal(err)
	}
	gone()
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	return outBuf.String(), errBuf.String(), status, openCassette(t, path)
}

// REP-3: the host sees every byte, the ends and the exit code as they are; the cassette tells messages from the rest.
func TestRecordStdioChangesNothing(t *testing.T) {
	for name, kind := range hostKinds {
		t.Run(name, func(t *testing.T) { testChangesNothing(t, kind) })
	}
}

func testChangesNothing(t *testing.T, kind hostKind) {
	out, stderr, status, c := recordServerPart(t, kind, serverPart("odd"), "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\nnoise\n", nil)
	if out != oddOutput {
		t.Errorf("the host reads %q", out)
	}
	if stderr != "half a line\nand no end" || status != (mcp.ExitStatus{Code: 7}) {
		t.Errorf("stderr %q, status %v", stderr, status)
	}
	got := told(t, c)
	var client, server, errs []string
	for _, line := range got {
		switch {
		case strings.HasPrefix(line, `"from":"client",`):
			client = append(client, strings.TrimPrefix(line, `"from":"client",`))
		case strings.Contains(line, `"stderr"`):
			errs = append(errs, strings.TrimPrefix(line, `"from":"server",`))
		default:
			server = append(server, strings.TrimPrefix(line, `"from":"server",`))
		}
	}
	want := []string{
		`"noise":"Server ready\n"`,
		`"noise":"\n"`,
		`"noise":"\r\n"`,
		`"noise":"[]\n"`,
		`"noise":"42\n"`,
		`"message":{"jsonrpc":"2.0","id":1,"result":{"n":1.0,"m":1E400, "s":"\u00e9é` + "\u2028" + `"}}`,
		`"message":{"jsonrpc":"2.0","id":2,"result":{}}`,
		`"text":"` + "\uFEFF" + `{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}"`,
		`"text":"  {\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}} "`,
		`"message":[{"jsonrpc":"2.0","id":5,"result":{}}]`,
		`"of":"message","bytes":"eyJqc29ucnBjIjoiMi4wIiwiaWQiOjYsInJlc3VsdCI6eyJzIjoi/yJ9fQ=="`,
		`"noise":"{\"log\":\"json, but no message\"}\n"`,
		`"message":{"jsonrpc":"2.0","id":7,"result":{}}`,
		`"exit":{"code":7}`,
	}
	if diff := cmp.Diff(want, server); diff != "" {
		t.Errorf("from the server (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{`"message":{"jsonrpc":"2.0","method":"a"}`, `"noise":"noise\n"`, `"close":true`}, client); diff != "" {
		t.Errorf("from the client (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{`"stderr":"half a line\n"`, `"stderr":"and no end"`}, errs); diff != "" {
		t.Errorf("stderr (-want +got):\n%s", diff)
	}
}

// Lines of any length pass, and those that can be messages are recorded.
func TestRecordStdioLongLines(t *testing.T) {
	long := `{"jsonrpc":"2.0","method":"x","params":{"s":"` + strings.Repeat("é", 3<<20) + `"}}`
	tooLong := strings.Repeat("y", 65<<20)
	var warned []string
	out, _, _, c := recordServerPart(t, hostKinds["pipes"], serverPart("echo"), long+"\n"+tooLong+"\n"+long+"\n", &RecordOptions{Warn: func(s string) { warned = append(warned, s) }})
	if out != long+"\n"+tooLong+"\n"+long+"\n" {
		t.Errorf("%d bytes come back", len(out))
	}
	if c.Len() != 8 || c.Entry(0).Kind != mcp.FrameMessage {
		t.Fatalf("%d frames", c.Len())
	}
	f, err := c.Frame(0)
	if err != nil || string(f.Data) != long {
		t.Errorf("the long line is not there: %v", err)
	}
	if len(warned) != 2 || warned[0] != "a line of 68157441 bytes is too long to be recorded; it was passed on" {
		t.Errorf("warned: %q", warned)
	}
}

// Neither side has to read before the other has been read from.
func TestRecordStdioBothSidesFull(t *testing.T) {
	for name, kind := range hostKinds {
		t.Run(name, func(t *testing.T) {
			out, _, status, _ := recordServerPart(t, kind, serverPart("babble"), babble, nil)
			if out != babble || status.Code != 0 {
				t.Errorf("%d bytes of %d, %v", len(out), len(babble), status)
			}
		})
	}
}

// What the server has written before its end reaches a host that takes its time to read it.
func TestRecordStdioSlowHost(t *testing.T) {
	for name, kind := range hostKinds {
		t.Run(name, func(t *testing.T) {
			rec, err := NewRecorder(io.Discard, nil)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			slow := sync.OnceFunc(func() { time.Sleep(lingering + 300*time.Millisecond) })
			host, gone := kind(t, "", writerFunc(func(b []byte) (int, error) {
				slow()
				return out.Write(b)
			}))
			if _, err := RecordStdio(t.Context(), serverPart("burst"), host, rec); err != nil {
				t.Fatal(err)
			}
			if gone(); out.String() != burst {
				t.Errorf("%d bytes of %d", out.Len(), len(burst))
			}
		})
	}
}

// A signal that comes when the server has ended ends the wait for a host that does not read.
func TestRecordStdioSignalAfterTheEnd(t *testing.T) {
	rec, err := NewRecorder(io.Discard, nil)
	if err != nil {
		t.Fatal(err)
	}
	in, _ := newPipe(t)
	_, out := newPipe(t)
	signals := make(chan os.Signal, 1)
	go func() {
		time.Sleep(2 * lingering)
		signals <- syscall.SIGTERM
	}()
	start := time.Now()
	status, err := RecordStdio(t.Context(), serverPart("word"), HostStreams{In: in, Out: out, Signals: signals}, rec)
	if took := time.Since(start); err != nil || status.Code != 0 || took < 2*lingering {
		t.Errorf("%v, %v after %v", status, err, took)
	}
}

// Fault 10: a flood on stderr blocks nobody, even where the host does not read it.
func TestRecordStdioStderrFlood(t *testing.T) {
	rec, err := NewRecorder(io.Discard, nil)
	if err != nil {
		t.Fatal(err)
	}
	blocked, release := io.Pipe()
	defer blocked.Close()
	var out bytes.Buffer
	status, err := RecordStdio(t.Context(), serverPart("flood"), HostStreams{In: strings.NewReader("{}\n"), Out: &out, Err: release}, rec)
	if err != nil || out.String() != "{}\n" || status.Code != 0 {
		t.Errorf("%q, %v, %v", out.String(), status, err)
	}
}

// A signal reaches the server, and its end by it is told.
func TestRecordStdioSignals(t *testing.T) {
	rec, err := NewRecorder(io.Discard, nil)
	if err != nil {
		t.Fatal(err)
	}
	in, _ := io.Pipe()
	signals := make(chan os.Signal, 1)
	ready := writerFunc(func(b []byte) (int, error) {
		signals <- syscall.SIGTERM
		return len(b), nil
	})
	status, err := RecordStdio(t.Context(), serverPart("wait"), HostStreams{In: in, Out: ready, Signals: signals}, rec)
	if err != nil || status != (mcp.ExitStatus{Signal: "SIGTERM"}) {
		t.Errorf("%v, %v", status, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ready = func(b []byte) (int, error) {
		cancel()
		return len(b), nil
	}
	in, _ = io.Pipe()
	if status, err = RecordStdio(ctx, serverPart("wait"), HostStreams{In: in, Out: ready}, rec); err != nil || status.Signal != "SIGKILL" {
		t.Errorf("%v, %v", status, err)
	}
}

// A server that stops reading, and a host that stops, are told to each other.
func TestRecordStdioOneSideGone(t *testing.T) {
	rec, err := NewRecorder(io.Discard, nil)
	if err != nil {
		t.Fatal(err)
	}
	in, host := io.Pipe()
	lines := 0
	out := writerFunc(func(b []byte) (int, error) {
		if lines++; lines > 20 {
			return 0, errors.New("gone")
		}
		return len(b), nil
	})
	told := make(chan error)
	go func() {
		for {
			if _, err := host.Write([]byte("{}\n")); err != nil {
				told <- err
				return
			}
		}
	}()
	status, err := RecordStdio(t.Context(), serverPart("deaf"), HostStreams{In: in, Out: out}, rec)
	if err != nil || status.Code != 3 && status.Signal != "SIGPIPE" {
		t.Errorf("%v, %v", status, err)
	}
	if err := <-told; !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("the host is told %v", err)
	}
}

func TestRecordStdioNoSuchCommand(t *testing.T) {
	rec, err := NewRecorder(io.Discard, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = RecordStdio(t.Context(), &mcp.Command{Path: "no-such-command-here"}, HostStreams{In: strings.NewReader(""), Out: io.Discard}, rec)
	if start := (*mcp.StartError)(nil); !errors.As(err, &start) {
		t.Errorf("%v", err)
	}
}

// REP-2: each frame is in the file before its last byte reaches the other side.
func TestFrameIsInTheFileFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	rec, err := Create(path, &RecordOptions{Redact: &RedactOptions{Folders: &Folders{}}})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	passed := 0
	out := writerFunc(func(b []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		passed += bytes.Count(b, []byte{'\n'})
		data, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		if recorded := bytes.Count(data, []byte(`"from":"server","message"`)); recorded < passed {
			t.Errorf("%d lines have passed, %d are recorded", passed, recorded)
		}
		return len(b), nil
	})
	input := strings.Repeat("{\"jsonrpc\":\"2.0\",\"method\":\"m\"}\n", 500)
	if _, err := RecordStdio(t.Context(), serverPart("echo"), HostStreams{In: strings.NewReader(input), Out: out}, rec); err != nil {
		t.Fatal(err)
	}
	if passed != 500 {
		t.Errorf("%d lines", passed)
	}
}

// REP-4: what stands in the server's environment under a credential's name is kept out of every kind of frame.
func TestRecordStdioKeepsSecrets(t *testing.T) {
	env := []string{"MY_TOKEN=fx-s3cret-0001", "PATH_TO_IT=/home/fxuser/x"}
	out, _, _, c := recordServerPart(t, hostKinds["pipes"], serverPart("env", env...), "", &RecordOptions{
		Redact: &RedactOptions{Inherited: env, Folders: &Folders{Home: "/home/fxuser"}}})
	if out != "fx-s3cret-0001 /home/fxuser/x\n" {
		t.Errorf("the host reads %q", out)
	}
	if got := told(t, c); !slices.Contains(got, `"from":"server","noise":"[redacted:my-token:1] [path:home]/x\n"`) {
		t.Errorf("recorded: %q", got)
	}
}
