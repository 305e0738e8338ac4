package jsonrpc

import (
	"bytes"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// KeptPrefix is how much of an over-long line a [TooLongError] keeps, in bytes.
const KeptPrefix = 4 << 10

// tooLong makes the error of an over-long line that was read whole, or of its begin: then s holds what the sniffer
// saw of the whole of it.
func (l *LineReader) tooLong(line []byte, length int, s *sniffer) *TooLongError {
	if s == nil {
		s = new(sniffer)
		s.feed(line)
	}
	id, _ := s.answer()
	return &TooLongError{Limit: l.limit, Length: length, Prefix: bytes.Clone(line[:min(len(line), KeptPrefix)]), ID: id}
}

// skip reads over the rest of an over-long line, looking for its id: servers on the TypeScript SDK write it last.
func (l *LineReader) skip() error {
	var s sniffer
	line := l.buf[l.from:]
	s.feed(line)
	prefix, length := bytes.Clone(line[:min(len(line), KeptPrefix)]), len(line)
	l.buf, l.from, l.seen = make([]byte, 0, chunk), 0, 0
	for {
		n, err := l.r.Read(l.buf[:chunk])
		if end := bytes.IndexByte(l.buf[:n], '\n'); end >= 0 {
			s.feed(l.buf[:end])
			length += end
			l.buf, l.from, l.seen, l.err = l.buf[:n], end+1, end+1, err
			break
		}
		s.feed(l.buf[:n])
		length += n
		if err != nil {
			l.err = err
			break
		}
	}
	return l.tooLong(prefix, length, &s)
}

// SniffID looks for the id of an answer in a text that may be cut off or broken, such as the begin of a line that
// is too long. It takes only an id at the top level, and none where a method stands beside it: that one would be the
// server's own.
func SniffID(text []byte) (jsontext.Value, bool) {
	var s sniffer
	s.feed(text)
	return s.answer()
}

// sniffer follows JSON byte by byte as far as it must to know the names and short values of the top level.
type sniffer struct {
	depth    int
	inString bool
	escaped  bool
	isName   bool   // the next string at the top level is a name
	token    []byte // the string or scalar under way at the top level, cut at maxToken
	name     string // of the member under way
	id       jsontext.Value
	method   bool
	broken   bool
}

const maxToken = 256

func (s *sniffer) answer() (jsontext.Value, bool) {
	if s.broken || s.method || s.id == nil || !Valid(s.id) {
		return nil, false
	}
	if c := s.id[0]; c != '"' && c != '-' && (c < '0' || c > '9') {
		return nil, false
	}
	return s.id, true
}

func (s *sniffer) feed(text []byte) {
	for i := 0; i < len(text) && !s.broken; i++ {
		if s.inString {
			i += s.insideString(text[i:])
			continue
		}
		s.between(text[i])
	}
}

// insideString takes bytes of a string up to its end and returns how many it took, less one.
func (s *sniffer) insideString(text []byte) int {
	for i, c := range text {
		if s.depth == 1 && len(s.token) < maxToken {
			s.token = append(s.token, c)
		}
		switch {
		case s.escaped:
			s.escaped = false
		case c == '\\':
			s.escaped = true
		case c == '"':
			s.inString = false
			if s.depth == 1 && s.isName {
				s.name, s.isName = unquoted(s.token), false
				s.token = s.token[:0]
			}
			return i
		}
	}
	return len(text) - 1
}

func (s *sniffer) between(c byte) {
	switch c {
	case ' ', '\t', '\r', '\n':
		return
	case bom[0], bom[1], bom[2]:
		s.broken = s.depth > 0
		return
	case '"':
		s.inString = true
		if s.depth == 1 {
			s.token = append(s.token[:0], c)
		}
	case '{', '[':
		if s.depth == 0 {
			s.broken = c == '['
			s.isName = true
		}
		s.depth++
	case '}', ']':
		if s.depth == 1 {
			s.endMember()
		}
		s.depth--
	case ',':
		if s.depth == 1 {
			s.endMember()
			s.isName = true
		}
	case ':':
		if s.depth == 1 {
			s.token = s.token[:0]
		}
	default:
		if s.depth == 1 && len(s.token) < maxToken {
			s.token = append(s.token, c)
		}
	}
	s.broken = s.broken || s.depth <= 0 && c != '}'
}

func (s *sniffer) endMember() {
	switch s.name {
	case "id":
		s.id = bytes.Clone(s.token)
	case "method":
		s.method = true
	}
	s.name, s.token = "", s.token[:0]
}

func unquoted(token []byte) string {
	name, err := jsontext.AppendUnquote(nil, token)
	if err != nil && err != io.EOF {
		return ""
	}
	return string(name)
}
