package timeline

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"github.com/imurun/mcp-replay/replay"
)

func page(t *testing.T, cassette, name string) string {
	t.Helper()
	r, err := replay.NewReader(strings.NewReader(cassette), name)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := WriteHTML(&out, r, &HTMLOptions{Name: name}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var (
	scripts = regexp.MustCompile(`(?s)<script([^>]*)>(.*?)</script>`)
	number  = regexp.MustCompile(`data-(first|frames)="(\d+)"`)
)

// rawLines unpacks the frames that a page keeps, as its script does.
func rawLines(t *testing.T, page string) []string {
	t.Helper()
	var lines []string
	for _, s := range scripts.FindAllStringSubmatch(page, -1) {
		if !strings.Contains(s[1], `class="raw"`) {
			continue
		}
		packed, err := base64.StdEncoding.DecodeString(s[2])
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
		if err != nil {
			t.Fatal(err)
		}
		block := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
		var at [2]int
		for i, m := range number.FindAllStringSubmatch(s[1], 2) {
			at[i], _ = strconv.Atoi(m[2])
		}
		if at != [2]int{len(lines) + 1, len(block)} {
			t.Fatalf("a block says that it has %d frames from %d, and has %d from %d", at[1], at[0], len(block), len(lines)+1)
		}
		lines = append(lines, block...)
	}
	return lines
}

func TestPageKeepsEveryFrame(t *testing.T) {
	var cassette strings.Builder
	cassette.WriteString(header)
	for i := range 5000 {
		fmt.Fprintf(&cassette, `{"at":%d.000000,"from":"client","message":{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo","arguments":{"n":%d,"pad":"%s"}}}}`+"\n",
			i, i, i, strings.Repeat("<é>", 40))
		fmt.Fprintf(&cassette, `{"at":%d.500000,"from":"server","message":{"jsonrpc":"2.0","id":%d,"result":{"content":[]}}}`+"\n", i, i)
	}
	want := strings.Split(strings.TrimSpace(cassette.String()), "\n")[1:]
	if d := cmp.Diff(want, rawLines(t, page(t, cassette.String(), "x"))); d != "" {
		t.Error(d)
	}
}

func TestPageEntries(t *testing.T) {
	var entries [][]any
	for _, s := range scripts.FindAllStringSubmatch(page(t, session1, "x"), -1) {
		if strings.Contains(s[1], "entries") {
			var block [][]any
			if err := json.Unmarshal([]byte(s[2]), &block); err != nil {
				t.Fatal(err)
			}
			entries = append(entries, block...)
		}
	}
	if len(entries) != 20 {
		t.Fatalf("%d entries, want one a frame: 20", len(entries))
	}
	// The answer of echo: frame 9, at 1.3 s, of the request that is entry 5, ok.
	want := []any{9.0, 1300000.0, float64(KindRequest), 2.0, 0.0, entries[5][5], "Echo: hi", 5.0, float64(OK)}
	if d := cmp.Diff(want, entries[8]); d != "" {
		t.Error(d)
	}
}

// What a server sent can end no element of the page and start none.
func TestPageIsInert(t *testing.T) {
	evil := `</script><script>alert(1)</script><img src=x onerror=alert(2)>`
	quoted := `"` + strings.ReplaceAll(evil, `"`, `\"`) + `"`
	p := page(t, header+`{"at":1,"from":"client","message":{"jsonrpc":"2.0","id":1,"method":`+quoted+`,"params":{"x":`+quoted+`}}}
{"at":2,"from":"server","noise":`+quoted+`}
`, evil)
	if strings.Contains(p, "<img") || strings.Contains(p, "alert(1)</script>") {
		t.Error("what a server sent stands in the page as markup")
	}
	for _, s := range scripts.FindAllStringSubmatch(p, -1) {
		if s[1] == "" && s[2] != pageJS {
			t.Errorf("a script that is not the page's: %.80s", s[2])
		}
	}
}

// The page's policy allows its own script and style, nothing else, and no address stands in them.
func TestPageStandsAlone(t *testing.T) {
	p := page(t, session1, "x")
	for _, s := range []string{pageJS, pageCSS} {
		if sum := sha256.Sum256([]byte(s)); !strings.Contains(p, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
			t.Error("the policy does not allow the page's own script or style")
		}
		if !strings.Contains(p, s) {
			t.Error("script or style are not in the page as they were hashed")
		}
		if regexp.MustCompile(`https?://|@import|url\(`).MatchString(s) {
			t.Error("script or style name an address")
		}
	}
	if !strings.Contains(p, `default-src 'none'`) {
		t.Error("the policy allows more than the page needs")
	}
}
