// Package diff says what changed between two servers' tools, or between two recordings, and how much it matters.
//
// [Tools] compares two lists of tools as servers give them; [Recordings] compares what two cassettes tell: the
// handshake, the tools, and the answers to the requests that both have. Every change has a [Class]:
//
//   - breaking: a tool or an argument is gone, an argument is newly required, a type takes less than it did, the
//     shape of the output is another
//   - permission: the hints say less than they did, so that a host would no longer ask before a call: the
//     "rug pull", by which a tool that was approved turns into another
//   - behaviour: whatever else a program could notice
//   - wording: titles and descriptions, which people and models read. They are given in full, and what hides
//     in them (invisible and bidirectional characters) is named
//
// Lists that are sets in JSON Schema (required, enum, type, the tools themselves) are compared as sets, and the walk
// goes on below every change: a small one at the top hides nothing.
package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/replay/internal/display"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// Class is how much a change matters. A greater one matters more.
type Class uint8

// The classes.
const (
	None Class = iota
	Wording
	Behaviour
	Permission
	Breaking
)

var classNames = [...]string{None: "none", Wording: "wording", Behaviour: "behaviour", Permission: "permission", Breaking: "breaking"}

func (c Class) String() string { return classNames[c] }

// ParseClass reads the name of a class; "behavior" is understood, too.
func ParseClass(s string) (Class, error) {
	if s == "behavior" {
		return Behaviour, nil
	}
	for c, name := range classNames {
		if name == s {
			return Class(c), nil
		}
	}
	return None, fmt.Errorf("class %q: must be breaking, permission, behaviour, wording or none", s)
}

// Change is one thing that changed.
type Change struct {
	Class   Class
	Tool    string         // the tool's name; empty where the change is not about one
	Pointer string         // a JSON Pointer into the tool's definition, or into the answer of a request
	What    string         // a sentence for people
	Before  jsontext.Value // nil where it was not there
	After   jsontext.Value // nil where it is no longer there
	Notes   []string       // what a reader would overlook, such as invisible characters
}

// Report is what changed between two sides.
type Report struct {
	Changes    []Change // worst first
	Compared   int      // requests that both recordings have
	OnlyBefore int      // requests that only the first recording has
	OnlyAfter  int      // requests that only the second has
	Notes      []string // what was not compared, and why
}

// Worst is the class of the change that matters most.
func (r *Report) Worst() Class {
	worst := None
	for _, c := range r.Changes {
		worst = max(worst, c.Class)
	}
	return worst
}

// Count is the number of changes of one class.
func (r *Report) Count(class Class) int {
	n := 0
	for _, c := range r.Changes {
		if c.Class == class {
			n++
		}
	}
	return n
}

func (r *Report) add(c Change) { r.Changes = append(r.Changes, c) }

// sort puts the changes that matter most first, and those of one tool together.
func (r *Report) sort() {
	slices.SortStableFunc(r.Changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(b.Class, a.Class), strings.Compare(a.Tool, b.Tool))
	})
}

// wordingChange is a change of a text that people and models read.
func wordingChange(tool, pointer, what string, before, after jsontext.Value) Change {
	return Change{Class: Wording, Tool: tool, Pointer: pointer, What: what, Before: before, After: after, Notes: hiddenNotes(before, after)}
}

// hiddenNotes names what hides in the new text and did not in the old one.
func hiddenNotes(before, after jsontext.Value) []string {
	text, old := allText(after), allText(before)
	marks := display.Hidden(text)
	if len(marks) == 0 {
		return nil
	}
	var notes []string
	if found := display.Describe(marks); strings.Join(found, "|") != strings.Join(display.Describe(display.Hidden(old)), "|") {
		notes = append(notes, "hidden in the new text: "+strings.Join(found, ", "))
	}
	if smuggled := display.Smuggled(text); smuggled != "" && smuggled != display.Smuggled(old) {
		notes = append(notes, "the tag characters spell: "+smuggled)
	}
	return notes
}

// allText joins the strings in v, names included.
func allText(v jsontext.Value) string {
	if v.Kind() == '"' {
		return meaning.Text(v)
	}
	var b strings.Builder
	for start, end := range meaning.Strings(v) {
		b.WriteString(meaning.Text(v[start:end]) + "\n")
	}
	return b.String()
}
