package meaning

import (
	"bytes"
	"hash/maphash"
	"math/bits"

	"github.com/go-json-experiment/json/jsontext"
)

// The seed is new in every process, so that nobody can choose values that collide.
var seed = maphash.MakeSeed()

const (
	tagString = 0x9E3779B97F4A7C15 + iota
	tagNumber
	tagOther
	tagArray
	tagObject
)

// Hash gives a number for what v means: two values that differ only in the order of keys, in white space or in the
// spelling of numbers and strings have the same, within this process.
func Hash(v []byte) uint64 {
	h, _ := hashValue(v, skipSpace(v, 0))
	return h
}

// HashText gives the hash of a string that means text.
func HashText(text string) uint64 { return mix(maphash.String(seed, text), tagString) }

// Mix makes one hash of two, in their order.
func Mix(a, b uint64) uint64 { return mix(a, b) }

func hashValue(b []byte, i int) (uint64, int) {
	if i >= len(b) {
		return 0, i
	}
	switch b[i] {
	case '"':
		end := stringEnd(b, i)
		return hashString(b[i:end]), end
	case '{':
		return hashObject(b, i)
	case '[':
		return hashArray(b, i)
	case 't', 'f', 'n':
		end := literalEnd(b, i)
		return mix(maphash.Bytes(seed, b[i:end]), tagOther), end
	}
	end := literalEnd(b, i)
	return hashNumber(b[i:end]), end
}

// hashObject adds the hashes of the members up, so that their order does not count.
func hashObject(b []byte, i int) (uint64, int) {
	var sum uint64
	for i = skipSpace(b, i+1); i < len(b) && b[i] == '"'; {
		end := stringEnd(b, i)
		name := hashString(b[i:end])
		if i = skipSpace(b, end); i < len(b) && b[i] == ':' {
			i++
		}
		var value uint64
		value, i = hashValue(b, skipSpace(b, i))
		sum += mix(name, value)
		if i = skipSpace(b, i); i < len(b) && b[i] == ',' {
			i = skipSpace(b, i+1)
		}
	}
	return mix(sum, tagObject), min(i+1, len(b))
}

func hashArray(b []byte, i int) (uint64, int) {
	var sum uint64
	for i = skipSpace(b, i+1); i < len(b) && b[i] != ']'; {
		start := i
		var value uint64
		value, i = hashValue(b, i)
		sum = mix(sum, value)
		if i = skipSpace(b, i); i < len(b) && b[i] == ',' {
			i = skipSpace(b, i+1)
		}
		if i == start {
			break // no JSON
		}
	}
	return mix(sum, tagArray), min(i+1, len(b))
}

func hashString(quoted []byte) uint64 {
	if len(quoted) < 2 {
		return 0
	}
	body := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(body, '\\') >= 0 {
		body, _ = jsontext.AppendUnquote(nil, quoted)
	}
	return mix(maphash.Bytes(seed, body), tagString)
}

func hashNumber(v []byte) uint64 {
	n := parseNumber(v)
	h := mix(maphash.Bytes(seed, n.digits), uint64(n.exp))
	if n.negative {
		h = ^h
	}
	return mix(h+maphash.Bytes(seed, n.odd), tagNumber)
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0xA0761D6478BD642F, b^0xE7037ED1A0B428DB)
	h := (hi ^ lo) + a
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	return h ^ h>>29
}
