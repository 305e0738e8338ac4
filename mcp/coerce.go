package mcp

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// Coerce fits arguments to a schema (CALL-13): where a value is not of a type that the schema takes, but says one, it
// becomes that one. "5" becomes 5 where an integer or number is wanted, "true" becomes true, "null" null, 5 and true
// become "5" and "true", and a string that holds a JSON object or array becomes that. Everything else stays as it is,
// byte for byte; whether it is right is the server's to say.
//
// Schemas of any dialect will do. References are followed within the schema only: nothing is ever fetched.
func Coerce(schema, args jsontext.Value) jsontext.Value {
	return compileSchema(schema).coerce(args, 0)
}

// maxCoerceDepth bounds how deep values are looked into: recursive schemas and JSON texts within JSON texts.
const maxCoerceDepth = 64

// coerce fits v to the schema; a nil schema takes everything.
func (s *schema) coerce(v jsontext.Value, depth int) jsontext.Value {
	if s == nil || len(v) == 0 || depth > maxCoerceDepth {
		return v
	}
	if wanted := s.kinds(); wanted&kindOfValue(v) == 0 {
		changed := convert(v, wanted)
		if changed == nil {
			return v
		}
		v = changed
	}
	switch v[0] {
	case '{':
		in := s.fitting(v)
		return jsonrpc.Rewrite(v, func(name []byte, m jsontext.Value) jsontext.Value {
			return in.property(name).coerce(m, depth+1)
		})
	case '[':
		at := -1
		return jsonrpc.Rewrite(v, func(_ []byte, e jsontext.Value) jsontext.Value {
			at++
			return s.element(at).coerce(e, depth+1)
		})
	}
	return v
}

// convert says v as a value of one of the wanted kinds; nil where it cannot.
func convert(v jsontext.Value, wanted kindSet) jsontext.Value {
	switch v[0] {
	case '"':
		return convertText([]byte(text(v)), wanted)
	case '{', '[', 'n':
		return nil
	}
	if wanted&kindString == 0 {
		return nil
	}
	return append(append(jsontext.Value{'"'}, v...), '"') // a number or a boolean needs no escapes
}

// convertText reads a string's text as JSON of one of the wanted kinds.
func convertText(s jsontext.Value, wanted kindSet) jsontext.Value {
	s = bytes.TrimSpace(s)
	if len(s) == 0 || s[0] == '"' || !jsonrpc.Valid(s) || kindOfValue(s)&wanted == 0 {
		return nil
	}
	return s
}

// kindSet is a set of the types of JSON Schema.
type kindSet uint8

const (
	kindNull kindSet = 1 << iota
	kindBoolean
	kindInteger
	kindFraction // a number that is no integer
	kindString
	kindObject
	kindArray

	kindNumber = kindInteger | kindFraction
	kindAny    = kindNull | kindBoolean | kindNumber | kindString | kindObject | kindArray
)

// kindOfValue says which kind v is of.
func kindOfValue(v jsontext.Value) kindSet {
	switch v[0] {
	case 'n':
		return kindNull
	case 't', 'f':
		return kindBoolean
	case '"':
		return kindString
	case '{':
		return kindObject
	case '[':
		return kindArray
	}
	if isInteger(v) {
		return kindInteger
	}
	return kindFraction
}

// isInteger says whether a number is a whole one by its spelling: 5 and 5.0. One with an exponent may be one, too, but
// a number is never changed where a number is wanted, and a string "1e2" is none that an integer is written as.
func isInteger(v jsontext.Value) bool {
	if bytes.ContainsAny(v, "eE") {
		return false
	}
	_, fraction, _ := bytes.Cut(v, []byte("."))
	return len(bytes.Trim(fraction, "0")) == 0
}

func kindNamed(name jsontext.Value) kindSet {
	switch text(name) {
	case "null":
		return kindNull
	case "boolean":
		return kindBoolean
	case "integer":
		return kindInteger
	case "number":
		return kindNumber
	case "string":
		return kindString
	case "object":
		return kindObject
	case "array":
		return kindArray
	}
	return 0
}
