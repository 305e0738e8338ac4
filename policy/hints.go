package policy

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Hints is what a server claims about a tool, as far as permissions go.
type Hints struct {
	Destructive bool
	ReadOnly    bool
}

// ReadHints reads a tool's annotations, and fails closed (PERM-7): a destructiveHint that is no JSON boolean counts as
// true and a readOnlyHint that is none as false; of a name that stands twice, the stricter value counts. null is
// the same as absent, and so is an empty list, which is how PHP writes an object without members. Annotations that
// are anything else than an object cannot be understood and count as destructive.
func ReadHints(annotations jsontext.Value) Hints {
	if len(bytes.TrimSpace(annotations)) == 0 {
		return Hints{}
	}
	d := jsontext.NewDecoder(bytes.NewReader(annotations),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	switch annotations.Kind() {
	case 'n':
		return Hints{}
	case '[':
		if v, err := d.ReadValue(); err == nil && len(bytes.TrimSpace(v[1:len(v)-1])) == 0 {
			return Hints{}
		}
		return Hints{Destructive: true}
	case '{':
		return readMembers(d)
	}
	return Hints{Destructive: true}
}

// readMembers reads an object that begins at d; one that cannot be read to its end counts as destructive.
func readMembers(d *jsontext.Decoder) Hints {
	var h Hints
	var writes bool      // a readOnlyHint that is not true was seen
	_, _ = d.ReadToken() // the opening brace, which the caller has seen
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			return Hints{Destructive: true}
		}
		name := token.String()
		value, err := d.ReadValue()
		if err != nil {
			return Hints{Destructive: true}
		}
		switch kind := value.Kind(); name {
		case "destructiveHint":
			h.Destructive = h.Destructive || kind != 'f' && kind != 'n'
		case "readOnlyHint":
			h.ReadOnly = h.ReadOnly || kind == 't'
			writes = writes || kind != 't' && kind != 'n'
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return Hints{Destructive: true}
	}
	h.ReadOnly = h.ReadOnly && !writes
	return h
}
