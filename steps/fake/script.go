package fake

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// request is what a fake reads of a message.
type request struct {
	ID     jsontext.Value `json:"id"`
	Method string         `json:"method"`
	Params struct {
		Meta struct {
			Token jsontext.Value `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
}

func parseRequest(line []byte) (request, error) {
	var r request
	err := json.Unmarshal(line, &r, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return r, err
}

// answer is what one request gets.
type answer struct {
	after   time.Duration
	result  string
	err     string
	nothing bool
	exit    int // -1: go on
}

// Answers is a script of rules; see the package's doc.
type Answers struct {
	rules map[string][]answer
	asked map[string]int
}

// ParseAnswers reads a script of rules.
func ParseAnswers(script string) (*Answers, error) {
	a := &Answers{rules: make(map[string][]answer), asked: make(map[string]int)}
	for i, line := range strings.Split(script, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		method, rest, _ := strings.Cut(line, " ")
		if pages, tools := 0, 0; strings.HasPrefix(strings.TrimSpace(rest), "pages ") {
			if _, err := fmt.Sscanf(strings.TrimSpace(rest), "pages %d x %d", &pages, &tools); err != nil {
				return nil, fmt.Errorf("script: line %d: want: pages 3 x 200", i+1)
			}
			a.rules[method] = append(a.rules[method], listing(pages, tools)...)
			continue
		}
		rule, err := parseAnswer(strings.TrimSpace(rest))
		if err != nil {
			return nil, fmt.Errorf("script: line %d: %s: %w", i+1, method, err)
		}
		a.rules[method] = append(a.rules[method], rule)
	}
	return a, nil
}

// listing is the pages of a long list of tools.
func listing(pages, tools int) []answer {
	all := make([]answer, pages)
	n := 0
	for i := range all {
		var b strings.Builder
		b.WriteString(`{"tools":[`)
		for j := range tools {
			if j > 0 {
				b.WriteByte(',')
			}
			n++
			fmt.Fprintf(&b, `{"name":"tool-%d","inputSchema":{"type":"object"}}`, n)
		}
		b.WriteByte(']')
		if i < pages-1 {
			fmt.Fprintf(&b, `,"nextCursor":"page-%d"`, i+2)
		}
		b.WriteByte('}')
		all[i] = answer{exit: -1, result: b.String()}
	}
	return all
}

func parseAnswer(text string) (answer, error) {
	a := answer{exit: -1}
	if rest, ok := strings.CutPrefix(text, "after "); ok {
		fields := strings.SplitN(rest, " ", 3)
		if len(fields) < 3 {
			return a, fmt.Errorf("%q: want: after 200 ms ANSWER", text)
		}
		d, err := time.ParseDuration(fields[0] + fields[1])
		if err != nil {
			return a, err
		}
		a.after, text = d, strings.TrimSpace(fields[2])
	}
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "nothing":
		a.nothing = true
		return a, nil
	case "exit":
		code, err := strconv.Atoi(rest)
		a.exit = code
		return a, err
	case "error":
		a.err, text = strings.TrimSpace(rest), strings.TrimSpace(rest)
	default:
		a.result = text
	}
	if !jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return a, fmt.Errorf("%q is no JSON, nor one of: error JSON, nothing, exit CODE", text)
	}
	return a, nil
}

// next is the answer to the next request with the method.
func (a *Answers) next(method string) answer {
	rules := a.rules[method]
	n := a.asked[method]
	a.asked[method]++
	if len(rules) == 0 {
		return defaultAnswer(method)
	}
	return rules[min(n, len(rules)-1)]
}

func defaultAnswer(method string) answer {
	a := answer{exit: -1}
	switch method {
	case "initialize":
		a.result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"fake","version":"1.0.0"}}`
	case "ping":
		a.result = `{}`
	case "tools/list":
		a.result = `{"tools":[{"name":"echo","description":"Gives back what it gets.","inputSchema":{"type":"object"}}]}`
	case "tools/call":
		a.result = `{"content":[{"type":"text","text":"ok"}]}`
	default:
		a.err = `{"code":-32601,"message":"method not found"}`
	}
	return a
}

// message is the response to r; empty where there is none.
func (a answer) message(r request) string {
	switch {
	case a.nothing, r.ID == nil:
		return ""
	case a.err != "":
		return `{"jsonrpc":"2.0","id":` + string(r.ID) + `,"error":` + a.err + `}`
	}
	return `{"jsonrpc":"2.0","id":` + string(r.ID) + `,"result":` + a.result + `}`
}

// fill replaces the placeholders of one request; of is ":METHOD" or ":METHOD#2" where they name it, and else empty.
func fill(text, of string, r request) string {
	id := string(r.ID)
	return strings.NewReplacer(
		"@@ID"+of+"@@", id,
		"@@IDTEXT"+of+"@@", strings.Trim(id, `"`),
		"@@TOKEN"+of+"@@", string(r.Params.Meta.Token),
		"@@AFTER"+of+"@@", "",
	).Replace(text)
}

// command reads a line that is one @@WORD REST@@.
func command(line string) (word, rest string, ok bool) {
	inner, ok := strings.CutPrefix(line, "@@")
	if !ok {
		return "", "", false
	}
	if inner, ok = strings.CutSuffix(inner, "@@"); !ok || strings.Contains(inner, "@@") {
		return "", "", false
	}
	word, rest, _ = strings.Cut(inner, " ")
	if strings.Contains(word, ":") || word == "ID" || word == "IDTEXT" || word == "TOKEN" || word == "URL" {
		return "", "", false
	}
	return word, rest, true
}

// pause is the length of a @@SLEEP …@@.
func pause(rest string) time.Duration {
	d, err := time.ParseDuration(strings.ReplaceAll(rest, " ", ""))
	if err != nil {
		return 0
	}
	return d
}
