package fake

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// child is the process that plays a server.
type child struct {
	out sync.Mutex // one line at a time on stdout
	log *os.File

	mu       sync.Mutex // guards what follows
	arrived  *sync.Cond
	messages map[string][]request // by method
	ended    bool                 // stdin is at its end
	stalled  bool
	stubborn bool
}

func play(mode, base string) int {
	script, err := os.ReadFile(base + ".script")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 98
	}
	if starts, err := os.OpenFile(base+".starts", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err == nil {
		fmt.Fprintf(starts, "%d\n", os.Getpid())
		starts.Close()
	}
	log, err := os.OpenFile(base+".log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 98
	}
	c := &child{log: log, messages: make(map[string][]request)}
	c.arrived = sync.NewCond(&c.mu)
	if mode == AnswerMode {
		answers, err := ParseAnswers(string(script))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 98
		}
		c.read(func(r request) { c.answer(answers.next(r.Method), r) })
		return 0
	}
	go c.read(func(request) {})
	return c.follow(strings.Split(strings.TrimSuffix(string(script), "\n"), "\n"))
}

// read logs and hands on what comes in, until stdin ends.
func (c *child) read(each func(request)) {
	defer func() {
		c.mu.Lock()
		c.ended = true
		c.mu.Unlock()
		c.arrived.Broadcast()
	}()
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) || len(line) == 0 {
			return
		}
		if _, err := c.log.Write(append(line[:len(line):len(line)], nothingOrNewline(line)...)); err != nil {
			return
		}
		if r, err := parseRequest(line); err == nil && r.Method != "" {
			c.mu.Lock()
			c.messages[r.Method] = append(c.messages[r.Method], r)
			stalled := c.stalled
			c.mu.Unlock()
			c.arrived.Broadcast()
			if stalled {
				select {}
			}
			each(r)
		}
	}
}

func nothingOrNewline(line []byte) string {
	if line[len(line)-1] == '\n' {
		return ""
	}
	return "\n"
}

// answer sends what a request gets; one that comes later holds up no other.
func (c *child) answer(a answer, r request) {
	send := func() {
		if a.exit >= 0 {
			os.Exit(a.exit)
		}
		if m := a.message(r); m != "" {
			c.write(m + "\n")
		}
	}
	if a.after == 0 {
		send()
		return
	}
	time.AfterFunc(a.after, send)
}

func (c *child) write(text string) {
	c.out.Lock()
	defer c.out.Unlock()
	_, _ = io.WriteString(os.Stdout, text)
}

// awaited names the requests that a line speaks of.
var awaited = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`@@(?:ID|IDTEXT|TOKEN|AFTER):([^@#]+)(?:#(\d+))?@@`) })

var filler = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`@@X:(\d+)@@`) })

// fillX fills in the letters x.
func fillX(line string) string {
	return filler().ReplaceAllStringFunc(line, func(m string) string {
		n, _ := strconv.Atoi(filler().FindStringSubmatch(m)[1])
		return strings.Repeat("x", n)
	})
}

// follow writes the script's lines, and then waits for the end of stdin.
func (c *child) follow(lines []string) int {
	for _, line := range lines {
		if word, rest, ok := command(line); ok {
			if code, done := c.do(word, rest); done {
				return code
			}
			continue
		}
		for _, m := range awaited().FindAllStringSubmatch(line, -1) {
			r, ok := c.await(m[1], m[2])
			if !ok {
				return c.linger()
			}
			_, name, _ := strings.Cut(strings.Trim(m[0], "@"), ":")
			line = fill(line, ":"+name, r)
		}
		c.write(fillX(line) + "\n")
	}
	return c.linger()
}

// await waits for the n-th message with a method; false means that stdin ended before.
func (c *child) await(method, nth string) (request, bool) {
	n := 1
	if nth != "" {
		n, _ = strconv.Atoi(nth)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.messages[method]) < n && !c.ended {
		c.arrived.Wait()
	}
	if len(c.messages[method]) < n {
		return request{}, false
	}
	return c.messages[method][n-1], true
}

// linger is the rest of a server's life after its script.
func (c *child) linger() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.ended || c.stubborn {
		c.arrived.Wait()
	}
	return 0
}

// do obeys a line that is a command; done says that the process ends.
func (c *child) do(word, rest string) (code int, done bool) {
	switch word {
	case "ANSWER":
		method, nth, _ := strings.Cut(rest, "#")
		r, ok := c.await(method, nth)
		if !ok {
			return c.linger(), true
		}
		c.write(defaultAnswer(method).message(r) + "\n")
	case "STDERR":
		fmt.Fprintln(os.Stderr, rest)
	case "STDERRS":
		n, _ := strconv.Atoi(rest)
		for i := range n {
			fmt.Fprintf(os.Stderr, "line %d\n", i+1)
		}
	case "FLOOD":
		n, _ := strconv.Atoi(rest)
		_, _ = io.Copy(os.Stderr, io.LimitReader(xs{}, int64(n)))
	case "RAW":
		c.write(rest)
	case "HEX":
		if b, err := hex.DecodeString(strings.ReplaceAll(rest, " ", "")); err == nil {
			c.write(string(b))
		}
	case "SLEEP":
		time.Sleep(pause(rest))
	case "STALL":
		c.mu.Lock()
		c.stalled = true
		c.mu.Unlock()
	case "STUBBORN":
		signal.Ignore(syscall.SIGTERM, os.Interrupt)
		c.mu.Lock()
		c.stubborn = true
		c.mu.Unlock()
	case "CHILD":
		if err := startIdler(rest); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 98, true
		}
	case "SIGNAL":
		p, err := os.FindProcess(os.Getpid())
		if err == nil {
			_ = p.Kill()
		}
		select {}
	case "EXIT":
		code, err := strconv.Atoi(rest)
		if err != nil {
			return 98, true
		}
		return code, true
	default:
		fmt.Fprintf(os.Stderr, "script: no such command: %s\n", word)
		return 98, true
	}
	return 0, false
}

// xs is the letter x without end.
type xs struct{}

func (xs) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}

// startIdler starts a child of the server that ends by nothing but a signal, and leaves its process id in a file.
func startIdler(file string) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(exe, idler)
	if err := cmd.Start(); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(strconv.Itoa(cmd.Process.Pid)), 0o600)
}
