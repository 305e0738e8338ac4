package steps

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/imurun/mcp-replay/mcp/settings"
)

// apiState is the scenario's served command, and its clients.
type apiState struct {
	address string // without a slash at its end
	token   string
	command *exec.Cmd
	waited  chan error
	log     hostLog

	last   apiAnswer
	begun  chan apiResult
	cancel context.CancelFunc
	stream *apiStream

	ended bool
	code  int
	took  time.Duration
}

// apiRequest is a request to be sent.
type apiRequest struct {
	method, path, body string
	header             map[string]string
}

// apiAnswer is what came back.
type apiAnswer struct {
	status int
	header http.Header
	body   []byte
	notice *Notice
}

type apiResult struct {
	answer apiAnswer
	err    error
}

func settingsHaveDemo(_ context.Context, w *World, id string) error {
	command, err := w.Config.Command()
	if err != nil {
		return err
	}
	w.Define("mcp-replay", command)
	return updateSettings(w, func(e *settings.Edit) error {
		return e.Put(settings.Patch{ID: id, Command: &command, Args: &[]string{"server", "demo"}})
	})
}

func userServes(ctx context.Context, w *World, line string) error {
	s := State[apiState](w)
	if s.command != nil {
		return errors.New("it is being served already")
	}
	cmd, err := w.CommandLine(ctx, line+" --listen 127.0.0.1:0")
	if err != nil {
		return err
	}
	cmd.Stderr = &s.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.command, s.waited = cmd, make(chan error, 1)
	first, err := bufio.NewReader(out).ReadString('\n')
	go func() { s.waited <- cmd.Wait() }()
	w.Cleanup(func() error {
		if s.ended {
			return nil
		}
		return s.stop(syscall.SIGTERM)
	})
	address, listens := strings.CutPrefix(strings.TrimSpace(first), "listening on ")
	if err != nil || !listens {
		return fmt.Errorf("it says %q: %w\n%s", first, err, s.log.String())
	}
	path, err := w.Path(".imurun/api-token")
	if err != nil {
		return err
	}
	token, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	s.address, s.token = strings.TrimSuffix(address, "/"), strings.TrimSpace(string(token))
	w.Define("api", s.address)
	w.Define("token", s.token)
	return nil
}

// stop ends the served command by a signal, and waits for it.
func (s *apiState) stop(signal os.Signal) error {
	began := time.Now()
	if err := s.command.Process.Signal(signal); err != nil {
		return err
	}
	<-s.waited
	s.ended, s.code, s.took = true, s.command.ProcessState.ExitCode(), time.Since(began)
	return nil
}

func stopServing(_ context.Context, w *World, name string) error {
	return State[apiState](w).stop(map[string]os.Signal{"SIGTERM": syscall.SIGTERM, "SIGINT": os.Interrupt}[name])
}

// exchange sends a request and waits for its answer.
func (s *apiState) exchange(ctx context.Context, r *apiRequest) (apiAnswer, error) {
	answer, err := s.open(ctx, r)
	if err != nil {
		return apiAnswer{}, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	return apiAnswer{status: answer.StatusCode, header: answer.Header, body: body}, err
}

// open sends a request; the caller closes the answer's body.
func (s *apiState) open(ctx context.Context, r *apiRequest) (*http.Response, error) {
	if s.command == nil {
		return nil, errors.New("nothing is served")
	}
	request, err := http.NewRequestWithContext(ctx, r.method, s.address+r.path, strings.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	if r.body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for name, value := range r.header {
		switch {
		case name == "Host":
			request.Host = value
		case value == "":
			request.Header.Del(name)
		default:
			request.Header.Set(name, value)
		}
	}
	return http.DefaultClient.Do(request)
}

func sends(ctx context.Context, w *World, r *apiRequest) error {
	s := State[apiState](w)
	answer, err := s.exchange(ctx, r)
	if err != nil {
		return err
	}
	if answer.status >= 400 {
		answer.notice = w.Notice("%s %s is answered %d %s", r.method, r.path, answer.status, answer.body)
	}
	s.last = answer
	return nil
}

func (s *apiState) statusIs(want int) error {
	s.last.notice.Mention()
	if s.last.status != want {
		return fmt.Errorf("it answers %d %s", s.last.status, s.last.body)
	}
	return nil
}

func beginsToSend(ctx context.Context, w *World, method, path string, body Doc) error {
	s := State[apiState](w)
	ctx, s.cancel = context.WithCancel(ctx)
	w.Cleanup(func() error { s.giveUp(); return nil })
	begun := make(chan apiResult, 1)
	s.begun = begun
	go func() {
		answer, err := s.exchange(ctx, &apiRequest{method: method, path: path, body: string(body)})
		begun <- apiResult{answer, err}
	}()
	return nil
}

func (s *apiState) giveUp() {
	if s.cancel != nil {
		s.cancel()
	}
}

func begunIsAnswered(ctx context.Context, w *World, status int, pointer, want string) error {
	s := State[apiState](w)
	if s.begun == nil {
		return errors.New("no request was begun")
	}
	select {
	case r := <-s.begun:
		s.begun <- r // for the next step that looks
		if r.err != nil {
			return r.err
		}
		if r.answer.status != status {
			return fmt.Errorf("it is answered %d %s", r.answer.status, r.answer.body)
		}
		return jsonHas(r.answer.body, pointer, want)
	case <-time.After(2 * patience):
		return errors.New("it is not answered")
	case <-ctx.Done():
		return ctx.Err()
	}
}

func answersApproval(ctx context.Context, w *World, how string) error {
	s := State[apiState](w)
	var id string
	err := Eventually(ctx, func() error {
		list, err := s.exchange(ctx, &apiRequest{method: "GET", path: "/api/mcp/approvals"})
		if err != nil {
			return err
		}
		first, err := at(list.body, "/approvals/0/id")
		id = strings.Trim(string(first), `"`)
		return err
	})
	if err != nil {
		return err
	}
	body := map[string]string{
		"allows": `{"answer":"allow"}`, "allows and remembers": `{"answer":"allow","remember":true}`, "refuses": `{"answer":"deny"}`,
	}[how]
	return sends(ctx, w, &apiRequest{method: "POST", path: "/api/mcp/approvals/" + id, body: body})
}

func lacksText(got, text string) error {
	if strings.Contains(got, text) {
		return fmt.Errorf("it contains %q:\n%s", text, got)
	}
	return nil
}

func givesMode(_ context.Context, w *World, name, text string) error {
	path, err := w.Path(name)
	if err != nil {
		return err
	}
	mode, err := strconv.ParseUint(text, 8, 32)
	if err != nil {
		return err
	}
	return os.Chmod(path, fs.FileMode(mode))
}
