package main

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/registry"
)

// newToolsCommand is the verb tools: lists the tools of one server.
func newToolsCommand(s *streams) *cobra.Command {
	var t target
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "tools [flags] -- COMMAND ARG…",
		Short: "List a server's tools, with the decision that each would get",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if rest := t.positional(cmd, args); len(rest) > 0 {
				return usageError("a server's command line stands after --", "unexpected argument %q", rest[0])
			}
			if err := t.check(); err != nil {
				return err
			}
			return runTools(cmd.Context(), s, &t, asJSON)
		},
	}
	t.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// toolLine is one tool in the JSON of tools.
type toolLine struct {
	Name        string         `json:"name"` // as the host sees it (NAME-1)
	Tool        string         `json:"tool"` // as the server names it
	Title       string         `json:"title,omitzero"`
	Description string         `json:"description"`
	InputSchema jsontext.Value `json:"inputSchema"`
	Output      jsontext.Value `json:"outputSchema,omitzero"`
	Annotations jsontext.Value `json:"annotations,omitzero"`
	Decision    string         `json:"decision"`
	Rule        string         `json:"rule"`

	Rest map[string]jsontext.Value `json:",embed"` // what else the server says of it, so that diff misses nothing
}

// toolsOutput is the JSON of tools.
type toolsOutput struct {
	Server          mcp.Implementation `json:"server"`
	ProtocolVersion string             `json:"protocolVersion"`
	Tools           []toolLine         `json:"tools"`
	Omitted         int                `json:"omitted"`
}

func runTools(ctx context.Context, s *streams, t *target, asJSON bool) error {
	session, err := connect(ctx, t, nil)
	if err != nil {
		return err
	}
	defer session.client.Close()
	out := toolsOf(session, t)
	if asJSON {
		return writeJSON(s, out)
	}
	printTools(s, out)
	return nil
}

func toolsOf(session *session, t *target) *toolsOutput {
	out := &toolsOutput{
		Server:          session.client.ServerInfo(),
		ProtocolVersion: session.client.ProtocolVersion(),
		Tools:           []toolLine{},
		Omitted:         session.tools.Omitted,
	}
	var names registry.Names
	for _, tool := range session.tools.Tools {
		d := t.decide(&tool)
		out.Tools = append(out.Tools, toolLine{
			Name: names.Assign(t.id(), tool.Name), Tool: tool.Name, Title: tool.Title, Description: tool.Description,
			InputSchema: tool.InputSchema, Output: tool.OutputSchema, Annotations: tool.Annotations, Decision: d.Action.String(), Rule: d.Rule,
			Rest: rest(&tool),
		})
	}
	return out
}

// rest is what a server says of a tool beyond what a toolLine has a place for.
func rest(tool *mcp.Tool) map[string]jsontext.Value {
	var all map[string]jsontext.Value
	if json.Unmarshal(tool.Raw, &all, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return nil
	}
	for _, known := range []string{"name", "tool", "title", "description", "inputSchema", "outputSchema", "annotations", "decision", "rule"} {
		delete(all, known)
	}
	return all
}

func printTools(s *streams, out *toolsOutput) {
	fmt.Fprintf(s.out, "%s %s, protocol %s, %d tools\n", plainLine(out.Server.Name), plainLine(out.Server.Version), plainLine(out.ProtocolVersion), len(out.Tools))
	for _, tool := range out.Tools {
		fmt.Fprintf(s.out, "\n%s  (%s, %s)\n", plainLine(tool.Tool), tool.Decision, tool.Rule)
		if first, _, _ := strings.Cut(strings.TrimSpace(tool.Description), "\n"); first != "" {
			fmt.Fprintf(s.out, "  %s\n", clip(plainLine(first), s.width-2))
		}
	}
	if out.Omitted > 0 {
		fmt.Fprintf(s.err, "mcp-replay: %d tools more were left out: over the limit of 20 pages and 500 tools\n", out.Omitted)
	}
}

// writeJSON prints v, indented.
func writeJSON(s *streams, v any) error {
	err := json.MarshalWrite(s.out, v, jsontext.WithIndent("  "), jsontext.EscapeForHTML(false), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	if err == nil {
		_, err = fmt.Fprintln(s.out)
	}
	return err
}

// plain shows what a server says as text, whatever a terminal would make of it: control, invisible and direction characters
// are spelt out; line ends and tabs stay.
func plain(text string) string {
	return spelt(text, func(r rune) bool { return r == '\n' || r == '\t' })
}

// plainLine is plain for what stands in one line, such as a name.
func plainLine(text string) string { return spelt(text, func(rune) bool { return false }) }

func spelt(text string, stays func(rune) bool) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	if !strings.ContainsFunc(text, unprintable) {
		return text
	}
	var b strings.Builder
	last := rune(0)
	for i, r := range text {
		next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		switch joins := r == '\u200d' && last > 0x2000 && next > 0x2000; { // the parts of an emoji
		case stays(r), joins, !unprintable(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		last = r
	}
	return b.String()
}

func unprintable(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// clip cuts text to so many columns.
func clip(text string, columns int) string {
	r := []rune(text)
	if columns < 1 || len(r) <= columns {
		return text
	}
	return string(r[:columns-1]) + "…"
}
