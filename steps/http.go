package steps

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/imurun/mcp-replay/steps/fake"
)

// httpSteps is about Streamable HTTP: how a server is addressed, and the requests that it has had. A request is named by
// its HTTP method and, for a POST, its message's method; "GET#2" is the second of that name.
var httpSteps = []Step{{
	Pattern: `^the server's path is "([^"]*)"$`,
	Example: `Given the server's path is "/mcp?x=a%2Fb&y="`,
	Doc:     "Has the host use another path (and query) of the fake HTTP server.",
	Do:      usePath,
}, {
	Pattern: `^the host has the headers:$`,
	Example: "Given the host has the headers:\n  | Authorization | Bearer one-two-three |",
	Doc:     "Has the host send these headers, beside the protocol's own, with every request.",
	Do:      useHeaders,
}, {
	Pattern: `^another origin with the exchanges:$`,
	Example: "Given another origin with the exchanges:\n  \"\"\"\n  POST initialize -> 500\n  \"\"\"",
	Doc:     "A second HTTP server, which the host has not been told of; {other} is its URL.",
	Do:      otherOrigin,
}, {
	Pattern: `^the host closes the session within (\d+ m?s)$`,
	Example: `When the host closes the session within 3 s`,
	Doc:     "Ends the session, and bounds how long that takes.",
	Do:      closeWithin,
}, {
	Pattern: `^the start fails with "([^"]*)" and (\d+) times "([^"]*)"$`,
	Example: `Then the start fails with "HTTP 500: " and 500 times "x"`,
	Doc:     "Compares the whole reason for which the server could not be started, of which the end repeats itself.",
	Do: func(_ context.Context, w *World, want string, times int, tail string) error {
		return startFails(w, want+strings.Repeat(tail, times), sameText)
	},
}, {
	Pattern: `^the server has had the requests:$`,
	Example: "Then the server has had the requests:\n  | POST initialize |\n  | GET             |",
	Doc:     "Waits up to 5 seconds for as many HTTP requests, and compares all that have come, in whatever order.",
	Do:      hadRequests,
}, {
	Pattern: `^the server has had (\d+) "([A-Z]+[^"]*)" requests?$`,
	Example: `Then the server has had 1 "POST initialize" request`,
	Doc:     "Waits up to 5 seconds for so many HTTP requests of the name, and then half a second for one too many.",
	Do:      hadRequestTimes,
}, {
	Pattern: `^the other origin has had no request$`,
	Example: `Then the other origin has had no request`,
	Doc:     "Looks at what the second HTTP server has received, for half a second.",
	Do:      otherHadNone,
}, {
	Pattern: `^the request "([^"]*)" has the header "([^"]*)" equal to "([^"]*)"$`,
	Example: `Then the request "POST initialize" has the header "Content-Type" equal to "application/json"`,
	Doc:     "Compares all values of a header of one request; several are joined by a comma and a space.",
	Do: requestHas(func(r fake.Request, name, want string) error {
		return sameText(strings.Join(r.Header.Values(name), ", "), want)
	}),
}, {
	Pattern: `^the request "([^"]*)" has no header "([^"]*)"$`,
	Example: `Then the request "POST initialize" has no header "Mcp-Session-Id"`,
	Doc:     "Asserts that one request came without the header.",
	Do: func(ctx context.Context, w *World, request, name string) error {
		return requestHas(func(r fake.Request, name, _ string) error {
			if v := r.Header.Values(name); v != nil {
				return fmt.Errorf("it has: %q", v)
			}
			return nil
		})(ctx, w, request, name, "")
	},
}, {
	Pattern: `^the request "([^"]*)" goes to "([^"]*)"$`,
	Example: `Then the request "POST initialize" goes to "/mcp?x=a%2Fb&y="`,
	Doc:     "Compares the path and query of one request, as they were written.",
	Do: func(ctx context.Context, w *World, request, want string) error {
		return requestHas(func(r fake.Request, _, want string) error { return sameText(r.Path, want) })(ctx, w, request, "", want)
	},
}, {
	Pattern: `^the request "([^"]*)" repeats "([^"]*)"$`,
	Example: `Then the request "POST initialize#2" repeats "POST initialize"`,
	Doc:     "Asserts that two requests have the same method, header and body.",
	Do:      requestRepeats,
}}

// otherState is the second HTTP server of a scenario.
type otherState struct{ server *fake.HTTP }

func usePath(_ context.Context, w *World, path string) error {
	server, err := w.FakeHTTP()
	if err != nil {
		return err
	}
	u, err := url.Parse(server.URL())
	if err != nil {
		return err
	}
	t := w.Target()
	t.URL = u.Scheme + "://" + u.Host + path
	w.SetTarget(t)
	return nil
}

func useHeaders(_ context.Context, w *World, table Table) error {
	pairs, err := table.Pairs()
	if err != nil {
		return err
	}
	t := w.Target()
	t.Header = make(http.Header)
	for _, p := range pairs {
		t.Header.Add(p[0], p[1])
	}
	w.SetTarget(t)
	return nil
}

func otherOrigin(_ context.Context, w *World, script Doc) error {
	server, err := fake.ServeExchanges(string(script))
	if err != nil {
		return err
	}
	w.Cleanup(server.Close)
	State[otherState](w).server = server
	w.Define("other", server.URL())
	return nil
}

func otherHadNone(ctx context.Context, w *World) error {
	server := State[otherState](w).server
	if server == nil {
		return errors.New("the scenario has no other origin")
	}
	return settled(ctx, func() error {
		if r := server.Requests(); len(r) > 0 {
			return fmt.Errorf("it has had %s %s", r[0].Method, r[0].Path)
		}
		return nil
	})
}

func closeWithin(ctx context.Context, w *World, bound time.Duration) error {
	start := time.Now()
	if err := closeSession(ctx, w); err != nil {
		return err
	}
	return bounded(time.Since(start), "less", bound)
}

// requestName is how steps name a request.
func requestName(r fake.Request) string { return strings.TrimSpace(r.Method + " " + r.RPC) }

func requestNames(w *World) ([]string, error) {
	server, err := w.FakeHTTP()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, r := range server.Requests() {
		names = append(names, requestName(r))
	}
	return names, nil
}

func hadRequests(ctx context.Context, w *World, table Table) error {
	want, err := table.Column()
	if err != nil {
		return err
	}
	slices.Sort(want)
	return Eventually(ctx, func() error {
		got, err := requestNames(w)
		if err != nil {
			return err
		}
		slices.Sort(got)
		return sameText(strings.Join(got, "\n"), strings.Join(want, "\n"))
	})
}

func hadRequestTimes(ctx context.Context, w *World, want int, name string) error {
	return settled(ctx, func() error {
		names, err := requestNames(w)
		if err != nil {
			return err
		}
		names = slices.DeleteFunc(names, func(n string) bool { return n != name })
		if len(names) != want {
			return fmt.Errorf("it has had %d", len(names))
		}
		return nil
	})
}

// findRequest is the request of a name, which may end in #2 for the second one.
func findRequest(w *World, name string) (fake.Request, error) {
	server, err := w.FakeHTTP()
	if err != nil {
		return fake.Request{}, err
	}
	base, number, numbered := strings.Cut(name, "#")
	left := 1
	if numbered {
		if left, err = strconv.Atoi(number); err != nil {
			return fake.Request{}, fmt.Errorf("%q: after # stands a number", name)
		}
	}
	names := []string{}
	for _, r := range server.Requests() {
		if requestName(r) == base {
			if left--; left == 0 {
				return r, nil
			}
		}
		names = append(names, requestName(r))
	}
	return fake.Request{}, fmt.Errorf("%s has not come; what has: %s", name, strings.Join(names, ", "))
}

// requestHas makes a step's function that waits for a request and looks at it.
func requestHas(check func(r fake.Request, name, want string) error) func(context.Context, *World, string, string, string) error {
	return func(ctx context.Context, w *World, request, name, want string) error {
		return Eventually(ctx, func() error {
			r, err := findRequest(w, request)
			if err != nil {
				return err
			}
			return check(r, name, want)
		})
	}
}

func requestRepeats(ctx context.Context, w *World, second, first string) error {
	return Eventually(ctx, func() error {
		a, err := findRequest(w, first)
		if err != nil {
			return err
		}
		b, err := findRequest(w, second)
		if err != nil {
			return err
		}
		return sameText(describeRequest(b), describeRequest(a))
	})
}

func describeRequest(r fake.Request) string {
	var s strings.Builder
	_ = r.Header.Write(&s) // a strings.Builder takes everything
	return r.Method + "\n" + s.String() + "\n" + r.Body
}
