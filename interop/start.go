package interop

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/imurun/mcp-replay/mcp"
)

// base is where each server has its folder. The path is in recordings and specs, so it is the same everywhere.
const base = "/tmp/mcp-replay-interop"

// pageAddr is where the one page is served that a server may fetch; it is in recordings and specs too.
const pageAddr = "127.0.0.1:18473"

const page = "<!doctype html>\n<title>A page</title>\n<h1>Hello</h1>\n<p>One paragraph.</p>\n"

// folder is where the server works. Its variants share it, and so the paths that the spec names.
func (s *Server) folder() string { return base + "/" + s.Features[0] }

// Recorded puts the values that are the same everywhere into the text of a call: what [Running.Fill] does for a server that
// runs, as far as a recording of it goes.
func (s *Server) Recorded(text string) string {
	return strings.NewReplacer("${dir}", s.folder(), "${page}", "http://"+pageAddr).Replace(text)
}

// Running is a server whose folder is laid, and, over HTTP, that listens.
type Running struct {
	Command []string // filled; the child to start on stdio
	Env     []string // the child's whole environment
	URL     string   // filled; empty: stdio

	places  *strings.Replacer
	process *exec.Cmd
	exited  chan struct{} // closed when process has
	output  *tail
	page    *http.Server
}

// Start lays the server's folder anew and, where it is one on HTTP, starts it and waits until it listens. The program runs
// in the root of the repository.
func (s *Server) Start(ctx context.Context) (*Running, error) {
	r, err := s.lay(ctx)
	if err == nil && s.URL != "" {
		err = r.listen(ctx)
	}
	if err != nil {
		if r != nil {
			err = errors.Join(err, r.Close())
		}
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return r, nil
}

func (s *Server) lay(ctx context.Context) (*Running, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if s.Port == 0 {
		if s.Port, err = freePort(); err != nil {
			return nil, err
		}
	}
	here := filepath.Join(root, "interop")
	dir := s.folder()
	r := &Running{places: strings.NewReplacer(
		"${node}", filepath.Join(here, "node_modules/.bin/node"),
		"${npm}", filepath.Join(here, "node_modules"),
		"${python}", filepath.Join(here, ".venv/servers/bin"),
		"${fastmcp}", filepath.Join(here, ".venv/fastmcp/bin"),
		"${bin}", filepath.Join(here, ".bin"),
		"${dir}", dir,
		"${page}", "http://"+pageAddr,
		"${port}", strconv.Itoa(s.Port))}
	for _, word := range s.Command {
		r.Command = append(r.Command, r.Fill(word))
	}
	// Nothing of the machine's own environment gets into a recording.
	r.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + dir, "LANG=C.UTF-8", "NO_COLOR=1", "PYTHONDONTWRITEBYTECODE=1"}
	for name, value := range s.Env {
		r.Env = append(r.Env, name+"="+r.Fill(value))
	}
	r.URL = r.Fill(s.URL)
	if err := s.layFiles(ctx, r, dir); err != nil {
		return r, err
	}
	return r, r.servePage()
}

func (s *Server) layFiles(ctx context.Context, r *Running, dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, content := range s.Files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(r.Fill(content)), 0o644); err != nil {
			return err
		}
	}
	if len(s.Prepare) == 0 {
		return nil
	}
	cmd := exec.CommandContext(ctx, s.Prepare[0])
	for _, word := range s.Prepare[1:] {
		cmd.Args = append(cmd.Args, r.Fill(word))
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", s.Prepare[0], err, out)
	}
	return nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// Fill puts the values of a running server into a text of the table.
func (r *Running) Fill(text string) string { return r.places.Replace(text) }

// Transport is the client's way to the server; tap, where it is not nil, is told what passes.
func (r *Running) Transport(tap mcp.Tap) mcp.Transport {
	if r.URL != "" {
		return &mcp.HTTP{URL: r.URL, Tap: tap}
	}
	return &mcp.Command{Path: r.Command[0], Args: r.Command[1:], Env: r.Env, Tap: tap}
}

// servePage serves the one page at / and nothing else.
func (r *Running) servePage() error {
	listener, err := net.Listen("tcp", pageAddr)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, page)
	})
	r.page = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go r.page.Serve(listener)
	return nil
}

// listen starts the server and waits until its port takes connections.
func (r *Running) listen(ctx context.Context) error {
	address := strings.TrimPrefix(r.URL, "http://")
	address, _, _ = strings.Cut(address, "/")
	if conn, err := net.Dial("tcp", address); err == nil {
		conn.Close()
		return fmt.Errorf("%s is taken", address)
	}
	r.output = new(tail)
	r.process = exec.Command(r.Command[0], r.Command[1:]...)
	r.process.Env, r.process.Stdout, r.process.Stderr = r.Env, r.output, r.output
	r.process.WaitDelay = time.Second
	if err := r.process.Start(); err != nil {
		r.process = nil
		return err
	}
	r.exited = make(chan struct{})
	go func() {
		defer close(r.exited)
		_ = r.process.Wait() // how it ends when it is told to is its own affair
	}()
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-r.exited:
			return fmt.Errorf("it exited before it listened on %s\n%s", address, r.output)
		case <-ctx.Done():
			return fmt.Errorf("nothing listens on %s: %w\n%s", address, context.Cause(ctx), r.output)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Close ends what Start started. It blocks until the server has exited, or 3 s.
func (r *Running) Close() error {
	var errs []error
	if r.page != nil {
		errs = append(errs, r.page.Close())
	}
	if r.process != nil {
		_ = r.process.Process.Signal(syscall.SIGTERM)
		select {
		case <-r.exited:
		case <-time.After(3 * time.Second):
			errs = append(errs, r.process.Process.Kill())
			<-r.exited
		}
	}
	return errors.Join(errs...)
}
