package meaning

import (
	"bytes"
	"strconv"
)

// A number in its one normal form: ± 0.DIGITS × 10^exp, where the digits neither begin nor end with a zero. Numbers
// never pass through a float64, so that 9007199254740993 stays apart from its neighbour. The digits may be spread
// over two slices, before and behind the point.
type number struct {
	negative bool
	digits   []byte // a slice of the source, or a copy where a point stood among them
	exp      int64
	odd      []byte // the spelling itself, where the exponent is beyond what anyone means
}

func parseNumber(v []byte) number {
	var n number
	s := v
	if len(s) > 0 && s[0] == '-' {
		n.negative = true
		s = s[1:]
	}
	mantissa := s
	if e := bytes.IndexAny(s, "eE"); e >= 0 {
		mantissa = s[:e]
		exp := s[e+1:]
		if len(exp) > 17 {
			return number{odd: v}
		}
		n.exp, _ = strconv.ParseInt(string(bytes.TrimPrefix(exp, []byte{'+'})), 10, 64)
	}
	whole, fraction, pointed := bytes.Cut(mantissa, []byte{'.'})
	n.exp += int64(len(whole))
	n.digits = whole
	if pointed {
		n.digits = append(append(make([]byte, 0, len(mantissa)), whole...), fraction...)
	}
	for len(n.digits) > 0 && n.digits[0] == '0' {
		n.digits = n.digits[1:]
		n.exp--
	}
	n.digits = bytes.TrimRight(n.digits, "0")
	if len(n.digits) == 0 {
		return number{} // -0 and 0e7 are 0
	}
	return n
}

func (n number) equal(m number) bool {
	return n.negative == m.negative && n.exp == m.exp && bytes.Equal(n.digits, m.digits) && bytes.Equal(n.odd, m.odd)
}
