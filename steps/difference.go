package steps

import "strings"

// difference shows where two lists of lines differ, from the first difference to the last: those wanted with a -, those
// that are there with a +. It is empty where they are the same.
func difference(want, got []string) string {
	start := 0
	for start < len(want) && start < len(got) && want[start] == got[start] {
		start++
	}
	wantEnd, gotEnd := len(want), len(got)
	for wantEnd > start && gotEnd > start && want[wantEnd-1] == got[gotEnd-1] {
		wantEnd--
		gotEnd--
	}
	if wantEnd == start && gotEnd == start {
		return ""
	}
	var b strings.Builder
	write := func(mark string, lines []string) {
		for _, line := range lines {
			b.WriteString(mark + line + "\n")
		}
	}
	write("  ", want[max(start-differenceContext, 0):start])
	write("- ", want[start:wantEnd])
	write("+ ", got[start:gotEnd])
	write("  ", want[wantEnd:min(wantEnd+differenceContext, len(want))])
	return b.String()
}

// differenceContext is how many lines are shown before and after a difference.
const differenceContext = 2
