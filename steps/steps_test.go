package steps_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/imurun/mcp-replay/steps"
	"github.com/imurun/mcp-replay/steps/fake"
)

func TestMain(m *testing.M) {
	fake.Main()
	os.Exit(m.Run())
}

// keywords in the order in which an area's steps stand.
var keywords = []string{"Given", "When", "Then"}

func TestVocabulary(t *testing.T) {
	all := steps.All()
	last, area := 0, ""
	for _, e := range all.Entries() {
		if e.Area != area {
			last, area = 0, e.Area
		}
		first, _, _ := strings.Cut(e.Example, "\n")
		keyword, text, _ := strings.Cut(first, " ")
		switch at := slices.Index(keywords, keyword); {
		case at < 0:
			t.Errorf("%s: %s: the example begins with none of %s", area, e.Step.Pattern, strings.Join(keywords, ", "))
		case at < last:
			t.Errorf("%s: %s: a %s stands after a %s; the order is %s", area, e.Step.Pattern, keyword, keywords[last], strings.Join(keywords, ", "))
		default:
			last = at
		}
		if !strings.HasSuffix(e.Doc, ".") || len(e.Doc) < 15 {
			t.Errorf("%s: %s: the doc is no sentence: %q", area, e.Step.Pattern, e.Doc)
		}
		matches := all.Match(text)
		if len(matches) != 1 || matches[0].Step.Pattern != e.Step.Pattern {
			var names []string
			for _, m := range matches {
				names = append(names, m.Step.Pattern)
			}
			t.Errorf("%s: %s: the example matches %q, and not this step alone", area, e.Step.Pattern, names)
		}
		if hasArgument := strings.Contains(e.Example, "\n  "); hasArgument != strings.HasSuffix(text, ":") {
			t.Errorf("%s: %s: the example has an argument below it where it ends in a colon, and only there", area, e.Step.Pattern)
		}
	}
}
