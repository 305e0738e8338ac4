package api

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/registry"
)

// EventApproval is the type of event that tells of an approval. Its data is [ApprovalEvent].
const EventApproval = "mcp.approval"

// ApprovalEvent says where an approval stands. It holds no arguments, which may be long: the list of approvals does.
type ApprovalEvent struct {
	ID     string `json:"id"`
	Status string `json:"status"` // one of the statuses below
	Server string `json:"server"` // the id
	Name   string `json:"name"`   // of the tool, as the host sees it
}

// The statuses of an approval.
const (
	Waiting   = "pending"   // for an answer
	Allowed   = "allowed"   // by a person
	Denied    = "denied"    // by a person
	Expired   = "expired"   // nobody answered in time; the call was refused
	Withdrawn = "withdrawn" // the caller gave up, or the host closes
)

// approvalTime is how long an approval waits for its answer, unless told otherwise.
const approvalTime = 2 * time.Minute

// Pending is a question that waits for its answer.
type Pending struct {
	ID          string         `json:"id"`
	Server      string         `json:"server"`
	ServerName  string         `json:"serverName"`
	Tool        string         `json:"tool"` // as the server names it
	Name        string         `json:"name"` // as the host sees it
	Title       string         `json:"title,omitzero"`
	Description string         `json:"description"`
	Arguments   jsontext.Value `json:"arguments,omitzero"` // what will be sent
	Rule        string         `json:"rule"`               // why it is asked
	Why         string         `json:"why"`
	MayRemember bool           `json:"mayRemember"`
	Expires     time.Time      `json:"expires"`

	number int
	answer chan registry.Answer
}

// Approvals are the questions of a registry to a person, each waiting for its answer. The zero value is not ready.
type Approvals struct {
	wait    time.Duration
	publish func(kind string, data any)

	mu      sync.Mutex
	last    int
	pending map[string]*Pending
}

// NewApprovals makes approvals of which each waits for so long; an unanswered one refuses the call. 0 means two minutes.
func NewApprovals(wait time.Duration) *Approvals {
	return &Approvals{wait: cmp.Or(wait, approvalTime), pending: map[string]*Pending{}, publish: func(string, any) {}}
}

// Ask puts a question and waits for its answer: it is what [registry.Options] wants as Ask.
func (a *Approvals) Ask(ctx context.Context, q registry.Approval) registry.Answer {
	p := a.add(q)
	timer := time.NewTimer(a.wait)
	defer timer.Stop()
	status := Expired
	select {
	case answer := <-p.answer:
		return answer
	case <-timer.C:
	case <-ctx.Done():
		status = Withdrawn
	}
	if a.take(p.ID) == nil { // answered just now
		return <-p.answer
	}
	a.tell(p, status)
	return registry.Unanswered
}

func (a *Approvals) add(q registry.Approval) *Pending {
	p := &Pending{
		Server: q.Server, ServerName: q.ServerName, Tool: q.Tool, Name: q.Name, Title: q.Title, Description: q.Description,
		Arguments: q.Arguments, Rule: q.Decision.Rule, Why: q.Decision.Why(), MayRemember: q.Decision.MayRemember,
		Expires: time.Now().Add(a.wait).UTC().Truncate(time.Second),
		answer:  make(chan registry.Answer, 1),
	}
	a.mu.Lock()
	a.last++
	p.number, p.ID = a.last, strconv.Itoa(a.last)
	a.pending[p.ID] = p
	a.mu.Unlock()
	a.tell(p, Waiting)
	return p
}

// take removes a question; nil where it is not pending any more.
func (a *Approvals) take(id string) *Pending {
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.pending[id]
	delete(a.pending, id)
	return p
}

func (a *Approvals) tell(p *Pending, status string) {
	a.publish(EventApproval, ApprovalEvent{ID: p.ID, Status: status, Server: p.Server, Name: p.Name})
}

// List gives the pending questions, the oldest first.
func (a *Approvals) List() []Pending {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := make([]Pending, 0, len(a.pending))
	for _, p := range a.pending {
		list = append(list, *p)
	}
	slices.SortFunc(list, func(x, y Pending) int { return x.number - y.number })
	return list
}

// Answer answers a question, once; false means that it is not pending.
func (a *Approvals) Answer(id string, answer registry.Answer) bool {
	p := a.take(id)
	if p == nil {
		return false
	}
	status := Denied
	if answer != registry.Deny {
		status = Allowed
	}
	a.tell(p, status) // before what comes of it
	p.answer <- answer
	return true
}

// parseAnswer reads the body of an answer; the error names the field.
func parseAnswer(body jsontext.Value) (answer registry.Answer, field string, err error) {
	var in struct {
		Answer   string `json:"answer"`
		Remember bool   `json:"remember"`
	}
	if err := json.Unmarshal(body, &in, json.RejectUnknownMembers(true)); err != nil {
		return registry.Deny, "", errors.New(`the body must be {"answer": "allow" or "deny", "remember": true or false}`)
	}
	switch {
	case in.Answer != "allow" && in.Answer != "deny":
		return registry.Deny, "answer", errors.New(`answer must be "allow" or "deny"`)
	case in.Answer == "deny" && in.Remember:
		return registry.Deny, "remember", errors.New("only what is allowed can be remembered")
	case in.Answer == "deny":
		return registry.Deny, "", nil
	case in.Remember:
		return registry.AllowAndRemember, "", nil
	}
	return registry.Allow, "", nil
}
