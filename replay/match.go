package replay

import (
	"bytes"
	"strings"

	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// Match says how a request finds its recorded one.
type Match uint8

// The ways to match.
const (
	// MatchMeaning takes the method and the meaning of the params: key order, number spelling, id and _meta do not
	// count. Equal requests are answered in their recorded order; requests that differ may come in any.
	MatchMeaning Match = iota
	// MatchStrict is MatchMeaning, and the requests must come in their recorded order. A ping, and a list that is
	// asked for once more, do not put it out of step.
	MatchStrict
	// MatchMethod takes the method alone: the answers of one method come in their recorded order.
	MatchMethod
)

// ParseMatch reads "meaning" (or ""), "strict" or "method".
func ParseMatch(s string) (Match, error) {
	switch s {
	case "", "meaning":
		return MatchMeaning, nil
	case "strict":
		return MatchStrict, nil
	case "method":
		return MatchMethod, nil
	}
	return 0, &UsageError{"match", s, "one of meaning, strict and method"}
}

// A UsageError says that an option has a value which it cannot have.
type UsageError struct {
	Option string
	Value  string
	Want   string
}

func (e *UsageError) Error() string {
	return e.Option + ": " + quoteShort(e.Value) + " is not " + e.Want
}

// matchedParams gives the part of the params that counts for a match: all but "_meta", which carries progress tokens,
// traces and (from 2026-07-28 on) what a client says of itself. For initialize only the method counts: a host may ask
// for another version, or have another name, than the recorded one. Arguments that are empty count as absent.
func matchedParams(method string, params []byte) []byte {
	if method == "initialize" {
		return nil
	}
	kept, dropped := 0, 0
	for m := range meaning.Members(params) {
		if droppedParam(m, params) {
			dropped++
		} else {
			kept++
		}
	}
	switch {
	case kept == 0:
		return nil // absent, null, {} and [] say the same
	case dropped == 0:
		return params
	}
	out := []byte{'{'}
	for m := range meaning.Members(params) {
		if droppedParam(m, params) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, m.Name...), ':'), params[m.Start:m.End]...)
	}
	return append(out, '}')
}

func droppedParam(m meaning.Member, params []byte) bool {
	return m.Name != nil && (m.Is("_meta") || m.Is("arguments") && isEmpty(params[m.Start:m.End]))
}

// isEmpty tells whether v is null, or an object or array with nothing in it.
func isEmpty(v []byte) bool {
	if string(v) == "null" {
		return true
	}
	for range meaning.Members(v) {
		return false
	}
	return len(v) > 0 && (v[0] == '{' || v[0] == '[')
}

// requestKey is the meaning of a request without placeholders.
func requestKey(method string, params []byte) uint64 {
	key := meaning.HashText(method)
	if params == nil {
		return key
	}
	return meaning.Mix(key, meaning.Hash(params))
}

// namedKey is what a request with placeholders can be looked up by: the method, and the tool, prompt or resource.
func namedKey(method string, params []byte) uint64 {
	key := meaning.HashText(method)
	if name := targetName(params); !meaning.HasPlaceholder([]byte(name)) {
		key = meaning.Mix(key, meaning.HashText(name))
	}
	return key
}

// targetName gives the tool, prompt or resource that the params name; empty where there is none.
func targetName(params []byte) string {
	for _, key := range [...]string{"name", "uri"} {
		if name := meaning.At(params, key); len(name) > 0 && name[0] == '"' {
			return meaning.Text(name)
		}
	}
	return ""
}

// progressToken gives the token, as it is spelt, under which a request wants its progress; nil where there is none.
func progressToken(params []byte) []byte {
	if !bytes.Contains(params, []byte("progressToken")) {
		return nil
	}
	return meaning.At(params, "_meta", "progressToken")
}

// isList tells whether a method lists something, so that asking for it once more changes nothing.
func isList(method string) bool { return strings.HasSuffix(method, "/list") }

// quoteShort quotes s for a message of one line.
func quoteShort(s string) string {
	const most = 100
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return `"` + strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s) + `"`
}
