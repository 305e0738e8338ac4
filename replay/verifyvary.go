package replay

import (
	"context"
	"slices"
	"strings"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// LearnVary compares two recordings of one server, made by asking it the same twice, and gives the places in its answers that
// differ between them: what goes into [Header.Vary], so that a verification does not take it for a change. Each place is bound to
// the answers it was seen in, as in "tools/call:now /result/content/0/text"; where it was seen at several elements of an array, it is a * there.
//
// What the server mints and a later request uses is not among them: [Verify] carries it over.
func LearnVary(ctx context.Context, a, b *Cassette) ([]string, error) {
	player, err := NewPlayer(b, &PlayOptions{Match: MatchMethod, UserRules: b.Header().Rules.User})
	if err != nil {
		return nil, err
	}
	v, err := newVerifier(a, &VerifyOptions{Consent: func([]string) bool { return true }})
	if err != nil {
		return nil, err
	}
	v.asTheyStand, v.agreed = true, true
	if _, err := v.survey(); err != nil {
		return nil, err
	}
	for _, part := range v.parts {
		if err := v.session(ctx, part, player); err != nil {
			return nil, err
		}
	}
	return varying(v.report), nil
}

// varying turns differences into rules, sorted.
func varying(r *Report) []string {
	seen := make(map[string][]string) // by the rule with all indices as *: the places
	for _, d := range r.Differences {
		if d.Severity == SeveritySpelling || d.Pointer == "" {
			continue
		}
		scope := ""
		if d.Request > 0 {
			scope = r.scope(d.Request) + " "
		}
		pointer := scope + d.Pointer
		general := scope + withoutIndices(d.Pointer)
		if !slices.Contains(seen[general], pointer) {
			seen[general] = append(seen[general], pointer)
		}
	}
	var rules []string
	for general, places := range seen {
		if len(places) == 1 {
			general = places[0]
		}
		rules = append(rules, general)
	}
	slices.Sort(rules)
	return rules
}

func withoutIndices(pointer string) string {
	steps := strings.Split(pointer, "/")
	for i, step := range steps {
		if step != "" && strings.Trim(step, "0123456789") == "" {
			steps[i] = "*"
		}
	}
	return strings.Join(steps, "/")
}

// scope names the answers that a rule is for.
func (r *Report) scope(number int) string {
	m := r.request(number)
	if name := targetName(m.Params); name != "" {
		return m.Method + ":" + name
	}
	return m.Method
}

// Varies tells whether a place in the answer to a request, as a JSON Pointer that starts at the answer message, is one that
// the cassette says to vary.
func (h *Header) Varies(request *jsonrpc.Message, pointer string) bool {
	for _, text := range h.Vary {
		if rule, err := parseVary(text); err == nil && rule.covers(request.Method, targetName(request.Params), pointer) {
			return true
		}
	}
	return false
}
