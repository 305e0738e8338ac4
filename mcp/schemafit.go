package mcp

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// maxParts bounds how many schemas are looked at for one value.
const maxParts = 64

// parts are the schemas that hold for one value together: a schema, all that it refers to, and of each choice what
// fits the value.
type parts struct {
	must []*schema
	may  [][]*schema // one of each
}

// fitting collects the schemas that an object has to fit.
func (s *schema) fitting(v jsontext.Value) *parts {
	p := new(parts)
	p.add(s, v)
	return p
}

func (p *parts) add(s *schema, v jsontext.Value) {
	if s == nil || len(p.must) >= maxParts || slices.Contains(p.must, s) {
		return
	}
	p.must = append(p.must, s)
	for _, t := range s.all {
		p.add(t, v)
	}
	for _, of := range s.choice {
		switch fit := choose(of, v); len(fit) {
		case 0:
		case 1:
			p.add(fit[0], v)
		default:
			p.may = append(p.may, fit)
		}
	}
}

// choose leaves out the alternatives that cannot be meant: another kind of value, a required property that is not
// there, a constant that is another. Where none is left, none says anything.
func choose(of []*schema, v jsontext.Value) (fit []*schema) {
	for _, s := range of {
		if s.mayFit(v) {
			fit = append(fit, s)
		}
	}
	return fit
}

func (s *schema) mayFit(v jsontext.Value) bool {
	if s == nil {
		return true
	}
	if s.kinds()&kindOfValue(v) == 0 {
		return false
	}
	if v[0] != '{' {
		return true
	}
	missing := len(s.required)
	for name, m := range jsonrpc.Members(v) {
		if slices.Contains(s.required, string(name)) {
			missing--
		}
		if t := s.properties[string(name)]; t != nil && t.constant != nil && !sameScalar(t.constant, m) {
			return false
		}
	}
	if missing > 0 {
		return false
	}
	for _, t := range s.all {
		if t != s && len(t.all) == 0 && !t.mayFit(v) {
			return false
		}
	}
	return true
}

// sameScalar compares strings by meaning, and all else by spelling.
func sameScalar(a, b jsontext.Value) bool {
	if a[0] == '"' && b[0] == '"' {
		return text(a) == text(b)
	}
	return string(a) == string(b)
}

// property gives the schema of a property.
func (p *parts) property(name []byte) *schema {
	if len(p.must) == 1 && len(p.may) == 0 { // the usual case
		return p.must[0].ownProperty(name)
	}
	together := &schema{own: kindAny}
	for _, s := range p.must {
		if t := s.ownProperty(name); t != nil {
			together.all = append(together.all, t)
		}
	}
	for _, of := range p.may {
		var alternatives []*schema
		for _, s := range of {
			var t *schema
			if s != nil {
				t = s.fittingProperty(name)
			}
			alternatives = append(alternatives, t)
		}
		together.choice = append(together.choice, alternatives)
	}
	return together
}

// fittingProperty looks for a property in a schema that was one of several, and in what it refers to.
func (s *schema) fittingProperty(name []byte) *schema {
	if len(s.all) == 0 {
		return s.ownProperty(name)
	}
	together := &schema{own: kindAny}
	for _, t := range append([]*schema{s}, s.all...) {
		if u := t.ownProperty(name); u != nil {
			together.all = append(together.all, u)
		}
	}
	return together
}

func (s *schema) ownProperty(name []byte) *schema {
	if t, ok := s.properties[string(name)]; ok {
		return t
	}
	for _, p := range s.patterns {
		if p.re.Match(name) {
			return p.of
		}
	}
	return s.additional
}

// element gives the schema of the element at an index.
func (s *schema) element(at int) *schema {
	if len(s.all) == 0 && len(s.choice) == 0 {
		return s.ownElement(at)
	}
	together := &schema{own: kindAny}
	for _, t := range append([]*schema{s}, s.all...) {
		if u := t.ownElement(at); u != nil {
			together.all = append(together.all, u)
		}
	}
	for _, of := range s.choice {
		var alternatives []*schema
		for _, t := range of {
			if t == nil || t.kinds()&kindArray != 0 {
				alternatives = append(alternatives, t.ownElement(at))
			}
		}
		if len(alternatives) > 0 {
			together.choice = append(together.choice, alternatives)
		}
	}
	return together
}

func (s *schema) ownElement(at int) *schema {
	switch {
	case s == nil:
		return nil
	case at < len(s.prefix):
		return s.prefix[at]
	}
	return s.items
}
