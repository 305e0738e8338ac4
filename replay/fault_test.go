package replay

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

func TestParseFault(t *testing.T) {
	good := map[string]Fault{
		"delay=2s":                              {Kind: FaultDelay, Delay: 2 * time.Second},
		"drop@tools/call#3":                     {Kind: FaultDrop, Method: "tools/call", Nth: 3},
		"error=-32000:too busy@tools/call:a#2+": {Kind: FaultError, Code: -32000, Message: "too busy", Method: "tools/call", Name: "a", Nth: 2, Onwards: true},
		"error":                                 {Kind: FaultError, Code: -32603, Message: "injected fault"},
		"exit=3@*%12.5/7":                       {Kind: FaultExit, Code: 3, Percent: 12.5, Seed: 7},
		"slow@tools/list":                       {Kind: FaultSlow, Rate: 1024, Method: "tools/list"},
		"garbage@#1":                            {Kind: FaultGarbage, Nth: 1},
		"truncate":                              {Kind: FaultTruncate},
		"disconnect":                            {Kind: FaultDisconnect},
	}
	for s, want := range good {
		got, err := ParseFault(s)
		if err != nil {
			t.Errorf("%s: %v", s, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", s, d)
		}
	}
	bad := map[string]string{
		"":             `fault: "" is not one of delay, drop, error, garbage, truncate, slow, disconnect and exit`,
		"boom":         `fault: "boom" is not one of delay, drop, error, garbage, truncate, slow, disconnect and exit`,
		"delay":        `fault: "delay" is not a delay with a time, such as delay=2s`,
		"delay=-1s":    `fault: "delay=-1s" is not a delay with a time, such as delay=2s`,
		"drop=1":       `fault: "drop=1" is not drop without a value`,
		"exit=256":     `fault: "exit=256" is not an exit with a code from 0 to 255, such as exit=3`,
		"slow=0":       `fault: "slow=0" is not slow with a number of bytes a second, such as slow=64`,
		"error=x":      `fault: "error=x" is not an error with a code and a message, such as error=-32000:busy`,
		"drop@a#0":     `fault: "drop@a#0" is not a fault with a target like tools/call:echo#3 or tools/call%10/7`,
		"drop@a%0":     `fault: "drop@a%0" is not a fault with a target like tools/call:echo#3 or tools/call%10/7`,
		"drop@a%5/x":   `fault: "drop@a%5/x" is not a fault with a target like tools/call:echo#3 or tools/call%10/7`,
		"drop@a%NaN/1": `fault: "drop@a%NaN/1" is not a fault with a target like tools/call:echo#3 or tools/call%10/7`,
	}
	for s, want := range bad {
		if _, err := ParseFault(s); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", s, err, want)
		}
	}
}

// gets is a session in which "get" is called n times.
func gets(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "> {\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"get\"}}\n", i)
		fmt.Fprintf(&b, "< {\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":\"answer %d\"}\n", i, i)
	}
	return b.String()
}

func calls(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"get\"}}\n", i)
	}
	return b.String()
}

func faults(t testing.TB, list ...string) *PlayOptions {
	t.Helper()
	o := new(PlayOptions)
	for _, s := range list {
		f, err := ParseFault(s)
		if err != nil {
			t.Fatal(err)
		}
		o.Faults = append(o.Faults, f)
	}
	return o
}

func TestFaultsOnStdio(t *testing.T) {
	answer := func(i int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":"answer %d"}`+"\n", i, i) }
	tests := []struct {
		fault, want string
		status      mcp.ExitStatus
	}{
		{"drop@#2", answer(0) + answer(2), mcp.ExitStatus{}},
		{"error=-32000:busy@tools/call:get#2", answer(0) + `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"busy"}}` + "\n" + answer(2), mcp.ExitStatus{}},
		{"error@tools/call:other#1", answer(0) + answer(1) + answer(2), mcp.ExitStatus{}},
		{"garbage@#2", answer(0) + "Segmentation fault? no: this line is garbage, injected by a fault\n" + answer(1) + answer(2), mcp.ExitStatus{}},
		{"truncate@#2", answer(0) + `{"jsonrpc":"2.0","id":` + "\n" + answer(2), mcp.ExitStatus{}},
		{"disconnect@#2", answer(0), mcp.ExitStatus{}},
		{"exit=3@#2", answer(0), mcp.ExitStatus{Code: 3}},
		{"slow=1000@#3", answer(0) + answer(1) + answer(2), mcp.ExitStatus{}},
		{"delay=30ms@#1", answer(1) + answer(2) + answer(0), mcp.ExitStatus{}},
	}
	for _, test := range tests {
		t.Run(test.fault, func(t *testing.T) {
			out, _, status := play(t, tape(t, gets(3)), faults(t, test.fault), calls(3))
			if d := cmp.Diff(test.want, out); d != "" {
				t.Error(d)
			}
			if status != test.status {
				t.Errorf("ends with %+v", status)
			}
		})
	}
}

// The same seed strikes the same calls.
func TestFaultsByChance(t *testing.T) {
	run := func(fault string) string {
		out, _, _ := play(t, tape(t, gets(200)), faults(t, fault), calls(200))
		return out
	}
	first := run("error@tools/call%10/7")
	if n := strings.Count(first, "injected fault"); n < 10 || n > 35 {
		t.Errorf("%d of 200 calls fail", n)
	}
	if run("error@tools/call%10/7") != first {
		t.Error("a second run differs")
	}
	if run("error@tools/call%10/8") == first {
		t.Error("another seed gives the same")
	}
}

func TestFaultsOverHTTP(t *testing.T) {
	initialized := func(fault string) *host {
		h := serve(t, tape(t, two), faults(t, fault))
		h.ask(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`)
		h.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get"}}`)
		return h
	}
	get := `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get"}}`
	h := initialized("garbage@#2")
	h.want(`200 application/json {this body is garbage, injected by a fault`, h.ask(get))
	h = initialized("truncate@#2")
	h.want(`200 application/json {"jsonrpc":"2.0","i`, h.ask(get))
	h = initialized("error=-1:no@#2")
	h.want(`200 application/json {"jsonrpc":"2.0","id":3,"error":{"code":-1,"message":"no"}}`, h.ask(get))
	h = initialized("slow=1000@#2")
	h.want(`200 application/json {"jsonrpc":"2.0","id":3,"result":"new"}`, h.ask(get))
	for _, fault := range []string{"disconnect@#2", "exit=4@#2"} {
		h = initialized(fault)
		r, _ := http.NewRequest("POST", h.url, strings.NewReader(get))
		r.Header.Set("Mcp-Session-Id", h.session)
		if resp, err := http.DefaultClient.Do(r); err == nil {
			body, _ := io.ReadAll(resp.Body)
			t.Errorf("%s: answered %s %s", fault, resp.Status, body)
		}
	}
}

// connect begins a session in this program.
func connect(t testing.TB, c *Cassette, o *PlayOptions) mcp.Conn {
	t.Helper()
	p, err := NewPlayer(c, o)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := p.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func send(t testing.TB, conn mcp.Conn, message string) {
	t.Helper()
	m, err := jsonrpc.Parse([]byte(message))
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Write(t.Context(), m); err != nil {
		t.Fatal(err)
	}
}

func TestPace(t *testing.T) {
	const session = `
		> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","_meta":{"progressToken":1}}}
		< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}
		< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":2}}
		< {"jsonrpc":"2.0","id":1,"result":1}`
	for pace, want := range map[string]time.Duration{"none": 0, "recorded": time.Second, "10x": 100 * time.Millisecond, "0.5x": 2 * time.Second} {
		t.Run(pace, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p, err := ParsePace(pace)
				if err != nil {
					t.Fatal(err)
				}
				conn := connect(t, tape(t, session), &PlayOptions{Pace: p})
				start := time.Now()
				send(t, conn, `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"slow","_meta":{"progressToken":1}}}`)
				for i := range 3 {
					if _, err := conn.Read(t.Context()); err != nil {
						t.Fatal(err)
					}
					if got := time.Since(start); got != want*time.Duration(i+1) {
						t.Errorf("message %d after %v, want %v", i, got, want*time.Duration(i+1))
					}
				}
			})
		})
	}
	for _, s := range []string{"fast", "x", "0x", "-1x", "Infx", "NaNx"} {
		if _, err := ParsePace(s); err == nil {
			t.Errorf("%s is a pace", s)
		}
	}
}
