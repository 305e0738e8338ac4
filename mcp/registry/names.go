package registry

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// toolKey is a tool of a server. Permissions hang on it, never on a name.
type toolKey struct{ server, tool string }

// Bounds of the names that model APIs take (NAME-4).
const (
	maxName = 64
	cutName = 55
)

// maxRetired is how many names of one server's former tools are kept.
const maxRetired = 2000

// Names gives tools the names by which a host sees them. A tool keeps its name as long as it is offered (NAME-3), and
// when it comes back. The zero value is ready.
type Names struct {
	byName  map[string]toolKey
	byKey   map[toolKey]string
	retired map[string][]toolKey // by server; the oldest first
}

// Assign gives the name of a tool of a server: mcp_ID_TOOL in the characters that model APIs take (NAME-1), with _2, _3
// and so on where another tool has the name (NAME-2).
func (n *Names) Assign(server, tool string) string {
	key := toolKey{server, tool}
	if name, known := n.byKey[key]; known {
		return name
	}
	if n.byName == nil {
		n.byName, n.byKey, n.retired = map[string]toolKey{}, map[toolKey]string{}, map[string][]toolKey{}
	}
	base := baseName(server, tool)
	for i := 1; ; i++ {
		suffix := ""
		if i > 1 {
			suffix = "_" + strconv.Itoa(i)
		}
		name := shorten(base+suffix, server, tool, suffix)
		if _, taken := n.byName[name]; !taken {
			n.byName[name], n.byKey[key] = key, name
			return name
		}
	}
}

// find gives the tool that has the name.
func (n *Names) find(name string) (toolKey, bool) {
	key, found := n.byName[name]
	return key, found
}

// retire notes that a tool is no longer offered. Its name stays its own: a call of it shall not reach another tool.
func (n *Names) retire(key toolKey) {
	if _, known := n.byKey[key]; !known {
		return
	}
	list := append(n.retired[key.server], key)
	if len(list) > maxRetired {
		n.forget(list[0])
		list = list[1:]
	}
	n.retired[key.server] = list
}

// offer notes that a tool is offered again.
func (n *Names) offer(key toolKey) {
	list := n.retired[key.server]
	for i, k := range list {
		if k == key {
			n.retired[key.server] = append(list[:i:i], list[i+1:]...)
			return
		}
	}
}

func (n *Names) forget(key toolKey) {
	delete(n.byName, n.byKey[key])
	delete(n.byKey, key)
}

// baseName is NAME-1.
func baseName(server, tool string) string { return clean("mcp_" + server + "_" + tool) }

func clean(s string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' {
			return c
		}
		return '_'
	}, strings.ToLower(s))
}

// shorten is NAME-4.
func shorten(name, server, tool, suffix string) string {
	if len(name) <= maxName {
		return name
	}
	sum := sha256.Sum256([]byte(server + "\x00" + tool + "\x00" + suffix))
	return name[:cutName] + "_" + hex.EncodeToString(sum[:4])
}

// mayClash says whether tools of the two servers could get the same name.
func mayClash(a, b string) bool {
	a, b = clean("mcp_"+a+"_"), clean("mcp_"+b+"_")
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// mayOwn says whether a tool of the server could have the name.
func mayOwn(server, name string) bool { return strings.HasPrefix(name, clean("mcp_"+server+"_")) }
