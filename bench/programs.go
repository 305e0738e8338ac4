package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/imurun/mcp-replay/bench/floor"
)

// programs are what is measured as whole programs, in a folder that is removed after.
type programs struct {
	dir       string
	mcpReplay string // the command, as it is shipped
	empty     string // a Go program that does nothing
}

func buildPrograms() (*programs, error) {
	dir, err := os.MkdirTemp("", "mcp-replay-bench-")
	if err != nil {
		return nil, err
	}
	p := &programs{dir: dir, mcpReplay: filepath.Join(dir, "mcp-replay"), empty: filepath.Join(dir, "empty")}
	source := filepath.Join(dir, "empty.go")
	err = os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600)
	if err == nil {
		err = goBuild(".", p.empty, source)
	}
	if err == nil {
		err = goBuild("..", p.mcpReplay, "./cmd/mcp-replay")
	}
	if err != nil {
		p.remove()
		return nil, err
	}
	return p, nil
}

func goBuild(dir, output, what string) error {
	build := exec.Command("go", "build", "-trimpath", "-o", output, what)
	build.Dir = dir
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as make build does
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", what, err, out)
	}
	return nil
}

func (p *programs) remove() { os.RemoveAll(p.dir) }

func (p *programs) file(name string) string { return filepath.Join(p.dir, name) }

// play is the command as a server that plays a cassette.
func (p *programs) play(cassette string) *exec.Cmd {
	return exec.Command(p.mcpReplay, "play", cassette)
}

// recorded is this program as a server of the given mode, behind the recorder.
func (p *programs) recorded(cassette, mode string) *exec.Cmd {
	cmd := exec.Command(p.mcpReplay, "record", "-o", cassette, "--", os.Args[0])
	cmd.Env = append(os.Environ(), "BENCH_SERVE="+mode)
	return cmd
}

const (
	initialize = `{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}` + "\n"
	handshake  = initialize + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
)

// server is a server on stdio that the floor's client is connected to.
type server struct {
	*floor.Stdio
	cmd *exec.Cmd
	in  io.Closer
}

func startServer(cmd *exec.Cmd) (*server, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if _, err := io.WriteString(in, handshake); err != nil {
		return nil, err
	}
	return &server{floor.NewStdio(in, out), cmd, in}, nil
}

func (s *server) echo(size int) error {
	_, err := s.Call("tools/call", toolCall{Name: "echo", Arguments: arguments(size)})
	return err
}

// stop lets the server end by itself.
func (s *server) stop() error {
	s.in.Close()
	return s.cmd.Wait()
}

// servers starts contestants that differ by what the floor's client is connected to.
func servers(names []string, cmds []*exec.Cmd) ([]*contestant, error) {
	var cs []*contestant
	for i, cmd := range cmds {
		s, err := startServer(cmd)
		if err != nil {
			return nil, err
		}
		cs = append(cs, &contestant{names[i], s.echo, func() { s.stop() }})
	}
	return cs, nil
}
