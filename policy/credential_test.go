package policy_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/imurun/mcp-replay/policy"
)

func TestCredentialName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"GITHUB_TOKEN": true, "github_token": true, "TOKENS": true, "MY_SECRET_1": true, "API_KEY": true,
		"KEYRING": true, "monkey": true, "Password": true, "PGPASSWD": true, "SSH_PASSPHRASE": true,
		"AWS_CREDENTIALS": true, "NPM_AUTH": true, "npm_auth": true, "GITLAB_PAT": true,
		"PATH": false, "HOME": false, "AUTH": false, "PAT": false, "AUTHOR": false, "NPM_AUTHOR": false,
		"XDG_DATA_PATH": false, "GIT_PATH": false, "PASS": false, "": false,
	} {
		if got := policy.CredentialName(name); got != want {
			t.Errorf("CredentialName(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestCredentialParameter(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"api-key": true, "apikey": true, "Authorization": true, "Proxy-Authorization": true, "Cookie": true,
		"X-Api-Key": true, "access_token": true, "sig": true, "X-Amz-Signature": true, "pwd": true, "auth": true,
		"basic-auth": true, "npm.auth": true, "session_id": true,
		"path": false, "author": false, "Accept": false, "User-Agent": false, "pattern": false, "": false,
	} {
		if got := policy.CredentialParameter(name); got != want {
			t.Errorf("CredentialParameter(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestCredentialValue(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("a1B2", 10)
	for _, value := range []string{
		"gh" + "p_" + filler, "github" + "_pat_" + filler, "sk" + "-" + filler, "xox" + "b-" + filler,
		"AK" + "IA" + strings.Repeat("A1", 8), "ey" + "J" + filler + "." + filler + "." + filler,
	} {
		if !policy.CredentialValue(value) {
			t.Errorf("CredentialValue(%.6s…) = false", value)
		}
	}
	for _, value := range []string{"", "sk-short", "skating", "production", "/home/me", filler} {
		if policy.CredentialValue(value) {
			t.Errorf("CredentialValue(%q) = true", value)
		}
	}
}

func TestMaskArgs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, want string }{
		{"-y pkg /home/me", "-y pkg /home/me"},
		{"--api-key abc --port 80", "--api-key *** --port 80"},
		{"--api-key=abc", "--api-key=***"},
		{"--token --verbose abc", "--token --verbose abc"},
		{"--token -abc", "--token ***"},
		{"--token", "--token"},
		{"--token= x", "--token= x"},
		{"-token abc", "-token ***"},
		{"API_KEY=abc run", "API_KEY=*** run"},
		{"MODE=abc run", "MODE=abc run"},
		{"-e ACME=abc -e PATHX", "-e ACME=*** -e PATHX"},
		{"--env=ACME=abc", "--env=ACME=***"},
		{"-eACME=abc", "-eACME=***"},
		{"-exec=abc", "-exec=abc"},
		{"node -e f(x)", "node -e f(x)"},
		{"--header X-Cred:_abc", "--header X-Cred:***"},
		{"-H X-Cred=abc", "-H X-Cred=***"},
		{"-H X-Cred:", "-H X-Cred:"},
		{"-H abc", "-H ***"},
		{"-Habc", "-Habc"},
		{"https://h.test/a?b=1#c", "https://h.test/a?b=***#c"},
		{"--url=https://u:p@h.test/?k=v", "--url=https://***@h.test/?k=***"},
		{"--url https://u:p@h.test", "--url https://***@h.test"},
		{"Authorization:abc", "Authorization:***"},
	} {
		got := policy.MaskArgs(strings.Fields(c.args), "***")
		if strings.Join(got, " ") != c.want {
			t.Errorf("MaskArgs(%s)\n got %q\nwant %s", c.args, got, c.want)
		}
	}
}

// TestMaskHeaderArgs is fault 38: an opaque value in every spelling of a header.
func TestMaskHeaderArgs(t *testing.T) {
	t.Parallel()
	args := []string{
		"--header", "X-Cred: fx-opaque-1",
		"--header=X-Cred: fx-opaque-2",
		"-HX-Cred: fx-opaque-3",
		"--header X-Cred: fx-opaque-4",
		"-e", "ACME=fx-opaque-5",
		"https://u:fx-opaque-6@h.test/?k=fx-opaque-7",
		"--token", "fx-opaque-8\nfx-opaque-9",
	}
	want := []string{
		"--header", "X-Cred: ***", "--header=X-Cred: ***", "-HX-Cred: ***", "--header X-Cred: ***",
		"-e", "ACME=***", "https://***@h.test/?k=***", "--token", "***",
	}
	before := slices.Clone(args)
	if got := policy.MaskArgs(args, "***"); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if !slices.Equal(args, before) {
		t.Errorf("the arguments given were changed: %q", args)
	}
}

// TestMaskPackedLine: a whole command line in one argument, as after sh -c, hides its credentials as one in many does.
func TestMaskPackedLine(t *testing.T) {
	t.Parallel()
	for arg, want := range map[string]string{
		"npx -y foo --password hunter2 --port 80":            "npx -y foo --password *** --port 80",
		"npx foo --api-key=abc":                              "npx foo --api-key=***",
		`npx foo --api-key "a b" x`:                          `npx foo --api-key "***" x`,
		`npx foo --api-key="a b" x`:                          `npx foo --api-key="***" x`,
		"cd /x && API_KEY='a b';npx foo":                     "cd /x && API_KEY='***';npx foo",
		"curl -H 'Authorization: Bearer abc' https://h.test": "curl -H 'Authorization: ***' https://h.test",
		`curl -H "X-Cred: a\"b" x`:                           `curl -H "X-Cred: ***" x`,
		"docker run -e ACME=abc -e OTHER img":                "docker run -e ACME=*** -e OTHER img",
		"get https://u:p@h.test/?k=v and go":                 "get https://***@h.test/?k=*** and go",
		`sh -c "npx foo --token abc"`:                        `sh -c "npx foo --token ***"`,
		"npx foo --token $TOKEN --secret '$S' --key ${K}":    "npx foo --token $TOKEN --secret '$S' --key ${K}",
		"npx foo --token":                                    "npx foo --token",
		"npx foo --token 'abc":                               "npx foo --token ***",
		"/home/me/My Notes":                                  "/home/me/My Notes",
		"say the key: it is a secret word":                   "say the key: it is a secret word",
		" ":                                                  " ",
	} {
		if got := policy.MaskArgs([]string{"-c", arg}, "***")[1]; got != want {
			t.Errorf("MaskArgs(%s)\n got %s\nwant %s", arg, got, want)
		}
	}
}

func TestMaskURL(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://h.test/mcp":                                "https://h.test/mcp",
		"https://h.test/mcp?page=2":                         "https://h.test/mcp?page=2",
		"https://u:p@h.test/mcp":                            "https://***@h.test/mcp",
		"https://u:p@q@h.test":                              "https://***@h.test",
		"https://h.test/@scope/x":                           "https://h.test/@scope/x",
		"https://h.test/?api_key=abc&page=2&sig=x#frag":     "https://h.test/?api_key=***&page=2&sig=***#frag",
		"https://h.test?token=a%20b;k=1":                    "https://h.test?token=***;k=1",
		"https://h.test/?%74oken=abc&%zz=1&key=&token":      "https://h.test/?%74oken=***&%zz=1&key=&token",
		"https://h.test/?next=https://u@h.test/":            "https://h.test/?next=https://u@h.test/",
		"not a url?token=abc":                               "not a url?token=***",
		"":                                                  "",
		"https://${env:U}:${env:P}@h.test/?key=${env:K}&a=": "https://***@h.test/?key=***&a=",
	} {
		if got := policy.MaskURL(address, "***"); got != want {
			t.Errorf("MaskURL(%q)\n got %q\nwant %q", address, got, want)
		}
	}
}

func TestCredentialArgsNames(t *testing.T) {
	t.Parallel()
	args := []string{"--api-key", "abc", "-H", "X-A: b", "https://u:p@h.test/?k=v"}
	var got []string
	for _, s := range policy.CredentialArgs(args) {
		got = append(got, fmt.Sprintf("%d %s %s", s.Arg, s.Name, args[s.Arg][s.Start:s.End]))
	}
	want := []string{"1 --api-key abc", "3 X-A b", "4 userinfo u:p", "4 k v"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
