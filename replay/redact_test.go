package replay

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/mcp"
)

// filler is what the made-up tokens of these tests consist of; none is written whole, so that no scanner takes one for real.
const filler = "a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8i9J0"

func newTestRedactor(t *testing.T, o *RedactOptions) *Redactor {
	t.Helper()
	if o == nil {
		o = new(RedactOptions)
	}
	if o.Folders == nil {
		o.Folders = new(Folders)
	}
	r, err := NewRedactor(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func redactMessage(r *Redactor, data string) string {
	f := r.Frame(Frame{Frame: mcp.Frame{From: mcp.FromClient, Kind: mcp.FrameMessage, Data: []byte(data)}})
	return string(f.Data)
}

// redactText redacts what passed as noise; the numbers of its placeholders are written N.
func redactText(r *Redactor, text string) string {
	f := r.Frame(Frame{Frame: mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameNoise, Data: []byte(text)}})
	return anyNumber(string(f.Data))
}

// anyNumber writes N for the number of each placeholder.
func anyNumber(text string) string {
	parts := strings.Split(text, redactedMark)
	for i := 1; i < len(parts); i++ {
		kind, rest, _ := strings.Cut(parts[i], ":")
		_, rest, _ = strings.Cut(rest, "]")
		parts[i] = kind + ":N]" + rest
	}
	return strings.Join(parts, redactedMark)
}

// REP-4: string and number values under an exact list of names, and nothing else.
func TestNamesInJSON(t *testing.T) {
	for data, want := range map[string]string{
		`{"password":"hunter2"}`:                                                       `{"password":"[redacted:password:1]"}`,
		`{"pass\u0077ord" : "hun\"ter" }`:                                              `{"pass\u0077ord" : "[redacted:password:1]" }`,
		`{"apiKey":"a","API-KEY":"a","api_key":"b"}`:                                   `{"apiKey":"[redacted:apikey:1]","API-KEY":"[redacted:apikey:1]","api_key":"[redacted:api-key:2]"}`,
		`{"access_token":12345,"x":12345}`:                                             `{"access_token":"[redacted:access-token:1]","x":12345}`,
		`{"secret":true,"password":null,"pwd":{"a":1}}`:                                `{"secret":true,"password":null,"pwd":{"a":1}}`,
		`{"api_keys":["a",{"b":"c"}]}`:                                                 `{"api_keys":["[redacted:api-keys:1]",{"b":"c"}]}`,
		`{"password":"","pwd":"********","secret":"${env:X}"}`:                         `{"password":"","pwd":"********","secret":"${env:X}"}`,
		`{"authorization":"Bearer abc"}`:                                               `{"authorization":"Bearer [redacted:authorization:1]"}`,
		`{"env":{"MY_TOKEN":"a","HOME":"b"},"headers":{"X-Api-Key":"c","Accept":"d"}}`: `{"env":{"MY_TOKEN":"[redacted:my-token:1]","HOME":"b"},"headers":{"X-Api-Key":"[redacted:x-api-key:2]","Accept":"d"}}`,
		`{"token":"abcdefgh","t":{"token":" hello there"}}`:                            `{"token":"[redacted:token:1]","t":{"token":" hello there"}}`,

		// What is no secret stays as it is.
		`{"progressToken":"abcdefgh12345","cursor":"c1","nextCursor":"c2","page_token":"p","maxTokens":100}`:                                  "",
		`{"inputSchema":{"type":"object","properties":{"apiKey":{"type":"string","default":"x"}},"password":"string","required":["apiKey"]}}`: "",
		`{"tokens":5,"monkey":"x","keyboard":"y","key":"z","secretary":"a"}`:                                                                  "",
		`{"jsonrpc":"2.0","id":"` + "gh" + "p_" + filler + `","method":"x"}`:                                                                  "",

		// JSON inside a string is JSON.
		`{"text":"{\"password\":\"hunter2\",\"api_key\":77}"}`: `{"text":"{\"password\":\"[redacted:password:1]\",\"api_key\":\"[redacted:api-key:2]\"}"}`,
		// What the traffic names as a secret is one wherever else it stands, in the same message and later.
		`{"a":"is hunter2hunter2!","password":"hunter2hunter2"}`: `{"a":"is [redacted:password:1]!","password":"[redacted:password:1]"}`,
		`{"a":"password","password":"password"}`:                 `{"a":"password","password":"[redacted:password:1]"}`,
	} {
		if want == "" {
			want = data
		}
		if got := redactMessage(newTestRedactor(t, nil), data); got != want {
			t.Errorf("%s\n got %s\nwant %s", data, got, want)
		}
	}
}

func TestTokensByTheirLooks(t *testing.T) {
	r := newTestRedactor(t, nil)
	jwt := "ey" + "J" + filler + ".ey" + "J" + filler + "." + filler
	for text, want := range map[string]string{
		"use gh" + "p_" + filler + " now":       "use [redacted:github:N] now",
		"key=AK" + "IA" + "ABCDEFGHIJKLMNOP":    "key=[redacted:aws:N]",
		"see " + jwt + ".":                      "see [redacted:jwt:N].",
		"Authorization: Bearer " + filler:       "Authorization: Bearer [redacted:bearer:N]",
		"basic dXNlcjpwYXNzd29yZA==":            "basic [redacted:basic:N]",
		"sk" + "-proj-" + filler:                "[redacted:sk:N]",
		"https://u:p@h.test/a?api_key=1&page=2": "https://[redacted:userinfo:N]@h.test/a?api_key=[redacted:api-key:N]&page=2",
		"-----BEGIN RSA " + "PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nrest": "[redacted:private-key:N]\nrest",

		"task-management-with-many-words-1":           "",
		"Bearer authentication-is-needed":             "",
		"sk-learn-is-a-library":                       "",
		"Basic knowledge":                             "",
		"-----BEGIN CERTIFICATE-----\nabc":            "",
		"https://h.test/a?page=2":                     "",
		"the key is eyJhbGciOiJIUzI1NiJ9 and no more": "",
	} {
		if want == "" {
			want = text
		}
		if got := redactText(r, text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// Fault 37: a secret is found in every encoding.
func TestEncodedSecrets(t *testing.T) {
	const secret = `k"/+ey-99é`
	r := newTestRedactor(t, &RedactOptions{Env: []string{"ACME_KEY=" + secret}})
	b64 := base64.StdEncoding.EncodeToString
	for name, test := range map[string][2]string{
		"plain":             {secret, ""},
		"JSON":              {strings.ReplaceAll(secret, `"`, `\"`), ""},
		"JSON, slashes too": {strings.NewReplacer(`"`, `\"`, "/", `\/`, "é", `\u00e9`).Replace(secret), ""},
		"JSON in JSON":      {strings.ReplaceAll(secret, `"`, `\\\"`), ""},
		"query":             {url.QueryEscape(secret), ""},
		"path":              {url.PathEscape(secret), ""},
		"lower-case query":  {"k%22%2f%2bey-99%c3%a9", ""},
		"query in JSON":     {strings.ReplaceAll(url.QueryEscape(secret), "%", `\u0025`), ""},
		"base64, 0":         {b64([]byte(secret)), "="},
		"base64, 1":         {b64([]byte("1" + secret + "abc")), "MYWJj"},
		"base64, 2":         {b64([]byte("12" + secret + "ab")), "MTFi"},
		"base64, 3":         {b64([]byte("user:" + secret)), "dXNlcj=="},
		"base64url":         {base64.RawURLEncoding.EncodeToString([]byte("??" + secret)), "Pz"},
		"hex":               {hex.EncodeToString([]byte(secret)), ""},
		"HEX":               {strings.ToUpper(hex.EncodeToString([]byte(secret))), ""},
	} {
		got := redactText(r, "<"+test[0]+">")
		before, after, ok := strings.Cut(got, "[redacted:acme-key:N]")
		if !ok || strings.Contains(after, redactedMark) {
			t.Errorf("%s: %s gives %s", name, test[0], got)
		} else if rest := strings.Trim(before+after, "<>"); strings.Trim(rest, "<>") != test[1] {
			t.Errorf("%s: %s leaves %s", name, test[0], got)
		}
	}
	message := `{"text":` + string(quote(secret)) + `}`
	if got := redactMessage(r, message); anyNumber(got) != `{"text":"[redacted:acme-key:N]"}` {
		t.Errorf("in a message: %s", got)
	}
	if got := redactText(r, "{\"a\":\"k\"/+\ney-99é\"}"); got != `{"a":"[redacted:acme-key:N]"}` {
		t.Errorf("over two data lines: %q", got)
	}
}

func TestOwnEnvironment(t *testing.T) {
	r := newTestRedactor(t, &RedactOptions{
		Env:       []string{"MODE=1", "A_TOKEN=x1", "PIN_SECRET=4711", "DATA=longenough", "NAME=short"},
		Inherited: []string{"OTHER_KEY=inherited1", "SHELL=/bin/bash-long-enough"},
		Header:    http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte("me:pass word 1"))}, "X-Tenant": {"tenant-0001"}},
		Args:      []string{"--header", "X-Cred: fx-opaque-1", "-HX-Cred: fx-opaque-3", "--api-key=fx-opaque-8"},
	})
	for text, want := range map[string]string{
		"1 x1 short 4711 longenough inherited1": "1 x1 short [redacted:pin-secret:N] [redacted:data:N] [redacted:other-key:N]",
		"/bin/bash-long-enough":                 "/bin/bash-long-enough",
		"pass word 1, tenant-0001":              "[redacted:authorization:N], [redacted:x-tenant:N]",
		"fx-opaque-1 fx-opaque-3 fx-opaque-8":   "[redacted:x-cred:N] [redacted:x-cred:N] [redacted:api-key:N]",
	} {
		if got := redactText(r, text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
	want := []string{"environment variable A_TOKEN: its value is too short to be told from other text, so it is not looked for in the traffic"}
	if diff := cmp.Diff(want, r.Warnings()); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	digits := newTestRedactor(t, &RedactOptions{Env: []string{"N_KEY=1234567890"}})
	if got := redactMessage(digits, `{"id":1234567890,"n":1234567890,"m":12345678901}`); got != `{"id":1234567890,"n":"[redacted:n-key:1]","m":12345678901}` {
		t.Errorf("a secret number: %s", got)
	}
}

// Fault 38: credentials in the arguments of a header, a variable, an address.
func TestHeaderLine(t *testing.T) {
	args := []string{"--header", "X-Cred: fx-opaque-1", "--header=X-Cred: fx-opaque-2", "-HX-Cred: fx-opaque-3", "--header X-Cred: fx-opaque-4",
		"-e", "ACME=fx-opaque-5", "https://u:fx-opaque-6@h.test/?k=fx-opaque-7", "/home/fxuser/notes"}
	r := newTestRedactor(t, &RedactOptions{Args: args, Folders: &Folders{Home: "/home/fxuser"}})
	h := r.Header(Header{Transport: "stdio", Server: ServerLine{Command: "/home/fxuser/bin/echo", Args: args}})
	for i := range h.Server.Args {
		h.Server.Args[i] = anyNumber(h.Server.Args[i])
	}
	want := ServerLine{Command: "[path:home]/bin/echo", Args: []string{"--header", "X-Cred: [redacted:x-cred:N]", "--header=X-Cred: [redacted:x-cred:N]",
		"-HX-Cred: [redacted:x-cred:N]", "--header X-Cred: [redacted:x-cred:N]", "-e", "ACME=[redacted:acme:N]",
		"https://[redacted:userinfo:N]@h.test/?k=[redacted:k:N]", "[path:home]/notes"}}
	if diff := cmp.Diff(want, h.Server); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := r.Text("ran with fx-opaque-4 and fx-opaque-5, fx-opaque-7"); strings.Contains(got, "fx-opaque") {
		t.Errorf("stays: %s", got)
	}
}

// Fault 94: folders of this machine, in both slash styles, escaped and encoded, at path boundaries.
func TestFolders(t *testing.T) {
	r := newTestRedactor(t, &RedactOptions{Folders: &Folders{Home: "/home/fxuser", Cwd: "/home/fxuser/proj", Tmp: "/tmp"}})
	for text, want := range map[string]string{
		"/home/fxuser/proj/a.txt":         "[path:cwd]/a.txt",
		"file:///home/fxuser/proj/b":      "file://[path:cwd]/b",
		`C:\Users\fxuser\proj\c`:          `[path:home]\proj\c`,
		`C:\\Users\\fxuser\\proj\\c`:      `[path:home]\\proj\\c`,
		"C:/Users/fxuser/proj":            "[path:home]/proj",
		"%2Fhome%2Ffxuser%2Fproj":         "[path:cwd:url]",
		"http://127.0.0.1:40123/x":        "http://127.0.0.1:40123/x",
		"/home/fxuser2/keep":              "/home/fxuser2/keep",
		"/home/fxuser.bak":                "/home/fxuser.bak",
		"at /home/fxuser.":                "at [path:home].",
		"/mnt/home/fxuser":                "/mnt/home/fxuser",
		"PATH=/home/fxuser/bin:/tmp:/usr": "PATH=[path:home]/bin:[path:tmp]:/usr",
		"/tmpfile /var/tmp /tmp-x /tmp/é": "/tmpfile /var/tmp /tmp-x [path:tmp]/é",
		"/home/fxuser/project":            "[path:home]/project",
	} {
		if got := redactText(r, text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
	if got := redactMessage(r, `{"p":"\/home\/fxuser\/x","q":"/home/fxuser"}`); got != `{"p":"[path:home]\/x","q":"[path:home]"}` {
		t.Errorf("escaped: %s", got)
	}
	windows := newTestRedactor(t, &RedactOptions{Folders: &Folders{Home: `C:\Users\me`, Cwd: `C:\Users\me\p`}})
	got := redactMessage(windows, `{"p":"C:\\Users\\me\\p\\x","q":"{\"a\":\"C:\\\\Users\\\\me\"}","r":"c:/Users/me/y"}`)
	if got != `{"p":"[path:cwd]\\x","q":"{\"a\":\"[path:home]\"}","r":"[path:home]/y"}` {
		t.Errorf("windows: %s", got)
	}
}

// A mark in the traffic itself gets one more bracket, so that it can be told from a placeholder.
func TestLiteralMarks(t *testing.T) {
	r := newTestRedactor(t, nil)
	for data, want := range map[string]string{
		`{"a":"[redacted:x:1] [[redacted: [path:home]"}`: `{"a":"[[redacted:x:1] [[[redacted: [[path:home]"}`,
		`{"a":"\u005bredacted:x:1]"}`:                    `{"a":"[\u005bredacted:x:1]"}`,
		`{"[path:x]":1}`:                                 `{"[[path:x]":1}`,
	} {
		got := redactMessage(r, data)
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", data, got, want)
		}
		again := r.Again(Frame{Frame: mcp.Frame{Kind: mcp.FrameMessage, Data: []byte(got)}})
		if string(again.Data) != got {
			t.Errorf("again: %s", again.Data)
		}
	}
}

func TestHeadsAndEvents(t *testing.T) {
	r := newTestRedactor(t, nil)
	h := r.Frame(Frame{Frame: mcp.Frame{From: mcp.FromClient, Kind: mcp.FrameHTTP, Head: &mcp.HTTPHead{
		Method: "POST", Path: "/mcp?api_key=abc&page=2",
		Header: http.Header{
			"Authorization":  {"Bearer fx-s3cret-0001"},
			"Cookie":         {"a=fx-s3cret-0002; b=2"},
			"Set-Cookie":     {"sid=xyz; Path=/; HttpOnly"},
			"Mcp-Session-Id": {"s1"},
			"X-Api-Key":      {"k1", "k1"},
			"Accept":         {"application/json, text/event-stream"},

			"Access-Control-Allow-Credentials": {"true"},
		},
	}}}).Head
	if h.Header["X-Api-Key"][0] != h.Header["X-Api-Key"][1] {
		t.Error("one secret has two numbers")
	}
	for _, values := range h.Header {
		for i := range values {
			values[i] = anyNumber(values[i])
		}
	}
	h.Path = anyNumber(h.Path)
	want := &mcp.HTTPHead{Method: "POST", Path: "/mcp?api_key=[redacted:api-key:N]&page=2", Header: http.Header{
		"Authorization": {"Bearer [redacted:authorization:N]"},
		"Cookie":        {"a=[redacted:cookie:N]; b=[redacted:cookie:N]"},
		"Set-Cookie":    {"sid=[redacted:set-cookie:N]; Path=/; HttpOnly"},
		"X-Api-Key":     {"[redacted:x-api-key:N]", "[redacted:x-api-key:N]"},
		"Accept":        {"application/json, text/event-stream"},

		"Access-Control-Allow-Credentials": {"true"},
	}}
	if diff := cmp.Diff(want, h); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// What the header has told is a secret everywhere from now on (fault 85).
	for _, text := range []string{"bad fx-s3cret-0001", "pw=fx-s3cret-0002"} {
		if got := r.Text(text); strings.Contains(got, "s3cret") {
			t.Errorf("%q stays", got)
		}
	}
	e := r.Frame(Frame{Frame: mcp.Frame{Kind: mcp.FrameEvent, Event: &mcp.SSE{ID: "fx-s3cret-0001", Comment: "fx-s3cret-0001"}}}).Event
	if strings.Contains(e.ID+e.Comment, "s3cret") {
		t.Errorf("%+v stays", e)
	}
}

func TestUserRules(t *testing.T) {
	rules := Rules{
		Patterns: []Pattern{{Name: "acme", Expr: "ACME-[A-Z0-9]{8}"}, {Expr: `pin (\d+)`}},
		Pointers: []string{"/params/arguments/pin", "/result/*/x"},
	}
	r := newTestRedactor(t, &RedactOptions{Rules: rules})
	for data, want := range map[string]string{
		`{"params":{"arguments":{"key":"ACME-1234ABCD","pin":[1,2],"t":"pin 77"}}}`: `{"params":{"arguments":{"key":"[redacted:acme:N]","pin":"[redacted:pointer:N]","t":"pin [redacted:user:N]"}}}`,
		`[{"result":[{"x":"a"},{"x":"b","y":"c"}]}]`:                                `[{"result":[{"x":"[redacted:pointer:N]"},{"x":"[redacted:pointer:N]","y":"c"}]}]`,
	} {
		if got := anyNumber(redactMessage(r, data)); got != want {
			t.Errorf("%s\n got %s\nwant %s", data, got, want)
		}
	}
	if d := rules.Digest(); !strings.HasPrefix(d, "sha256:") || d == (Rules{Patterns: rules.Patterns}).Digest() {
		t.Errorf("digest %s", d)
	}
	slices.Reverse(rules.Patterns)
	if r.Rules().User != rules.Digest() {
		t.Error("the digest depends on the order")
	}
	if _, err := NewRedactor(&RedactOptions{Rules: Rules{Pointers: []string{"params"}}}); err == nil {
		t.Error("a pointer without / is taken")
	}
	if _, err := NewRedactor(&RedactOptions{Rules: Rules{Patterns: []Pattern{{Expr: "("}}}}); err == nil {
		t.Error("half a pattern is taken")
	}
}

// Redacting twice changes nothing (fault 97).
func TestRedactingAgain(t *testing.T) {
	o := &RedactOptions{Env: []string{"ACME_KEY=fx-s3cret-0001"}, Folders: &Folders{Home: "/home/fxuser"},
		Rules: Rules{Patterns: []Pattern{{Name: "all", Expr: `code \S+`}}, Pointers: []string{"/params/x"}}}
	r := newTestRedactor(t, o)
	for _, data := range []string{
		`{"params":{"x":{"y":1},"password":"a b","t":"fx-s3cret-0001 [redacted:x:1] /home/fxuser code 5"}}`,
		`{"t":"{\"api_key\":5}","u":"https://u:p@h/?token=abc","authorization":"Bearer x"}`,
		"noise fx-s3cret-0001 code [path:home]", "a=1&token=xyz", "fx-s3cret\n-0001\n",
	} {
		once := r.Frame(Frame{Frame: mcp.Frame{Kind: mcp.FrameMessage, Data: []byte(data)}})
		twice := newTestRedactor(t, o).Again(once)
		if !bytes.Equal(once.Data, twice.Data) {
			t.Errorf("%s\n once %s\ntwice %s", data, once.Data, twice.Data)
		}
		if bytes.Contains(once.Data, []byte("s3cret")) {
			t.Errorf("%s stays", once.Data)
		}
	}
}

// Fault 85: a planted secret is in no kind of frame, and in nothing beside its payload.
func TestNoFrameKeepsASecret(t *testing.T) {
	const secret = "fx-s3cret-0001"
	r := newTestRedactor(t, &RedactOptions{Env: []string{"ACME=" + secret}})
	data := []byte("says " + secret + "\n")
	event := &mcp.SSE{Event: secret, ID: secret, HasID: true, Comment: secret}
	for kind := mcp.FrameKind(0); kind <= mcp.FrameEnd; kind++ {
		f := Frame{Frame: mcp.Frame{From: mcp.FromServer, Kind: kind, Data: data, Event: event, Exit: &mcp.ExitStatus{}, End: mcp.EndReset,
			Head: &mcp.HTTPHead{Method: "POST", Path: "/" + secret + "?a=" + secret, Header: http.Header{secret: {secret}, "A": {"x " + secret}}}},
			Extra: jsontext.Value(`{"k":"` + secret + `","` + secret + `":1}`)}
		for _, payload := range [][]byte{data, []byte(`{"` + secret + `":["` + secret + `"]}`), append([]byte("\xff"), data...)} {
			f.Data = payload
			redacted := r.Frame(f)
			if line := appendFrame(nil, &redacted); bytes.Contains(bytes.ToLower(line), []byte("s3cret")) {
				t.Errorf("kind %d: %s", kind, line)
			}
		}
	}
	h := r.Header(Header{Version: 1, By: secret, Transport: "stdio", Server: ServerLine{Command: secret, Args: []string{"x", secret}},
		Vary: []string{"/result/" + secret}, Extra: jsontext.Value(`{"k":"` + secret + `"}`)})
	if line := appendHeader(nil, &h); bytes.Contains(line, []byte("s3cret")) {
		t.Errorf("the header: %s", line)
	}
}
