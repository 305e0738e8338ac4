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
	if err := spell(&b, v); err != nil {
		return "", err
	}
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
	if got != wanted {
		return fmt.Errorf("%q is %s, not %s", pointer, part, want)
	}
	return nil
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
	d := jsontext.NewDecoder(bytes.NewReader(v), lenient, jsontext.AllowInvalidUTF8(true))
	open, err := d.ReadToken()
	if err != nil {
		return nil, false
	}
	switch open.Kind() {
	case '{':
		for d.PeekKind() != '}' {
			name, err := d.ReadToken()
			if err != nil {
				return nil, false
			}
			found := name.String() == token
			value, err := d.ReadValue()
			if err != nil {
				return nil, false
			}
			if found {
				return value.Clone(), true
			}
		}
	case '[':
		for i := 0; d.PeekKind() != ']'; i++ {
			value, err := d.ReadValue()
			if err != nil {
				return nil, false
			}
			if strconv.Itoa(i) == token {
				return value.Clone(), true
			}
		}
	}
	return nil, false
}
