package meaning

import (
	"bytes"
	"iter"
	"strconv"
	"strings"
)

// A Delta is one place where two values differ.
type Delta struct {
	Pointer  string // JSON Pointer (RFC 6901)
	Recorded []byte // nil: only the live value has this place
	Live     []byte // nil: only the recorded value has it
	Spelling bool   // the two mean the same number and spell it in different ways
}

// maxCompareDepth is how deep Compare looks for the place of a difference; below it, values are told apart as a whole. A walk
// passes over what lies below it once for each level, and nesting without limit would make that a walk without end.
const maxCompareDepth = 100

// Comparison says how two values are compared. The zero value compares by meaning alone.
type Comparison struct {
	// Leaf, where it is set, is asked about two different values that are not both objects or both arrays; true takes them for equal.
	Leaf func(pointer string, recorded, live []byte) bool
	// Skip, where it is set, is asked for each place; true leaves it out, with all below it.
	Skip func(pointer string) bool
	// Set, where it is set, is asked about two arrays; true compares them without regard to the order of their elements,
	// which are told apart by the hash or name that key gives.
	Set func(pointer string) (key func(element []byte) uint64)
	// Max is how many differences are kept; 0 means all.
	Max int

	deltas []Delta
}

// Compare gives the places at which two values differ, in the order of the recorded value.
func Compare(recorded, live []byte) []Delta { return new(Comparison).Run("", recorded, live) }

// Run gives the places at which the values differ; their pointers begin with the given one.
func (c *Comparison) Run(pointer string, recorded, live []byte) []Delta {
	c.deltas = nil
	c.value(pointer, trim(recorded), trim(live), 0)
	return c.deltas
}

func trim(v []byte) []byte { return bytes.Trim(v, " \t\r\n") }

func (c *Comparison) full() bool { return c.Max > 0 && len(c.deltas) >= c.Max }

func (c *Comparison) add(d Delta) {
	if !c.full() {
		c.deltas = append(c.deltas, d)
	}
}

func (c *Comparison) value(pointer string, recorded, live []byte, depth int) {
	if bytes.Equal(recorded, live) || c.full() || c.Skip != nil && c.Skip(pointer) {
		return
	}
	if len(recorded) == 0 || len(live) == 0 {
		c.leaf(pointer, recorded, live)
		return
	}
	a, b := recorded[0], live[0]
	switch {
	case depth == maxCompareDepth:
		if Hash(recorded) != Hash(live) {
			c.leaf(pointer, recorded, live)
		}
	case a == '{' && b == '{':
		c.object(pointer, recorded, live, depth)
	case a == '[' && b == '[':
		c.array(pointer, recorded, live, depth)
	case isNumber(a) && isNumber(b) && parseNumber(recorded).equal(parseNumber(live)):
		c.add(Delta{pointer, recorded, live, true})
	case a == '"' && b == '"' && hashString(recorded) == hashString(live):
	default:
		c.leaf(pointer, recorded, live)
	}
}

func (c *Comparison) leaf(pointer string, recorded, live []byte) {
	if c.Leaf == nil || !c.Leaf(pointer, recorded, live) {
		c.add(Delta{Pointer: pointer, Recorded: recorded, Live: live})
	}
}

func (c *Comparison) object(pointer string, recorded, live []byte, depth int) {
	// Repeated names are paired in their order.
	type place struct{ start, end int }
	theirs := make(map[string][]place)
	for m := range Members(live) {
		name := Text(m.Name)
		theirs[name] = append(theirs[name], place{m.Start, m.End})
	}
	for m := range Members(recorded) {
		name := Text(m.Name)
		at := pointer + "/" + Escape(name)
		value := recorded[m.Start:m.End]
		if left := theirs[name]; len(left) > 0 {
			theirs[name] = left[1:]
			c.value(at, value, live[left[0].start:left[0].end], depth+1)
		} else if c.Skip == nil || !c.Skip(at) {
			c.leaf(at, value, nil)
		}
	}
	for m := range Members(live) {
		name := Text(m.Name)
		left := theirs[name]
		if len(left) == 0 || left[0].start != m.Start {
			continue
		}
		theirs[name] = left[1:]
		if at := pointer + "/" + Escape(name); c.Skip == nil || !c.Skip(at) {
			c.leaf(at, nil, live[m.Start:m.End])
		}
	}
}

func (c *Comparison) array(pointer string, recorded, live []byte, depth int) {
	if c.Set != nil {
		if key := c.Set(pointer); key != nil {
			c.set(pointer, recorded, live, key, depth)
			return
		}
	}
	i := 0
	step, stop := iter.Pull(Members(live))
	defer stop()
	for m := range Members(recorded) {
		at := pointer + "/" + strconv.Itoa(i)
		value := recorded[m.Start:m.End]
		if other, ok := step(); ok {
			c.value(at, value, live[other.Start:other.End], depth+1)
		} else if c.Skip == nil || !c.Skip(at) {
			c.leaf(at, value, nil)
		}
		i++
		if c.full() {
			return
		}
	}
	for ; !c.full(); i++ {
		other, ok := step()
		if !ok {
			return
		}
		if at := pointer + "/" + strconv.Itoa(i); c.Skip == nil || !c.Skip(at) {
			c.leaf(at, nil, live[other.Start:other.End])
		}
	}
}

// set pairs elements by key; a pointer names the element by its place on the side that has it.
func (c *Comparison) set(pointer string, recorded, live []byte, key func([]byte) uint64, depth int) {
	type place struct{ start, end, index int }
	theirs := make(map[uint64][]place)
	i := 0
	for m := range Members(live) {
		k := key(live[m.Start:m.End])
		theirs[k] = append(theirs[k], place{m.Start, m.End, i})
		i++
	}
	i = 0
	for m := range Members(recorded) {
		at := pointer + "/" + strconv.Itoa(i)
		value := recorded[m.Start:m.End]
		i++
		k := key(value)
		if left := theirs[k]; len(left) > 0 {
			theirs[k] = left[1:]
			c.value(at, value, live[left[0].start:left[0].end], depth+1)
		} else if c.Skip == nil || !c.Skip(at) {
			c.leaf(at, value, nil)
		}
	}
	i = 0
	for m := range Members(live) {
		value := live[m.Start:m.End]
		k := key(value)
		if left := theirs[k]; len(left) > 0 && left[0].index == i {
			theirs[k] = left[1:]
			if at := pointer + "/" + strconv.Itoa(i); c.Skip == nil || !c.Skip(at) {
				c.leaf(at, nil, value)
			}
		}
		i++
	}
}

func isNumber(c byte) bool { return c == '-' || '0' <= c && c <= '9' }

// Escape writes a name as one step of a JSON Pointer.
func Escape(name string) string {
	if !strings.ContainsAny(name, "~/") {
		return name
	}
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}
