package replay

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/policy"
)

const (
	redactedMark = "[redacted:"
	pathMark     = "[path:"
)

// RedactOptions tell a [Redactor] what it cannot know by itself. The zero value leaves it its built-in rules: names,
// the looks of tokens, and the folders of this machine.
type RedactOptions struct {
	Env       []string    // the server's own environment, as "NAME=value": what it holds is secret (REP-4)
	Inherited []string    // the rest of its environment: only what stands under a credential's name is
	Header    http.Header // the headers given for an HTTP server
	Args      []string    // the server's command line, searched for credentials by their place
	URL       string      // the server's address, searched likewise
	Rules     Rules       // the user's own
	Folders   *Folders    // nil means ThisMachine()
}

// Rules are redaction rules that a user adds.
type Rules struct {
	Patterns []Pattern
	Pointers []string // JSON Pointers into messages; a segment * stands for any
}

// A Pattern is a regular expression whose matches are secrets; where it has a group, only what the first one matches.
type Pattern struct {
	Name string // the kind that the placeholder names; empty means "user"
	Expr string // in the syntax of package regexp
}

// Digest tells rules apart: it stands in the header of what was written under them. No rules have an empty one.
func (r Rules) Digest() string {
	if len(r.Patterns) == 0 && len(r.Pointers) == 0 {
		return ""
	}
	var lines []string
	for _, p := range r.Patterns {
		lines = append(lines, fmt.Sprintf("pattern %q %q", p.Name, p.Expr))
	}
	for _, p := range r.Pointers {
		lines = append(lines, fmt.Sprintf("pointer %q", p))
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(lines), "\n")))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// A Redactor keeps secrets and the folders of this machine out of a cassette. Whatever goes into one passes through it: there
// is no second way to the file (fault 85). Each secret becomes [redacted:KIND:N], the same secret the same N; a folder
// becomes [path:home], [path:tmp] or [path:cwd]; and where the traffic itself holds such a mark, it gets one more bracket in
// front. It is safe for concurrent use.
type Redactor struct {
	rules    Rules
	patterns []userPattern
	pointers [][]string
	warnings []string

	mu      sync.RWMutex // guards what follows
	finder  *finder
	known   map[string]string   // the secrets whose value is known: value → name
	numbers map[[16]byte]string // digest of what was replaced → its placeholder
	last    int                 // the highest number given out
}

type userPattern struct {
	name string
	expr *regexp.Regexp
}

// NewRedactor makes a Redactor. It fails where a pattern or a pointer of the user's cannot be read.
func NewRedactor(o *RedactOptions) (*Redactor, error) {
	if o == nil {
		o = new(RedactOptions)
	}
	r := &Redactor{rules: o.Rules, known: make(map[string]string), numbers: make(map[[16]byte]string)}
	for _, p := range o.Rules.Patterns {
		expr, err := regexp.Compile(p.Expr)
		if err != nil {
			return nil, fmt.Errorf("redaction pattern %q: %w", p.Name, err)
		}
		name := p.Name
		if name == "" {
			name = "user"
		}
		r.patterns = append(r.patterns, userPattern{kindOf(name), expr})
	}
	for _, p := range o.Rules.Pointers {
		segments, err := parsePointer(p)
		if err != nil {
			return nil, err
		}
		r.pointers = append(r.pointers, segments)
	}
	folders := o.Folders
	if folders == nil {
		folders = ThisMachine()
	}
	r.finder = newFinder(slices.Concat(shapeTriggers(), folders.triggers(), []trigger{
		{text: redactedMark, what: findMark}, {text: pathMark, what: findMark}}, r.takeIn(o)))
	return r, nil
}

// takeIn learns the secrets that the options hold, and gives what to look for.
func (r *Redactor) takeIn(o *RedactOptions) (triggers []trigger) {
	take := func(name, secret string) { triggers = append(triggers, r.admit(kindOf(name), secret)...) }
	takeOwn := func(what, name, value string, credential bool) {
		switch {
		case credential && value != "" && len(value) < minCredential:
			r.warnings = append(r.warnings, fmt.Sprintf(
				"%s: its value is too short to be told from other text, so it is not looked for in the traffic", what))
		case len(value) >= minSecret, credential && value != "":
			take(name, value)
		}
	}
	for _, entry := range o.Env {
		name, value, _ := strings.Cut(entry, "=")
		takeOwn("environment variable "+name, name, value, policy.CredentialName(name))
	}
	for _, entry := range o.Inherited {
		if name, value, _ := strings.Cut(entry, "="); policy.CredentialName(name) && len(value) >= minSecret {
			take(name, value)
		}
	}
	for name, values := range o.Header {
		for _, value := range values {
			_, secret := splitScheme(value)
			takeOwn("header "+name, name, secret, policy.CredentialParameter(name))
			for _, s := range headerSecrets(name, value) {
				take(name, s)
			}
		}
	}
	args := slices.Clone(o.Args)
	if o.URL != "" {
		args = append(args, o.URL)
	}
	for _, span := range policy.CredentialArgs(args) {
		take(span.Name, args[span.Arg][span.Start:span.End])
	}
	return triggers
}

const (
	minSecret     = 8 // how long a value is that counts as a secret by where it stands
	minCredential = 4 // and how long one under a credential's name
)

// Rules gives what a cassette's header says about the rules it was written under.
func (r *Redactor) Rules() RuleSet { return RuleSet{BuiltIn: BuiltInRules, User: r.rules.Digest()} }

// Warnings says in plain words which secrets the redactor cannot look for.
func (r *Redactor) Warnings() []string { return r.warnings }

// know makes the redactor look for a secret wherever it turns up, in all its encodings; of one with several lines,
// for each line, since stderr comes by the line. It tells whether that is new.
func (r *Redactor) know(name, secret string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	triggers := r.admit(name, secret)
	if triggers == nil {
		return false
	}
	r.finder = r.finder.with(triggers)
	return true
}

// admit adds a secret to the known ones and gives what to look for; nil where it is one already, or cannot be.
func (r *Redactor) admit(name, secret string) []trigger {
	if _, old := r.known[secret]; old || len(secret) < minCredential || len(r.known) >= maxKnown {
		return nil
	}
	r.known[secret] = name
	triggers := literalTriggers(name, secret)
	if lines := strings.Split(secret, "\n"); len(lines) > 1 {
		for _, line := range lines {
			if line = strings.TrimSpace(line); len(line) >= minSecret {
				triggers = append(triggers, literalTriggers(name, line)...)
			}
		}
	}
	return triggers
}

// maxKnown bounds what a server that hands out new credentials in every answer can make us keep.
const maxKnown = 2000

// learn makes the redactor look for a secret that the traffic itself has named as one, where it is told from ordinary
// words by its length and its digits.
func (r *Redactor) learn(name, secret string) bool {
	if len(secret) < minSecret || len(secret) > 4096 || !strings.ContainsAny(secret, "0123456789") || strings.Contains(secret, redactedMark) {
		return false
	}
	return r.know(name, secret)
}

// isKnown tells whether a whole value is a known secret.
func (r *Redactor) isKnown(value []byte) (name string, ok bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	name, ok = r.known[string(value)]
	return name, ok
}

// placeholder gives the placeholder that stands for a text: for the same text the same.
func (r *Redactor) placeholder(name, text string) string {
	sum := sha256.Sum256([]byte(text))
	id := [16]byte(sum[:16])
	r.mu.Lock()
	defer r.mu.Unlock()
	p, ok := r.numbers[id]
	if !ok {
		r.last++
		p = redactedMark + name + ":" + strconv.Itoa(r.last) + "]"
		r.numbers[id] = p
	}
	return p
}

// Frame redacts what has passed on a wire. The result shares no bytes with f that redaction has changed; f stays as it is.
func (r *Redactor) Frame(f Frame) Frame {
	f, _ = r.frame(f, false)
	return f
}

// Again redacts a frame of a cassette, whose placeholders and doubled brackets stay as they are: what was redacted by
// these rules comes back unchanged.
func (r *Redactor) Again(f Frame) Frame {
	f, _ = r.frame(f, true)
	return f
}

// frame also tells the kinds of what it has removed.
func (r *Redactor) frame(f Frame, again bool) (Frame, []string) {
	if f.Kind == mcp.FrameMessage && f.Event == nil && f.Extra == nil && r.quiet(f.Data) {
		return f, nil
	}
	for {
		j := r.newJob(again)
		if out := j.frame(f); !j.learnt() {
			return out, j.kinds
		}
	}
}

// Header redacts the first line of a new cassette: the server's command line or address.
func (r *Redactor) Header(h Header) Header {
	h, _ = r.header(h, false)
	h.Rules = r.Rules()
	return h
}

func (r *Redactor) header(h Header, again bool) (Header, []string) {
	for {
		j := r.newJob(again)
		out := h
		out.Server.Command = j.text(h.Server.Command)
		out.Server.Args = j.args(h.Server.Args)
		if h.Server.URL != "" {
			out.Server.URL = j.args([]string{h.Server.URL})[0]
		}
		out.By = j.text(h.By)
		out.Vary = slices.Clone(h.Vary)
		for i, pointer := range out.Vary {
			out.Vary[i] = j.text(pointer)
		}
		out.Extra = j.data(h.Extra, mcp.FrameMessage)
		if !j.learnt() {
			return out, j.kinds
		}
	}
}

// rulesOver gives the rules of a cassette that was written under others before.
func (r *Redactor) rulesOver(before RuleSet) RuleSet {
	rules := r.Rules()
	if rules.User == "" {
		rules.User = before.User
	}
	return rules
}

// Text redacts a text outside of any cassette, such as a warning or an error about what has passed.
func (r *Redactor) Text(s string) string { return r.newJob(true).text(s) }
