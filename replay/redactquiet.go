package replay

import "bytes"

// quiet tells, by one look over a message, that nothing in it is to be redacted, which is true of most. It is no more than a
// shortcut: false means that a [job] must look at what stands where. The message's JSON must be well formed, or else no
// JSON at all.
//
// Without a backslash, every quote begins or ends a string, and no string holds a name in JSON; without a percent sign or an
// address, no text decodes to another; what the finder does not see in the whole message, it sees in no string of it.
func (r *Redactor) quiet(message []byte) bool {
	if len(r.patterns) > 0 || len(r.pointers) > 0 ||
		bytes.IndexByte(message, '\\') >= 0 || bytes.IndexByte(message, '%') >= 0 || bytes.Contains(message, []byte("://")) {
		return false
	}
	r.mu.RLock()
	finder := r.finder
	r.mu.RUnlock()
	return finder.seesNothing(message) && namesNothing(message)
}

// namesNothing tells that no member of a message without escapes has a name that says something of its value.
func namesNothing(message []byte) bool {
	for i := 0; ; {
		open := bytes.IndexByte(message[i:], '"')
		if open < 0 {
			return true
		}
		i += open + 1
		length := bytes.IndexByte(message[i:], '"')
		if length < 0 {
			return true
		}
		name := message[i : i+length]
		i = skipSpace(message, i+length+1)
		if i < len(message) && message[i] == ':' && classOf(name) != nameOther {
			return false
		}
	}
}
