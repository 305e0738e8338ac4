package settings

import (
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/imurun/mcp-replay/policy"
)

// ChildEnv is the whole environment of a server's process: the parent's without the names that look like
// credentials, and then the server's own, which is given as it stands (CFG-19). The result is never nil, since a nil
// environment means the parent's to os/exec.
func ChildEnv(parent []string, own map[string]string) []string {
	env := make([]string, 0, len(parent)+len(own))
	names := map[string]bool{}
	for name := range own {
		names[envKey(name)] = true
	}
	for _, line := range parent {
		name, _, _ := strings.Cut(line, "=")
		if strings.HasPrefix(line, "=") && runtime.GOOS == "windows" { // =C:=C:\dir, the folder of a drive
			env = append(env, line)
			continue
		}
		if !policy.CredentialName(name) && !names[envKey(name)] {
			env = append(env, line)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		env = append(env, name+"="+own[name])
	}
	return env
}

// envKey is what two names of one variable have in common: on Windows their case does not count.
func envKey(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}
