package replay

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay/internal/display"
)

// VerifyOptions say how a live server is held against a cassette. The zero value sends nothing but what only reads.
type VerifyOptions struct {
	// Ignore are places in answers that may differ, as JSON Pointers that start at the answer message, such as
	// /result/content/0/text; a step * means any element or member. "tools/call:now /result/content/0/text" is for the answers of
	// one tool alone (or one method: "tools/list /result"). What the cassette's header says to vary is ignored, too. Beside the
	// answers, "/notifications/*" or "/notifications/notifications~1message" ignores what the server tells by itself, and "/exit" how it ends.
	Ignore []string

	// Session is the recorded session to verify; 0 means all, one after the other, each on a connection of its own.
	Session int

	// Timeout is how long an answer may take, and ConnectTimeout the first; 0 means 60 s and 20 s.
	Timeout, ConnectTimeout time.Duration

	// OnlyReads skips every request that may change something.
	OnlyReads bool

	// Consent is asked once, before anything is sent, whether the named requests may be: they may change something at the live
	// server. Each is a tool's name, or a method that is not known to be harmless. Nil means no; so does OnlyReads, without asking.
	Consent func(calls []string) bool

	// Fill gives values to placeholders in recorded requests, by the placeholder: "[redacted:token:1]". Requests whose
	// placeholders have no value are skipped.
	Fill map[string]string

	// Home, Temp and Dir are what [path:home], [path:tmp] and [path:cwd] stand for. Empty means this machine's, and the folder that the
	// program runs in.
	Home, Temp, Dir string

	// Redactor hides secrets in what the report shows of live answers, and in what an update writes. Nil hides no more than what Fill gives.
	Redactor *Redactor

	// Update keeps the live answers that differ for [Report.Update].
	Update bool
}

// A ConsentError says that nothing was sent, because the recording holds requests that may change something at the live server and
// nobody has agreed to them.
type ConsentError struct {
	Calls []string // tools, and methods that are not known to be harmless
}

func (e *ConsentError) Error() string {
	return "not sent without consent, since they may change something: " + e.List()
}

// mostNamed is how many calls a person is shown.
const mostNamed = 20

// List names the calls for people: whatever a name holds, it stands in one line and plays no tricks on a terminal.
func (e *ConsentError) List() string {
	var names []string
	for i, call := range e.Calls {
		if i == mostNamed {
			names = append(names, fmt.Sprintf("%d more", len(e.Calls)-mostNamed))
			break
		}
		if names = append(names, display.Cut(display.Plain(call), 60)); strings.TrimSpace(call) != call || call == "" {
			names[i] = `"` + names[i] + `"`
		}
	}
	return listed(names)
}

// Verify plays the host of a cassette to a live server: it sends the recorded requests, each as soon as what the recorded
// client had been told before it is there, and compares the answers by meaning (REP-9).
//
// Values that the server mints, such as cursors, handles and ids, are carried from its live answers into the requests that use
// them. Sampling, elicitation and roots are answered as the recorded host did, whose capabilities are offered. A difference
// is no error; an error is a server that cannot be reached, or a *[ConsentError].
func Verify(ctx context.Context, c *Cassette, t mcp.Transport, o *VerifyOptions) (*Report, error) {
	v, err := newVerifier(c, o)
	if err != nil {
		return nil, err
	}
	plan, err := v.survey()
	if err != nil {
		return nil, err
	}
	if risky := plan.risky(); len(risky) > 0 && !v.options.OnlyReads {
		if v.options.Consent == nil || !v.options.Consent(risky) {
			return nil, &ConsentError{risky}
		}
		v.agreed = true
	}
	defer v.report.sort() // answers may have come in another order than their requests
	for _, part := range v.parts {
		if err := v.session(ctx, part, t); err != nil {
			return v.report, err
		}
	}
	return v.report, nil
}

// RiskyCalls gives the tools, and the methods not known to be harmless, that a verification of the cassette would call
// and that may change something: the recorded server has not said of them that they only read.
func RiskyCalls(c *Cassette, session int) ([]string, error) {
	v, err := newVerifier(c, &VerifyOptions{Session: session})
	if err != nil {
		return nil, err
	}
	plan, err := v.survey()
	return plan.risky(), err
}

// A verifier holds what is the same for all sessions of a verification.
type verifier struct {
	options VerifyOptions
	score   *score
	parts   []*scorePart
	report  *Report
	ignore  []varyRule
	paths   map[string]string
	plan    *surveyed
	agreed  bool // to what may change something

	asTheyStand bool // placeholders in requests are sent, too
}

func newVerifier(c *Cassette, o *VerifyOptions) (*verifier, error) {
	v := new(verifier)
	if o != nil {
		v.options = *o
	}
	if v.options.Timeout == 0 {
		v.options.Timeout = 60 * time.Second
	}
	if v.options.ConnectTimeout == 0 {
		v.options.ConnectTimeout = 20 * time.Second
	}
	for _, text := range append(append([]string(nil), c.Header().Vary...), v.options.Ignore...) {
		rule, err := parseVary(text)
		if err != nil {
			return nil, err
		}
		v.ignore = append(v.ignore, rule)
	}
	var err error
	if r := v.options.Redactor; r != nil && r.Rules().User != c.Header().Rules.User {
		return nil, &RulesError{c.Name(), c.Header().Rules.User, r.Rules().User}
	}
	if v.score, err = newScore(c, MatchMeaning); err != nil {
		return nil, err
	}
	if v.options.Update && v.options.Redactor != nil {
		if err := v.options.Redactor.goOnFrom(c); err != nil {
			return nil, err
		}
	}
	v.paths = localPaths(&PlayOptions{Home: v.options.Home, Temp: v.options.Temp, Dir: v.options.Dir})
	v.report = &Report{cassette: c}
	for _, part := range v.score.parts {
		if v.options.Session == 0 || v.options.Session == part.session {
			v.parts = append(v.parts, part)
		}
	}
	if len(v.parts) == 0 && v.options.Session != 0 {
		return nil, &UsageError{"session", fmt.Sprint(v.options.Session), "a session of this cassette: it has " + listed(v.score.numbers())}
	}
	return v, nil
}

// A varyRule is a place in answers that may differ.
type varyRule struct {
	method, name string // empty: any
	steps        []string
}

// parseVary reads "[METHOD[:NAME] ]POINTER". A name may hold spaces; the pointer begins with the last " /".
func parseVary(text string) (varyRule, error) {
	var r varyRule
	pointer := text
	if i := strings.LastIndex(text, " /"); i >= 0 {
		r.method, r.name, _ = strings.Cut(text[:i], ":")
		pointer = text[i+1:]
	}
	if !strings.HasPrefix(pointer, "/") && pointer != "" || !jsontext.Pointer(pointer).IsValid() {
		return r, &UsageError{"ignore", text, "a JSON Pointer into an answer, such as /result/content/0/text"}
	}
	if pointer != "" {
		r.steps = strings.Split(pointer[1:], "/")
	}
	return r, nil
}

func (r *varyRule) covers(method, name, pointer string) bool {
	if r.method != "" && r.method != method || r.name != "" && r.name != name {
		return false
	}
	if len(r.steps) == 0 {
		return pointer == ""
	}
	if strings.Count(pointer, "/") != len(r.steps) {
		return false
	}
	for i, step := range strings.Split(pointer[1:], "/") {
		if r.steps[i] != "*" && r.steps[i] != step {
			return false
		}
	}
	return true
}

// harmless are the methods that change nothing that outlives the session.
func harmless(method string) bool {
	switch method {
	case "initialize", "ping", "completion/complete", "logging/setLevel", "resources/subscribe", "resources/unsubscribe",
		"subscriptions/listen", "server/discover":
		return true
	}
	last := method[strings.LastIndexByte(method, '/')+1:]
	return last == "list" || last == "read" || last == "get" || method == "tasks/result"
}
