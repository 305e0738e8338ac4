package api

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/imurun/mcp-replay/mcp/registry"
)

// told keeps what approvals publish.
func told(a *Approvals) *[]string {
	var mu sync.Mutex
	var list []string
	a.publish = func(_ string, data any) {
		mu.Lock()
		defer mu.Unlock()
		e := data.(ApprovalEvent)
		list = append(list, e.ID+" "+e.Status)
	}
	return &list
}

// TestApprovalEnds: a question ends by its answer, by the time that is stated, or because nobody wants it any more.
func TestApprovalEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		how    string
		want   registry.Answer
		after  time.Duration
		status string
	}{
		{"allow", registry.Allow, time.Second, Allowed},
		{"remember", registry.AllowAndRemember, time.Second, Allowed},
		{"deny", registry.Deny, time.Second, Denied},
		{"time", registry.Unanswered, 2 * time.Minute, Expired},
		{"cancel", registry.Unanswered, time.Second, Withdrawn},
	} {
		t.Run(c.how, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := NewApprovals(0)
				events := told(a)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				began := time.Now()
				time.AfterFunc(time.Second, func() {
					switch c.how {
					case "cancel":
						cancel()
					case "time":
					default:
						if !a.Answer("1", c.want) {
							t.Error("it was not pending")
						}
					}
				})
				got := a.Ask(ctx, registry.Approval{Tool: "t"})
				if got != c.want || time.Since(began) != c.after {
					t.Errorf("it gives %v after %v", got, time.Since(began))
				}
				if want := []string{"1 pending", "1 " + c.status}; !slices.Equal(*events, want) {
					t.Errorf("it tells %v", *events)
				}
				if list := a.List(); len(list) != 0 || a.Answer("1", registry.Allow) {
					t.Errorf("it is still pending: %v", list)
				}
			})
		})
	}
}

// TestApprovalsTogether: each question gets its own answer, once.
func TestApprovalsTogether(t *testing.T) {
	t.Parallel()
	a := NewApprovals(time.Minute)
	told(a)
	const n = 50
	var wait sync.WaitGroup
	for range n {
		wait.Go(func() { a.Ask(t.Context(), registry.Approval{}) })
	}
	for len(a.List()) < n {
		time.Sleep(time.Millisecond)
	}
	for i, p := range a.List() {
		if p.ID != fmt.Sprint(i+1) {
			t.Errorf("number %d has the id %s", i+1, p.ID)
		}
		var taken sync.Map
		var both sync.WaitGroup
		for _, answer := range []registry.Answer{registry.Allow, registry.Deny} {
			both.Go(func() { taken.Store(answer, a.Answer(p.ID, answer)) })
		}
		both.Wait()
		x, _ := taken.Load(registry.Allow)
		if y, _ := taken.Load(registry.Deny); x == y {
			t.Errorf("both answers: taken %v, %v", x, y)
		}
	}
	wait.Wait()
}
