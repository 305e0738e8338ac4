package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// SyntaxError is a settings file that cannot be read as JSON. Such a file is never written to.
type SyntaxError struct {
	Path    string
	Line    int // from 1; 0 where the problem is with the file as a whole
	Column  int // in characters, from 1
	Problem string
}

// Error gives file, place and problem.
func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Path, e.Problem)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Problem)
}

// node is a JSON value and where it stands in the text.
type node struct {
	kind       jsontext.Kind
	start, end int
	members    []member // of an object
	elems      []*node  // of an array
}

// member is a name and its value in an object.
type member struct {
	name       string
	start, end int // of the name, quotes included
	value      *node
}

// find gives the value of the name, or nil; of a name that stands twice, the last.
func (n *node) find(name string) *node {
	if n == nil {
		return nil
	}
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].name == name {
			return n.members[i].value
		}
	}
	return nil
}

// twice gives the first of the names that stands more than once.
func (n *node) twice(names ...string) string {
	for _, name := range names {
		count := 0
		for _, m := range n.members {
			if m.name == name {
				count++
			}
		}
		if count > 1 {
			return name
		}
	}
	return ""
}

// document is a JSON text that is edited in place: what is not edited keeps every byte.
type document struct {
	bom  []byte // a byte-order mark before the text, which Windows programs write
	data []byte
	root *node
	look depth
}

var utf8BOM = []byte("\xef\xbb\xbf")

// depth is how much of a document is looked into.
type depth bool

const (
	ourPart    depth = false // of the outermost object only the members that hold servers
	everything depth = true
)

// parse reads a document.
func parse(path string, data []byte, look depth) (*document, error) {
	if bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}) ||
		len(data) >= 2 && (data[0] == 0) != (data[1] == 0) {
		return nil, &SyntaxError{Path: path, Problem: "is UTF-16 text; save it as UTF-8"}
	}
	doc := &document{data: data, look: look}
	if bytes.HasPrefix(data, utf8BOM) {
		doc.bom, doc.data = data[:len(utf8BOM)], data[len(utf8BOM):]
	}
	if err := doc.parse(); err != nil {
		return nil, doc.place(path, err)
	}
	return doc, nil
}

func (doc *document) bytes() []byte {
	return append(bytes.Clone(doc.bom), doc.data...)
}

func (doc *document) parse() error {
	d := jsontext.NewDecoder(bytes.NewReader(doc.data),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	root, err := parseValue(d, doc.look == ourPart)
	if err != nil {
		return err
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errors.New("something stands after the end")
		}
		return err
	}
	doc.root = root
	return nil
}

// place says where in the file a parser's error is.
func (doc *document) place(path string, err error) *SyntaxError {
	offset, problem := len(doc.data), "ends too early"
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) && !errors.Is(err, io.ErrUnexpectedEOF) {
		offset, problem = int(syntactic.ByteOffset), syntactic.Err.Error()
		switch rest := doc.data[min(offset, len(doc.data)):]; {
		case bytes.HasPrefix(rest, []byte("//")), bytes.HasPrefix(rest, []byte("/*")):
			problem = "a comment, which JSON does not have"
		case bytes.HasPrefix(rest, []byte(",")):
			if rest = bytes.TrimSpace(rest[1:]); len(rest) > 0 && (rest[0] == '}' || rest[0] == ']') {
				problem = "a comma stands before a closing bracket"
			}
		}
	} else if len(bytes.TrimSpace(doc.data)) == 0 {
		problem = "is empty; it must hold a JSON object"
	}
	before := doc.data[:min(offset, len(doc.data))]
	line := 1 + bytes.Count(before, []byte("\n"))
	before = before[bytes.LastIndexByte(before, '\n')+1:]
	return &SyntaxError{Path: path, Line: line, Column: 1 + utf8.RuneCount(before), Problem: problem}
}

// ours are the members of a file's outermost object that are looked into: the section of the settings, and where other
// hosts keep their servers. What is in any other is only passed over.
var ours = []string{section, "mcpServers", "servers", "context_servers"}

// parseValue reads one value; the parser bounds how deep it may nest.
func parseValue(d *jsontext.Decoder, outermost bool) (*node, error) {
	switch kind := d.PeekKind(); kind {
	case '{', '[':
		if _, err := d.ReadToken(); err != nil {
			return nil, err
		}
		n := &node{kind: kind, start: int(d.InputOffset()) - 1}
		if err := n.parseInside(d, outermost); err != nil {
			return nil, err
		}
		n.end = int(d.InputOffset())
		return n, nil
	default:
		return passOver(d)
	}
}

// passOver reads one value without a look inside.
func passOver(d *jsontext.Decoder) (*node, error) {
	kind := d.PeekKind()
	value, err := d.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(d.InputOffset())
	return &node{kind: kind, start: end - len(value), end: end}, nil
}

// parseInside reads the members or elements of n, and the bracket that ends it.
func (n *node) parseInside(d *jsontext.Decoder, outermost bool) error {
	for {
		switch d.PeekKind() {
		case '}', ']':
			_, err := d.ReadToken()
			return err
		}
		var m member
		if n.kind == '{' {
			raw, err := d.ReadValue()
			if err != nil {
				return err
			}
			m.end = int(d.InputOffset())
			m.start = m.end - len(raw)
			name, err := jsontext.AppendUnquote(nil, raw)
			if err != nil && !utf8.Valid(raw) {
				err = nil // a name that is not UTF-8 is none of ours
			}
			if err != nil {
				return err
			}
			m.name = string(name)
		}
		read := func() (*node, error) { return parseValue(d, false) }
		if outermost && !slices.Contains(ours, m.name) {
			read = func() (*node, error) { return passOver(d) }
		}
		value, err := read()
		if err != nil {
			return err
		}
		if n.kind == '{' {
			m.value = value
			n.members = append(n.members, m)
		} else {
			n.elems = append(n.elems, value)
		}
	}
}

// text gives the raw text of a value.
func (doc *document) text(n *node) jsontext.Value { return doc.data[n.start:n.end] }
