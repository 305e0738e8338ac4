// Package policy decides whether a tool of an MCP server may run without asking, and which names hold
// credentials. It is pure: no files, no clock, no network, and every input has an answer.
//
// A server describes each tool with hints ([ReadHints]); the user sets a [Level] for the whole program and may
// approve single tools. [Decide] puts these together and names the rule that decided, so that a person can see why:
//
//	t := policy.Tool{Hints: policy.ReadHints(annotations)}
//	d := policy.Decide(t, policy.AllowReads, false)
//	fmt.Println(d.Action, d.Rule, d.Why())
//
// The table, of which the first row that fits decides:
//
//	rule     tool                              ask    allow-reads  allow-all
//	PERM-8   over HTTP, the network being off  deny   deny         deny
//	PERM-1   destructiveHint: true             ask    ask          ask
//	PERM-2   approved in the settings          allow  allow        allow
//	PERM-3   readOnlyHint: true                ask    allow        allow
//	PERM-4   anything else                     ask    ask          ask
//
// Where PERM-3 or PERM-4 ask, an answer that the user wanted remembered allows the tool (PERM-6). It never counts for
// a destructive tool (PERM-5).
//
// Hints are the server's own claims about itself. So what says nothing is asked, and odd input never opens a door
// (PERM-7).
package policy

import "fmt"

// Level is how much the user lets tools do without asking. The zero value is the strictest.
type Level uint8

// The levels, from the strictest.
const (
	Ask        Level = iota // every tool that is not approved by name asks
	AllowReads              // tools that claim to read only run
	AllowAll                // the same: a tool that says nothing about itself is asked even here
)

var levelNames = [...]string{Ask: "ask", AllowReads: "allow-reads", AllowAll: "allow-all"}

// String gives the name that the settings use.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("Level(%d)", l)
}

// ParseLevel reads the name of a level.
func ParseLevel(name string) (Level, error) {
	for l, n := range levelNames {
		if n == name {
			return Level(l), nil
		}
	}
	return Ask, fmt.Errorf("policy %q: must be ask, allow-reads or allow-all", name)
}

// Remembered says whether the user has allowed this one tool of this one server before, for as long as the host
// runs.
type Remembered bool

// Tool is what a decision needs to know about a tool.
type Tool struct {
	Hints
	AutoApprove bool // the settings name it in auto_approve
	Offline     bool // its server is reached over HTTP, and the network is switched off
}

// Action is what the host does with a call.
type Action uint8

// The actions. The zero value asks.
const (
	ActionAsk Action = iota
	ActionAllow
	ActionDeny
)

// String gives "ask", "allow" or "deny".
func (a Action) String() string {
	switch a {
	case ActionAllow:
		return "allow"
	case ActionDeny:
		return "deny"
	}
	return "ask"
}

// Decision is what to do with a call, and why.
type Decision struct {
	Action Action
	Rule   string // the row that decided, such as "PERM-4"

	// MayRemember says that the answer to this question may be remembered (PERM-6).
	MayRemember bool
}

// Why says in plain words what the rule means.
func (d Decision) Why() string { return reasons[d.Rule] }

var reasons = map[string]string{
	"PERM-1": "the server says that this tool can destroy; such a tool always asks",
	"PERM-2": "the settings approve this tool by name",
	"PERM-3": "the server says that this tool only reads",
	"PERM-4": "the server does not say that this tool only reads",
	"PERM-6": "you allowed this tool before, and asked to remember it until the program ends",
	"PERM-8": "the network is switched off, and this server is reached over HTTP",
}

// Decide says what to do with a call of t. Every input has an answer; an unknown level counts as [Ask].
func Decide(t Tool, level Level, remembered Remembered) Decision {
	switch {
	case t.Offline: // PERM-8
		return Decision{Action: ActionDeny, Rule: "PERM-8"}
	case t.Destructive: // PERM-1; nothing overrides it, PERM-5
		return Decision{Action: ActionAsk, Rule: "PERM-1"}
	case t.AutoApprove: // PERM-2
		return Decision{Action: ActionAllow, Rule: "PERM-2"}
	case t.ReadOnly && (level == AllowReads || level == AllowAll): // PERM-3
		return Decision{Action: ActionAllow, Rule: "PERM-3"}
	case bool(remembered): // PERM-6
		return Decision{Action: ActionAllow, Rule: "PERM-6"}
	case t.ReadOnly: // PERM-3 under ask
		return Decision{Action: ActionAsk, Rule: "PERM-3", MayRemember: true}
	}
	return Decision{Action: ActionAsk, Rule: "PERM-4", MayRemember: true}
}
