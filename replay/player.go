package replay

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// A Player is a server that answers from a cassette: no process runs, and nothing goes over the network (REP-1). It plays to as many
// hosts as come, each in a session of its own, over whatever transport they like (REP-7):
//
//   - in this program, as an [mcp.Transport];
//   - on stdin and stdout, by [Player.ServeStdio];
//   - over Streamable HTTP, as an [http.Handler].
//
// A request is answered by its meaning, not by its id: [Match] says how. What the server sent by itself comes back at its place:
// progress, and whatever came in the same HTTP exchange, with its request; anything else after the last thing that the
// client had sent, or been answered, before it. A request of the server's own is sent again, and what followed its
// answer waits for the host's. Whatever the cassette lacks is a miss, which is an error at once: [CodeMiss].
//
// Of many recorded sessions a new host gets the first that nobody has played and whose first request fits; when all have been played they
// start over. Hosts begin alike, so one whose first request after initialize is not in its session is moved to a session that has it, and that answered
// initialize in the same way. [PlayOptions].Session settles it.
type Player struct {
	options PlayOptions
	score   *score
	faults  *faultPlan
	paths   map[string]string // by placeholder
	http    httpPlayer

	mu     sync.Mutex // guards what follows
	taken  []bool     // by part: a host plays it, or has played it
	played [][]uint64 // by part: what any session that has ended has played
	open   map[*playing]bool
	warned map[string]bool

	ended    chan struct{} // closed when a fault has ended the server
	endOnce  sync.Once
	exitCode int
}

// PlayOptions say how a cassette is played. The zero value is what a test wants: by meaning, at once, without faults.
type PlayOptions struct {
	Match  Match
	Pace   Pace
	Faults []Fault

	// Session is the recorded session to play, by its number in the cassette; 0 leaves the choice to the player: a new host
	// gets the first one that no host has played, and whose first request fits. When all have been played they start over.
	Session int

	// UserRules is the digest of the user's own redaction rules ([RuleSet]). A cassette that was written under others is refused:
	// what they hide would not be found.
	UserRules string

	// Home, Temp and Dir are what [path:home], [path:tmp] and [path:cwd] stand for, until a request says otherwise. Empty means this
	// machine's, and the folder that the program runs in.
	Home, Temp, Dir string

	// Warn gets what a person who plays the cassette wants to know, each thing once. Nil means nobody does.
	Warn func(text string)
}

// A RulesError says that a cassette was written under other redaction rules of the user's than are given now.
type RulesError struct {
	File            string
	Recorded, Given string // digests; empty where there are none
}

func (e *RulesError) Error() string {
	switch {
	case e.Given == "":
		return fmt.Sprintf("%s: the cassette was written under redaction rules of its own (%s), and none are given: it cannot be matched without them", e.File, e.Recorded)
	case e.Recorded == "":
		return fmt.Sprintf("%s: the cassette was written without redaction rules of the user's, and some are given (%s)", e.File, e.Given)
	}
	return fmt.Sprintf("%s: the cassette was written under other redaction rules (%s) than are given (%s)", e.File, e.Recorded, e.Given)
}

// NewPlayer reads the cassette once and makes a player of it. It keeps the cassette in use; close that after the last session.
func NewPlayer(c *Cassette, o *PlayOptions) (*Player, error) {
	p := &Player{warned: make(map[string]bool), open: make(map[*playing]bool), ended: make(chan struct{})}
	if o != nil {
		p.options = *o
	}
	if rules := c.Header().Rules; rules.User != p.options.UserRules {
		return nil, &RulesError{c.Name(), rules.User, p.options.UserRules}
	} else if rules.BuiltIn > BuiltInRules {
		p.warn(fmt.Sprintf("%s was written under newer built-in redaction rules (%d) than this program's (%d)", c.Name(), rules.BuiltIn, BuiltInRules))
	}
	var err error
	if p.score, err = newScore(c, p.options.Match); err != nil {
		return nil, err
	}
	if len(p.score.parts) == 0 {
		p.score.parts = []*scorePart{{opening: none, crash: none}}
	}
	if n := p.options.Session; n != 0 && p.partOf(n) == nil {
		return nil, &UsageError{"session", fmt.Sprint(n), "a session of this cassette: it has " + listed(p.score.numbers())}
	}
	p.faults = newFaultPlan(p.options.Faults)
	p.paths = localPaths(&p.options)
	p.taken = make([]bool, len(p.score.parts))
	p.played = make([][]uint64, len(p.score.parts))
	p.http.init(p)
	return p, nil
}

func (s *score) numbers() (numbers []string) {
	for _, part := range s.parts {
		numbers = append(numbers, fmt.Sprint(part.session))
	}
	return numbers
}

// localPaths gives what the placeholders of folders stand for here.
func localPaths(o *PlayOptions) map[string]string {
	here := ThisMachine()
	paths := make(map[string]string)
	for _, folder := range [...]struct{ name, given, here string }{{"home", o.Home, here.Home}, {"tmp", o.Temp, here.Tmp}, {"cwd", o.Dir, here.Cwd}} {
		if path := strings.TrimRight(cmp.Or(folder.given, folder.here), `/\`); path != "" {
			paths[pathMark+folder.name+"]"] = path
			paths[pathMark+folder.name+urlStyle+"]"] = url.PathEscape(path)
		}
	}
	return paths
}

func (p *Player) warn(text string) {
	if p.options.Warn == nil {
		return
	}
	p.mu.Lock()
	said := p.warned[text]
	p.warned[text] = true
	p.mu.Unlock()
	if !said {
		p.options.Warn(text)
	}
}

func (p *Player) partOf(session int) *scorePart {
	for _, part := range p.score.parts {
		if part.session == session {
			return part
		}
	}
	return nil
}

// first gives the session for a host that has said nothing so far, as on stdio.
func (p *Player) first() *scorePart {
	if p.options.Session != 0 {
		return p.partOf(p.options.Session)
	}
	for _, part := range p.score.parts {
		if part.session > 0 && part.opening != none {
			return part
		}
	}
	return p.score.parts[0]
}

// choose gives the session for a new host by its first request, among those that eligible lets pass.
func (p *Player) choose(m *jsonrpc.Message, eligible func(*scorePart) bool) *scorePart {
	if p.options.Session != 0 {
		return p.partOf(p.options.Session)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for range 2 {
		for i, part := range p.score.parts {
			if !p.taken[i] && eligible(part) && p.opens(part, m) {
				p.taken[i] = true
				return part
			}
		}
		for i, part := range p.score.parts {
			if eligible(part) {
				p.taken[i] = false
			}
		}
	}
	for _, part := range p.score.parts {
		if eligible(part) {
			return part // nothing fits: the misses say so
		}
	}
	return nil
}

// opens tells whether a session was begun by a request such as m.
func (p *Player) opens(part *scorePart, m *jsonrpc.Message) bool {
	if part.opening == none {
		return false
	}
	s := &playing{player: p, part: part, bound: make(meaning.Bindings), sure: make(map[string]bool)}
	if p.options.Match == MatchMethod {
		return part.cues[part.opening].key == requestKey(m.Method, nil)
	}
	return s.fits(part.opening, m.Method, matchedParams(m.Method, m.Params))
}

// end ends the server as [FaultExit] has it.
func (p *Player) end(code int) {
	p.endOnce.Do(func() {
		p.exitCode = code
		close(p.ended)
	})
}

// Ended is closed when a [FaultExit] has struck; [Player.ExitCode] gives its code then. Whoever serves over HTTP ends the program.
func (p *Player) Ended() <-chan struct{} { return p.ended }

// ExitCode is the code of the [FaultExit] that has struck.
func (p *Player) ExitCode() int { return p.exitCode }
