package steps

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/settings"
)

func settingsHaveFake(_ context.Context, w *World, id string) error {
	fake, err := w.FakeServer()
	if err != nil {
		return err
	}
	file, err := settingsFile(w)
	if err != nil {
		return err
	}
	_, err = file.Update(func(e *settings.Edit) error {
		return e.Put(settings.Patch{ID: id, Command: &fake.Path, Args: &fake.Args})
	})
	return err
}

func loadSettings(_ context.Context, w *World) error {
	file, err := settingsFile(w)
	if err != nil {
		return err
	}
	s := host(w)
	s.loaded, err = file.Load()
	s.tried(w, "loading the settings", err)
	return nil
}

func saveServer(_ context.Context, w *World, body Doc) error {
	s := host(w)
	patch, err := settings.ParsePatch(jsontext.Value(body))
	if err == nil {
		if s.registry != nil {
			_, err = s.registry.Save(patch)
		} else {
			err = updateSettings(w, func(e *settings.Edit) error { return e.Put(patch) })
		}
	}
	s.tried(w, "saving the server", err)
	return nil
}

func updateSettings(w *World, change func(*settings.Edit) error) error {
	file, err := settingsFile(w)
	if err != nil {
		return err
	}
	_, err = file.Update(change)
	return err
}

func removeServer(_ context.Context, w *World, id string) error {
	s := host(w)
	var err error
	if s.registry != nil {
		err = s.registry.Remove(id)
	} else {
		err = updateSettings(w, func(e *settings.Edit) error { return e.Remove(id) })
	}
	s.tried(w, "removing the server", err)
	return nil
}

func resolveServer(_ context.Context, w *World, id string) error {
	s := host(w)
	stored, err := storedServer(w, id)
	if err != nil {
		return err
	}
	file, err := settingsFile(w)
	if err != nil {
		return err
	}
	repo := s.repo
	if repo == "" {
		if repo, err = w.Dir(); err != nil {
			return err
		}
	}
	s.resolved, err = stored.Resolve(&settings.Places{Home: filepath.Dir(file.Path), Repo: repo, LookupEnv: s.lookup})
	s.tried(w, "filling the placeholders in", err)
	return nil
}

// storedServer is the server with the id as the file has it now.
func storedServer(w *World, id string) (settings.Server, error) {
	file, err := settingsFile(w)
	if err != nil {
		return settings.Server{}, err
	}
	all, err := file.Load()
	if err != nil {
		return settings.Server{}, err
	}
	s, found := all.Server(id)
	if !found {
		return s, fmt.Errorf("the settings have no server %q", id)
	}
	return s, nil
}

func serverHas(w *World, id, pointer, want string, view func(settings.Server) settings.Server) error {
	s, err := storedServer(w, id)
	if err != nil {
		return err
	}
	text, err := encode(view(s))
	if err != nil {
		return err
	}
	return jsonHas(text, pointer, want)
}

func serversAre(_ context.Context, w *World, table Table) error {
	want, err := table.Column()
	if err != nil {
		return err
	}
	file, err := settingsFile(w)
	if err != nil {
		return err
	}
	all, err := file.Load()
	if err != nil {
		return err
	}
	var got []string
	for _, s := range all.Servers {
		got = append(got, s.ID)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("they are %q", got)
	}
	return nil
}

func saveRefused(_ context.Context, w *World, field string) error {
	s := host(w)
	s.notice.Mention()
	var wrong *settings.FieldError
	if !errors.As(s.failure, &wrong) {
		return fmt.Errorf("it is not refused for a field: %w", s.failure)
	}
	return sameText(wrong.Field, field)
}

func programsSave(ctx context.Context, w *World, programs, servers int) error {
	failures := make([]error, programs)
	var wait sync.WaitGroup
	for p := range programs {
		wait.Go(func() {
			for n := range servers {
				cmd, err := w.CommandLine(ctx, fmt.Sprintf("mcp-replay servers add program-%d-server-%d -- x", p+1, n+1))
				if err != nil {
					failures[p] = err
					return
				}
				if out, err := cmd.CombinedOutput(); err != nil {
					failures[p] = fmt.Errorf("%w\n%s", err, out)
					return
				}
			}
		})
	}
	wait.Wait()
	return errors.Join(failures...)
}

func killSavers(ctx context.Context, w *World, times int) error {
	file, err := settingsFile(w)
	if err != nil {
		return err
	}
	saved := 0
	for n := range times {
		cmd, err := w.CommandLine(ctx, fmt.Sprintf("mcp-replay servers add a --replace --timeout %d -- x", n%600+1))
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		timer := time.AfterFunc(time.Duration(rand.IntN(40_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		err = cmd.Wait()
		timer.Stop()
		if _, killed := errors.AsType[*exec.ExitError](err); err == nil {
			saved++
		} else if !killed {
			return err
		}
		if _, err := file.Load(); err != nil {
			return fmt.Errorf("after %d kills the file is broken: %w", n+1, err)
		}
	}
	if saved == times {
		return errors.New("every save came through; none was killed")
	}
	return nil
}

func hasMode(_ context.Context, w *World, name, want string) error {
	path, err := w.Path(name)
	if err != nil {
		return err
	}
	mode, err := strconv.ParseUint(want, 8, 32)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if got := info.Mode().Perm(); got != fs.FileMode(mode) {
		return fmt.Errorf("it has the mode %s", strings.TrimPrefix(fmt.Sprintf("%o", got), "0"))
	}
	return nil
}

func hostKeeps(ctx context.Context, w *World, secret string) error {
	s := host(w)
	r, err := s.up()
	if err != nil {
		return err
	}
	servers, err := encode(r.Servers())
	if err != nil {
		return err
	}
	said := map[string]string{
		"servers": string(servers), "events": strings.Join(eventLines(ctx, r), "\n"), "result": s.call.Text, "log": s.log.String(),
	}
	if s.failure != nil {
		said["failure"] = s.failure.Error()
	}
	for where, text := range said {
		if strings.Contains(text, secret) {
			return fmt.Errorf("its %s: %s", where, text)
		}
	}
	return nil
}
