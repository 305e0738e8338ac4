//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// misuse is what every verb says of wrong use: one clear line, a hint, and the exit code of DESIGN.
var misuse = []struct {
	args   string // split at spaces
	code   int
	stderr string // the line, then the hint
}{
	{"frobnicate", 2, `unknown command "frobnicate"|mcp-replay --help lists the commands`},
	{"help frobnicate", 2, `no help for "frobnicate": no such command|mcp-replay --help lists the commands`},
	{"--frob", 2, `unknown flag: --frob|--help after the command shows what it takes`},

	{"demo x", 2, `unexpected argument "x"|--help after the command shows what it takes`},
	{"serve x", 2, `unexpected argument "x"|--help after the command shows what it takes`},
	{"serve --listen x", 2, `--listen x: address x: missing port in address|write HOST:PORT`},
	{"server", 2, `no built-in server is named|mcp-replay server --help lists them`},

	{"tools", 2, `no server is named|name the server: -- COMMAND ARG…, --url URL, or --server ID`},
	{"tools --", 2, `no server is named|name the server: -- COMMAND ARG…, --url URL, or --server ID`},
	{"tools x", 2, `unexpected argument "x"|a server's command line stands after --`},
	{"tools --url a -- b", 2, `the server is named more than once|name the server: -- COMMAND ARG…, --url URL, or --server ID`},
	{"tools --timeout 601 -- x", 2, `--timeout 601: out of range|give 1 to 600 seconds`},
	{"tools --timeout x -- x", 2, `invalid argument "x" for "--timeout" flag: must be an integer|--help after the command shows what it takes`},
	{"tools --connect-timeout 0 -- x", 2, `--connect-timeout 0: out of range|give 1 to 600 seconds`},
	{"tools --policy x -- x", 2, `--policy "x": must be ask, allow-reads or allow-all|the levels are ask, allow-reads and allow-all`},
	{"tools --network x -- x", 2, `--network "x": must be on or off|--network on, or --network off`},
	{"tools --env MCP_REPLAY_UNSET -- x", 2, `--env MCP_REPLAY_UNSET: no such variable is set|set it, or write --env NAME=VALUE`},
	{"tools --env =x -- x", 2, `--env: no name in it|write NAME=VALUE, or NAME to pass one on`},
	{"tools --cwd nope -- x", 2, `--cwd nope: no such folder|--cwd names the folder that the server starts in`},
	{"tools --header K:v -- x", 2, `--header has no use for a server that is a command|--header goes with --url`},
	{"tools --header Kv --url http://127.0.0.1:1", 2, `--header: no name and colon in it|write it as 'Name: value'`},
	{"tools --header K(:v --url http://127.0.0.1:1", 2, `--header: "K(" is no name for a header|write it as 'Name: value'`},
	{"tools --url ftp://h", 2, `--url: must begin with https://, or with http:// on 127.0.0.1, localhost or ::1|use https://, or http:// on 127.0.0.1, localhost or ::1`},
	{"tools --server nope", 2, `--server nope: the settings have no such server|mcp-replay servers list shows them`},
	{"tools --server gmail", 1, `--server gmail: the server is disabled|mcp-replay servers enable gmail`},
	{"tools --url http://127.0.0.1:1/mcp", 3, `POST http://127.0.0.1:1/mcp: dial tcp 127.0.0.1:1: connect: connection refused|nothing listens at that address: is the server running, and on that port?`},
	{"tools -- ./nope", 3, `command "./nope": stat ./nope: no such file or directory|./nope must be a program: what stands after -- is the server's command line, word by word`},
	{"tools -- ./good.jsonl", 3, `command "./good.jsonl": run ./good.jsonl: permission denied|./good.jsonl must be a program that you may run: chmod +x makes it one`},
	{"tools -- ./script", 3, `command "./script": fork/exec {}/script: exec format error|./script is no program for this machine: a script needs a first line such as #!/bin/sh`},
	{"tools -- false", 3, `the server exited with code 1|run the server's command line by hand to see what it wants`},

	{"call", 2, `no tool is named|mcp-replay tools lists them`},
	{"call t", 2, `no server is named|name the server: -- COMMAND ARG…, --url URL, or --server ID`},
	{"call t x -- x", 2, `argument "x": no name and = in it|write k=v for a string, k:=JSON for anything else`},
	{"call t k:={ -- x", 2, `argument k: not valid JSON|write k=v for a string, k:=JSON for anything else`},
	{"call t k=1 k=2 -- x", 2, `argument k: given twice|write k=v for a string, k:=JSON for anything else`},
	{"call t --args [] -- x", 2, `--args: not a JSON object|give JSON, @FILE, or - for stdin`},
	{"call t --args @nope -- x", 2, `--args: open nope: no such file or directory|give JSON, @FILE, or - for stdin`},
	{"call t --args {} k=v -- x", 2, `arguments are given both as --args and as pairs|use one of the two`},

	{"record -- x", 2, `no file is named|-o FILE says where the cassette goes`},
	{"record -o x.jsonl", 2, `no server is named|name the server: -- COMMAND ARG…, --url URL, or --server ID`},
	{"record -o x.jsonl --twice -- x", 2, `--twice has no use between a host and a server|add --calls FILE or --drive FEATURE`},
	{"record -o x.jsonl --force -- x", 2, `--force has no use between a host and a server: an existing file is left alone|leave --force out`},
	{"record -o x.jsonl --calls a --drive b -- x", 2, `--calls and --drive are both given|use one of the two`},
	{"record -o x.jsonl --calls nope -- x", 2, `--calls: open nope: no such file or directory|a line is {"tool": NAME, "arguments": {…}} or {"method": NAME, "params": {…}}`},
	{"record -o x.jsonl --listen x -- x", 2, `--listen x: listen tcp: address x: missing port in address|--listen HOST:PORT takes a free port; port 0 picks one`},
	{"record -o x.jsonl -- ./nope", 3, `command "./nope": stat ./nope: no such file or directory|./nope must be a program: what stands after -- is the server's command line, word by word`},

	{"play", 2, `no cassette is named|mcp-replay play FILE`},
	{"play good.jsonl x", 2, `unexpected argument "x"|one cassette at a time`},
	{"play good.jsonl --pace x", 2, `--pace: "x" is not one of none, recorded, and a factor such as 10x|mcp-replay play --help shows what there is`},
	{"play good.jsonl --match x", 2, `--match: "x" is not one of meaning, strict and method|mcp-replay play --help shows what there is`},
	{"play good.jsonl --fault x", 2, `--fault: "x" is not one of delay, drop, error, garbage, truncate, slow, disconnect and exit|mcp-replay play --help shows how a fault is written`},
	{"play good.jsonl --redact (", 2, "--redact: redaction pattern \"\": error parsing regexp: missing closing ): `(`|patterns are regular expressions of Go's package regexp, pointers start with /"},

	{"verify good.jsonl", 2, `no server is named|name the server: -- COMMAND ARG…, --url URL, or --server ID`},
	{"verify good.jsonl --format x -- x", 2, `--format x: not known|the formats are text, json and junit`},
	{"verify good.jsonl --yes --only-reads -- x", 2, `--yes and --only-reads are both given|use one of the two`},
	{"verify good.jsonl --fill x -- x", 2, `--fill x: no placeholder and variable in it|write --fill '[redacted:KIND:N]=ENVNAME'`},
	{"verify good.jsonl -- x", 1, `not sent without consent, since they may change something: echo|--yes sends them, --only-reads leaves them out`},
	{"verify good.jsonl --yes -- false", 3, `initialize: the server exited with code 1|run the server's command line by hand to see what it wants`},

	{"show good.jsonl --format x", 2, `--format x: not known|the formats are text, json and html`},
	{"show good.jsonl --width -1", 2, `--width -1: not a width|columns are counted from 1`},
	{"show good.jsonl -o good.jsonl", 2, `good.jsonl: exists already|--force writes over it`},
	{"show good.jsonl -o folder --force", 2, `folder: a folder|name a file in it`},
	{"show good.jsonl -o nope/x", 2, `nope/x: no such file or directory|name a file in a folder that can be written to`},

	{"diff good.jsonl", 2, `two sides are compared, and only 1 named|mcp-replay diff A B, or mcp-replay diff A -- COMMAND`},
	{"diff good.jsonl good.jsonl x", 2, `unexpected argument "x"|mcp-replay diff A B, or mcp-replay diff A -- COMMAND`},
	{"diff good.jsonl good.jsonl --fail-on x", 2, `--fail-on x: not known|breaking, permission, behaviour, wording or none`},
	{"diff good.jsonl cmd:", 2, `cmd:: not a command line|write it as 'cmd:COMMAND ARG…'`},

	{"spec good.jsonl --max 0", 2, `--max 0: out of range|give 1 or more`},
	{"shrink good.jsonl", 2, `no command is named|--keep 'CMD': it exits with 0 where the fault is there`},
	{"shrink good.jsonl --keep x --timeout 0", 2, `--timeout and --max-runs are counted from 1|give 1 or more`},
	{"redact good.jsonl --env MCP_REPLAY_UNSET", 2, `--env MCP_REPLAY_UNSET: no such variable is set|set it, so that the value stands on no command line`},
	{"redact good.jsonl -o text", 2, `text: exists already|--force writes over it`},
	{"import nope", 2, `open nope: no such file or directory|check the path: relative ones start at the current folder`},
	{"import good.jsonl", 2, `good.jsonl: a cassette already|mcp-replay show reads it as it is`},
	{"import text", 2, `text: in none of the known formats|mcp-replay import --help lists the formats; --from names one`},
	{"export good.jsonl", 2, `no format is named|--to har or --to go-vcr`},
	{"export good.jsonl --to x", 2, `--to x: not known|--to har or --to go-vcr`},
	{"test nope", 2, `test: stat nope: no such file or directory|check the path: relative ones start at the current folder`},
	{"test folder", 2, `test: no scenario is selected: there is none in folder|a path is a feature or a folder of features; --tags selects among them`},
	{"test --mode record -- x", 2, `--mode record has no use without cassettes|--cassettes DIR says where they are`},
	{"test --format x", 2, `--format x: there is no such format|write NAME or NAME:FILE; there are junit, messages, pretty, progress`},
	{"test --steps=x", 2, `--steps=x: there is no such part of the vocabulary|--steps, or --steps=all`},

	{"servers x", 2, `unknown command "x"|mcp-replay servers --help lists them`},
	{"servers show", 2, `give the id of one server|mcp-replay servers lists them`},
	{"servers show x", 2, `no server has the id "x"|mcp-replay servers lists them; servers add x makes one`},
	{"servers remove x", 2, `no server has the id "x"|mcp-replay servers lists them; servers add x makes one`},
	{"servers enable x", 2, `no server has the id "x"|mcp-replay servers lists them; servers add x makes one`},
	{"servers approve x", 2, `give the id of a server and the names of tools|mcp-replay tools --server ID lists them`},
	{"servers add x", 2, `no command and no --url is given|write it as servers add ID -- COMMAND ARG…, or servers add ID --url URL`},
	{"servers add x --url https://h -- y", 2, `both a command and --url are given|use one of the two`},
	{"servers import", 2, `give one file|mcp-replay servers import FILE, or - for stdin`},
	{"servers import nope", 2, `open nope: no such file or directory|check the path: relative ones start at the current folder`},
}

// workplace makes the folder that the rows above are run in, and gives the names in it.
func workplace(t *testing.T) (dir string, names func() string) {
	dir = t.TempDir()
	t.Chdir(dir)
	t.Setenv("IMURUN_HOME", filepath.Join(dir, "folder", "home"))
	header, _, _ := strings.Cut(goodCassette, "\n")
	for name, text := range map[string]string{
		"good.jsonl": goodCassette, "text": "hello", "script": "hello",
		"empty": "", "blank": "\n\n", "cut": goodCassette[:len(goodCassette)-30], "cutheader": header[:50], "header": header + "\n",
		"damaged": header + "\n{\"at\":\n" + goodCassette[len(header)+1:], "newer": strings.Replace(goodCassette, ":1,", ":9,", 1),
		"binary": "\x00\xff\xfe\x80\n", "utf16": "\xff\xfe{\x00}\x00", "object": "{}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Chmod("script", 0o755), os.Mkdir("folder", 0o755)); err != nil {
		t.Fatal(err)
	}
	return dir, func() string {
		entries, err := os.ReadDir(".")
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, e := range entries {
			all = append(all, e.Name())
		}
		return strings.Join(all, " ")
	}
}

func TestMisuse(t *testing.T) {
	dir, names := workplace(t)
	before := names()
	for _, test := range misuse {
		t.Run(test.args, func(t *testing.T) {
			line, hint, _ := strings.Cut(strings.ReplaceAll(test.stderr, "{}", dir), "|")
			want := "mcp-replay: " + line + "\nhint: " + hint + "\n"
			code, stdout, stderr := runHere(t, strings.Split(test.args, " ")...)
			if stderr != want {
				t.Errorf("stderr is\n%swant\n%s", stderr, want)
			}
			if code != test.code || stdout != "" {
				t.Errorf("exit code %d and stdout %q, want %d and nothing", code, stdout, test.code)
			}
			if after := names(); after != before {
				t.Errorf("it leaves %s, where there was %s", after, before)
			}
		})
	}
}

// TestEveryVerbRefusesUnknownFlags also finds verbs that the table above forgets.
func TestEveryVerbRefusesUnknownFlags(t *testing.T) {
	workplace(t)
	listed := make(map[string]bool)
	for _, row := range misuse {
		verb, _, _ := strings.Cut(row.args, " ")
		listed[verb] = true
	}
	seen := make(map[string]bool)
	for _, cmd := range newRoot(&streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}, "").Commands() {
		verb := cmd.Name()
		if seen[verb] {
			t.Errorf("%s is there twice", verb)
		}
		seen[verb] = true
		if !listed[verb] {
			t.Errorf("%s has no row in the table of misuse", verb)
		}
		code, stdout, stderr := runHere(t, verb, "--frob")
		if want := "mcp-replay: unknown flag: --frob\nhint: --help after the command shows what it takes\n"; code != 2 || stdout != "" || stderr != want {
			t.Errorf("%s --frob: exit code %d\n%s%s", verb, code, stdout, stderr)
		}
		if code, stdout, _ := runHere(t, verb, "--help"); code != 0 || !strings.Contains(stdout, "Usage:") {
			t.Errorf("%s --help: exit code %d\n%s", verb, code, stdout)
		}
	}
}

// Each verb that reads a cassette says of each bad one what is wrong with it (REP-10).
func TestBadCassettes(t *testing.T) {
	_, names := workplace(t)
	before := names()
	const notJSON = "hint: a cassette's lines are JSON, as docs/cassette-format.md describes them; mcp-replay import takes other formats\n"
	bad := []struct{ file, want string }{
		{"nope", "nope: no such file\nhint: mcp-replay record -o FILE makes a cassette\n"},
		{"folder", "folder: a folder, not a cassette\nhint: name one cassette in it\n"},
		{"empty", "empty: the cassette is empty\nhint: record it again\n"},
		{"blank", "blank: the cassette is empty\nhint: record it again\n"},
		{"newer", "newer: cassette version 9 is newer than this program reads (1)\nhint: a newer mcp-replay reads it\n"},
		{"damaged", "damaged:2: damaged cassette: column 7: the line ends where a value is due\n" + notJSON},
		{"cutheader", "cutheader:1: damaged cassette: the header is cut off: column 49: a string that does not end\n" + notJSON},
		{"text", "text:1: damaged cassette: column 1: 'h' where an object is due\n" + notJSON},
		{"object", "object:1: damaged cassette: the first line has no \"cassette\" key: this is not a cassette\n" + notJSON},
		{"binary", "binary:1: damaged cassette: bytes that are not UTF-8\n" + notJSON},
		{"utf16", "utf16:1: damaged cassette: the file is UTF-16; a cassette is UTF-8\n" + notJSON},
	}
	for _, verb := range []string{"show {}", "play {}", "verify --yes {} -- x", "diff {} good.jsonl", "diff good.jsonl {}", "spec {} -o out",
		"shrink {} -o out --keep true", "redact {}", "redact --check {}", "export --to har {} -o out"} {
		for _, b := range bad {
			args := strings.ReplaceAll(verb, "{}", b.file)
			code, stdout, stderr := runHere(t, strings.Split(args, " ")...)
			if want := "mcp-replay: " + b.want; code != 2 || stdout != "" || stderr != want {
				t.Errorf("%s: exit code %d\n%s%swant exit code 2\n%s", args, code, stdout, stderr, want)
			}
		}
	}
	for _, verb := range []string{"play header", "verify --yes header -- x"} {
		code, stdout, stderr := runHere(t, strings.Split(verb, " ")...)
		if want := "mcp-replay: header: the cassette is empty\nhint: record it again\n"; code != 2 || stdout != "" || stderr != want {
			t.Errorf("%s: exit code %d\n%s%swant exit code 2\n%s", verb, code, stdout, stderr, want)
		}
	}
	if after := names(); after != before {
		t.Errorf("what is there: %s, where there was %s", after, before)
	}
}

// A cassette that was cut off is taken up to its last whole frame, and every verb says so (REP-10).
func TestCutCassettesAreNamed(t *testing.T) {
	workplace(t)
	for _, verb := range []string{"show cut", "play cut", "verify --yes cut -- false", "diff cut good.jsonl", "spec cut", "redact --check cut",
		"shrink cut --keep true", "export --to har cut"} {
		_, stdout, stderr := runHere(t, strings.Split(verb, " ")...)
		if !strings.Contains(stdout+stderr, "cut off") && !strings.Contains(stderr, "ends inside a line") {
			t.Errorf("%s says nothing of it:\n%s%s", verb, stdout, stderr)
		}
	}
}

// fullDisk is a stdout that takes nothing.
type fullDisk struct{ err error }

func (f fullDisk) Write([]byte) (int, error) { return 0, f.err }

// A result that did not get to where it goes is no success; a reader that has had enough is no failure.
func TestResultsThatGoNowhere(t *testing.T) {
	workplace(t)
	for _, verb := range []string{"show good.jsonl", "show good.jsonl --format json", "redact --check good.jsonl", "spec good.jsonl",
		"export --to har good.jsonl", "diff good.jsonl good.jsonl", "test --steps", "servers", "servers --json", "--help", "--version"} {
		var stderr bytes.Buffer
		s := &streams{in: strings.NewReader(""), out: fullDisk{syscall.ENOSPC}, err: &stderr, width: 80}
		code := run(t.Context(), strings.Fields(verb), s)
		if code != 2 || !strings.Contains(stderr.String(), "no space left on device\nhint: make room there, or write elsewhere\n") {
			t.Errorf("%s on a full disk: exit code %d\n%s", verb, code, stderr.String())
		}
	}
	s := &streams{in: strings.NewReader(""), out: fullDisk{syscall.EPIPE}, err: io.Discard, width: 80}
	if code := run(t.Context(), []string{"redact", "--check", "good.jsonl"}, s); code != 0 {
		t.Errorf("a reader that has gone: exit code %d", code)
	}
}

// What a server says reaches the terminal as text, not as commands to it.
func TestPlain(t *testing.T) {
	const text = "a\x1b]0;title\x07b\u202e\tc\nd é\u009b"
	if got, want := plain(text), `a\u001b]0;title\u0007b\u202e`+"\tc\nd é"+`\u009b`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := plain("a\u200bb\u2028\U000e0041 👩\u200d💻 a\u200db"), `a\u200bb\u2028\U000e0041 `+"👩\u200d💻"+` a\u200db`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := plainLine("a\nb\tc\xff"), `a\u000ab\u0009c`+"\ufffd"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A verb is found by its name alone, and made without the others.
func TestVerbsHaveTheirNames(t *testing.T) {
	s := &streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}
	for _, v := range verbs {
		if made := newRoot(s, v.name).Commands(); len(made) != 1 || made[0].Name() != v.name {
			t.Errorf("%s: %d commands, the first is %s", v.name, len(made), made[0].Name())
		}
	}
	if all := newRoot(s, "no such verb").Commands(); len(all) != len(verbs) {
		t.Errorf("%d commands, not %d", len(all), len(verbs))
	}
}
