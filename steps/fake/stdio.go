package fake

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// verb is the first argument of a test binary that is to play a server.
const verb = "play-a-fake-server"

// idler is the first argument of a test binary that is to do nothing.
const idler = "idle-as-a-child-of-a-fake-server"

// lifetime ends a fake that everything else has failed to end.
const lifetime = 2 * time.Minute

// The ways in which a server on stdio follows its script.
const (
	AnswerMode = "answers"
	WriteMode  = "writes"
)

// Main plays a server and exits, if that is what the process was started for; else it returns. TestMain calls it first.
func Main() {
	if len(os.Args) < 2 || os.Args[1] != verb && os.Args[1] != idler {
		return
	}
	time.AfterFunc(lifetime, func() { os.Exit(99) })
	if os.Args[1] == idler {
		select {}
	}
	if len(os.Args) < 4 {
		os.Exit(98)
	}
	os.Exit(play(os.Args[2], os.Args[3]))
}

// Server is a fake server on stdio: what it takes to start it, and what it has received.
type Server struct {
	Path string   // the program that plays it
	Args []string // what makes it a server
	log  string
}

// Stdio prepares a fake server on stdio that follows a script, in the mode given; its files are kept in dir. Each start of the
// command is a server of its own, and their logs are one. The test binary plays it, whose TestMain has called [Main].
func Stdio(dir, mode, script string) (*Server, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return StdioProgram(program, dir, mode, script)
}

// StdioProgram is [Stdio] with a program that calls [Main], such as steps/fake/fakeserver. Where the test binary links much that
// works when it is initialised, a program of its own starts faster.
func StdioProgram(program, dir, mode, script string) (*Server, error) {
	if mode == AnswerMode {
		if _, err := ParseAnswers(script); err != nil {
			return nil, err
		}
	}
	base := filepath.Join(dir, "fake-"+uuid.NewString()[:8])
	if err := os.WriteFile(base+".script", []byte(script), 0o600); err != nil {
		return nil, err
	}
	return &Server{Path: program, Args: []string{verb, mode, base}, log: base + ".log"}, nil
}

// Received is the lines that have come in on the server's stdin.
func (s *Server) Received() ([]string, error) {
	data, err := os.ReadFile(s.log)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(data), "\n")
	return lines[:len(lines)-1], nil
}

// Starts is the number of times that the server was started.
func (s *Server) Starts() (int, error) {
	data, err := os.ReadFile(strings.TrimSuffix(s.log, ".log") + ".starts")
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	return strings.Count(string(data), "\n"), err
}

// PIDs is the process ids of all starts.
func (s *Server) PIDs() ([]int, error) {
	data, err := os.ReadFile(strings.TrimSuffix(s.log, ".log") + ".starts")
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, field := range strings.Fields(string(data)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			return nil, err
		}
		pids = append(pids, pid)
	}
	return pids, nil
}
