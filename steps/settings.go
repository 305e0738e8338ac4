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

// settingsSteps is about the settings file.
var settingsSteps = []Step{{
	Pattern: `^the settings have the servers:$`,
	Example: "Given the settings have the servers:\n  \"\"\"\n  {\"id\":\"a\",\"command\":\"x\"}\n  \"\"\"",
	Doc:     "Writes the settings file .imurun/settings.json with these servers, JSON with commas between them.",
	Do: func(ctx context.Context, w *World, list Doc) error {
		return writeFile(ctx, w, ".imurun/settings.json", `{"mcp": {"servers": [`+"\n"+list+"\n]}}")
	},
}, {
	Pattern: `^the settings have the fake server as "([^"]*)"$`,
	Example: `Given the settings have the fake server as "a"`,
	Doc:     "Adds the scenario's fake server on stdio to the settings, as a command.",
	Do:      settingsHaveFake,
}, {
	Pattern: `^the host's environment has (\w+) set to "([^"]*)"$`,
	Example: `Given the host's environment has API_KEY set to "k-1"`,
	Doc:     "Sets a variable of the host, for placeholders and for what its children get.",
	Do: func(_ context.Context, w *World, name, value string) error {
		host(w).env[name] = value
		return nil
	},
}, {
	Pattern: `^the program's own folder is "([^"]*)"$`,
	Example: `Given the program's own folder is "/opt/imurun"`,
	Doc:     "Says what ${repo} is, and where servers start that name no folder.",
	Do: func(_ context.Context, w *World, folder string) error {
		host(w).repo = folder
		return nil
	},
}, {
	Pattern: `^the settings are loaded$`,
	Example: `When the settings are loaded`,
	Doc:     "Reads the settings file; that it cannot be read must be mentioned by a later step.",
	Do:      loadSettings,
}, {
	Pattern: `^a person saves the server:$`,
	Example: "When a person saves the server:\n  \"\"\"\n  {\"id\":\"a\",\"timeout\":5}\n  \"\"\"",
	Doc:     "Adds a server or changes the fields that are named, through the host where it is up; a refusal must be mentioned.",
	Do:      saveServer,
}, {
	Pattern: `^a person removes the server "([^"]*)"$`,
	Example: `When a person removes the server "a"`,
	Doc:     "Takes a server out of the settings, through the host where it is up; a refusal must be mentioned.",
	Do:      removeServer,
}, {
	Pattern: `^the server "([^"]*)" is about to be connected$`,
	Example: `When the server "a" is about to be connected`,
	Doc:     "Fills the placeholders of a server in, as for a connection; that it cannot be done must be mentioned.",
	Do:      resolveServer,
}, {
	Pattern: `^(\d+) programs save (\d+) servers each at the same time$`,
	Example: `When 3 programs save 10 servers each at the same time`,
	Doc:     "Runs so many processes of the command side by side, each of which adds servers one after the other.",
	Do:      programsSave,
}, {
	Pattern: `^a program that saves is killed (\d+) times at random moments$`,
	Example: `When a program that saves is killed 50 times at random moments`,
	Doc:     "Starts the command to change the server \"a\", and kills it by SIGKILL after a random time, again and again; the file must load each time.",
	Do:      killSavers,
}, {
	Pattern: `^the load fails with:$`,
	Example: "Then the load fails with:\n  \"\"\"\n  {dir}/.imurun/settings.json:1:1: is empty; it must hold a JSON object\n  \"\"\"",
	Doc:     "Compares the whole reason for which the settings could not be read.",
	Do:      func(_ context.Context, w *World, want Doc) error { return host(w).failsWith(string(want), sameText) },
}, {
	Pattern: `^the settings have these servers:$`,
	Example: "Then the settings have these servers:\n  | files      |\n  | gmail      |\n  | connectors |",
	Doc:     "Compares the ids of all servers, in their order.",
	Do:      serversAre,
}, {
	Pattern: `^the server "([^"]*)" can be used$`,
	Example: `Then the server "a" can be used`,
	Doc:     "Asserts that the entry of a server has no error.",
	Do: func(_ context.Context, w *World, id string) error {
		s, err := storedServer(w, id)
		if err != nil {
			return err
		}
		return s.Err
	},
}, {
	Pattern: `^the server "([^"]*)" cannot be used, for "(.*)"$`,
	Example: `Then the server "a" cannot be used, for "server a: command: is missing; a server on stdio needs one"`,
	Doc:     "Compares the error of a server's entry.",
	Do: func(_ context.Context, w *World, id, want string) error {
		s, err := storedServer(w, id)
		if err != nil {
			return err
		}
		if s.Err == nil {
			return errors.New("it can be used")
		}
		return sameText(s.Err.Error(), want)
	},
}, {
	Pattern: `^the server "([^"]*)" has "([^"]*)" equal to (.*)$`,
	Example: `Then the server "a" has "/timeout" equal to 60`,
	Doc:     "Compares a field of a server as it is stored, defaults included.",
	Do: func(_ context.Context, w *World, id, pointer, want string) error {
		return serverHas(w, id, pointer, want, func(s settings.Server) settings.Server { return s })
	},
}, {
	Pattern: `^the server "([^"]*)" shows "([^"]*)" equal to (.*)$`,
	Example: `Then the server "a" shows "/env/API_KEY" equal to "********"`,
	Doc:     "Compares a field of a server as every view shows it.",
	Do: func(_ context.Context, w *World, id, pointer, want string) error {
		return serverHas(w, id, pointer, want, settings.Server.Masked)
	},
}, {
	Pattern: `^the save is refused, for the field "([^"]*)"$`,
	Example: `Then the save is refused, for the field "timeout"`,
	Doc:     "Compares the field that a refused save names.",
	Do:      saveRefused,
}, {
	Pattern: `^the save is refused, for "(.*)"$`,
	Example: `Then the save is refused, for "server a: timeout: must be a whole number of seconds from 1 to 600"`,
	Doc:     "Compares the whole reason of a refused save.",
	Do:      func(_ context.Context, w *World, want string) error { return host(w).failsWith(want, sameText) },
}, {
	Pattern: `^the connection is given "([^"]*)" equal to (.*)$`,
	Example: `Then the connection is given "/args/0" equal to "/home/me"`,
	Doc:     "Compares a field of the server whose placeholders were filled in.",
	Do: func(_ context.Context, w *World, pointer, want string) error {
		s := host(w)
		if s.failure != nil || s.resolved == nil {
			return fmt.Errorf("nothing was filled in: %w", s.failure)
		}
		text, err := encode(s.resolved.Server)
		if err != nil {
			return err
		}
		return jsonHas(text, pointer, want)
	},
}, {
	Pattern: `^the connection is refused, for "(.*)"$`,
	Example: `Then the connection is refused, for "server a: url: the environment variable URL is not set"`,
	Doc:     "Compares the whole reason for which the placeholders could not be filled in.",
	Do:      func(_ context.Context, w *World, want string) error { return host(w).failsWith(want, sameText) },
}, {
	Pattern: `^"([^"]*)" has the mode (\d+)$`,
	Example: `Then ".imurun/settings.json" has the mode 600`,
	Doc:     "Compares the permissions of a file or folder, in octal.",
	Do:      hasMode,
}, {
	Pattern: `^the file "([^"]*)" has the line "([^"]*)"$`,
	Example: `Then the file "child.env" has the line "MODE=own"`,
	Doc:     "Asserts that one of the file's lines is exactly this.",
	Do: func(_ context.Context, w *World, name, line string) error {
		text, err := readFile(w, name)
		if err != nil {
			return err
		}
		if !slices.Contains(strings.Split(text, "\n"), line) {
			return fmt.Errorf("there is none:\n%s", text)
		}
		return nil
	},
}, {
	Pattern: `^the host says "([^"]*)" nowhere$`,
	Example: `Then the host says "hunter2hunter2" nowhere`,
	Doc:     "Looks for a secret in all that the host shows: servers, events, failures, results, and the log.",
	Do:      hostKeeps,
}}

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
