package registry

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/policy"
)

// Result is what a call of a tool came to.
type Result struct {
	mcp.Result

	Name     string // as it was called
	Server   string // the id; empty where the name belongs to no tool
	Tool     string // as the server names it
	Decision policy.Decision
	Duration time.Duration // of the call itself, without connecting and asking

	// Err is why there is no result of the server: an [*UnavailableError], [*RefusedError], [*ConnectError], or one of package
	// mcp. It is nil where the server answered, also with a failed result.
	Err error
}

// Call calls a tool by the name that the host sees. It returns when there is a result, and never fails in another way
// than by a failed result (CALL-9).
func (r *Registry) Call(ctx context.Context, name string, args jsontext.Value) Result {
	s, key, err := r.locate(ctx, name)
	result := Result{Name: name}
	switch {
	case errors.Is(err, ErrNetworkOff): // PERM-8
		result.Decision = policy.Decide(policy.Tool{Offline: true}, r.Level(), false)
		return failed(result, nil, &RefusedError{Name: name, Decision: result.Decision})
	case errors.Is(err, ErrDisabled), errors.Is(err, ErrClosed): // LIFE-4
		return failed(result, nil, &UnavailableError{Name: name, Reason: err.Error()})
	case err != nil:
		return failed(result, nil, err)
	}
	return r.call(ctx, s, key, name, args)
}

// CallTool calls a tool by the id of its server and the name that the server gives it.
func (r *Registry) CallTool(ctx context.Context, id, toolName string, args jsontext.Value) Result {
	r.mu.Lock()
	s := r.find(id)
	r.mu.Unlock()
	if s == nil {
		return failed(Result{Name: toolName}, nil, &UnavailableError{Name: toolName, Reason: "there is no server " + id})
	}
	return r.call(ctx, s, toolKey{id, toolName}, toolName, args)
}

// locate finds the tool that has the name. Where no tool has it, but a server that has not been listed yet could own
// it, that server is connected first.
func (r *Registry) locate(ctx context.Context, name string) (*server, toolKey, error) {
	unavailable := func(reason string) error { return &UnavailableError{Name: name, Reason: reason} }
	var first error
	for tried := map[*server]bool{}; ; {
		r.mu.Lock()
		key, found := r.names.find(name)
		s := r.find(key.server)
		var owner *server
		for _, o := range r.servers {
			if !found && owner == nil && !tried[o] && !o.listed && mayOwn(o.set.ID, name) {
				owner = o
			}
		}
		r.mu.Unlock()
		switch {
		case found && s == nil:
			return nil, key, unavailable("its server was removed")
		case found:
			return s, key, nil
		case owner == nil && first != nil:
			return nil, key, first
		case owner == nil:
			return nil, key, unavailable("no server offers a tool of this name")
		}
		tried[owner] = true
		if _, err := r.ensure(ctx, owner); err != nil && first == nil {
			first = err
		}
	}
}

// maxTries is how often a call is begun anew because nothing of it has reached the server: it was asked for, or the
// connection turned out to be broken.
const maxTries = 4

// pendingCall is a call on its way.
type pendingCall struct {
	server   *server
	key      toolKey
	args     jsontext.Value
	approved *definition // a person has allowed the tool as it is defined here
	result   Result      // as far as it is known
}

// call makes the connection where there is none, asks where that is to be asked, and calls.
func (r *Registry) call(ctx context.Context, s *server, key toolKey, name string, args jsontext.Value) Result {
	c := &pendingCall{server: s, key: key, args: args, result: Result{Name: name, Server: key.server, Tool: key.tool}}
	switch {
	case args == nil || args.Kind() == 'n':
		c.args = nil
	case args.Kind() != '{':
		return failed(c.result, nil, errors.New("the arguments must be a JSON object"))
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.background, func() { cancel(ErrClosed) })() // nobody is asked any more, either
	if err := r.closedOff(c); err != nil {
		return failed(c.result, nil, err)
	}
	for try := 1; ; try++ {
		if result, done := r.try(ctx, c, try == maxTries); done {
			return result
		}
	}
}

// try takes a call one step further, which may be the last.
func (r *Registry) try(ctx context.Context, c *pendingCall, last bool) (result Result, done bool) {
	x, err := r.ensure(ctx, c.server)
	if err != nil {
		return failed(c.result, nil, err), true
	}
	t, question, err := r.permission(c)
	if err != nil {
		return failed(c.result, x, err), true
	}
	if question != nil {
		if err := r.ask(ctx, *question, t); err != nil {
			return failed(c.result, x, err), true
		}
		c.approved = &t.def
		return result, false // the connection, or the tool, may have changed meanwhile
	}
	began := time.Now()
	answer, err := x.client.CallTool(ctx, t.Name, c.args)
	c.result.Duration = time.Since(began)
	var lost *mcp.LostError
	if errors.As(err, &lost) && !lost.Sent && !last && ctx.Err() == nil { // LIFE-2: nothing of it has reached the server
		r.mu.Lock()
		defer r.mu.Unlock()
		r.dropped(c.server, x)
		return result, false
	}
	if err != nil {
		return failed(c.result, x, err), true
	}
	c.result.Result = *answer
	return mask(c.result, x), true
}

// permission decides on a call as things stand now. It gives the tool, and the question to ask where there is one.
func (r *Registry) permission(c *pendingCall) (*tool, *Approval, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := toolOf(c.server, c.key)
	if t == nil {
		return nil, nil, &UnavailableError{Name: c.result.Name, Reason: "the server does not offer it any more"}
	}
	if c.approved != nil && *c.approved != t.def { // the answer was for what was shown, and for nothing else
		return nil, nil, &UnavailableError{Name: c.result.Name, Reason: "its definition changed while it was asked for; call it again"}
	}
	d := r.decide(c.server, t)
	if c.approved == nil {
		c.result.Decision = d // the one that was met first
	}
	switch {
	case d.Action == policy.ActionDeny:
		return nil, nil, &RefusedError{Name: c.result.Name, Decision: d}
	case d.Action == policy.ActionAllow || c.approved != nil:
		return t, nil, nil
	}
	question := approvalFor(c.server, t, c.args, d)
	return t, &question, nil
}

// closedOff says why a tool cannot be called at all, before anything is connected: its server is disabled, removed or
// not to be reached (LIFE-4, PERM-8).
func (r *Registry) closedOff(c *pendingCall) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, name := c.server, c.result.Name
	if r.find(c.key.server) != s {
		return &UnavailableError{Name: name, Reason: "its server was removed"}
	}
	switch err := r.obstacle(s); {
	case errors.Is(err, ErrNetworkOff):
		c.result.Decision = policy.Decide(policy.Tool{Offline: true}, r.level, false)
		return &RefusedError{Name: name, Decision: c.result.Decision}
	case err != nil:
		return &UnavailableError{Name: name, Reason: err.Error()}
	case s.session != nil && toolOf(s, c.key) == nil:
		return &UnavailableError{Name: name, Reason: "the server does not offer it any more"}
	}
	return nil
}

func toolOf(s *server, key toolKey) *tool {
	for _, t := range s.tools {
		if t.Name == key.tool {
			return t
		}
	}
	return nil
}

func approvalFor(s *server, t *tool, args jsontext.Value, d policy.Decision) Approval {
	name := t.name
	if name == "" { // not offered yet
		name = baseName(s.set.ID, t.Name)
	}
	return Approval{
		Server: s.set.ID, ServerName: s.set.Name, Tool: t.Name, Name: name, Title: t.Title,
		Description: t.Description, Arguments: args, Decision: d,
	}
}

// ask asks whether the tool may be called, and remembers the answer where that is wanted and may be (PERM-5, PERM-6).
func (r *Registry) ask(ctx context.Context, a Approval, t *tool) error {
	if r.o.Ask == nil {
		return &RefusedError{Name: a.Name, Decision: a.Decision}
	}
	answer := r.o.Ask(ctx, a)
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	switch answer {
	case Allow:
	case AllowAndRemember:
		r.remember(a, t)
	case Unanswered:
		return &RefusedError{Name: a.Name, Decision: a.Decision, Late: true}
	default:
		return &RefusedError{Name: a.Name, Decision: a.Decision, Asked: true}
	}
	return nil
}

// remember keeps an answer for the tool as it was shown, where the decision lets that be and it is still so.
func (r *Registry) remember(a Approval, t *tool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.find(t.key.server)
	if s == nil || !a.Decision.MayRemember {
		return
	}
	if now := toolOf(s, t.key); now != nil && now.def == t.def {
		r.remembered[t.key] = t.def
	}
}

// failed makes a failed result of an error, without secrets.
func failed(result Result, x *session, err error) Result {
	if x != nil {
		err = x.mask(err)
	}
	result.Result = *mcp.FailedResult(err)
	result.Err = err
	return result
}

// mask takes secrets out of a failed result: servers like to repeat what they were given. A result that did not fail
// is the tool's data, and stays as it is.
func mask(result Result, x *session) Result {
	if result.Failed {
		result.Text = x.secrets.Mask(result.Text)
		result.Raw = x.secrets.MaskJSON(result.Raw)
		result.Structured = x.secrets.MaskJSON(result.Structured)
	}
	return result
}
