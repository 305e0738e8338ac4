package replay

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
)

var (
	errUTF8    = errors.New("bytes that are not UTF-8")
	errUTF16   = errors.New("the file is UTF-16; a cassette is UTF-8")
	errNoTitle = errors.New(`the first line has no "cassette" key: this is not a cassette`)
)

// eachMember calls f for each member of the JSON object that line consists of.
func eachMember(line []byte, f func(name string, value []byte) error) error {
	i := skipSpace(line, 0)
	if i == len(line) || line[i] != '{' {
		return unexpected(line, i, "an object")
	}
	i = skipSpace(line, i+1)
	for more := i == len(line) || line[i] != '}'; more; {
		if i == len(line) || line[i] != '"' {
			return unexpected(line, i, "a name")
		}
		end, err := scanString(line, i)
		if err != nil {
			return err
		}
		name := unquote(line[i:end])
		i = skipSpace(line, end)
		if i == len(line) || line[i] != ':' {
			return unexpected(line, i, "':'")
		}
		i = skipSpace(line, i+1)
		start := i
		if i, _, err = scanValue(line, i); err != nil {
			return err
		}
		if err := f(name, line[start:i]); err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
		i = skipSpace(line, i)
		if more = i < len(line) && line[i] == ','; more {
			i = skipSpace(line, i+1)
		}
	}
	if i == len(line) || line[i] != '}' {
		return unexpected(line, i, "',' or '}'")
	}
	if i = skipSpace(line, i+1); i != len(line) {
		return &syntaxError{i, "more after the end of the object", false}
	}
	return nil
}

// unquote gives the text of a JSON string that has been scanned. Lone surrogates become U+FFFD.
func unquote(quoted []byte) string {
	if body := quoted[1 : len(quoted)-1]; bytes.IndexByte(body, '\\') < 0 {
		return string(body)
	}
	text, _ := jsontext.AppendUnquote(nil, quoted)
	return string(text)
}

// decodeFrame reads one line. With index set it only looks at what an index needs: the payload's syntax is
// checked, but text is not decoded and Data stays empty. The frame's Data is a slice of line where it can be.
func decodeFrame(line []byte, f *Frame, index bool) error {
	if !utf8.Valid(line) {
		return errUTF8
	}
	d := frameDecoder{frame: f, index: index}
	if err := eachMember(line, d.member); err != nil {
		return err
	}
	return d.finish()
}

// A frameDecoder gathers the members of one line.
type frameDecoder struct {
	frame *Frame
	index bool
	seen  uint32 // bit k: frameKeys[k] has been there
	bytes []byte // the raw value of "bytes"
	of    string
	extra extraKeys
}

// frameKeys are the keys of a frame's line that this version knows.
var frameKeys = [...]string{"at", "from", "session", "exchange", "message", "text", "bytes", "of", "noise", "stderr",
	"body", "close", "exit", "http", "end", "sse"}

func (d *frameDecoder) member(name string, value []byte) error {
	known := -1
	for k, key := range frameKeys {
		if key == name {
			known = k
			break
		}
	}
	if known < 0 {
		d.extra.add(name, value)
		return nil
	}
	if d.seen&(1<<known) != 0 {
		return errors.New("stands twice on one line")
	}
	d.seen |= 1 << known

	f := d.frame
	var err error
	switch name {
	case "at":
		f.At, err = seconds(value)
	case "from":
		f.From, err = side(value)
	case "session":
		f.Session, err = count(value)
	case "exchange":
		f.Exchange, err = count(value)
	case "of":
		d.of, err = text(value)
	case "bytes":
		d.bytes = value
	case "sse":
		f.Event, err = d.sse(value)
	default:
		return d.payload(name, value)
	}
	return err
}

// payload reads the member that says what passed.
func (d *frameDecoder) payload(name string, value []byte) (err error) {
	f := d.frame
	if f.Kind != 0 {
		return errors.New("a line tells one thing, and this is its second")
	}
	switch name {
	case "message":
		f.Kind = mcp.FrameMessage
		f.Data = value
		if d.index {
			f.Data = nil
		}
		return nil
	case "text":
		f.Kind = mcp.FrameMessage
	case "noise":
		f.Kind = mcp.FrameNoise
	case "stderr":
		f.Kind = mcp.FrameStderr
	case "body":
		f.Kind = mcp.FrameBody
	case "close":
		f.Kind = mcp.FrameClose
		if string(value) != "true" {
			return errors.New("is not true")
		}
		return nil
	case "exit":
		f.Kind = mcp.FrameExit
		f.Exit, err = d.exit(value)
		return err
	case "http":
		f.Kind = mcp.FrameHTTP
		f.Head, err = d.head(value)
		return err
	case "end":
		f.Kind = mcp.FrameEnd
		reason, err := text(value)
		f.End = mcp.EndReason(reason)
		if err == nil && f.End != mcp.EndComplete && f.End != mcp.EndReset && f.End != mcp.EndClient {
			err = fmt.Errorf("%q is none of complete, reset and client", reason)
		}
		return err
	}
	if d.index {
		return isString(value)
	}
	data, err := text(value)
	f.Data = []byte(data)
	return err
}

// finish settles what takes the whole line to know.
func (d *frameDecoder) finish() error {
	f := d.frame
	for k, key := range frameKeys[:2] {
		if d.seen&(1<<k) == 0 {
			return fmt.Errorf("a frame without %q", key)
		}
	}
	if d.bytes != nil {
		if f.Kind != 0 {
			return errors.New(`"bytes": a line tells one thing, and this is its second`)
		}
		if err := d.decodeBytes(); err != nil {
			return err
		}
	}
	if f.Kind == 0 && f.Event != nil {
		f.Kind = mcp.FrameEvent
	}
	f.Extra = d.extra.object()
	return nil
}

func (d *frameDecoder) decodeBytes() error {
	switch d.of {
	case "message":
		d.frame.Kind = mcp.FrameMessage
	case "noise":
		d.frame.Kind = mcp.FrameNoise
	case "stderr":
		d.frame.Kind = mcp.FrameStderr
	case "body":
		d.frame.Kind = mcp.FrameBody
	default:
		return fmt.Errorf(`"of": %q is none of message, noise, stderr and body`, d.of)
	}
	encoded, err := text(d.bytes)
	if err != nil {
		return fmt.Errorf(`"bytes": %w`, err)
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return fmt.Errorf(`"bytes": %w`, err)
	}
	if !d.index {
		d.frame.Data = data
	}
	return nil
}

func (d *frameDecoder) sse(value []byte) (*mcp.SSE, error) {
	e := new(mcp.SSE)
	err := eachMember(value, func(name string, value []byte) (err error) {
		switch name {
		case "event":
			e.Event, err = text(value)
		case "id":
			e.ID, err = text(value)
			e.HasID = true
		case "retry":
			e.Retry, err = text(value)
		case "comment":
			e.Comment, err = text(value)
		default:
			d.extra.addIn("sse", name, value)
		}
		return err
	})
	return e, err
}

func (d *frameDecoder) exit(value []byte) (*mcp.ExitStatus, error) {
	e, told := new(mcp.ExitStatus), false
	err := eachMember(value, func(name string, value []byte) (err error) {
		switch name {
		case "code":
			told = true
			e.Code, err = strconv.Atoi(string(value))
		case "signal":
			told = true
			e.Signal, err = text(value)
		default:
			d.extra.addIn("exit", name, value)
		}
		return err
	})
	if err == nil && !told {
		err = errors.New("neither code nor signal")
	}
	return e, err
}

func (d *frameDecoder) head(value []byte) (*mcp.HTTPHead, error) {
	h := new(mcp.HTTPHead)
	err := eachMember(value, func(name string, value []byte) (err error) {
		switch name {
		case "method":
			h.Method, err = text(value)
		case "path":
			h.Path, err = text(value)
		case "status":
			h.Status, err = strconv.Atoi(string(value))
		case "header":
			err = json.Unmarshal(value, &h.Header, jsontext.AllowInvalidUTF8(true))
		default:
			d.extra.addIn("http", name, value)
		}
		return err
	})
	if err == nil && (h.Method == "") == (h.Status == 0) {
		err = errors.New("neither a request's head (method) nor an answer's (status)")
	}
	return h, err
}
