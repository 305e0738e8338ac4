package mcp

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// toolSchema is a tool's input schema, compiled when it is first needed.
type toolSchema struct {
	raw      jsontext.Value
	once     sync.Once
	compiled *schema
}

func (t *toolSchema) coerce(args jsontext.Value) jsontext.Value {
	t.once.Do(func() { t.compiled = compileSchema(t.raw) })
	return t.compiled.coerce(args, 0)
}

// schema is what coercion wants to know of a JSON Schema. A nil schema takes everything.
type schema struct {
	own      kindSet        // of type, enum and const; kindAny where none says
	constant jsontext.Value // of const, or of an enum with one value

	properties map[string]*schema
	patterns   []pattern
	additional *schema
	required   []string
	prefix     []*schema
	items      *schema

	all    []*schema   // allOf and $ref: all of these hold, too
	choice [][]*schema // anyOf, oneOf: one of each of these holds

	taken   kindSet // see kinds; 0 until it is known
	looking bool
}

type pattern struct {
	re *regexp.Regexp
	of *schema
}

// What is compiled of a schema at most; what is beyond that takes everything.
const (
	maxSchema       = 256 << 10 // bytes
	maxSchemaDepth  = 200
	maxReferences   = 200
	maxAlternatives = 64       // of one anyOf or oneOf
	maxScanned      = 16 << 20 // bytes in all: nested values and references are looked at again and again
)

// compileSchema reads a schema.
func compileSchema(raw jsontext.Value) *schema {
	raw = bytes.TrimSpace(raw)
	if len(raw) > maxSchema || !jsonrpc.Valid(raw) {
		return nil
	}
	c := &compiler{root: raw, made: map[*byte]*schema{}, targets: map[string]*schema{}, left: maxScanned}
	s := c.compile(raw, 0)
	for _, s := range c.made {
		s.kinds()
	}
	return s
}

type compiler struct {
	root    jsontext.Value
	made    map[*byte]*schema // by where their text begins: recursive schemas end here
	targets map[string]*schema
	left    int // bytes that may still be scanned
}

// may says whether v may be scanned, and counts it.
func (c *compiler) may(v jsontext.Value) bool {
	c.left -= len(v)
	return c.left >= 0
}

func (c *compiler) compile(raw jsontext.Value, depth int) *schema {
	if len(raw) == 0 || raw[0] != '{' || depth > maxSchemaDepth { // true, false, null: no help
		return nil
	}
	if s := c.made[&raw[0]]; s != nil {
		return s
	}
	if !c.may(raw) {
		return nil
	}
	s := &schema{own: kindAny}
	c.made[&raw[0]] = s
	for name, v := range jsonrpc.Members(raw) {
		switch string(name) {
		case "type":
			s.own &= kindsNamed(v)
		case "enum":
			s.enum(v)
		case "const":
			s.own &= kindOfValue(v)
			s.constant = v
		case "$ref", "$dynamicRef", "$recursiveRef":
			if t := c.follow(text(v), depth+1); t != nil {
				s.all = append(s.all, t)
			}
		default:
			c.keyword(s, string(name), v, depth+1)
		}
	}
	return s
}

func (c *compiler) keyword(s *schema, name string, v jsontext.Value, depth int) {
	switch name {
	case "properties":
		s.properties = map[string]*schema{}
		for name, v := range jsonrpc.Members(v) {
			s.properties[string(name)] = c.compile(v, depth)
		}
	case "patternProperties":
		for name, v := range jsonrpc.Members(v) {
			if re, err := regexp.Compile(string(name)); err == nil {
				s.patterns = append(s.patterns, pattern{re, c.compile(v, depth)})
			}
		}
	case "additionalProperties":
		s.additional = c.compile(v, depth)
	case "required":
		for v := range jsonrpc.Elements(v) {
			s.required = append(s.required, text(v))
		}
	case "items":
		if v[0] == '[' { // before 2020-12
			s.prefix = c.list(v, depth)
		} else {
			s.items = c.compile(v, depth)
		}
	case "additionalItems":
		s.items = c.compile(v, depth)
	case "prefixItems":
		s.prefix = c.list(v, depth)
	case "allOf":
		for _, t := range c.list(v, depth) {
			if t != nil {
				s.all = append(s.all, t)
			}
		}
	case "anyOf", "oneOf":
		if of := c.list(v, depth); 0 < len(of) && len(of) <= maxAlternatives {
			s.choice = append(s.choice, of)
		}
	}
}

func (c *compiler) list(v jsontext.Value, depth int) (of []*schema) {
	for v := range jsonrpc.Elements(v) {
		of = append(of, c.compile(v, depth))
	}
	return of
}

// follow finds what a reference within the schema names; nil for any other.
func (c *compiler) follow(ref string, depth int) *schema {
	if s, ok := c.targets[ref]; ok {
		return s
	}
	fragment, local := strings.CutPrefix(ref, "#")
	if !local || len(c.targets) >= maxReferences {
		return nil
	}
	var at jsontext.Value
	if fragment == "" || fragment[0] == '/' {
		at = c.resolve(c.root, fragment)
	} else {
		at = c.anchor(c.root, fragment, 0)
	}
	s := c.compile(at, depth)
	c.targets[ref] = s
	return s
}

// resolve walks a JSON Pointer in the form of a URL's fragment.
func (c *compiler) resolve(v jsontext.Value, pointer string) jsontext.Value {
	if pointer == "" {
		return v
	}
	for part := range strings.SplitSeq(pointer[1:], "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~", "%25", "%", "%20", " ", "%24", "$").Replace(part)
		if !c.may(v) {
			return nil
		}
		if v = step(v, part); v == nil {
			return nil
		}
	}
	return v
}

func step(v jsontext.Value, part string) jsontext.Value {
	if v[0] == '[' {
		i := 0
		for e := range jsonrpc.Elements(v) {
			if strconv.Itoa(i) == part {
				return e
			}
			i++
		}
		return nil
	}
	for name, m := range jsonrpc.Members(v) {
		if string(name) == part {
			return m
		}
	}
	return nil
}

// anchor looks for the subschema that names itself.
func (c *compiler) anchor(v jsontext.Value, name string, depth int) (found jsontext.Value) {
	if depth > maxSchemaDepth || !c.may(v) {
		return nil
	}
	for key, m := range jsonrpc.Members(v) {
		switch string(key) {
		case "$anchor", "$dynamicAnchor":
			if text(m) == name {
				return v
			}
		case "$id", "id": // draft-07 and before
			if text(m) == "#"+name {
				return v
			}
		}
		if found = c.anchor(m, name, depth+1); found != nil {
			return found
		}
	}
	for e := range jsonrpc.Elements(v) {
		if found = c.anchor(e, name, depth+1); found != nil {
			return found
		}
	}
	return nil
}

// kindsNamed reads "type": one name or a list.
func kindsNamed(v jsontext.Value) (k kindSet) {
	if v[0] == '"' {
		k = kindNamed(v)
	}
	for e := range jsonrpc.Elements(v) {
		k |= kindNamed(e)
	}
	if k == 0 {
		return kindAny
	}
	return k
}

// enum takes the kinds of the values; a single one is a constant.
func (s *schema) enum(v jsontext.Value) {
	var k kindSet
	values := 0
	for e := range jsonrpc.Elements(v) {
		k |= kindOfValue(e)
		s.constant = e
		values++
	}
	if values != 1 {
		s.constant = nil
	}
	if values > 0 {
		s.own &= k
	}
}

// kinds says which kinds of value the schema takes, with all that it refers to.
func (s *schema) kinds() kindSet {
	switch {
	case s == nil:
		return kindAny
	case s.taken != 0:
		return s.taken
	case s.looking: // it refers to itself
		return kindAny
	}
	s.looking = true
	k := s.own
	for _, t := range s.all {
		k &= t.kinds()
	}
	for _, of := range s.choice {
		var one kindSet
		for _, t := range of {
			one |= t.kinds()
		}
		k &= one
	}
	s.looking = false
	if k == 0 { // nothing would do: no help
		k = kindAny
	}
	s.taken = k
	return k
}
