package jsonrpc

import "github.com/go-json-experiment/json/jsontext"

// Rewrite returns v with the members of an object, or the elements of an array, that f gives back changed; name is nil
// for an element. All other bytes stay as they are, and v itself comes back where f changes nothing. It stops early
// where v stops being JSON.
func Rewrite(v jsontext.Value, f func(name []byte, v jsontext.Value) jsontext.Value) jsontext.Value {
	i := space(v, 0)
	if i == len(v) || v[i] != '{' && v[i] != '[' {
		return v
	}
	isObject := v[i] == '{'
	var out jsontext.Value
	done := 0 // v[:done] is in out
	for i = space(v, i+1); i < len(v) && v[i] != '}' && v[i] != ']'; i = space(v, i+1) {
		at, next := memberAt{from: i}, 0
		var name []byte
		if isObject {
			if at, next = member(v, i, 1); next >= 0 {
				name = at.name(v)
			}
		} else if at.to = value(v, i, 1); at.to >= 0 {
			next = space(v, at.to)
		} else {
			next = -1
		}
		if next < 0 {
			break
		}
		old := v[at.from:at.to:at.to]
		if changed := f(name, old); len(changed) != len(old) || &changed[0] != &old[0] {
			out = append(append(out, v[done:at.from]...), changed...)
			done = at.to
		}
		if i = next; i == len(v) || v[i] != ',' {
			break
		}
	}
	if out == nil {
		return v
	}
	return append(out, v[done:]...)
}
