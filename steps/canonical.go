package steps

import (
	"math/big"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// spell writes the canonical text of a value that is valid.
func spell(b *strings.Builder, v jsontext.Value) {
	switch v.Kind() {
	case '{':
		all := members(v)
		slices.SortStableFunc(all, func(x, y member) int { return strings.Compare(x.name, y.name) })
		b.WriteByte('{')
		for i, m := range all {
			if i > 0 {
				b.WriteByte(',')
			}
			spellString(b, m.name)
			b.WriteByte(':')
			spell(b, m.value)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, e := range elements(v) {
			if i > 0 {
				b.WriteByte(',')
			}
			spell(b, e)
		}
		b.WriteByte(']')
	case '"':
		spellString(b, plainText(v))
	case '0':
		b.WriteString(spellNumber(string(v)))
	default:
		b.Write(v)
	}
}

// spellString writes a string with the escapes that it needs.
func spellString(b *strings.Builder, s string) {
	quoted, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(s, "\uFFFD")) // it fails for broken UTF-8 only
	b.Write(quoted)
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
