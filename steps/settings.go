package steps

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
