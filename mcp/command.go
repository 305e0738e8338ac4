package mcp

import (
	"context"
	"io"
	"os"
	"os/exec"
	"time"
)

// Command is the transport to a server that runs as a child process and speaks on its stdin and stdout, one message
// a line. The zero values of all fields but Path will do.
type Command struct {
	Path string   // the command: a file, or a name that is looked for over the PATH of Env
	Args []string // without the command's own name
	Env  []string // the child's whole environment, as "NAME=value"; nil means that of this program
	Dir  string   // the folder to run in; empty means this program's

	Stderr io.Writer     // gets what the child writes to stderr, beside the tail that is kept; it holds up nobody
	Tap    Tap           // is told what passes
	Grace  time.Duration // how long a closed server may take to exit before it is killed; 0 means 2 s (LIFE-5)

	// Secrets are values that are masked wherever the child's output is quoted in an error or a status.
	Secrets []string
}

// Connect starts the command. It does not wait for a sign of life: a server that cannot run says so by its exit, which
// comes as an *[ExitError] from Read. A command that is not there is a *[StartError].
func (c *Command) Connect(ctx context.Context) (Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	path, err := LookPath(c.Path, c.Dir, c.Env)
	if err != nil {
		return nil, err
	}
	pipes, err := newPipes()
	if err != nil {
		return nil, &StartError{Command: c.Path, Dir: c.Dir, Err: err}
	}
	cmd := &exec.Cmd{Path: path, Args: append([]string{c.Path}, c.Args...), Env: c.Env, Dir: c.Dir,
		Stdin: pipes.childIn, Stdout: pipes.childOut, Stderr: pipes.childErr}
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	p, err := startProcess(cmd)
	pipes.closeChild()
	if err != nil {
		pipes.closeOurs()
		return nil, &StartError{Command: c.Path, Dir: c.Dir, Err: err}
	}
	return newChildConn(c, p, pipes)
}

// pipes are the three pipes to a child, both ends of each.
type pipes struct {
	in, out, err                *os.File // ours
	childIn, childOut, childErr *os.File
}

func newPipes() (p *pipes, err error) {
	p = new(pipes)
	defer func() {
		if err != nil {
			p.closeChild()
			p.closeOurs()
		}
	}()
	if p.childIn, p.in, err = os.Pipe(); err != nil {
		return nil, err
	}
	if p.out, p.childOut, err = os.Pipe(); err != nil {
		return nil, err
	}
	if p.err, p.childErr, err = os.Pipe(); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *pipes) closeChild() { closeAll(p.childIn, p.childOut, p.childErr) }
func (p *pipes) closeOurs()  { closeAll(p.in, p.out, p.err) }

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}
