package registry_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/mcp/registry"
	"github.com/imurun/mcp-replay/mcp/settings"
	"github.com/imurun/mcp-replay/policy"
)

// TestStormOfEverything does everything at once: nothing hangs, every call has a result, and in the end no connection
// stands.
func TestStormOfEverything(t *testing.T) {
	t.Parallel()
	fakes := map[string]*fake{}
	ids := []string{"a", "b", "a-b", "a_b"}
	for _, id := range ids {
		fakes[id] = &fake{tools: annotated}
	}
	who := func(context.Context, registry.Approval) registry.Answer { return registry.Answer(rand.IntN(3)) }
	h := newHost(t, stdio(ids...), fakes, &registry.Options{Ask: who})
	h.Start()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	var wait sync.WaitGroup
	for range 12 {
		wait.Go(func() {
			for ctx.Err() == nil {
				id := ids[rand.IntN(len(ids))]
				switch rand.IntN(9) {
				case 0:
					enabled := rand.IntN(4) > 0
					_, _ = h.Save(settings.Patch{ID: id, Enabled: &enabled})
				case 1:
					_ = h.Disconnect(id)
				case 2:
					_ = h.Connect(ctx, id)
				case 3:
					f := fakes[id]
					f.mu.Lock()
					if n := len(f.ends); n > 0 {
						_ = f.ends[n-1].Close()
					}
					f.mu.Unlock()
				case 4:
					fakes[id].set([]string{annotated, tools("plain"), ""}[rand.IntN(3)], 2)
				case 5:
					_ = h.SetLevel(policy.Level(rand.IntN(3)))
				case 6:
					_ = h.Reload()
				default:
					if r := h.Call(ctx, "mcp_"+strings.ReplaceAll(id, "-", "_")+"_plain", nil); r.Failed && r.Text == "" {
						t.Error("a failed result without a reason")
					}
				}
				for _, s := range h.Servers() {
					if s.Tools > 5 {
						t.Errorf("%s has %d tools", s.ID, s.Tools)
					}
				}
			}
		})
	}
	wait.Wait()
	h.Close()
	for id, f := range fakes {
		await(t, "no connection to "+id+" stands", func() bool {
			return f.count(func(f *fake) int { return len(f.ends) - f.closed }) == 0
		})
	}
}

// TestPlantedSecrets plants a secret in every place where one can stand, has every server repeat all it knows, and looks
// for each secret in all that the registry says.
func TestPlantedSecrets(t *testing.T) {
	t.Parallel()
	secret := func(n int) string { return fmt.Sprintf("planted-s3cret-%04d", n) }
	variables := map[string]string{"FX_ENV": secret(1), "FX_ARG": secret(2), "FX_CWD": secret(3), "FX_URL": secret(4), "FX_HEADER": secret(5)}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", "Bearer "+r.Header.Get("X-Any"))
		http.Error(w, fmt.Sprint(r.Header, r.URL), http.StatusUnauthorized)
	}))
	t.Cleanup(web.Close)
	user := secret(6) + ":" + secret(7)
	section := `{"servers":[
		{"id":"exits","command":"sh","args":["-c","printenv >&2; echo $0 $* >&2; exit 3","${env:FX_ARG}","--token","` + secret(8) + `","-H","X-Cred: ` + secret(9) + `"],"env":{"PLAIN":"${env:FX_ENV}","A_KEY":"` + secret(10) + `"}},
		{"id":"nowhere","command":"no-such-command","cwd":"/tmp/${env:FX_CWD}"},
		{"id":"web","url":"http://` + user + `@` + web.Listener.Addr().String() + `/${env:FX_URL}?key=` + secret(11) + `","headers":{"X-Any":"${env:FX_HEADER}","Authorization":"Basic ` + secret(12) + `"}},
		{"id":"off","url":"https://` + user + `@192.0.2.1/?token=` + secret(11) + `","enabled":false},
		{"id":"bad","command":"x","timeout":0,"env":{"A_KEY":"` + secret(13) + `"}},
		{"id":"repeats","command":"x","env":{"A_KEY":"` + secret(14) + `"},"auto_approve":["fails","refuses"]}
	]}`
	repeats := &fake{tools: tools("fails", "refuses"), answer: func(tool string, _ jsontext.Value) string {
		return `{"isError":true,"content":[{"type":"text","text":"` + tool + ` with ` + secret(14) + `"}],"structuredContent":{"k":"` + secret(14) + `"}}`
	}}
	var log strings.Builder
	var logging sync.Mutex
	h := newHost(t, section, nil, &registry.Options{
		LookupEnv: func(name string) (string, bool) { v, ok := variables[name]; return v, ok },
		Log:       newLog(&log, &logging),
		Transport: func(s *settings.Resolved, _ mcp.Tap) (mcp.Transport, error) {
			if s.ID == "repeats" {
				return repeats, nil
			}
			return nil, nil
		},
	})
	said := map[string]string{}
	h.Start()
	for _, id := range []string{"exits", "nowhere", "web", "off", "bad", "repeats"} {
		if err := h.Connect(t.Context(), id); err != nil {
			said["error of connecting "+id] = err.Error()
		}
	}
	for _, name := range []string{"mcp_repeats_fails", "mcp_repeats_refuses", "mcp_exits_x", "mcp_web_x", "mcp_nowhere_x"} {
		r := h.Call(t.Context(), name, nil)
		said["result of "+name] = fmt.Sprint(r.Text, string(r.Raw), string(r.Structured), r.Err)
	}
	servers, err := json.Marshal(h.Servers())
	if err != nil {
		t.Fatal(err)
	}
	said["servers"] = string(servers)
	said["events"] = strings.Join(events(h), "\n")
	_, err = h.Save(patch(t, `{"id":"exits","env":{"A_KEY":"********","B":"********"}}`))
	said["error of a save"] = fmt.Sprint(err)
	h.Close()
	logging.Lock()
	said["log"] = log.String()
	logging.Unlock()
	for where, text := range said {
		for n := range 20 {
			if strings.Contains(text, secret(n)) {
				t.Errorf("%s shows the secret %d:\n%s", where, n, text)
			}
		}
	}
	if !strings.Contains(said["error of connecting exits"], "code 3") || !strings.Contains(said["error of connecting web"], "401") {
		t.Errorf("the servers did not do what they are for: %q", said)
	}
	entries, err := os.ReadDir(filepath.Dir(h.file.Path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, _ := os.ReadFile(filepath.Join(filepath.Dir(h.file.Path), e.Name()))
		if e.Name() != "settings.json" && strings.Contains(string(data), "planted-s3cret") {
			t.Errorf("%s holds a secret", e.Name())
		}
	}
}

// TestAskEndsWithTheHost: a question that stands when the host closes is given up.
func TestAskEndsWithTheHost(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	h := newHost(t, stdio("a"), map[string]*fake{"a": {tools: tools("t")}}, &registry.Options{
		Ask: func(ctx context.Context, _ registry.Approval) registry.Answer {
			close(asked)
			<-ctx.Done()
			return registry.Deny
		},
	})
	result := make(chan registry.Result)
	go func() { result <- h.Call(context.Background(), "mcp_a_t", nil) }()
	<-asked
	h.Close()
	if r := <-result; !r.Failed || r.Text != "the host is closing" {
		t.Errorf("the call gives %q", r.Text)
	}
}

// FuzzListing: whatever a server lists, nothing panics, and every tool that is offered has a name of its own that model
// APIs take.
func FuzzListing(f *testing.F) {
	f.Add([]byte(`{"tools":[{"name":"a"},{"name":"A","annotations":7},{"name":"` + strings.Repeat("n", 99) + `","inputSchema":null}]}`))
	f.Add([]byte(`{"tools":{}}`))
	f.Add([]byte(`{"tools":[[],null,{"name":"\ud800"},{"name":7}],"nextCursor":"x"}`))
	f.Fuzz(func(t *testing.T, result []byte) {
		if !jsonrpc.Valid(result) {
			return
		}
		h := newHost(t, stdio("a", "a_"), map[string]*fake{"a": {listing: string(result)}, "a_": {listing: string(result)}}, nil)
		_, _ = h.Connect(t.Context(), "a"), h.Connect(t.Context(), "a_")
		seen := map[string]bool{}
		for _, tool := range h.Tools() {
			if seen[tool.Name] || len(tool.Name) > 64 || strings.Trim(tool.Name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
				t.Errorf("the name %q", tool.Name)
			}
			seen[tool.Name] = true
		}
		h.Close()
	})
}
