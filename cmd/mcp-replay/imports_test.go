package main

import (
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/imurun/mcp-replay/"

// layers says which packages of ours each part of the program may import; what is not named here may import none.
// Imports run downwards only: registry and replay do not know each other, and only the command knows everything.
var layers = []struct {
	part string // a package, and all below it
	may  string
}{
	{"policy", ""},
	{"mcp/jsonrpc", ""},
	{"mcp/settings", "policy"},
	{"mcp/registry", "mcp mcp/jsonrpc mcp/settings policy"},
	{"mcp/api", "mcp/registry mcp mcp/jsonrpc mcp/settings policy"},
	{"mcp/servers", "mcp/servers mcp/settings policy"},
	{"mcp", "mcp/jsonrpc"},
	{"replay", "replay mcp mcp/jsonrpc policy"},
	{"steps/fake/fakeserver", "steps/fake"},
	{"steps/fake", ""},
	{"steps", "steps mcp policy replay"},
	{"cmd", "mcp policy replay steps"},
	{"interop", "interop mcp policy replay steps"},
}

// thirdParty is what the lowest packages may import from elsewhere.
const thirdParty = "github.com/go-json-experiment/json"

// below says whether a package is one of the parts, or below one; of mcp, which has parts of its own, only the package itself counts
// where exact is set.
func below(pkg string, parts []string, exact bool) bool {
	for _, part := range parts {
		if pkg == part || strings.HasPrefix(pkg, part+"/") && (!exact || part != "mcp") {
			return true
		}
	}
	return false
}

func TestImportsRunDownwards(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		fields := strings.Fields(line)
		pkg, imports := strings.TrimPrefix(fields[0], module), fields[1:]
		for _, layer := range layers {
			if !below(pkg, []string{layer.part}, false) {
				continue
			}
			wide := layer.part == "steps" || layer.part == "cmd" || layer.part == "interop"
			for _, path := range imports {
				if of, ours := strings.CutPrefix(path, module); ours && !below(of, strings.Fields(layer.may), !wide) {
					t.Errorf("%s imports %s", pkg, of)
				}
				if low := layer.part == "policy" || layer.part == "mcp/jsonrpc"; low && strings.Contains(path, ".") &&
					!strings.HasPrefix(path, thirdParty) && !strings.HasPrefix(path, module) {
					t.Errorf("%s imports %s", pkg, path)
				}
				if path == module+"steps/suite" {
					t.Errorf("%s imports steps/suite, which is for tests", pkg)
				}
			}
			break
		}
	}
}
