package shrink

import (
	"bytes"
	"maps"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// contents makes what the kept frames carry smaller: arguments and answers, and the text of what is no message.
func (s *search) contents() error {
	for _, i := range s.kept {
		f, ok := s.changed[i]
		if !ok {
			var err error
			if f, err = s.cassette.Frame(i); err != nil {
				return err
			}
		}
		if err := s.content(i, f); err != nil {
			return err
		}
	}
	return nil
}

func (s *search) content(i int, f replay.Frame) error {
	with := func(data []byte) (bool, error) {
		g := f
		g.Data = data
		changed := maps.Clone(s.changed)
		changed[i] = g
		return s.try(s.kept, changed)
	}
	switch f.Kind {
	case mcp.FrameNoise, mcp.FrameStderr, mcp.FrameBody:
		if !utf8.Valid(f.Data) {
			return nil
		}
		_, err := reduce([]rune(string(f.Data)), func(rest []rune) (bool, error) {
			if len(rest) == 0 {
				return false, nil // without a byte there is no frame
			}
			return with([]byte(string(rest)))
		})
		return err
	case mcp.FrameMessage:
		m, err := jsonrpc.Parse(f.Data)
		if err != nil {
			return nil // a batch, or what is no message: left as it is
		}
		return reduceMessage(&m, with)
	}
	return nil
}

// reduceMessage makes params, result or error smaller. The envelope stays.
func reduceMessage(m *jsonrpc.Message, with func([]byte) (bool, error)) error {
	for _, name := range []string{"params", "result", "error"} {
		at, ok := meaning.Find(m.Raw, name)
		if !ok {
			continue
		}
		part := jsontext.Value(m.Raw[at.Start:at.End])
		r := &reducer{head: m.Raw[:at.Start:at.Start], tail: m.Raw[at.End:], with: with}
		tree, ok := parse(part)
		if !ok {
			return nil
		}
		r.root = tree
		if err := r.node(tree); err != nil {
			return err
		}
	}
	return nil
}

// node is a JSON value under reduction. Leaves stay as they are spelt.
type node struct {
	kind  byte // '{', '[', or 0 for a leaf
	leaf  []byte
	names []string // of an object's members, quoted
	parts []*node
}

func parse(v jsontext.Value) (*node, bool) {
	n := &node{}
	switch v.Kind() {
	case '{':
		n.kind = '{'
		for name, value := range jsonrpc.Members(v) {
			quoted, _ := jsontext.AppendQuote(nil, name)
			child, ok := parse(value)
			if !ok {
				return nil, false
			}
			n.names, n.parts = append(n.names, string(quoted)), append(n.parts, child)
		}
	case '[':
		n.kind = '['
		for value := range jsonrpc.Elements(v) {
			child, ok := parse(value)
			if !ok {
				return nil, false
			}
			n.parts = append(n.parts, child)
		}
	case jsontext.KindInvalid:
		return nil, false
	default:
		n.leaf = bytes.Clone(v)
	}
	return n, true
}

func (n *node) append(b []byte) []byte {
	switch n.kind {
	case '{':
		b = append(b, '{')
		for i, part := range n.parts {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(append(b, n.names[i]...), ':')
			b = part.append(b)
		}
		return append(b, '}')
	case '[':
		b = append(b, '[')
		for i, part := range n.parts {
			if i > 0 {
				b = append(b, ',')
			}
			b = part.append(b)
		}
		return append(b, ']')
	}
	return append(b, n.leaf...)
}

// reducer makes one part of a message smaller, from the outside in.
type reducer struct {
	head, tail []byte
	root       *node
	with       func([]byte) (bool, error)
}

// test tries the tree as it stands now.
func (r *reducer) test() (bool, error) {
	data := r.root.append(bytes.Clone(r.head))
	return r.with(append(data, r.tail...))
}

func (r *reducer) node(n *node) error {
	if n.kind == 0 {
		return r.leaf(n)
	}
	if err := r.parts(n); err != nil {
		return err
	}
	for _, part := range n.parts {
		if err := r.node(part); err != nil {
			return err
		}
	}
	return nil
}

// parts leaves out members or elements.
func (r *reducer) parts(n *node) error {
	order := make([]int, len(n.parts))
	for i := range order {
		order[i] = i
	}
	names, parts := n.names, n.parts
	set := func(keep []int) {
		n.names, n.parts = nil, nil
		for _, i := range keep {
			n.parts = append(n.parts, parts[i])
			if names != nil {
				n.names = append(n.names, names[i])
			}
		}
	}
	best, err := reduce(order, func(rest []int) (bool, error) {
		set(rest)
		return r.test()
	})
	set(best)
	return err
}

// leaf shortens a string, character by character in the end, and makes a number 0.
func (r *reducer) leaf(n *node) error {
	was := n.leaf
	switch jsontext.Value(was).Kind() {
	case '"':
		return r.text(n)
	case '0':
		if len(was) == 1 {
			return nil
		}
		n.leaf = []byte("0")
		ok, err := r.test()
		if !ok {
			n.leaf = was
		}
		return err
	}
	return nil
}

func (r *reducer) text(n *node) error {
	raw, err := jsontext.AppendUnquote(nil, n.leaf)
	if err != nil {
		return nil // lone surrogates: they may be what is looked for
	}
	best := n.leaf
	_, err = reduce(strings.Split(string(raw), ""), func(rest []string) (bool, error) {
		quoted, err := jsontext.AppendQuote(nil, strings.Join(rest, ""))
		if err != nil {
			return false, nil
		}
		n.leaf = quoted
		ok, err := r.test()
		if ok {
			best = quoted
		}
		return ok, err
	})
	n.leaf = best
	return err
}
