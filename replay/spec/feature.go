package spec

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/policy"
	"github.com/imurun/mcp-replay/replay/internal/display"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// feature writes Gherkin.
type feature struct {
	out     *bufio.Writer
	session *session
	names   map[string]int // of scenarios, which are told apart
	keyword string         // of the step before
}

func (f *feature) line(indent int, format string, args ...any) {
	f.out.WriteString(strings.Repeat("  ", indent) + fmt.Sprintf(format, args...) + "\n")
}

// step writes a step; a keyword that repeats becomes And.
func (f *feature) step(keyword, format string, args ...any) {
	written := keyword
	if keyword == f.keyword {
		written = "And"
	}
	f.keyword = keyword
	f.line(2, written+" "+format, args...)
}

func (f *feature) scenario(name string) {
	name = strings.TrimSpace(display.Cut(display.Plain(name), 100))
	f.names[name]++
	if n := f.names[name]; n > 1 {
		name = fmt.Sprintf("%s (%d)", name, n)
	}
	f.out.WriteByte('\n')
	f.line(1, "Scenario: %s", name)
	f.keyword = ""
}

func (f *feature) write(cassette string) {
	s := f.session
	server := text(s.init, "serverInfo", "name")
	if server == "" {
		server = "The server"
	}
	f.line(0, "Feature: %s, as recorded", display.Plain(server))
	f.line(1, "Written by mcp-replay spec from %s, recorded %s over %s.", display.Plain(cassette),
		s.cassette.Header().Recorded.UTC().Format("2006-01-02"), s.cassette.Header().Transport)
	f.line(1, "Run it with mcp-replay test FEATURE --cassettes %s, or with a server in place of the cassette.", display.Plain(cassette))
	f.out.WriteByte('\n')
	f.line(1, "Background:")
	f.line(2, "Given the server is started")
	f.introduction(server)
	f.tools()
	alone, together := s.split()
	for _, c := range alone {
		f.scenario(c.title())
		f.call(&c)
	}
	if len(together) > 0 {
		f.scenario("From " + together[0].subject() + " on, in the order of the recording")
		for i := range together {
			f.call(&together[i])
		}
	}
}

func (f *feature) introduction(server string) {
	s := f.session
	f.scenario("The server introduces itself")
	if sayable(server) && text(s.init, "serverInfo", "name") != "" {
		f.step("Then", `the server is "%s"`, server)
	}
	f.step("Then", `the session speaks protocol version "%s"`, text(s.init, "protocolVersion"))
	for name := range jsonrpc.Members(meaning.At(s.init, "capabilities")) {
		if sayable(string(name)) && !strings.ContainsAny(string(name), "/~") {
			f.step("Then", `the server offers "%s"`, name)
		}
	}
}

// maxToolDetails is for how many tools the spec tells more than the name.
const maxToolDetails = 30

func (f *feature) tools() {
	s := f.session
	if !s.listed || len(s.tools) == 0 || meaning.At(s.init, "capabilities", "tools") == nil {
		return
	}
	f.scenario("The tools that it offers")
	f.step("When", "the host lists the tools")
	var names []string
	told := !s.more
	for _, t := range s.tools {
		names = append(names, text(t, "name"))
		told = told && cellable(text(t, "name"))
	}
	switch {
	case told:
		f.step("Then", "the tools are:")
		f.table(rows(names))
	case s.more:
		s.note("the whole list of tools: a client takes %d tools from %d pages at most", maxTools, maxPages)
	default:
		s.note("the whole list of tools: no table can hold a name in it")
	}
	for i, t := range s.tools {
		name := names[i]
		if i == maxToolDetails {
			s.note("of %d tools the spec tells only the name", len(s.tools)-maxToolDetails)
			break
		}
		if !sayable(name) {
			continue
		}
		if !told {
			f.step("Then", `there is a tool "%s"`, name)
		}
		f.tool(name, t)
	}
}

// tool tells of a tool what a host relies on: the hints on which permissions rest, and the arguments without which it
// cannot be called.
func (f *feature) tool(name string, raw jsontext.Value) {
	hints := policy.ReadHints(meaning.At(raw, "annotations"))
	if hints.Destructive && string(meaning.At(raw, "annotations", "destructiveHint")) == "true" {
		f.step("Then", `the tool "%s" is destructive`, name)
	}
	if hints.ReadOnly {
		f.step("Then", `the tool "%s" is read-only`, name)
	}
	var required []string
	for v := range jsonrpc.Elements(meaning.At(raw, "inputSchema", "required")) {
		required = append(required, meaning.Text(v))
	}
	if len(required) > 0 && !slices.ContainsFunc(required, func(s string) bool { return !cellable(s) }) {
		f.step("Then", `the tool "%s" requires:`, name)
		f.table(rows(required))
	}
}

func rows(column []string) [][]string {
	var out [][]string
	for _, cell := range column {
		out = append(out, []string{cell})
	}
	return out
}

// table writes cells, each column as wide as its widest cell.
func (f *feature) table(rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			row[i] = cellEscapes.Replace(cell)
			widths[i] = max(widths[i], display.Width(row[i]))
		}
	}
	for _, row := range rows {
		f.out.WriteString("      ")
		for i, cell := range row {
			f.out.WriteString("| " + display.Pad(cell, widths[i]) + " ")
		}
		f.out.WriteString("|\n")
	}
}

var cellEscapes = strings.NewReplacer(`\`, `\\`, `|`, `\|`, "\n", `\n`)

// doc writes a docstring.
func (f *feature) doc(text string) {
	f.out.WriteString("      \"\"\"\n")
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.ReplaceAll(line, `"""`, `\"\"\"`)
		if line != "" {
			f.out.WriteString("      " + line)
		}
		f.out.WriteByte('\n')
	}
	f.out.WriteString("      \"\"\"\n")
}
