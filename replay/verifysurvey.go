package replay

import (
	"bytes"
	"slices"
	"strings"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// surveyed is what has to be known of all requests before the first is sent.
type surveyed struct {
	calls  map[string]bool        // tools that are called
	others map[string]bool        // methods that are not known to be harmless
	reads  map[string]bool        // tools by what the recorded server says of them: true where they only read
	uses   map[*scorePart]useList // the values in each session's requests
}

// mostUses bounds how many values of a session's requests are remembered. What is beyond is not carried over.
const mostUses = 1 << 17

// A useList says at which cue a value first stands in a request of the client. A value that stands in an answer before that was minted
// by the server.
type useList map[uint64]int32

func (u useList) add(key uint64, at int32) {
	if _, ok := u[key]; !ok && len(u) < mostUses {
		u[key] = at
	}
}

// survey reads all requests, and the lists of tools.
func (v *verifier) survey() (*surveyed, error) {
	s := &surveyed{calls: make(map[string]bool), others: make(map[string]bool), reads: make(map[string]bool), uses: make(map[*scorePart]useList)}
	v.plan = s
	for _, part := range v.parts {
		uses := make(useList)
		s.uses[part] = uses
		for i, c := range part.cues {
			if c.kind != cueRequest {
				continue
			}
			m, err := v.message(c)
			if err != nil {
				return s, err
			}
			switch {
			case m.Method == "tools/call":
				s.calls[targetName(m.Params)] = true
			case m.Method == "tools/list" && c.peer != none:
				answer, err := v.message(part.cues[c.peer])
				if err != nil {
					return s, err
				}
				noteHints(answer.Result, s.reads)
			case !harmless(m.Method):
				s.others[m.Method] = true
			}
			addUses(uses, m.Params, int32(i))
		}
	}
	return s, nil
}

// risky gives what may change something, sorted.
func (s *surveyed) risky() (names []string) {
	for tool := range s.calls {
		if !s.reads[tool] {
			names = append(names, tool)
		}
	}
	for method := range s.others {
		names = append(names, method)
	}
	slices.Sort(names)
	return names
}

// noteHints notes which tools of a listing only read. A hint counts only as the JSON true, and a tool that was listed twice
// must say so twice.
func noteHints(result []byte, reads map[string]bool) {
	tools := meaning.At(result, "tools")
	for m := range meaning.Members(tools) {
		tool := tools[m.Start:m.End]
		name := meaning.Text(meaning.At(tool, "name"))
		only := onlyReads(meaning.At(tool, "annotations"))
		if before, listed := reads[name]; listed {
			only = only && before
		}
		reads[name] = only
	}
}

func onlyReads(annotations []byte) bool {
	destructive := string(meaning.At(annotations, "destructiveHint"))
	return string(meaning.At(annotations, "readOnlyHint")) == "true" &&
		(destructive == "" || destructive == "false" || destructive == "null")
}

// message reads the message of a cue.
func (v *verifier) message(c cue) (jsonrpc.Message, error) {
	return v.messageInto(nil, c, nil)
}

// messageInto reads the message of a cue into memory that is used again, if any is given. One whose bytes are those of another
// message needs not be taken apart: that one is given back.
func (v *verifier) messageInto(room *[]byte, c cue, other *jsonrpc.Message) (m jsonrpc.Message, err error) {
	cassette := v.score.cassette
	if c.elem == noElem && cassette.Entry(int(c.frame)).Kind == mcp.FrameMessage {
		if room == nil {
			room = new([]byte)
		}
		line, err := cassette.line(int(c.frame), *room)
		if err != nil {
			return m, err
		}
		if *room = line; cap(line) > maxPooled {
			*room = nil
		}
		if other != nil && holds(line, other.Raw) {
			return *other, nil
		}
		if _, m, ok := messageIn(line); ok {
			return m, nil
		}
	}
	f, err := cassette.Frame(int(c.frame))
	if err != nil {
		return m, err
	}
	if c.elem != noElem {
		return jsonrpc.Parse(element(f.Data, int(c.elem)))
	}
	return jsonrpc.Parse(f.Data)
}

// holds tells whether a frame's line ends with the given bytes as its message.
func holds(line, message []byte) bool {
	start, ok := meaning.Begin(line, "message")
	return ok && len(message) > 0 && len(line)-start == len(message)+len("}") && bytes.Equal(line[start:start+len(message)], message)
}

// addUses notes the values in the params of a request: each string, the words of it, and each number by its name.
func addUses(uses useList, params []byte, at int32) {
	eachLeaf("", params, func(name string, leaf []byte) {
		if leaf[0] != '"' {
			for _, key := range numberKeys(name, leaf) {
				uses.add(key, at)
			}
			return
		}
		text := meaning.Text(leaf)
		if len(text) > mostCarried {
			return
		}
		uses.add(meaning.HashText(text), at)
		for word := range words(text) {
			uses.add(meaning.HashText(word), at)
		}
	})
}

// mostCarried is how long a text may be whose words are looked at.
const mostCarried = 4 << 10

// numberKeys gives what a number is remembered by: itself and its name, and "id" for what is called so. Small numbers are everywhere;
// only a name tells that two are the same thing.
func numberKeys(name string, leaf []byte) []uint64 {
	h := meaning.Hash(leaf)
	name = strings.ToLower(name)
	keys := []uint64{meaning.Mix(meaning.HashText(name), h)}
	if name != "id" && (strings.HasSuffix(name, "id")) {
		keys = append(keys, meaning.Mix(meaning.HashText("id"), h))
	}
	return keys
}

// eachLeaf calls f for each string and number in v, with the name of the member that it stands in. "_meta" is passed over.
func eachLeaf(name string, v []byte, f func(name string, leaf []byte)) {
	v = bytes.TrimSpace(v)
	if len(v) == 0 {
		return
	}
	switch v[0] {
	case '{':
		for m := range meaning.Members(v) {
			if !m.Is("_meta") {
				eachLeaf(meaning.Text(m.Name), v[m.Start:m.End], f)
			}
		}
	case '[':
		for m := range meaning.Members(v) {
			eachLeaf(name, v[m.Start:m.End], f)
		}
	case 't', 'f', 'n':
	default:
		f(name, v)
	}
}

// words gives the words of a text: runs of letters, digits, - and _.
func words(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isWord(r) }) {
			if !yield(word) {
				return
			}
		}
	}
}

func isWord(r rune) bool {
	return r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r >= 0x80
}
