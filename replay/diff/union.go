package diff

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// alike writes the choices of one schema as a union of types, where the other has no such choices: libraries write an optional string
// as {"anyOf":[{"type":"string"},{"type":"null"}]} or as {"type":["string","null"]}.
func alike(a, b jsontext.Value) (jsontext.Value, jsontext.Value) {
	for _, key := range []string{"anyOf", "oneOf"} {
		switch was, is := meaning.At(a, key) != nil, meaning.At(b, key) != nil; {
		case was && !is:
			a = union(a, key)
		case is && !was:
			b = union(b, key)
		}
	}
	return a, b
}

// union gives the schema with the types of its choices in their place, if that takes the same: no two choices share a type, and one
// at the most says more than its types, with keywords that speak of values of its types alone.
func union(schema jsontext.Value, key string) jsontext.Value {
	if meaning.At(schema, "type") != nil {
		return schema
	}
	var types []string
	var more jsontext.Value
	for _, choice := range elements(meaning.At(schema, key)) {
		own := jsontext.Value(meaning.At(choice, "type"))
		if isNull(own) {
			return schema
		}
		for _, t := range typeSet(own) {
			if slices.Contains(types, t) {
				return schema
			}
			types = append(types, t)
		}
		for name := range jsonrpc.Members(choice) {
			switch {
			case string(name) == "type":
			case more == nil && ofOneType[string(name)] && meaning.At(schema, string(name)) == nil:
			default:
				return schema
			}
		}
		if !onlyTypes(choice) {
			more = choice
		}
	}
	out := []byte(`{"type":[`)
	for i, t := range types {
		if i > 0 {
			out = append(out, ',')
		}
		out, _ = jsontext.AppendQuote(out, t)
	}
	out = append(out, ']')
	for _, part := range []jsontext.Value{schema, more} {
		for name, value := range jsonrpc.Members(part) {
			if n := string(name); n != "type" && n != key {
				out, _ = jsontext.AppendQuote(append(out, ','), n)
				out = append(append(out, ':'), value...)
			}
		}
	}
	return append(out, '}')
}

// ofOneType are keywords that refuse no value of another type than the one they speak of.
var ofOneType = map[string]bool{
	"minLength": true, "maxLength": true, "pattern": true, "format": true, "contentEncoding": true, "contentMediaType": true,
	"minimum": true, "maximum": true, "exclusiveMinimum": true, "exclusiveMaximum": true, "multipleOf": true,
	"items": true, "prefixItems": true, "minItems": true, "maxItems": true, "uniqueItems": true,
	"properties": true, "required": true, "additionalProperties": true, "minProperties": true, "maxProperties": true,
}

func onlyTypes(choice jsontext.Value) bool {
	for name := range jsonrpc.Members(choice) {
		if string(name) != "type" {
			return false
		}
	}
	return true
}
