package run

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// tagFilter is a tag expression; nil selects everything.
type tagFilter func(tags []string) bool

func (f tagFilter) match(tags []string) bool { return f == nil || f(tags) }

// token splits a tag expression: the words of the new spelling, and the signs of the old one.
var token = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s*(\(|\)|&&|,|~|[^\s()&,~]+)`) })

// parseTags reads "@a and not (@b or @c)", and the older "@a && ~@b" in which a comma means or and binds tighter.
func parseTags(text string) (tagFilter, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	p := tagParser{text: text}
	rest := text
	for strings.TrimSpace(rest) != "" {
		m := token().FindStringSubmatchIndex(rest)
		if m == nil || m[0] != 0 {
			return nil, p.fail("it cannot be read at " + strings.TrimSpace(rest))
		}
		p.tokens = append(p.tokens, rest[m[2]:m[3]])
		rest = rest[m[1]:]
	}
	f, err := p.and(p.or)
	if err != nil {
		return nil, err
	}
	if len(p.tokens) > 0 {
		return nil, p.fail("unexpected " + p.tokens[0])
	}
	return f, nil
}

type tagParser struct {
	text   string
	tokens []string
}

func (p *tagParser) fail(what string) error {
	return fmt.Errorf("tags %q: %s; write @a, not @a, @a and @b, @a or @b, with brackets", p.text, what)
}

func (p *tagParser) take(word string) bool {
	if len(p.tokens) > 0 && p.tokens[0] == word {
		p.tokens = p.tokens[1:]
		return true
	}
	return false
}

// and reads the old spelling's top level, A && B, around the new one's.
func (p *tagParser) and(next func() (tagFilter, error)) (tagFilter, error) {
	left, err := next()
	for err == nil && p.take("&&") {
		var right tagFilter
		l := left
		right, err = next()
		left = func(tags []string) bool { return l(tags) && right(tags) }
	}
	return left, err
}

func (p *tagParser) or() (tagFilter, error) {
	left, err := p.conjunction()
	for err == nil && (p.take("or") || p.take(",")) {
		var right tagFilter
		l := left
		right, err = p.conjunction()
		left = func(tags []string) bool { return l(tags) || right(tags) }
	}
	return left, err
}

func (p *tagParser) conjunction() (tagFilter, error) {
	left, err := p.unary()
	for err == nil && p.take("and") {
		var right tagFilter
		l := left
		right, err = p.unary()
		left = func(tags []string) bool { return l(tags) && right(tags) }
	}
	return left, err
}

func (p *tagParser) unary() (tagFilter, error) {
	switch {
	case len(p.tokens) == 0:
		return nil, p.fail("it ends too early")
	case p.take("not"), p.take("~"):
		inner, err := p.unary()
		if err != nil {
			return nil, err
		}
		return func(tags []string) bool { return !inner(tags) }, nil
	case p.take("("):
		inner, err := p.and(p.or)
		if err != nil {
			return nil, err
		}
		if !p.take(")") {
			return nil, p.fail("a bracket is not closed")
		}
		return inner, nil
	}
	name := p.tokens[0]
	if !strings.HasPrefix(name, "@") {
		return nil, p.fail("unexpected " + name)
	}
	p.tokens = p.tokens[1:]
	return func(tags []string) bool { return slices.Contains(tags, name) }, nil
}
