package api

import (
	"bufio"
	"context"
	stdjson "encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/imurun/mcp-replay/mcp/registry"
	"github.com/imurun/mcp-replay/mcp/servers/demo"
	"github.com/imurun/mcp-replay/mcp/settings"
)

// description is openapi.json, as far as the tests read it.
type description struct {
	OpenAPI    string                          `json:"openapi"`
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Responses map[string]response       `json:"responses"`
		Schemas   map[string]jsontext.Value `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	Responses map[string]response       `json:"responses"`
	Events    map[string]jsontext.Value `json:"x-events"`
	Body      *struct {
		Content map[string]content `json:"content"`
	} `json:"requestBody"`
}

type response struct {
	Ref     string             `json:"$ref"`
	Content map[string]content `json:"content"`
}

type content struct {
	Schema jsontext.Value `json:"schema"`
}

func readDescription(t *testing.T) *description {
	t.Helper()
	var d description
	if err := json.Unmarshal(openAPI, &d); err != nil {
		t.Fatal(err)
	}
	return &d
}

// validate holds JSON against a schema of the description.
func (d *description) validate(schema, value jsontext.Value) error {
	whole := struct {
		Schemas map[string]jsontext.Value `json:"$defs"`
		AllOf   []jsontext.Value          `json:"allOf"`
	}{d.Components.Schemas, []jsontext.Value{schema}}
	text, err := json.Marshal(whole)
	if err != nil {
		return err
	}
	var s jsonschema.Schema
	if err := stdjson.Unmarshal([]byte(strings.ReplaceAll(string(text), "#/components/schemas/", "#/$defs/")), &s); err != nil {
		return err
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return err
	}
	var v any
	if err := stdjson.Unmarshal(value, &v); err != nil {
		return err
	}
	return resolved.Validate(v)
}

// TestRoutesAreDescribed: the paths and methods of the description are those of the handlers, and no other.
func TestRoutesAreDescribed(t *testing.T) {
	t.Parallel()
	d := readDescription(t)
	got, want := map[string][]string{}, map[string][]string{}
	for path, operations := range d.Paths {
		for method := range operations {
			got[path] = append(got[path], strings.ToUpper(method))
		}
		slices.Sort(got[path])
	}
	for _, route := range (&API{}).routes() {
		want[route.pattern] = slices.Sorted(maps.Keys(route.methods))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("- handled, + described:\n%s", diff)
	}
}

// TestSchemasAreDescribed: a schema has the members that the program writes, and those are required that it always
// writes.
func TestSchemasAreDescribed(t *testing.T) {
	t.Parallel()
	d := readDescription(t)
	for name, of := range map[string]any{
		"Server": registry.Server{}, "ServerInfo": registry.ServerInfo{}, "Tool": registry.Tool{}, "Result": callResult{},
		"Approval": Pending{}, "ApprovalEvent": ApprovalEvent{}, "Connected": registry.Connected{},
		"Disconnected": registry.Disconnected{}, "Failed": registry.Failed{}, "ToolsChanged": registry.ToolsChanged{},
		"ToolChanged": registry.ToolChanged{},
	} {
		var s struct {
			Properties map[string]jsontext.Value `json:"properties"`
			Required   []string                  `json:"required"`
		}
		if err := json.Unmarshal(d.Components.Schemas[name], &s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		properties, required := members(reflect.TypeOf(of))
		if diff := cmp.Diff(properties, slices.Sorted(maps.Keys(s.Properties))); diff != "" {
			t.Errorf("%s: - written, + described:\n%s", name, diff)
		}
		slices.Sort(s.Required)
		if diff := cmp.Diff(required, s.Required); diff != "" {
			t.Errorf("%s: - always written, + required:\n%s", name, diff)
		}
	}
}

// members gives the names of a struct's members as JSON, and those among them that are always there.
func members(t reflect.Type) (all, always []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			a, b := members(f.Type)
			all, always = append(all, a...), append(always, b...)
		case !f.IsExported(), name == "-":
		case rest == "omitzero":
			all = append(all, name)
		default:
			all, always = append(all, name), append(always, name)
		}
	}
	slices.Sort(all)
	slices.Sort(always)
	return all, always
}

// client sends requests to an API over the real demo server, and keeps what was answered.
type client struct {
	*testing.T
	d    *description
	url  string
	file string

	mu    sync.Mutex
	shown map[string]bool // "METHOD route status"
}

const testToken = "the-token-of-the-test"

func newClient(t *testing.T) (*client, *registry.Registry) {
	t.Helper()
	notebook := httptest.NewServer(demo.Handler(nil))
	t.Cleanup(notebook.Close)
	home := t.TempDir()
	file := filepath.Join(home, "settings.json")
	text := fmt.Sprintf(`{"mcp": {"servers": [{"id": "demo", "url": %q}, {"id": "off", "command": "x", "enabled": false},
		{"id": "wrong", "command": ""}, {"id": "gone", "command": "/no/such/program"}]}}`, notebook.URL)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	approvals := NewApprovals(0)
	r, err := registry.New(settings.In(home), &registry.Options{Ask: approvals.Ask})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	server := httptest.NewServer(New(r, approvals, testToken, &Options{Name: "mcp-replay", Version: "test"}))
	t.Cleanup(server.Close)
	return &client{T: t, d: readDescription(t), url: server.URL, file: file, shown: map[string]bool{}}, r
}

// send sends a request, holds its answer against the description, and gives its body.
func (c *client) send(method, route, path, body string, change func(*http.Request), want int) jsontext.Value {
	c.Helper()
	request, err := http.NewRequestWithContext(c.Context(), method, c.url+path, strings.NewReader(body))
	if err != nil {
		c.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+testToken)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if change != nil {
		change(request)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		c.Fatal(err)
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err != nil {
		c.Fatal(err)
	}
	what := fmt.Sprintf("%s %s %d", method, route, answer.StatusCode)
	if answer.StatusCode != want {
		c.Fatalf("%s, not %d: %s", what, want, got)
	}
	c.mu.Lock()
	c.shown[what] = true
	c.mu.Unlock()
	c.hold(what, c.described(method, route, want), answer.Header.Get("Content-Type"), got)
	return got
}

// described is what the description says of an answer.
func (c *client) described(method, route string, status int) *response {
	r, found := c.d.Paths[route][strings.ToLower(method)].Responses[fmt.Sprint(status)]
	if !found {
		return nil
	}
	if name, is := strings.CutPrefix(r.Ref, "#/components/responses/"); is {
		r = c.d.Components.Responses[name]
	}
	return &r
}

func (c *client) hold(what string, r *response, kind string, body jsontext.Value) {
	c.Helper()
	switch {
	case r == nil:
		c.Errorf("%s is not described", what)
	case len(r.Content) == 0:
		if len(body) > 0 {
			c.Errorf("%s has a body: %s", what, body)
		}
	default:
		of, found := r.Content[kind]
		if !found {
			c.Errorf("%s is %s, which is not described", what, kind)
		} else if err := c.d.validate(of.Schema, body); err != nil {
			c.Errorf("%s: %v\n%s", what, err, body)
		}
	}
}

// TestAnswersAreDescribed: every answer that a route gives is as the description says, and every answer that it
// describes is one that a route gives.
func TestAnswersAreDescribed(t *testing.T) {
	t.Parallel()
	c, r := newClient(t)
	c.doors()
	c.servers()
	c.calls()
	c.failures(r)
	for path, operations := range c.d.Paths {
		for method, o := range operations {
			for status := range o.Responses {
				if what := strings.ToUpper(method) + " " + path + " " + status; !c.shown[what] && what != "GET /api/events 200" {
					t.Errorf("%s is described, and no request here is answered so", what)
				}
			}
		}
	}
}

// doors shows what every route answers to those who may not come in.
func (c *client) doors() {
	for route, operations := range c.d.Paths {
		path := strings.NewReplacer("{id}", "demo", "{name}", "mcp_demo_list_notes").Replace(route)
		for method := range operations {
			method = strings.ToUpper(method)
			c.send(method, route, path, "", func(r *http.Request) { r.Header.Del("Authorization") }, 401)
			c.send(method, route, path, "", func(r *http.Request) { r.Host = "evil.example" }, 403)
			c.send(method, route, path, strings.Repeat(" ", maxBody+1), nil, 413)
		}
	}
}

func (c *client) servers() {
	const all, one = "/api/mcp/servers", "/api/mcp/servers/{id}"
	c.send("GET", "/api/mcp/host", "/api/mcp/host", "", nil, 200)
	c.send("POST", one+"/connect", all+"/demo/connect", "", nil, 200)
	c.send("GET", all, all, "", nil, 200)
	view := c.send("GET", one, all+"/demo", "", nil, 200)
	c.send("GET", one+"/tools", all+"/demo/tools", "", nil, 200)
	c.send("POST", one+"/disconnect", all+"/demo/disconnect", "", nil, 200)
	for _, body := range []string{
		`{"id":"new","command":"x","args":["--token","t"],"env":{"A":"b"},"cwd":"/","enabled":false,"auto_approve":["t"],"timeout":5,"name":"New"}`,
		`{"id":"new","transport":"http","url":"https://example.com","headers":{"A":"b"}}`,
		`{"id":"new","headers":null,"timeout":null,"name":null}`,
		string(view), // what GET shows may be posted back
	} {
		c.send("POST", all, all, body, nil, 200)
		if err := c.d.validate(c.d.Paths[all]["post"].Body.Content["application/json"].Schema, jsontext.Value(body)); err != nil {
			c.Errorf("it is taken, and not as described: %s: %v", body, err)
		}
	}
	c.send("POST", all, all, `{"id":"new","timeout":601}`, nil, 400)
	c.send("POST", all, all, `{}`, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415)
	c.send("DELETE", one, all+"/new", "", nil, 204)
	c.send("DELETE", one, all+"/gmail", "", nil, 400)
	for _, route := range []string{"GET ", "DELETE ", "GET /tools", "POST /connect", "POST /disconnect"} {
		method, rest, _ := strings.Cut(route, " ")
		c.send(method, one+rest, all+"/unknown"+rest, "", nil, 404)
	}
	c.send("POST", one+"/connect", all+"/off/connect", "", nil, 409)
	c.send("POST", one+"/connect", all+"/gone/connect", "", nil, 502)
	c.send("POST", one+"/connect", all+"/wrong/connect", "", nil, 502)
	c.send("GET", all, all, "", nil, 200) // failed ones among them
}

func (c *client) calls() {
	const call, approval = "/api/mcp/tools/{name}/call", "/api/mcp/approvals/{id}"
	base := "/api/mcp/tools/mcp_demo_"
	c.send("POST", "/api/mcp/servers", "/api/mcp/servers", `{"id":"demo","auto_approve":["count_notes","read_diary","list_notes"]}`, nil, 200)
	c.send("POST", call, base+"count_notes/call", "", nil, 200) // with structured content
	c.send("POST", call, base+"read_diary/call", `{"arguments":null}`, nil, 200)
	c.send("POST", call, base+"no_such_tool/call", `{}`, nil, 200)
	c.send("POST", call, base+"list_notes/call", `{"arguments":5}`, nil, 400)
	c.send("POST", call, base+"list_notes/call", `{}`, func(r *http.Request) { r.Header.Set("Content-Type", "text/html") }, 415)
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.send("POST", call, base+"add_note/call", `{"arguments":{"title":"a","text":"b"}}`, nil, 200)
	}()
	var id string
	for id == "" {
		var list struct {
			Approvals []Pending `json:"approvals"`
		}
		body := c.send("GET", "/api/mcp/approvals", "/api/mcp/approvals", "", nil, 200)
		if err := json.Unmarshal(body, &list); err != nil {
			c.Fatal(err)
		}
		if len(list.Approvals) > 0 {
			id = list.Approvals[0].ID
		}
	}
	path := "/api/mcp/approvals/" + id
	c.send("POST", approval, path, `{"answer":"perhaps"}`, nil, 400)
	c.send("POST", approval, path, `{"answer":"allow"}`, func(r *http.Request) { r.Header.Set("Content-Type", "x/y") }, 415)
	c.send("POST", approval, path, `{"answer":"allow"}`, nil, 204)
	<-done
	c.send("POST", approval, path, `{"answer":"allow"}`, nil, 404)
}

// failures shows what is answered when the settings are broken, and when the host is closing.
func (c *client) failures(r *registry.Registry) {
	const all, one = "/api/mcp/servers", "/api/mcp/servers/{id}"
	c.send("GET", "/api/events", "/api/events", "", func(r *http.Request) { r.Header.Set("Last-Event-ID", "x") }, 400)
	if err := os.WriteFile(c.file, []byte("{"), 0o600); err != nil {
		c.Fatal(err)
	}
	c.send("POST", all, all, `{"id":"new","command":"x"}`, nil, 502)
	c.send("DELETE", one, all+"/off", "", nil, 502)
	c.events()
	if err := r.Close(); err != nil {
		c.Fatal(err)
	}
	c.send("POST", all, all, `{"id":"new","command":"x"}`, nil, 409)
	c.send("DELETE", one, all+"/off", "", nil, 409)
}

// events holds what has happened so far against the description: each type of event that it names, but for the change of
// a list, which the demo server makes when it is told to.
func (c *client) events() {
	ctx, cancel := context.WithCancel(c.Context())
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, "GET", c.url+"/api/events", nil)
	if err != nil {
		c.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+testToken)
	request.Header.Set("Last-Event-ID", "1") // of an earlier run
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		c.Fatal(err)
	}
	defer answer.Body.Close()
	described, seen, kind := c.d.Paths["/api/events"]["get"].Events, map[string]bool{}, ""
	lines := bufio.NewScanner(answer.Body)
	for len(seen) < 4 && lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "event":
			kind = value
		case "data":
			seen[kind] = true
			if schema, found := described[kind]; !found {
				c.Errorf("the event %s is not described", kind)
			} else if err := c.d.validate(schema, jsontext.Value(value)); err != nil {
				c.Errorf("%s: %v\n%s", kind, err, value)
			}
		}
	}
	if want := []string{"mcp.approval", "mcp.connected", "mcp.disconnected", "mcp.error"}; !slices.Equal(slices.Sorted(maps.Keys(seen)), want) {
		c.Errorf("the events are %v", slices.Sorted(maps.Keys(seen)))
	}
}
