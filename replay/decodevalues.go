package replay

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
)

// text reads a JSON string.
func text(value []byte) (string, error) {
	if err := isString(value); err != nil {
		return "", err
	}
	return unquote(value), nil
}

func isString(value []byte) error {
	if value[0] != '"' {
		return errors.New("is not a string")
	}
	return nil
}

func side(value []byte) (mcp.Side, error) {
	switch string(value) {
	case `"client"`:
		return mcp.FromClient, nil
	case `"server"`:
		return mcp.FromServer, nil
	}
	return 0, fmt.Errorf("%.40q is neither client nor server", value)
}

// count reads the number of a session or an exchange.
func count(value []byte) (int, error) {
	n, err := strconv.ParseUint(string(value), 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%.40q is no count", value)
	}
	return int(n), nil
}

// seconds reads a frame's time. What this package writes has six decimals, and is read without a float64.
func seconds(value []byte) (time.Duration, error) {
	whole, fraction, _ := bytes.Cut(value, []byte{'.'})
	if len(fraction) == 6 {
		s, err1 := strconv.ParseUint(string(whole), 10, 33)
		us, err2 := strconv.ParseUint(string(fraction), 10, 32)
		if err1 == nil && err2 == nil {
			return time.Duration(s)*time.Second + time.Duration(us)*time.Microsecond, nil
		}
	}
	s, err := strconv.ParseFloat(string(value), 64)
	if err != nil || s < 0 || s > 1<<33 {
		return 0, fmt.Errorf("%.40q is no time in seconds", value)
	}
	return time.Duration(math.Round(s*1e6)) * time.Microsecond, nil
}

// extraKeys gathers the keys that this version does not know, in the shape of the line.
type extraKeys struct {
	top    []byte
	inside map[string][]byte
}

func (x *extraKeys) add(name string, value []byte) { x.top = appendMember(x.top, name, value) }

func (x *extraKeys) addIn(object, name string, value []byte) {
	if x.inside == nil {
		x.inside = make(map[string][]byte)
	}
	x.inside[object] = appendMember(x.inside[object], name, value)
}

func (x *extraKeys) object() jsontext.Value {
	for _, name := range [...]string{"exit", "http", "rules", "server", "sse"} {
		if members := x.inside[name]; members != nil {
			x.top = appendMember(x.top, name, []byte("{"+string(members)+"}"))
		}
	}
	if x.top == nil {
		return nil
	}
	return jsontext.Value("{" + string(x.top) + "}")
}

func appendMember(b []byte, name string, value []byte) []byte {
	if len(b) > 0 {
		b = append(b, ',')
	}
	b, _ = jsontext.AppendQuote(b, strings.ToValidUTF8(name, "\uFFFD"))
	b = append(b, ':')
	return append(b, value...)
}
