package mcp_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// listing lets the client list tools that the peer pages out.
func listing(t *testing.T, c *mcp.Client, p *peer, pages ...string) (*mcp.ToolList, []string) {
	t.Helper()
	var asked []string
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		for i := 0; ; i++ {
			m, err := p.conn.Read(t.Context())
			if err != nil || m.Method == "done" {
				return
			}
			asked = append(asked, string(m.Params))
			p.answer(m, pages[min(i, len(pages)-1)])
		}
	}()
	list, err := c.ListTools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Notify(t.Context(), "done", nil); err != nil {
		t.Fatal(err)
	}
	<-stop
	return list, asked
}

func names(l *mcp.ToolList) (names []string) {
	for _, tool := range l.Tools {
		names = append(names, tool.Name)
	}
	return names
}

func TestListing(t *testing.T) {
	c, p := inMemory(t, nil)
	list, asked := listing(t, c, p, `{"tools":[{"name":"a","title":"A","description":"\u00e4","inputSchema":{"type":"object", "x":1.0},"outputSchema":{},"annotations":{"readOnlyHint":true}}],"nextCursor":"p\u0032"}`,
		`{"tools":[{"name":"b","inputSchema":null}],"nextCursor":null}`)
	sameStrings(t, "requests", asked, `{}`, `{"cursor":"p\u0032"}`)
	sameStrings(t, "tools", names(list), "a", "b")
	a, b := list.Tools[0], list.Tools[1]
	if a.Title != "A" || a.Description != "ä" || string(a.InputSchema) != `{"type":"object", "x":1.0}` || string(a.OutputSchema) != "{}" || string(a.Annotations) != `{"readOnlyHint":true}` {
		t.Errorf("%+v", a)
	}
	if string(b.InputSchema) != `{"type":"object","properties":{}}` || b.Annotations != nil || string(b.Raw) != `{"name":"b","inputSchema":null}` {
		t.Errorf("%+v", b)
	}
	if len(list.Notes) > 0 || list.Omitted > 0 {
		t.Errorf("%+v", list)
	}
}

func TestListingTakesWhatItCan(t *testing.T) {
	c, p := inMemory(t, nil)
	list, _ := listing(t, c, p, `{"tools":[{"name":"absent"},{"name":"propnull","inputSchema":{"type":"object","properties":null}},{"inputSchema":{"type":"object"}},{"name":null},"text",{"name":""},{"name":"good"},{"name":"good","description":"again"}],"nextCursor":""}`)
	sameStrings(t, "tools", names(list), "absent", "propnull", "good")
	sameStrings(t, "notes", list.Notes, "a tool without a name was skipped", `the tool "good" was listed more than once; the first counts`)
}

func TestCursorLoops(t *testing.T) {
	page := func(name, next string) string {
		return fmt.Sprintf(`{"tools":[{"name":%q}],"nextCursor":%q}`, name, next)
	}
	c, p := inMemory(t, nil)
	list, asked := listing(t, c, p, page("only", "p2"))
	sameStrings(t, "tools", names(list), "only")
	sameStrings(t, "requests", asked, `{}`, `{"cursor":"p2"}`)
	list, asked = listing(t, c, p, page("1", "a"), page("2", "b"), page("3", "a"), page("4", "b"))
	sameStrings(t, "tools", names(list), "1", "2", "3")
	sameStrings(t, "notes", list.Notes, "a cursor that had been seen before ended the listing")
	if len(asked) != 3 {
		t.Errorf("%d requests", len(asked))
	}
}

func TestListingIsBounded(t *testing.T) {
	c, p := inMemory(t, nil)
	var pages []string
	for i := range 30 {
		pages = append(pages, fmt.Sprintf(`{"tools":[{"name":"t%d"}],"nextCursor":"c%d"}`, i, i))
	}
	list, asked := listing(t, c, p, pages...)
	if len(asked) != 20 || len(list.Tools) != 20 || list.Omitted != 0 {
		t.Errorf("%d requests, %d tools, %d omitted", len(asked), len(list.Tools), list.Omitted)
	}
	sameStrings(t, "notes", list.Notes, "more than 20 pages of tools: the rest was left out")

	var many strings.Builder
	for i := range 510 {
		fmt.Fprintf(&many, `,{"name":"t%d"}`, i)
	}
	list, _ = listing(t, c, p, `{"tools":[`+many.String()[1:]+`]}`)
	if len(list.Tools) != 500 || list.Omitted != 10 || list.Tools[499].Name != "t499" {
		t.Errorf("%d tools, %d omitted", len(list.Tools), list.Omitted)
	}
	sameStrings(t, "notes", list.Notes, "more than 500 tools: 10 were left out")
	list, asked = listing(t, c, p, `{"tools":[`+many.String()[1:]+`],"nextCursor":"x"}`)
	sameStrings(t, "notes", list.Notes, "more than 500 tools: 10 and what the pages after hold were left out")
	if len(asked) != 1 {
		t.Errorf("%d requests", len(asked))
	}
}

func TestListingIsUnknown(t *testing.T) {
	c, p := inMemory(t, nil)
	go func() {
		p.write(string(jsonrpc.AppendError(nil, p.read("tools/list").ID, &jsonrpc.Error{Code: -32601, Message: "no such method"})))
	}()
	list, err := c.ListTools(t.Context())
	if err != nil || len(list.Tools) != 0 {
		t.Fatal(list, err)
	}
	sameStrings(t, "notes", list.Notes, "the server offers tools, but does not know tools/list")
}

func TestListingHasOneDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := inMemory(t, nil)
		go func() {
			for i := range 2 {
				m := p.read("tools/list")
				time.Sleep(12 * time.Second)
				p.answer(m, fmt.Sprintf(`{"tools":[],"nextCursor":"c%d"}`, i))
			}
		}()
		began := time.Now()
		_, err := c.ListTools(t.Context())
		var late *mcp.TimeoutError
		if !errors.As(err, &late) || err.Error() != "page 2: tools/list: timeout: no answer within 20s" {
			t.Errorf("%v", err)
		}
		if took := time.Since(began); took != 20*time.Second {
			t.Errorf("it took %s", took)
		}
		time.Sleep(time.Minute)
	})
}

func TestServerWithoutTools(t *testing.T) {
	for _, capabilities := range []string{`{}`, `{"resources":{}}`, `{"tools":null}`, `[]`, `null`} {
		near, far := mcp.NewPair()
		p := &peer{t, far}
		go func() {
			p.answer(p.read("initialize"), `{"protocolVersion":"2025-06-18","capabilities":`+capabilities+`}`)
			p.read("notifications/initialized")
			p.read("done")
		}()
		c := connect(t, &mcp.Memory{Conn: near}, nil)
		list, err := c.ListTools(t.Context())
		if err != nil || len(list.Tools) != 0 {
			t.Errorf("%s: %v, %v", capabilities, list, err)
		}
		if err := c.Notify(t.Context(), "done", nil); err != nil {
			t.Error(err)
		}
	}
}
