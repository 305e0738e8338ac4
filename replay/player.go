package replay

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
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

// keep notes what a session has played so far. Its mutex is held.
func (p *Player) keep(s *playing) {
	i := slices.Index(p.score.parts, s.part)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.played[i] == nil {
		p.played[i] = make([]uint64, len(s.happened))
	}
	for k, word := range s.happened {
		p.played[i][k] |= word
	}
	if s.ended {
		delete(p.open, s)
	}
}

// An Unplayed is a message of the cassette that no host has asked for, or been sent.
type Unplayed struct {
	Frame   int      // its number in the cassette, from 1
	From    mcp.Side // FromClient: a request that did not come; FromServer: what the server would have sent by itself
	Message []byte   // as it is recorded
	Title   string   // for people: the method, and what it names
}

// Unplayed gives what has not been played so far, by any session, in the order of the cassette, pings left out.
func (p *Player) Unplayed() []Unplayed {
	p.mu.Lock()
	open := slices.Collect(maps.Keys(p.open))
	p.mu.Unlock()
	for _, s := range open {
		s.mu.Lock()
		p.keep(s)
		s.mu.Unlock()
	}
	var list []Unplayed
	for i, part := range p.score.parts {
		s := &playing{player: p, part: part, happened: p.played[i]}
		if s.happened == nil {
			s.happened = make([]uint64, (len(part.cues)+63)/64)
		}
		for k, c := range part.cues {
			at := int32(k)
			loose := c.flags&flagLoose != 0 && (c.kind == cueDemand || c.kind == cueNews)
			if s.has(at) || !loose && (c.kind != cueRequest || c.flags&flagPing != 0) {
				continue
			}
			m := s.message(at)
			u := Unplayed{Frame: int(c.frame) + 1, From: mcp.FromClient, Message: m.Raw, Title: title(m.Method, m.Params)}
			if loose {
				u.From = mcp.FromServer
			}
			list = append(list, u)
		}
	}
	slices.SortFunc(list, func(a, b Unplayed) int { return a.Frame - b.Frame })
	return list
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

// receive takes one frame of a host: a message or, in the one protocol version that had them, a batch. It says whether
// something is answered to it. Whatever exchange it came in is set, and open.
func (s *playing) receive(data []byte, ex *exchange) (answered bool) {
	if trimmed := strings.TrimLeft(string(data[:min(len(data), 64)]), " \t\r\n"); strings.HasPrefix(trimmed, "[") {
		return s.receiveBatch(data, ex)
	}
	m, err := jsonrpc.Parse(data)
	if err != nil {
		s.reject(ex, parseError(err))
		return true
	}
	return s.receiveOne(&m, ex, nil)
}

func parseError(err error) *jsonrpc.Error {
	if err == jsonrpc.ErrNotMessage {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "no JSON: " + err.Error()}
}

func (s *playing) receiveOne(m *jsonrpc.Message, ex *exchange, batch *liveBatch) (answered bool) {
	req := &liveRequest{method: m.Method, came: time.Now(), batch: batch, exchange: ex, cue: none}
	switch m.Kind() {
	case jsonrpc.Request:
		req.id = m.ID
		req.token = progressToken(m.Params)
		s.request(req, m)
		return true
	case jsonrpc.Notification:
		return s.notice(req, m)
	default:
		s.reply(m)
		return false
	}
}

// receiveBatch takes an array of messages: version 2025-03-26 had them, the others answer one error.
func (s *playing) receiveBatch(data []byte, ex *exchange) (answered bool) {
	messages, bad, err := jsonrpc.Split(data)
	s.mu.Lock()
	version := s.version
	s.mu.Unlock()
	switch {
	case err != nil && err != jsonrpc.ErrNotMessage:
		s.reject(ex, parseError(err))
		return true
	case version != "2025-03-26":
		s.reject(ex, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "a batch: only protocol version 2025-03-26 has them"})
		return true
	case len(messages) == 0 && bad <= 1:
		s.reject(ex, parseError(jsonrpc.ErrNotMessage))
		return true
	}
	batch := &liveBatch{left: bad}
	for i := range messages {
		if messages[i].Kind() == jsonrpc.Request {
			batch.left++
		}
	}
	answered = batch.left > 0
	for range bad {
		s.say1(utterance{data: jsonrpc.AppendError(nil, nil, parseError(jsonrpc.ErrNotMessage)), final: true,
			req: &liveRequest{exchange: ex, batch: batch, done: true}})
	}
	for i := range messages {
		s.receiveOne(&messages[i], ex, batch)
	}
	return answered
}

// reject answers what is no message, under no id.
func (s *playing) reject(ex *exchange, e *jsonrpc.Error) {
	s.say1(utterance{data: jsonrpc.AppendError(nil, nil, e), req: &liveRequest{exchange: ex, done: true, head: badRequest}, final: true})
}

func (s *playing) say1(u utterance) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.say(u)
	}
}

// Connect begins a session in this program. Which recorded session it plays is settled by the first message that is written.
func (p *Player) Connect(context.Context) (mcp.Conn, error) {
	return &playerConn{player: p, box: newMailbox()}, nil
}

// playerConn is a session in this program.
type playerConn struct {
	player *Player
	box    *mailbox
	mu     sync.Mutex // guards s until it is set
	s      *playing
	tail   []byte // of stderr
}

func (c *playerConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		item, err := c.box.take(ctx)
		if err != nil {
			return jsonrpc.Message{}, err
		}
		m, err := jsonrpc.Parse(item.data)
		if err != nil {
			continue // a fault's garbage, or half an answer: a line that no reader takes
		}
		return m, nil
	}
}

func (c *playerConn) Write(ctx context.Context, m jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if err := c.box.failed(); err != nil {
		return err
	}
	c.mu.Lock()
	if c.s == nil {
		c.s = c.player.newPlaying(c.player.choose(&m, func(*scorePart) bool { return true }), c)
		c.s.begin()
	}
	s := c.s
	c.mu.Unlock()
	s.receive(append([]byte(nil), m.Raw...), nil)
	return nil
}

// Close ends the session. It does not block.
func (c *playerConn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.s != nil {
		c.s.stop()
		c.s = nil
	}
	c.box.fail(mcp.ErrClosed)
	return nil
}

func (c *playerConn) message(u utterance) {
	if u.fault != nil {
		switch u.fault.Kind {
		case FaultDisconnect:
			c.box.fail(io.EOF)
			return
		case FaultExit:
			c.box.fail(&mcp.ExitError{Status: mcp.ExitStatus{Code: u.fault.Code}})
			return
		case FaultTruncate:
			return
		case FaultError:
			u.data = u.fault.answer(u.req.id)
		}
	}
	if u.data != nil {
		c.box.put(item{data: u.data})
	}
}

func (c *playerConn) stderr(text []byte) {
	const most = 16 << 10
	c.tail = append(c.tail, text...)
	c.tail = c.tail[max(0, len(c.tail)-most):]
}

func (c *playerConn) exit(status mcp.ExitStatus) {
	lines := strings.Split(strings.TrimRight(string(c.tail), "\r\n"), "\n")
	c.box.fail(&mcp.ExitError{Status: status, Stderr: strings.Join(lines[max(0, len(lines)-20):], "\n")})
}

func (c *playerConn) lost(*liveRequest) { c.box.fail(io.ErrUnexpectedEOF) }

// answer is the error that FaultError gives in the place of an answer.
func (f *Fault) answer(id jsontext.Value) []byte {
	return jsonrpc.AppendError(nil, id, &jsonrpc.Error{Code: int64(f.Code), Message: f.Message})
}
