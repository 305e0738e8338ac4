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
	if err != nil {
		return failed(Result{Name: name}, nil, err)
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

// call makes the connection where there is none, asks where that is to be asked, and calls.
func (r *Registry) call(ctx context.Context, s *server, key toolKey, name string, args jsontext.Value) Result {
	result := Result{Name: name, Server: key.server, Tool: key.tool}
	if args != nil && args.Kind() != '{' && args.Kind() != 'n' {
		return failed(result, nil, errors.New("the arguments must be a JSON object"))
	}
	if args != nil && args.Kind() == 'n' {
		args = nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.background, func() { cancel(ErrClosed) })() // nobody is asked any more, either
	if err := r.closedOff(s, key, name); err != nil {
		result.Decision = r.decisionFor(s, key)
		return failed(result, nil, err)
	}
	var approved *definition
	for try := 0; ; try++ {
		x, err := r.ensure(ctx, s)
		if err != nil {
			return failed(result, nil, err)
		}
		r.mu.Lock()
		t := r.toolOf(s, key)
		if t == nil {
			r.mu.Unlock()
			return failed(result, x, &UnavailableError{Name: name, Reason: "the server does not offer it any more"})
		}
		if approved != nil && *approved != t.def { // the answer was for what was shown, and for nothing else
			r.mu.Unlock()
			return failed(result, x, &UnavailableError{Name: name, Reason: "its definition changed while it was asked for; call it again"})
		}
		d := r.decide(s, t)
		approval := approvalFor(s, t, args, d)
		r.mu.Unlock()
		if approved == nil {
			result.Decision = d // the one that was met first
		}
		if d.Action == policy.ActionDeny || d.Action == policy.ActionAsk && approved == nil {
			if err := r.ask(ctx, approval, t); err != nil {
				return failed(result, x, err)
			}
			approved = &t.def
			continue // the connection, or the tool, may have changed meanwhile
		}
		began := time.Now()
		answer, err := x.client.CallTool(ctx, t.Name, args)
		result.Duration = time.Since(began)
		var lost *mcp.LostError
		if errors.As(err, &lost) && !lost.Sent && try < 3 && ctx.Err() == nil {
			r.mu.Lock()
			r.dropped(s, x)
			r.mu.Unlock()
			continue // LIFE-2: nothing of it has reached the server
		}
		if err != nil {
			return failed(result, x, err)
		}
		result.Result = *answer
		return mask(result, x)
	}
}

// closedOff says why a tool cannot be called at all, before anything is connected: its server is disabled, removed or
// not to be reached (LIFE-4, PERM-8).
func (r *Registry) closedOff(s *server, key toolKey, name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.find(key.server) != s {
		return &UnavailableError{Name: name, Reason: "its server was removed"}
	}
	err := r.obstacle(s)
	if errors.Is(err, ErrNetworkOff) {
		return &RefusedError{Name: name, Decision: policy.Decide(policy.Tool{Offline: true}, r.level, false)}
	}
	if err != nil {
		return &UnavailableError{Name: name, Reason: err.Error()}
	}
	if s.listed && s.session != nil && r.toolOf(s, key) == nil {
		return &UnavailableError{Name: name, Reason: "the server does not offer it any more"}
	}
	return nil
}

func (r *Registry) decisionFor(s *server, key toolKey) policy.Decision {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t := r.toolOf(s, key); t != nil {
		return r.decide(s, t)
	}
	if r.offline(s) {
		return policy.Decide(policy.Tool{Offline: true}, r.level, false)
	}
	return policy.Decision{}
}

func (r *Registry) toolOf(s *server, key toolKey) *tool {
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
	if a.Decision.Action == policy.ActionDeny || r.o.Ask == nil {
		return &RefusedError{Name: a.Name, Decision: a.Decision}
	}
	answer := r.o.Ask(ctx, a)
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	switch answer {
	case Allow:
	case AllowAndRemember:
		if a.Decision.MayRemember {
			r.mu.Lock()
			r.remembered[t.key] = t.def
			r.mu.Unlock()
		}
	default:
		return &RefusedError{Name: a.Name, Decision: a.Decision, Asked: true}
	}
	return nil
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
