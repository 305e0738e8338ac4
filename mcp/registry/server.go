package registry

import (
	"fmt"
	"maps"
	"slices"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/settings"
	"github.com/imurun/mcp-replay/policy"
)

// State is where a server stands.
type State string

// The states.
const (
	StateDisabled         State = "disabled"          // in the settings
	StateConnecting       State = "connecting"        // an attempt is under way
	StateConnected        State = "connected"         //
	StateDisconnected     State = "disconnected"      // not connected, or no more; the next call connects
	StateFailed           State = "failed"            // the last attempt failed, or the entry in the settings is wrong
	StateNeedsCredentials State = "needs credentials" // the server answered 401 or 403
)

// Server is a server as it may be shown: its settings, masked (CFG-16), and how it is.
type Server struct {
	settings.Server
	State           State       `json:"state"`
	Error           string      `json:"error"` // why it is disconnected or failed; empty otherwise
	ProtocolVersion string      `json:"protocolVersion,omitzero"`
	Info            *ServerInfo `json:"server,omitzero"`  // what it called itself last
	Tools           int         `json:"tools"`            // how many it offers
	Omitted         int         `json:"omitted,omitzero"` // how many more it has (LIST-2)
	Noise           int         `json:"noise,omitzero"`   // lines on its stdout that were no messages (RPC-2)
	NoiseSample     string      `json:"noiseSample,omitzero"`
	Notes           []string    `json:"notes,omitzero"` // what else was odd about it
}

// server is what the registry knows of a server. The registry's mutex guards it.
type server struct {
	set settings.Server

	state State // what it was last; see [Registry.stateOf]
	err   string

	session *session
	attempt *attempt
	tried   bool // an attempt has ended

	// firstPending: the first attempt is under way, or is about to begin; the names of later servers may wait for it
	// (NAME-2).
	firstPending bool

	released <-chan struct{} // closed when what an earlier session held is free: a new process waits for it

	// What the last listing gave, in its order. It stays when the connection ends: a call makes it again.
	tools   []*tool
	listed  bool
	omitted int
	info    *ServerInfo
	version string
	status  mcp.Status
}

func newServer(set settings.Server) *server { return &server{set: set, state: StateDisconnected} }

// reset makes the server as if it had never been tried, but for the tools it had: they keep their names (LIFE-8).
func (s *server) reset() {
	s.state, s.err, s.tried, s.firstPending = StateDisconnected, "", false, false
	s.info, s.version, s.omitted, s.status = nil, "", 0, mcp.Status{}
}

// stateOf gives the state as it may be shown, and the reason for it.
func (r *Registry) stateOf(s *server) (State, string) {
	switch {
	case s.set.Err != nil:
		return StateFailed, s.set.Err.Error()
	case !s.set.Enabled:
		return StateDisabled, ""
	case s.attempt != nil:
		return StateConnecting, ""
	case s.session != nil:
		return StateConnected, ""
	case r.offline(s):
		return StateDisconnected, ErrNetworkOff.Error()
	}
	return s.state, s.err
}

// view gives the server as it may be shown. The caller holds mu.
func (r *Registry) view(s *server) Server {
	v := Server{Server: s.set.Masked(), ProtocolVersion: s.version, Omitted: s.omitted}
	v.State, v.Error = r.stateOf(s)
	if s.info != nil {
		info := *s.info
		v.Info = &info
	}
	for _, t := range s.tools {
		if t.name != "" {
			v.Tools++
		}
	}
	status := s.status
	if s.session != nil {
		status = s.session.status()
	}
	v.Noise, v.NoiseSample, v.Notes = status.Noise, status.NoiseSample, status.Notes
	return v
}

// reaches says how a server is reached: with another, an answer that was remembered is void.
func reaches(s *settings.Server) string {
	pairs := func(m map[string]string) (list []string) {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			list = append(list, name, m[name])
		}
		return list
	}
	return fmt.Sprintf("%q %q %q %q %q %q %q", s.Transport, s.Command, s.Args, s.Cwd, s.URL, pairs(s.Env), pairs(s.Headers))
}

// retire takes the tools of a server out of the offer (LIFE-4). Their names stay theirs.
func (r *Registry) retire(s *server) {
	for _, t := range s.tools {
		if t.name != "" {
			r.names.retire(t.key)
		}
	}
	s.tools, s.listed = nil, false
}

// offerAll gives names to the tools that have none, in the order of the settings and of the listings. A server whose
// names could clash with those of an earlier one waits until that one's first attempt has ended (NAME-2).
func (r *Registry) offerAll() {
	for i, s := range r.servers {
		if !s.listed || r.mustWait(i) {
			continue
		}
		for _, t := range s.tools {
			if t.name == "" {
				t.name = r.names.Assign(t.key.server, t.key.tool)
				r.names.offer(t.key)
			}
		}
	}
}

func (r *Registry) mustWait(i int) bool {
	for _, earlier := range r.servers[:i] {
		if earlier.firstPending && mayClash(earlier.set.ID, r.servers[i].set.ID) {
			return true
		}
	}
	return false
}

// take takes a listing over: tools that are gone are retired, new ones are offered, and one that is still there
// keeps its name (NAME-3, LIFE-8). It says what changed, against the listing before; nil where there was none, or
// nothing did.
func (r *Registry) take(s *server, list *mcp.ToolList) *ToolsChanged {
	before := map[string]*tool{}
	for _, t := range s.tools {
		before[t.Name] = t
	}
	change := &ToolsChanged{ID: s.set.ID, Name: s.set.Name}
	first := !s.listed
	s.tools, s.listed, s.omitted = make([]*tool, 0, len(list.Tools)), true, list.Omitted
	for _, listed := range list.Tools {
		t := newTool(s.set.ID, listed)
		if old := before[t.Name]; old != nil {
			t.name = old.name
			delete(before, t.Name)
			if what := old.def.changes(t.def); what != nil {
				change.Changed = append(change.Changed, ToolChanged{Tool: t.Name, What: what})
			}
		} else if !first {
			change.Added = append(change.Added, t.Name)
		}
		s.tools = append(s.tools, t)
		r.forgetChanged(t, change)
	}
	for name, old := range before {
		change.Removed = append(change.Removed, name)
		if old.name != "" {
			r.names.retire(old.key)
		}
	}
	slices.Sort(change.Removed)
	r.offerAll()
	change.Tools = len(s.tools)
	if len(change.Added)+len(change.Removed)+len(change.Changed) == 0 {
		return nil
	}
	return change
}

// forgetChanged drops a remembered answer that was given for another definition of the tool (PERM-9).
func (r *Registry) forgetChanged(t *tool, change *ToolsChanged) {
	given, found := r.remembered[t.key]
	if !found {
		return
	}
	what := given.changes(t.def)
	if what == nil {
		return
	}
	delete(r.remembered, t.key)
	for i := range change.Changed {
		if change.Changed[i].Tool == t.Name {
			change.Changed[i].Forgotten = true
			return
		}
	}
	change.Changed = append(change.Changed, ToolChanged{Tool: t.Name, What: what, Forgotten: true})
}

// decide says what a call of the tool would meet now.
func (r *Registry) decide(s *server, t *tool) policy.Decision {
	given, found := r.remembered[t.key]
	return policy.Decide(policy.Tool{
		Hints:       t.hints,
		AutoApprove: slices.Contains(s.set.AutoApprove, t.Name), // CFG-8: exactly
		Offline:     r.offline(s),
	}, r.level, policy.Remembered(found && given == t.def))
}

// Tools gives every tool that is offered, in the order of the settings and of the listings.
func (r *Registry) Tools() []Tool {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := []Tool{}
	for _, s := range r.servers {
		list = append(list, r.toolsOf(s)...)
	}
	return list
}

// ServerTools gives the tools of one server; the error is a [*settings.NotFoundError].
func (r *Registry) ServerTools(id string) ([]Tool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.find(id)
	if s == nil {
		return nil, &settings.NotFoundError{ID: id}
	}
	return r.toolsOf(s), nil
}

func (r *Registry) toolsOf(s *server) []Tool {
	list := []Tool{}
	for _, t := range s.tools {
		if t.name == "" {
			continue
		}
		d := r.decide(s, t)
		list = append(list, Tool{
			Name: t.name, Server: s.set.ID, Tool: t.Name, Title: t.Title,
			Description: Describe(s.set.Name, t.Description),                                     // NAME-6
			InputSchema: t.InputSchema, OutputSchema: t.OutputSchema, Annotations: t.Annotations, // NAME-5
			Decision: d.Action.String(), Rule: d.Rule, Why: d.Why(), MayRemember: d.MayRemember,
		})
	}
	return list
}
