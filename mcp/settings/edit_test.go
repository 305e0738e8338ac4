package settings_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp/settings"
	"github.com/imurun/mcp-replay/policy"
)

// TestEdits: what an edit does not name keeps every byte, and what it adds is written as its surroundings are
// (CFG-2).
func TestEdits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, put, after string }{
		{
			"a value changes in its place",
			`{ "x":1, "mcp": {"servers":[ {"id":"a" , "own":[1.0] ,"command":"x","timeout" : 30} ] } ,"y":2}`,
			`{"id":"a","timeout":31}`,
			`{ "x":1, "mcp": {"servers":[ {"id":"a" , "own":[1.0] ,"command":"x","timeout" : 31} ] } ,"y":2}`,
		},
		{
			"a member is added on one line",
			`{"mcp":{"servers":[{"id":"a","command":"x"}]}}`,
			`{"id":"a","enabled":false}`,
			`{"mcp":{"servers":[{"id":"a","command":"x","enabled":false}]}}`,
		},
		{
			"a server is added to one line",
			`{"mcp": {"servers": [{"id": "a", "command": "x"}]}}`,
			`{"id":"b","command":"y","args":["1","2"]}`,
			`{"mcp": {"servers": [{"id": "a", "command": "x"}, {"id": "b", "transport": "stdio", "command": "y", "args": ["1", "2"], "enabled": true}]}}`,
		},
		{
			"a member is added with tabs",
			"{\n\t\"mcp\": {\n\t\t\"servers\": [\n\t\t\t{\n\t\t\t\t\"id\": \"a\",\n\t\t\t\t\"command\": \"x\"\n\t\t\t}\n\t\t]\n\t}\n}\n",
			`{"id":"a","auto_approve":["r","s"]}`,
			"{\n\t\"mcp\": {\n\t\t\"servers\": [\n\t\t\t{\n\t\t\t\t\"id\": \"a\",\n\t\t\t\t\"command\": \"x\",\n\t\t\t\t\"auto_approve\": [\"r\", \"s\"]\n\t\t\t}\n\t\t]\n\t}\n}\n",
		},
		{
			"one variable changes, the others stay",
			`{"mcp":{"servers":[{"id":"a","command":"x","env":{"B":"1",  "A":"2" ,"\u0043":"3"}}]}}`,
			`{"id":"a","env":{"A":"9","B":"********","C":"3"}}`,
			`{"mcp":{"servers":[{"id":"a","command":"x","env":{"B":"1",  "A":"9" ,"\u0043":"3"}}]}}`,
		},
		{
			"a variable goes, another comes",
			`{"mcp":{"servers":[{"id":"a","command":"x","env":{"A":"1","B":"2"}}]}}`,
			`{"id":"a","env":{"B":"********","C":"3"}}`,
			`{"mcp":{"servers":[{"id":"a","command":"x","env":{"B":"2","C":"3"}}]}}`,
		},
		{
			"null takes a field out",
			`{"mcp":{"servers":[{"id":"a","command":"x","cwd":"/","timeout":5}]}}`,
			`{"id":"a","cwd":null,"timeout":null}`,
			`{"mcp":{"servers":[{"id":"a","command":"x"}]}}`,
		},
		{
			"another transport drops the fields of the first",
			`{"mcp":{"servers":[{"id":"a","transport":"stdio","command":"x","args":["y"],"note":7}]}}`,
			`{"id":"a","transport":"http","url":"https://h/"}`,
			`{"mcp":{"servers":[{"id":"a","transport":"http","note":7,"url":"https://h/"}]}}`,
		},
		{
			"the first server of a file of others",
			"{\n  \"theme\": \"dark\"\n}\n",
			`{"id":"a","name":"A server","url":"https://h/","headers":{"X":"y"},"timeout":9}`,
			"{\n  \"theme\": \"dark\",\n  \"mcp\": {\n    \"servers\": [\n      {\n        \"id\": \"a\",\n        \"name\": \"A server\",\n" +
				"        \"transport\": \"http\",\n        \"url\": \"https://h/\",\n        \"headers\": {\"X\": \"y\"},\n        \"enabled\": true,\n        \"timeout\": 9\n" +
				"      }\n    ]\n  }\n}\n",
		},
		{
			"nothing changes, nothing is written",
			`{"mcp":{"servers":[{"id":"a","command":"x","enabled":true,"timeout":6e1}]}}`,
			`{"id":"a","command":"x","enabled":true,"timeout":60}`,
			`{"mcp":{"servers":[{"id":"a","command":"x","enabled":true,"timeout":6e1}]}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := fileWith(t, c.before)
			put(t, file, c.put)
			if diff := cmp.Diff(c.after, content(t, file)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNewFile(t *testing.T) {
	t.Parallel()
	file := settings.In(t.TempDir())
	put(t, file, `{"id":"a","command":"run"}`)
	want := `{
  "mcp": {
    "servers": [
      {
        "id": "a",
        "transport": "stdio",
        "command": "run",
        "enabled": true
      }
    ]
  }
}
`
	if diff := cmp.Diff(want, content(t, file)); diff != "" {
		t.Error(diff)
	}
}

func TestSwitchesAreSaved(t *testing.T) {
	t.Parallel()
	file := fileWith(t, "{\"mcp\": {\"servers\": [], \"policy\": \"ask\"}, \"x\": 1}")
	s, err := file.Update(func(e *settings.Edit) error {
		e.SetPolicy(policy.AllowReads)
		e.SetNetwork(false)
		return nil
	})
	if err != nil || s.Policy != policy.AllowReads || s.Network {
		t.Errorf("policy %v, network %v, %v", s.Policy, s.Network, err)
	}
	if got, want := content(t, file), "{\"mcp\": {\"servers\": [], \"policy\": \"allow-reads\", \"network\": false}, \"x\": 1}"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestRandomEdits makes many edits to files in many styles: whatever is done to the servers, the rest of the file
// keeps every byte, and the servers are what the edits say.
func TestRandomEdits(t *testing.T) {
	t.Parallel()
	const before, after = `"first": [1.0, {"a" :  2}]`, `"last":{"z":"\u00e9" , "z":1E2}`
	random := rand.New(rand.NewPCG(3, 4))
	for round := range 25 {
		nl := []string{"", "\n", "\r\n", "\n\t", "\n    "}[round%5]
		file := fileWith(t, "{"+nl+before+","+nl+`"mcp":{"servers":[]}`+","+nl+after+nl+"}")
		want := map[string]int{}
		for range 25 {
			id := fmt.Sprint("s", random.IntN(5))
			if _, there := want[id]; there && random.IntN(3) == 0 {
				if _, err := file.Update(func(e *settings.Edit) error { return e.Remove(id) }); err != nil {
					t.Fatal(err)
				}
				delete(want, id)
				continue
			}
			n := 1 + random.IntN(600)
			env := map[string]string{}
			for range random.IntN(4) {
				env[fmt.Sprint("V", random.IntN(5))] = strings.Repeat(`"\é`, random.IntN(9))
			}
			body, _ := json.Marshal(map[string]any{"id": id, "command": "x", "env": env, "timeout": n, "args": []string{"${env:A}"}[:random.IntN(2)]})
			put(t, file, string(body))
			want[id] = n
		}
		s, err := file.Load()
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, server := range s.Servers {
			if !server.BuiltIn {
				got[server.ID] = server.Timeout
			}
			if server.Err != nil {
				t.Error(server.Err)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		text := content(t, file)
		if !strings.HasPrefix(text, "{"+nl+before+","+nl+`"mcp":{"servers":[`) || !strings.HasSuffix(text, "]},"+nl+after+nl+"}") {
			t.Fatalf("the rest of the file was changed:\n%s", text)
		}
	}
}

func TestRefusedPatches(t *testing.T) {
	t.Parallel()
	const before = `{"mcp":{"servers":[
 {"id":"a","command":"x","env":{"K":"stored-secret"},"args":["--token","stored-token"]},
 {"id":"h","url":"https://u:stored-pw@h/?key=stored-key"},
 {"id":"d","command":"x"},{"id":"d","command":"y"}]}}`
	for _, c := range []struct{ body, field string }{
		{`[]`, "body"},
		{`{`, "body"},
		{`{"command":"x"}`, "id"},
		{`{"id":null,"command":"x"}`, "id"},
		{`{"id":"A","command":"x"}`, "id"},
		{`{"id":"d","enabled":false}`, "id"},
		{`{"id":"a","comand":"x"}`, "comand"},
		{`{"id":"a","timeout":0}`, "timeout"},
		{`{"id":"a","env":{"K":"********","L":"********"}}`, "env.L"},
		{`{"id":"a","env":{"K":"x********"}}`, "env.K"},
		{`{"id":"a","args":["--token","********","--key","********"]}`, "args[3]"},
		{`{"id":"a","args":["--other","********"]}`, "args[1]"},
		{`{"id":"a","command":"********"}`, "command"},
		{`{"id":"h","url":"https://********@evil/?key=********"}`, "url"},
		{`{"id":"new","url":"https://h/","headers":{"Authorization":"********"}}`, "headers.Authorization"},
		{`{"id":"a","url":"https://h/"}`, "url"},
		{`{"id":"a","command":null}`, "command"},
	} {
		file := fileWith(t, before)
		_, err := tryPut(file, c.body)
		field, isField := err.(*settings.FieldError)
		if !isField || field.Field != c.field {
			t.Errorf("%s: %v, want the field %s", c.body, err, c.field)
		}
		if err != nil && strings.Contains(err.Error(), "stored") && !strings.Contains(err.Error(), "stored value") {
			t.Errorf("%s: the error holds a secret: %v", c.body, err)
		}
		if got := content(t, file); got != before {
			t.Errorf("%s changed the file:\n%s", c.body, got)
		}
	}
}

// TestPostedBack: a view that is posted back changes nothing (CFG-17).
func TestPostedBack(t *testing.T) {
	t.Parallel()
	const before = `{"mcp":{"servers":[
 {"id":"a","command":"x","env":{"K":"1","L":"2"},"args":["--token","t1","-v","--key=k1"],"transport":"stdio"},
 {"id":"h","transport":"http","url":"https://u:p@h/?key=k&page=2","headers":{"Authorization":"Bearer x"}}]}}`
	file := fileWith(t, before)
	put(t, file, `{"id":"a","env":{"K":"********","L":"********"},"args":["--token","********","-v","--key=********"],"state":"connected","tools":3}`)
	put(t, file, `{"id":"h","url":"https://********@h/?key=********&page=2","headers":{"Authorization":"********"}}`)
	if got := content(t, file); got != before {
		t.Errorf("the file became\n%s", got)
	}
	s := put(t, file, `{"id":"a","args":["-v","--key=********","--token","********"]}`)
	a, _ := s.Server("a")
	if diff := cmp.Diff([]string{"-v", "--key=k1", "--token", "t1"}, a.Args); diff != "" {
		t.Error(diff)
	}
}
