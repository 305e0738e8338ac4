package steps

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// lenient reads what servers send: repeated names and broken UTF-8 are their business.
var lenient = jsontext.AllowDuplicateNames(true)

// canonical spells a JSON text so that equal meaning is equal bytes: key order, space and the spelling of numbers go.
// Numbers keep every digit.
func canonical(text []byte) (string, error) {
	v := jsontext.Value(bytes.Clone(text))
	if err := v.Compact(lenient, jsontext.AllowInvalidUTF8(true)); err != nil {
		return "", err
	}
	var b strings.Builder
	spell(&b, v)
	return b.String(), nil
}

// jsonHas compares what a JSON Pointer names in a text with a JSON value, by meaning.
func jsonHas(text []byte, pointer, want string) error {
	wanted, err := canonical([]byte(want))
	if err != nil {
		return fmt.Errorf("what is wanted is no JSON: %w", err)
	}
	part, err := at(text, pointer)
	if err != nil {
		return err
	}
	got, err := canonical(part)
	if err != nil {
		return err
	}
	switch {
	case got == wanted:
		return nil
	case pointer == "":
		return fmt.Errorf("it is %s, not %s", part, want)
	}
	return fmt.Errorf("%q is %s, not %s", pointer, part, want)
}

// at is the part of a JSON text that a JSON Pointer (RFC 6901) names.
func at(text []byte, pointer string) (jsontext.Value, error) {
	v := jsontext.Value(bytes.TrimSpace(text))
	if !v.IsValid(lenient, jsontext.AllowInvalidUTF8(true)) {
		return nil, fmt.Errorf("it is no JSON: %.300s", text)
	}
	if pointer == "" {
		return v, nil
	}
	if !strings.HasPrefix(pointer, "/") {
		return nil, fmt.Errorf("%q is no JSON Pointer: it begins with a slash", pointer)
	}
	for _, token := range strings.Split(pointer[1:], "/") {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		next, ok := child(v, token)
		if !ok {
			return nil, fmt.Errorf("%q names nothing: there is no %q in %.300s", pointer, token, v)
		}
		v = next
	}
	return v, nil
}

// child is the member or element of a value.
func child(v jsontext.Value, token string) (jsontext.Value, bool) {
	switch v.Kind() {
	case '{':
		for _, m := range members(v) {
			if m.name == token {
				return m.value, true
			}
		}
	case '[':
		for i, e := range elements(v) {
			if strconv.Itoa(i) == token {
				return e, true
			}
		}
	}
	return nil, false
}

// member is a name of an object and its value.
type member struct {
	name  string
	value jsontext.Value
}

// members is what an object holds, in its order; of what is none, nothing.
func members(v jsontext.Value) []member {
	d := jsontext.NewDecoder(bytes.NewReader(v), lenient, jsontext.AllowInvalidUTF8(true))
	if open, err := d.ReadToken(); err != nil || open.Kind() != '{' {
		return nil
	}
	var all []member
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return all
		}
		m := member{name: name.String()}
		value, err := d.ReadValue()
		if err != nil {
			return all
		}
		m.value = value.Clone()
		all = append(all, m)
	}
	return all
}

// elements is what an array holds; of what is none, nothing.
func elements(v jsontext.Value) []jsontext.Value {
	d := jsontext.NewDecoder(bytes.NewReader(v), lenient, jsontext.AllowInvalidUTF8(true))
	if open, err := d.ReadToken(); err != nil || open.Kind() != '[' {
		return nil
	}
	var all []jsontext.Value
	for d.PeekKind() != ']' {
		value, err := d.ReadValue()
		if err != nil {
			return all
		}
		all = append(all, value.Clone())
	}
	return all
}

// plainText is a string without its quotes; of any other value, its JSON.
func plainText(v jsontext.Value) string {
	if v.Kind() != '"' {
		return string(v)
	}
	text, _ := jsontext.AppendUnquote(nil, v) // the error is one of UTF-8
	return string(text)
}
