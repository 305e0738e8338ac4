package demo

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// note is one page of the notebook.
type note struct {
	Title string
	Text  string
}

// notebook is what the tools work on. Its notes keep the order in which they were written.
type notebook struct {
	mu    sync.Mutex // guards notes
	notes []note
}

func newNotebook() *notebook {
	return &notebook{notes: []note{
		{Title: "Groceries", Text: "Milk, bread, apples."},
		{Title: "Birthdays", Text: "Ada: 10 December.\nGrace: 9 December."},
	}}
}

// titles lists the notes, a line each.
func (n *notebook) titles() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.notes) == 0 {
		return "The notebook is empty."
	}
	titles := make([]string, len(n.notes))
	for i, note := range n.notes {
		titles[i] = note.Title
	}
	return strings.Join(titles, "\n")
}

// find gives the note of that title.
func (n *notebook) find(title string) (note, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	i := n.index(title)
	if i < 0 {
		return note{}, fmt.Errorf("no note is named %q", title)
	}
	return n.notes[i], nil
}

// add writes a note, over an older one of the same title.
func (n *notebook) add(added note) (replaced bool, err error) {
	if added.Title == "" {
		return false, fmt.Errorf("a note needs a title")
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if i := n.index(added.Title); i >= 0 {
		n.notes[i] = added
		return true, nil
	}
	n.notes = append(n.notes, added)
	return false, nil
}

// remove tears a note out.
func (n *notebook) remove(title string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	i := n.index(title)
	if i < 0 {
		return fmt.Errorf("no note is named %q", title)
	}
	n.notes = slices.Delete(n.notes, i, i+1)
	return nil
}

// count says how many notes there are and how many characters they hold.
func (n *notebook) count() (notes, characters int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, note := range n.notes {
		characters += utf8.RuneCountInString(note.Text)
	}
	return len(n.notes), characters
}

// index is where the note of that title stands, or -1. The caller holds mu.
func (n *notebook) index(title string) int {
	return slices.IndexFunc(n.notes, func(it note) bool { return it.Title == title })
}

// line is what the printed notebook repeats. Its characters are not all one byte long, so that who counts bytes
// instead of characters is found out.
const line = "The notebook goes on, line after line – naïve, but exact.\n"

// printed is the notebook as one text of that many characters.
func printed(characters int) string {
	whole, rest := characters/utf8.RuneCountInString(line), characters%utf8.RuneCountInString(line)
	return strings.Repeat(line, whole) + string([]rune(line)[:rest])
}
