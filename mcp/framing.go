package mcp

import "bytes"

// framing notices a server that speaks with headers, as language servers do: its first bytes are a Content-Length
// header, and a blank line follows (RPC-2).
type framing struct {
	settled bool // it is none
	header  bool // a Content-Length header was first
}

func (f *framing) message() { f.settled = true }

// line takes a line that is no message and says whether it shows header framing.
func (f *framing) line(line []byte) bool {
	if f.settled {
		return false
	}
	if len(bytes.TrimSpace(line)) == 0 && f.header {
		f.settled = true
		return true
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	switch {
	case !f.header && bytes.EqualFold(name, []byte("Content-Length")) && isNumber(bytes.TrimSpace(value)):
		f.header = true
	case f.header && bytes.EqualFold(name, []byte("Content-Type")):
	default:
		f.settled = true
	}
	return false
}

func isNumber(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}
