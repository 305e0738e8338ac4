package diff

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// limits compares the least and the greatest numbers that two schemas take.
func (w *walk) limits(pointer string, a, b jsontext.Value) {
	whole := wholeNumbers(a) && wholeNumbers(b)
	for _, side := range []struct {
		plain, strict string
		raised        effect
	}{{"minimum", "exclusiveMinimum", narrower}, {"maximum", "exclusiveMaximum", wider}} {
		up := side.raised == narrower
		w.limit(pointer, limitOf(a, side.plain, side.strict, up, whole), limitOf(b, side.plain, side.strict, up, whole), side.raised)
	}
}

// limit is the tighter one of a limit and an exclusive limit.
type limit struct {
	key    string // empty where there is none
	value  jsontext.Value
	number *big.Rat // nil where it is no number that can be read
	strict bool     // the number itself is not taken
}

func limitOf(schema jsontext.Value, plain, strict string, up, whole bool) limit {
	at, beyond := jsontext.Value(meaning.At(schema, plain)), jsontext.Value(meaning.At(schema, strict))
	var l limit
	if !isNull(at) {
		l = limit{key: plain, value: at}
		l.number, _ = number(at)
	}
	switch {
	case beyond.Kind() == 't' && l.key != "": // draft 4
		l.key, l.strict = strict, true
	case beyond.Kind() == 't', beyond.Kind() == 'f', isNull(beyond):
	default:
		x := limit{key: strict, value: beyond, strict: true}
		x.number, _ = number(beyond)
		if l.number == nil || x.number == nil || up && x.number.Cmp(l.number) >= 0 || !up && x.number.Cmp(l.number) <= 0 {
			l = x
		}
	}
	if whole && l.strict && l.number != nil && l.number.IsInt() {
		step := int64(-1)
		if up {
			step = 1
		}
		l.number, l.strict = new(big.Rat).Add(l.number, big.NewRat(step, 1)), false
	}
	return l
}

// wholeNumbers says whether a schema takes no numbers but whole ones.
func wholeNumbers(schema jsontext.Value) bool {
	types := typeSet(meaning.At(schema, "type"))
	return slices.Contains(types, "integer") && !slices.Contains(types, "number")
}

func (w *walk) limit(pointer string, a, b limit, raised effect) {
	what := changedWhat(b.key, a.value, b.value)
	if a.key != b.key && a.key != "" && b.key != "" {
		what = fmt.Sprintf("%s was %s, and %s is %s", a.key, short(a.value), b.key, short(b.value))
	}
	at := pointer + "/" + b.key
	switch {
	case a.key == b.key && same(a.value, b.value):
	case a.key == "":
		w.change(narrower, at, what, nil, b.value)
	case b.key == "":
		w.change(wider, pointer+"/"+a.key, changedWhat(a.key, a.value, nil), a.value, nil)
	case a.number == nil || b.number == nil:
		w.change(other, at, what, a.value, b.value)
	default:
		switch order := b.number.Cmp(a.number); {
		case order == 0 && a.strict == b.strict:
		case order == 0 && b.strict:
			w.change(narrower, at, what, a.value, b.value)
		case order == 0:
			w.change(wider, at, what, a.value, b.value)
		case order > 0:
			w.change(raised, at, what, a.value, b.value)
		default:
			w.change(narrower+wider-raised, at, what, a.value, b.value)
		}
	}
}

// bound compares a limit; raised says what a greater number does to what is taken.
func (w *walk) bound(pointer, key string, a, b jsontext.Value, raised effect) {
	lowered := narrower + wider - raised
	if key != "minContains" && raised == narrower && (string(a) == "0" && isNull(b) || isNull(a) && string(b) == "0") {
		return // the least that there is
	}
	was, ok := number(a)
	now, okNow := number(b)
	switch {
	case same(a, b):
	case isNull(a):
		w.change(narrower, pointer, changedWhat(key, a, b), a, b)
	case isNull(b):
		w.change(wider, pointer, changedWhat(key, a, b), a, b)
	case !ok || !okNow:
		w.change(other, pointer, changedWhat(key, a, b), a, b)
	case now.Cmp(was) > 0:
		w.change(raised, pointer, changedWhat(key, a, b), a, b)
	default:
		w.change(lowered, pointer, changedWhat(key, a, b), a, b)
	}
}

// number reads a number exactly; one that would fill the memory is none.
func number(v jsontext.Value) (*big.Rat, bool) {
	if v.Kind() != '0' || len(v) > 60 {
		return nil, false
	}
	if i := strings.IndexAny(string(v), "eE"); i >= 0 && len(v)-i > 4 {
		return nil, false
	}
	return new(big.Rat).SetString(string(v))
}

func (w *walk) constraint(pointer, key string, a, b jsontext.Value) {
	switch {
	case same(a, b), key == "uniqueItems" && a.Kind() != 't' && b.Kind() != 't':
	case isNull(b), key == "uniqueItems" && b.Kind() == 'f':
		w.change(wider, pointer, changedWhat(key, a, b), a, b)
	case isNull(a):
		w.change(narrower, pointer, changedWhat(key, a, b), a, b)
	case key == "multipleOf" && multiple(a, b):
		w.change(wider, pointer, changedWhat(key, a, b), a, b)
	default:
		w.change(other, pointer, changedWhat(key, a, b), a, b)
	}
}

// multiple says whether every multiple of a is one of b.
func multiple(a, b jsontext.Value) bool {
	x, ok := number(a)
	y, okToo := number(b)
	return ok && okToo && y.Sign() != 0 && new(big.Rat).Quo(x, y).IsInt()
}
