package steps_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/imurun/mcp-replay/steps"
)

func TestWorldEnds(t *testing.T) {
	w := steps.NewWorld(nil, steps.Scenario{Name: "ends"})
	dir, err := w.Dir()
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	w.Cleanup(func() error { order = append(order, "first"); return errors.New("first fails") })
	w.Cleanup(func() error { panic("out of cheese") })
	w.AtEnd(func(passed bool) error {
		if !passed {
			t.Error("the steps have passed")
		}
		order = append(order, "last")
		return nil
	})
	w.Notice("the call of %q fails", "a").Mention()
	w.Notice("the call of %q fails", "b")
	err = w.Close(true)
	want := "the end of the scenario panicked: out of cheese\nfirst fails\nno step has mentioned it: the call of \"b\" fails"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if got := strings.Join(order, " "); got != "last first" {
		t.Errorf("order: %s", got)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder is left: %v", err)
	}
	if err := w.Close(true); err != nil {
		t.Errorf("the second time: %v", err)
	}
}

func TestExpand(t *testing.T) {
	w := steps.NewWorld(nil, steps.Scenario{})
	w.Define("url", "http://{dir}")
	w.Define("server", "a b")
	dir, err := w.Dir()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close(true)
	for text, want := range map[string]string{
		`{"a":{}}`:                   `{"a":{}}`,
		"{url} {server} {nobody}":    "http://{dir} a b {nobody}",
		"{dir}/x":                    dir + "/x",
		"<@@REPEAT 3 é@@>":           "<ééé>",
		"@@REPEAT 2 a b@@@@ID:x@@":   "a ba b@@ID:x@@",
		"no braces, @@ID:initialize": "no braces, @@ID:initialize",
	} {
		if got := w.Expand(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestCassettePath(t *testing.T) {
	c := &steps.Cassettes{Dir: "tapes"}
	for _, x := range []struct{ feature, name, want string }{
		{"features/notes.feature", "A note is kept", "tapes/notes/a-note-is-kept.jsonl"},
		{"./features/server/notes.feature", "A note: kept!", "tapes/server/notes/a-note-kept.jsonl"},
		{"server/notes.feature", "It's ünïcode", "tapes/server/notes/it-s-ünïcode.jsonl"},
		{"/home/x/features/a/b.feature", "1", "tapes/a/b/1.jsonl"},
		{"/home/x/b.feature", "../../etc/passwd", "tapes/b/etc-passwd.jsonl"},
		{"../b.feature", "x", "tapes/b/x.jsonl"},
		{"features.feature", "x", "tapes/features/x.jsonl"},
		{"b.feature", strings.Repeat("a", 200), "tapes/b/" + strings.Repeat("a", 80) + ".jsonl"},
	} {
		got, err := c.Path(steps.Scenario{Feature: x.feature, Name: x.name})
		if err != nil || filepath.ToSlash(got) != x.want {
			t.Errorf("%s, %s: got %s (%v), want %s", x.feature, x.name, got, err, x.want)
		}
	}
	if _, err := c.Path(steps.Scenario{Feature: "a.feature", Name: "?!", Line: 3}); err == nil {
		t.Error("a scenario without letters has a cassette")
	}
}
