package replay

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// decodeHeader reads the first line of a cassette. A *VersionError comes back without its file.
func decodeHeader(line []byte) (*Header, error) {
	if bytes.HasPrefix(line, []byte{0xFE, 0xFF}) || bytes.HasPrefix(line, []byte{0xFF, 0xFE}) {
		return nil, errUTF16
	}
	if !utf8.Valid(line) {
		return nil, errUTF8
	}
	// The version comes first: a newer one may have changed whatever else stands here.
	var version []byte
	err := eachMember(line, func(name string, value []byte) error {
		if name == "cassette" && version == nil {
			version = value
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case version == nil:
		return nil, errNoTitle
	}
	if n, err := strconv.ParseUint(string(version), 10, 64); err == nil && n > Version {
		return nil, &VersionError{Version: string(version)}
	} else if err != nil || n == 0 {
		return nil, fmt.Errorf(`"cassette": %.40q is no version`, version)
	}
	h := &Header{Version: Version}
	var extra extraKeys
	if err := eachMember(line, h.memberInto(&extra)); err != nil {
		return nil, err
	}
	if h.Transport != "stdio" && h.Transport != "http" {
		return nil, fmt.Errorf(`"transport": %.40q is neither stdio nor http`, h.Transport)
	}
	h.Extra = extra.object()
	return h, nil
}

func (h *Header) memberInto(extra *extraKeys) func(name string, value []byte) error {
	return func(name string, value []byte) (err error) {
		switch name {
		case "cassette":
		case "recorded":
			var when string
			if when, err = text(value); err == nil {
				h.Recorded, err = time.Parse(time.RFC3339Nano, when)
			}
		case "by":
			h.By, err = text(value)
		case "transport":
			h.Transport, err = text(value)
		case "server":
			err = eachMember(value, func(name string, value []byte) (err error) {
				switch name {
				case "command":
					h.Server.Command, err = text(value)
				case "args":
					h.Server.Args, err = texts(value)
				case "url":
					h.Server.URL, err = text(value)
				default:
					extra.addIn("server", name, value)
				}
				return err
			})
		case "rules":
			err = eachMember(value, func(name string, value []byte) (err error) {
				switch name {
				case "built-in":
					h.Rules.BuiltIn, err = count(value)
				case "user":
					h.Rules.User, err = text(value)
				default:
					extra.addIn("rules", name, value)
				}
				return err
			})
		case "vary":
			h.Vary, err = texts(value)
		default:
			extra.add(name, value)
		}
		return err
	}
}

func texts(value []byte) ([]string, error) {
	var list []string
	if err := json.Unmarshal(value, &list); err != nil {
		return nil, errors.New("is no list of strings")
	}
	return list, nil
}
