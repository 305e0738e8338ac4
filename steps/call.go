package steps

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// callState is the host's last call, or its last calls at once.
type callState struct {
	made   bool
	result *mcp.Result // of whatever end, as the host shows it
	err    error       // nil where there is a result
	notice *Notice     // of a failure
	took   time.Duration
	token  int // of the last call that asked for progress

	results []*mcp.Result // of calls at once
	notices []*Notice
}

// record keeps how a call ended, and notes a failure.
func (s *callState) record(w *World, what string, r *mcp.Result, err error) {
	if err != nil {
		r = mcp.FailedResult(err) // CALL-9
	}
	s.made, s.result, s.err, s.notice = true, r, err, nil
	if r.Failed {
		s.notice = w.Notice("%s fails: %s", what, r.Text)
	}
}

// call calls a tool; with a limit other than 0 the host gives it up then.
func call(ctx context.Context, w *World, tool string, args Arguments, limit time.Duration) error {
	c, err := w.Client()
	if err != nil {
		return err
	}
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		defer time.AfterFunc(limit, cancel).Stop()
	}
	s := State[callState](w)
	began := time.Now()
	r, err := c.CallTool(ctx, tool, jsontext.Value(args))
	s.took = time.Since(began)
	s.record(w, fmt.Sprintf("the call of %q", tool), r, err)
	return nil
}

// callForProgress calls a tool with a progress token, which CallTool has no use for.
func callForProgress(ctx context.Context, w *World, tool string, args Arguments) error {
	c, err := w.Client()
	if err != nil {
		return err
	}
	s := State[callState](w)
	s.token++
	params := []byte(`{"name":`)
	if params, err = jsontext.AppendQuote(params, tool); err != nil {
		return err
	}
	if args != nil {
		params = append(append(params, `,"arguments":`...), args...)
	}
	params = fmt.Appendf(params, `,"_meta":{"progressToken":%d}}`, s.token)
	began := time.Now()
	answer, err := c.Call(ctx, "tools/call", params)
	s.took = time.Since(began)
	s.record(w, fmt.Sprintf("the call of %q", tool), mcp.Render(answer), err)
	return nil
}

// callAtOnce makes calls side by side. Where before is given, each but the first waits for it.
func callAtOnce(ctx context.Context, w *World, table Table, before func(call int) error) error {
	c, err := w.Client()
	if err != nil {
		return err
	}
	pairs, err := table.Pairs()
	if err != nil {
		return err
	}
	s := State[callState](w)
	s.results = make([]*mcp.Result, len(pairs))
	s.notices = make([]*Notice, len(pairs))
	errs := make([]error, len(pairs))
	began := time.Now()
	var calls sync.WaitGroup
	for i, p := range pairs {
		if i > 0 && before != nil {
			if err := before(i); err != nil {
				return err
			}
		}
		calls.Go(func() { s.results[i], errs[i] = c.CallTool(ctx, p[0], jsontext.Value(p[1])) })
	}
	calls.Wait()
	s.took = time.Since(began)
	for i, p := range pairs {
		s.record(w, fmt.Sprintf("the call of %q", p[0]), s.results[i], errs[i])
		s.results[i], s.notices[i] = s.result, s.notice
	}
	return nil
}

// request sends any request; what it answers is no tool result, and so has no text.
func request(ctx context.Context, w *World, method string, params Arguments) error {
	c, err := w.Client()
	if err != nil {
		return err
	}
	s := State[callState](w)
	began := time.Now()
	answer, err := c.Call(ctx, method, jsontext.Value(params))
	s.took = time.Since(began)
	s.record(w, fmt.Sprintf("the request %q", method), &mcp.Result{Raw: answer}, err)
	return nil
}

func failsWithCode(_ context.Context, w *World, want int) error {
	if _, err := failed(w); err != nil {
		return err
	}
	s := State[callState](w)
	var refused *jsonrpc.Error
	if !errors.As(s.err, &refused) {
		return fmt.Errorf("it fails without a code: %s", s.result.Text)
	}
	if refused.Code != int64(want) {
		return fmt.Errorf("the code is %d: %s", refused.Code, refused.Message)
	}
	return nil
}

// progress is the progress notifications of the last call that asked for them.
func progress(w *World) ([]jsontext.Value, error) {
	s := State[callState](w)
	if s.token == 0 {
		return nil, &HintError{
			Err:  errors.New("no call has asked for progress"),
			Hint: `put before it a step such as: When the host calls the tool "bind_notebook", asking for progress`,
		}
	}
	var all []jsontext.Value
	for _, m := range State[sessionState](w).heard("notifications/progress") {
		if token, err := at(m.Params, "/progressToken"); err == nil && string(token) == strconv.Itoa(s.token) {
			all = append(all, m.Params)
		}
	}
	return all, nil
}

// progressTimes waits for the count: over HTTP a notification may come on another stream than the answer.
func progressTimes(ctx context.Context, w *World, want int) error {
	return Eventually(ctx, func() error {
		all, err := progress(w)
		if err == nil && len(all) != want {
			err = fmt.Errorf("it reports it %d times", len(all))
		}
		return err
	})
}

func progressIs(ctx context.Context, w *World, table Table) error {
	if len(table) == 0 {
		return errors.New("the table has no row")
	}
	return Eventually(ctx, func() error {
		all, err := progress(w)
		if err != nil {
			return err
		}
		var got, want []string
		for _, row := range table[1:] {
			want = append(want, strings.Join(row, " | "))
		}
		for _, params := range all {
			var cells []string
			for _, key := range table[0] {
				cell := ""
				if v, ok := child(params, key); ok {
					cell = plainText(v)
				}
				cells = append(cells, cell)
			}
			got = append(got, strings.Join(cells, " | "))
		}
		return sameText(strings.Join(got, "\n"), strings.Join(want, "\n"))
	})
}
