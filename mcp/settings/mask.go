package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/imurun/mcp-replay/policy"
)

// Mask stands in every view in place of a value that may be secret (CFG-16), and keeps the stored value where it is
// posted back (CFG-17).
const Mask = "********"

// Masked gives the server as it may be shown: without any value of env and headers, and without the credentials in
// url and args (CFG-16). Placeholders are not filled in.
func (s Server) Masked() Server {
	s = s.Clone()
	for name := range s.Env {
		s.Env[name] = Mask
	}
	for name := range s.Headers {
		s.Headers[name] = Mask
	}
	s.URL = MaskedURL(s.URL)
	if s.Args != nil {
		s.Args = policy.MaskArgs(s.Args, Mask)
	}
	return s
}

// unmask puts the stored values back where next, which a person posted, has the masked ones (CFG-17). A mask that
// stands for nothing is refused (CFG-18).
func unmask(next *Server, stored *Server) error {
	refuse := func(field string) error {
		return &FieldError{
			Server: next.ID, Field: field,
			Problem: Mask + " stands for a stored value, and there is none for it; give the value itself",
		}
	}
	for _, m := range []struct {
		field        string
		next, stored map[string]string
	}{{"env", next.Env, stored.Env}, {"headers", next.Headers, stored.Headers}} {
		for _, name := range slices.Sorted(maps.Keys(m.next)) {
			if !strings.Contains(m.next[name], Mask) {
				continue
			}
			value, ok := m.stored[name]
			if !ok || m.next[name] != Mask {
				return refuse(m.field + "." + name)
			}
			m.next[name] = value
		}
	}
	if strings.Contains(next.URL, Mask) {
		if next.URL != MaskedURL(stored.URL) {
			return refuse("url")
		}
		next.URL = stored.URL
	}
	if at := unmaskArgs(next.Args, stored.Args); at >= 0 {
		return refuse(fmt.Sprintf("args[%d]", at))
	}
	for field, value := range map[string]string{"command": next.Command, "cwd": next.Cwd, "name": next.Name} {
		if strings.Contains(value, Mask) {
			return refuse(field)
		}
	}
	return nil
}

// unmaskArgs puts the stored arguments back where args has the masked ones, and gives the index of the first mask
// that stands for none, or -1. An argument that has moved is found by the one before it, so that no flag gets
// another flag's secret.
func unmaskArgs(args, stored []string) int {
	masked := policy.MaskArgs(stored, Mask)
	before := func(list []string, i int) string {
		if i == 0 {
			return ""
		}
		return list[i-1]
	}
	posted := slices.Clone(args)
	used := map[int]bool{}
	for i, arg := range posted {
		if !strings.Contains(arg, Mask) {
			continue
		}
		same := func(j int) bool {
			return j < len(masked) && !used[j] && masked[j] == arg && before(masked, j) == before(posted, i)
		}
		found := -1
		if same(i) {
			found = i
		}
		for j := 0; found < 0 && j < len(masked); j++ {
			if same(j) {
				found = j
			}
		}
		if found < 0 {
			return i
		}
		used[found] = true
		args[i] = stored[found]
	}
	return -1
}
