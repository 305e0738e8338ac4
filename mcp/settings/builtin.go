package settings

import (
	"os"
	"slices"
)

// BuiltIns gives the servers that come with the program, off until somebody turns them on (CFG-7, BUILT-1).
// program is the command that runs them; empty means the running one.
func BuiltIns(program string) []Server {
	if program == "" {
		program = "mcp-replay"
		if own, err := os.Executable(); err == nil {
			program = own
		}
	}
	program = escape(program)
	return []Server{
		{
			ID: "gmail", Name: "Gmail", Transport: Stdio, Command: program,
			Args: []string{"server", "gmail", "--home", "${home}"}, Timeout: DefaultTimeout, BuiltIn: true,
		},
		{
			ID: "connectors", Name: "Connectors", Transport: Stdio, Command: program,
			Args: []string{"server", "connectors", "--home", "${home}"}, Timeout: DefaultTimeout, BuiltIn: true,
		},
	}
}

// builtIn finds the built-in server with the id.
func builtIn(program, id string) (Server, bool) {
	all := BuiltIns(program)
	if i := slices.IndexFunc(all, func(s Server) bool { return s.ID == id }); i >= 0 {
		return all[i], true
	}
	return Server{}, false
}
