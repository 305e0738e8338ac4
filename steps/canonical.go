package steps

import (
	"bytes"
	"math/big"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// spell writes the canonical text of a value that is valid.
func spell(b *strings.Builder, v jsontext.Value) error {
	switch v.Kind() {
	case '{':
		return spellObject(b, v)
	case '[':
		d := jsontext.NewDecoder(bytes.NewReader(v), lenient, jsontext.AllowInvalidUTF8(true))
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		b.WriteByte('[')
		for i := 0; d.PeekKind() != ']'; i++ {
			e, err := d.ReadValue()
			if err != nil {
				return err
			}
			if i > 0 {
				b.WriteByte(',')
			}
			if err := spell(b, e); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	case '"':
		s, err := jsontext.AppendUnquote(nil, v)
		if err != nil {
			b.Write(v)
			return nil
		}
		q, err := jsontext.AppendQuote(nil, s)
		if err != nil {
			return err
		}
		b.Write(q)
	case '0':
		b.WriteString(spellNumber(string(v)))
	default:
		b.Write(v)
	}
	return nil
}

func spellObject(b *strings.Builder, v jsontext.Value) error {
	d := jsontext.NewDecoder(bytes.NewReader(v), lenient, jsontext.AllowInvalidUTF8(true))
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	type member struct{ name, value string }
	var members []member
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		m := member{name: name.String()}
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		var inner strings.Builder
		if err := spell(&inner, value); err != nil {
			return err
		}
		m.value = inner.String()
		members = append(members, m)
	}
	slices.SortStableFunc(members, func(x, y member) int { return strings.Compare(x.name, y.name) })
	b.WriteByte('{')
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		q, err := jsontext.AppendQuote(nil, m.name)
		if err != nil {
			return err
		}
		b.Write(q)
		b.WriteByte(':')
		b.WriteString(m.value)
	}
	b.WriteByte('}')
	return nil
}

// largestExponent bounds what is computed with: 1e999999999 is equal only to itself.
const largestExponent = 6

// spellNumber gives equal numbers one spelling, without rounding any.
func spellNumber(text string) string {
	if _, exponent, ok := strings.Cut(strings.ToLower(text), "e"); ok && len(strings.TrimLeft(exponent, "+-0")) >= largestExponent {
		return text
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return text
	}
	return r.RatString()
}
