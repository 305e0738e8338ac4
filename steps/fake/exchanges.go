package fake

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// exchange is what one HTTP request gets.
type exchange struct {
	reset  bool
	status int
	header http.Header
	body   []string
}

func (x *exchange) isStream() bool {
	return strings.HasPrefix(x.header.Get("Content-Type"), "text/event-stream")
}

// Exchanges is a script of HTTP answers; see the package's doc.
type Exchanges struct {
	mu      sync.Mutex // guards asked and answers
	rules   map[string][]exchange
	asked   map[string]int
	answers *Answers
}

// ParseExchanges reads a script of HTTP answers.
func ParseExchanges(script string) (*Exchanges, error) {
	x := &Exchanges{rules: make(map[string][]exchange), asked: make(map[string]int)}
	x.answers, _ = ParseAnswers("")
	var name string
	var current *exchange
	keep := func() {
		if current == nil {
			return
		}
		// A blank line at the end counts for a stream alone, where it ends an event.
		if n := len(current.body); n > 0 && current.body[n-1] == "" && !current.isStream() {
			current.body = current.body[:n-1]
		}
		x.rules[name] = append(x.rules[name], *current)
	}
	inBody := false
	for i, line := range strings.Split(script, "\n") {
		if line != "" && !strings.HasPrefix(line, " ") {
			keep()
			var err error
			if name, current, err = parseHead(line); err != nil {
				return nil, fmt.Errorf("script: line %d: %w", i+1, err)
			}
			inBody = false
			continue
		}
		if current == nil {
			continue
		}
		line = strings.TrimPrefix(line, "  ")
		if key, value, ok := strings.Cut(line, ": "); ok && !inBody && isHeader(key) {
			current.header.Add(key, value)
			continue
		}
		inBody = true
		current.body = append(current.body, line)
	}
	keep()
	return x, nil
}

// isHeader tells a header's name from the fields of an event stream.
func isHeader(key string) bool {
	switch key {
	case "", "data", "event", "id", "retry":
		return false
	}
	return !strings.ContainsAny(key, " {}[]\"@")
}

// parseHead reads the line that begins an exchange: POST tools/call -> 200 application/json.
func parseHead(line string) (name string, x *exchange, err error) {
	name, rest, ok := strings.Cut(line, " -> ")
	if !ok {
		return "", nil, fmt.Errorf("%q: want: POST METHOD -> STATUS [TYPE]", line)
	}
	x = &exchange{header: make(http.Header)}
	status, kind, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if status == "reset" {
		x.reset = true
		return strings.TrimSpace(name), x, nil
	}
	if x.status, err = strconv.Atoi(status); err != nil {
		return "", nil, fmt.Errorf("%q is no HTTP status, nor reset", status)
	}
	if kind != "" {
		x.header.Set("Content-Type", kind)
	}
	return strings.TrimSpace(name), x, nil
}

// next is what the next request of a name gets, and whether the script speaks of it.
func (x *Exchanges) next(name string) (exchange, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	rules := x.rules[name]
	n := x.asked[name]
	x.asked[name]++
	if len(rules) == 0 {
		return exchange{}, false
	}
	return rules[min(n, len(rules)-1)], true
}

// answer is what a request gets that no exchange speaks of.
func (x *Exchanges) answer(method string) answer {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.answers.next(method)
}
