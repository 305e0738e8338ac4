package formats

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"gopkg.in/yaml.v3"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// fromYAML gives a YAML document as JSON: numbers keep their digits, and whatever JSON has no word for is a string.
func fromYAML(data []byte) (jsontext.Value, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("not YAML: %w", err)
	}
	if len(doc.Content) == 0 {
		return nil, fmt.Errorf("an empty YAML document")
	}
	// An alias stands for a whole tree; nested ones would grow without end.
	c := &yamlConverter{left: 64*len(data) + 1<<20}
	if err := c.node(doc.Content[0], 0); err != nil {
		return nil, err
	}
	return c.out, nil
}

type yamlConverter struct {
	out  []byte
	left int
}

const maxYAMLDepth = 1000

func (c *yamlConverter) node(n *yaml.Node, depth int) error {
	if depth > maxYAMLDepth || len(c.out) > c.left {
		return fmt.Errorf("line %d: the YAML nests or grows without measure", n.Line)
	}
	switch n.Kind {
	case yaml.AliasNode:
		return c.node(n.Alias, depth+1)
	case yaml.MappingNode:
		c.out = append(c.out, '{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				c.out = append(c.out, ',')
			}
			c.quote(n.Content[i].Value)
			c.out = append(c.out, ':')
			if err := c.node(n.Content[i+1], depth+1); err != nil {
				return err
			}
		}
		c.out = append(c.out, '}')
	case yaml.SequenceNode:
		c.out = append(c.out, '[')
		for i, e := range n.Content {
			if i > 0 {
				c.out = append(c.out, ',')
			}
			if err := c.node(e, depth+1); err != nil {
				return err
			}
		}
		c.out = append(c.out, ']')
	default:
		c.scalar(n)
	}
	return nil
}

func (c *yamlConverter) scalar(n *yaml.Node) {
	switch n.ShortTag() {
	case "!!null":
		c.out = append(c.out, "null"...)
		return
	case "!!bool":
		c.out = strconv.AppendBool(c.out, strings.EqualFold(n.Value, "true") || strings.EqualFold(n.Value, "yes") || strings.EqualFold(n.Value, "on"))
		return
	case "!!int", "!!float":
		if jsonrpc.Valid([]byte(n.Value)) {
			c.out = append(c.out, n.Value...)
			return
		}
		var i int64 // hexadecimal, octal, with underscores
		if n.Decode(&i) == nil {
			c.out = strconv.AppendInt(c.out, i, 10)
			return
		}
	case "!!binary":
		if b, err := base64.StdEncoding.DecodeString(string(bytes.Join(bytes.Fields([]byte(n.Value)), nil))); err == nil {
			c.quote(string(unpacked(b)))
			return
		}
	}
	c.quote(n.Value)
}

func (c *yamlConverter) quote(s string) { c.out, _ = jsontext.AppendQuote(c.out, s) }

// unpacked gives what gzip has packed: recorders in Go keep a body as it came, and gzip is what Go asks for.
func unpacked(b []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return b
	}
	text, err := io.ReadAll(io.LimitReader(z, jsonrpc.MaxLine+1))
	if err != nil || len(text) > jsonrpc.MaxLine {
		return b
	}
	return text
}
