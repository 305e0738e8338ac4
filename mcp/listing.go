package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// What a listing takes at most (LIST-2).
const (
	maxPages = 20
	maxTools = 500
)

// Tool is a tool as the server lists it. The raw parts are as they came; what was not there is nil, save InputSchema.
type Tool struct {
	Name         string
	Title        string
	Description  string
	InputSchema  jsontext.Value // an object without properties where there was none (LIST-3)
	OutputSchema jsontext.Value
	Annotations  jsontext.Value
	Raw          jsontext.Value // the whole tool
}

// ToolList is a listing.
type ToolList struct {
	Tools   []Tool
	Omitted int      // how many tools of the pages read were over the limit
	Notes   []string // what was odd or left out, in words
}

var emptySchema = jsontext.Value(`{"type":"object","properties":{}}`)

// ListTools lists the server's tools, page by page (LIST-1), within Options.ConnectTimeout. A server without the
// capability is not asked and has none (LIST-5). The client keeps the schemas for [Client.CallTool].
func (c *Client) ListTools(ctx context.Context) (*ToolList, error) {
	list := new(ToolList)
	if !c.hasTools() {
		c.keepSchemas(list)
		return list, nil
	}
	began := time.Now()
	seen := map[string]bool{}
	names := map[string]bool{}
	cursor := jsontext.Value(nil)
	size := 0
	for page := 1; ; page++ {
		result, err := c.page(ctx, cursor, c.o.ConnectTimeout-time.Since(began))
		var refused *jsonrpc.Error
		if errors.As(err, &refused) && refused.Code == jsonrpc.CodeMethodNotFound && page == 1 {
			list.note("the server offers tools, but does not know tools/list")
			break
		}
		if err != nil {
			return nil, c.listError(err, page, began)
		}
		cursor = list.add(result, names)
		size += len(result)
		if size > jsonrpc.MaxLine && cursor != nil {
			list.note("more than 64 MiB of tools: the rest was left out")
			break
		}
		if !list.goOn(cursor, seen, page) {
			break
		}
	}
	c.keepSchemas(list)
	for _, n := range list.Notes {
		c.notes.add(n)
	}
	return list, nil
}

// hasTools says whether the server has the tools capability (LIST-5).
func (c *Client) hasTools() bool {
	for name, v := range jsonrpc.Members(c.Capabilities()) {
		if string(name) == "tools" {
			return v[0] != 'n' && v[0] != 'f'
		}
	}
	return false
}

func (c *Client) page(ctx context.Context, cursor jsontext.Value, left time.Duration) (jsontext.Value, error) {
	params := jsontext.Value("{}")
	if cursor != nil {
		params = append(append(jsontext.Value(`{"cursor":`), cursor...), '}')
	}
	if left <= 0 {
		return nil, &TimeoutError{Method: "tools/list", After: c.o.ConnectTimeout}
	}
	return c.call(ctx, "tools/list", params, left)
}

// listError makes a timeout tell the time of the whole listing.
func (c *Client) listError(err error, page int, began time.Time) error {
	var late *TimeoutError
	if errors.As(err, &late) {
		late.After = since(began, c.o.ConnectTimeout)
	}
	if page > 1 {
		return fmt.Errorf("page %d: %w", page, err)
	}
	return err
}

// add takes a page's tools and returns the cursor of the next.
func (l *ToolList) add(result jsontext.Value, names map[string]bool) (next jsontext.Value) {
	for name, v := range jsonrpc.Members(result) {
		switch string(name) {
		case "nextCursor":
			if v[0] == '"' && len(v) > 2 {
				next = v
			} else if v[0] != 'n' && v[0] != '"' {
				l.note("a cursor that is no string ended the listing")
			}
		case "tools":
			for v := range jsonrpc.Elements(v) {
				l.addTool(v, names)
			}
		}
	}
	return next
}

func (l *ToolList) addTool(v jsontext.Value, names map[string]bool) {
	t := readTool(v)
	switch {
	case t.Name == "":
		l.note("a tool without a name was skipped") // LIST-3
	case names[t.Name]:
		l.note(fmt.Sprintf("the tool %q was listed more than once; the first counts", t.Name))
	case len(l.Tools) == maxTools:
		l.Omitted++
	default:
		names[t.Name] = true
		l.Tools = append(l.Tools, t)
	}
}

func readTool(v jsontext.Value) Tool {
	t := Tool{Raw: v, InputSchema: emptySchema}
	for name, v := range jsonrpc.Members(v) {
		switch string(name) {
		case "name":
			t.Name = text(v)
		case "title":
			t.Title = text(v)
		case "description":
			t.Description = text(v)
		case "inputSchema":
			if v[0] != 'n' {
				t.InputSchema = v
			}
		case "outputSchema":
			t.OutputSchema = v
		case "annotations":
			t.Annotations = v
		}
	}
	return t
}

// goOn says whether there is another page to ask for.
func (l *ToolList) goOn(cursor jsontext.Value, seen map[string]bool, page int) bool {
	switch {
	case l.Omitted > 0 || len(l.Tools) == maxTools && cursor != nil:
		l.note(fmt.Sprintf("more than %d tools: %s left out", maxTools, l.over(cursor)))
		return false
	case cursor == nil:
		return false
	case seen[string(cursor)]:
		l.note("a cursor that had been seen before ended the listing") // LIST-3
		return false
	case page == maxPages:
		l.note(fmt.Sprintf("more than %d pages of tools: the rest was left out", maxPages))
		return false
	}
	seen[string(cursor)] = true
	return true
}

func (l *ToolList) over(cursor jsontext.Value) string {
	if cursor != nil {
		return fmt.Sprintf("%d and what the pages after hold were", l.Omitted)
	}
	return fmt.Sprintf("%d were", l.Omitted)
}

func (l *ToolList) note(s string) {
	s = cut(s, maxNote)
	if len(l.Notes) < maxNotes && !slices.Contains(l.Notes, s) {
		l.Notes = append(l.Notes, s)
	}
}

func (c *Client) keepSchemas(l *ToolList) {
	schemas := make(map[string]*toolSchema, len(l.Tools))
	for i := range l.Tools {
		if s := l.Tools[i].InputSchema; len(s) <= maxSchema {
			schemas[l.Tools[i].Name] = &toolSchema{raw: bytes.Clone(s)}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.st.schemas = schemas
}
