// Package formats brings recordings of other tools into cassettes, and cassettes into the formats that other tools
// play: HAR, go-vcr, and the files of the public MCP recorders.
//
// [Import] reads a file of any known format, which it tells by its content, and gives a [Recording]; its Write is
// the only way to a cassette, and goes through a [replay.Redactor]. [Export] writes a cassette as HAR or go-vcr.
// Both hold the whole recording in memory, several times over: the formats are documents, not streams.
// Formats hold different things. What of a file cannot be carried over is in the notes, entry by entry, never
// left out in silence:
//
//	rec, err := formats.Import(data, &formats.ImportOptions{Name: "session.har"})
//	…
//	err = rec.Write(file, redactor)
//	for _, note := range rec.Notes {
//		fmt.Fprintln(os.Stderr, note)
//	}
package formats

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// Format is one that can be imported.
type Format struct {
	Name string // as --from has it
	Doc  string // whose it is, in one line
	// fits says whether data looks like it; for formats of JSON lines v is the first line, else the whole.
	fits func(v jsontext.Value) bool
	read func(in *input) error
	whole,
	yaml bool
}

// formats are those that can be imported, in the order in which they are tried.
var formats = []Format{
	{Name: "har", Doc: "HTTP Archive 1.2, of browsers and proxies", fits: has("log"), read: readHAR, whole: true},
	{Name: "ivermin", Doc: "ivermin1123/mcp-cassette, JSONL 1 and 2", fits: has("cassetteVersion"), read: readIvermin},
	{Name: "cheneeheng", Doc: "cheneeheng/mcp-cassette, JSON 2", fits: has("format_version", "messages"), read: readCheneeheng, whole: true},
	{Name: "devhelm", Doc: "devhelmhq/mcp-recorder, JSON 1.0", fits: has("metadata", "interactions"), read: readDevhelm, whole: true},
	{Name: "agent-vcr", Doc: "Jarvis2021/agent-vcr", fits: has("format_version", "session"), read: readAgentVCR, whole: true},
	{Name: "mcpsnoop", Doc: "kerlenton/mcpsnoop", fits: has("direction", "session_id"), read: readSnoop},
	{Name: "mcp-rec", Doc: "yubinkim444/mcp-rec", fits: has("ts", "dir", "msg"), read: readRec},
	{Name: "toddegray", Doc: "toddegray/mcp-recorder", fits: has("seq", "dir", "msg"), read: readToddegray},
	{Name: "mcp-tape", Doc: "mcp-tape", fits: isTape, read: readTape},
	{Name: "mcporter", Doc: "openclaw/mcporter", fits: func(v jsontext.Value) bool { return meaning.At(v, "_meta", "dir") != nil }, read: readPorter},
	{Name: "nachiket", Doc: "Nachiket-Roy/mcp-vcr, YAML", fits: has("meta", "messages"), read: readNachiket, whole: true, yaml: true},
	{Name: "go-vcr", Doc: "dnaeon/go-vcr, versions 1 to 4, YAML", fits: has("interactions"), read: readGoVCR, whole: true, yaml: true},
}

// Imports lists what can be imported.
func Imports() []Format { return slices.Clone(formats) }

func has(names ...string) func(v jsontext.Value) bool {
	return func(v jsontext.Value) bool {
		for _, name := range names {
			if meaning.At(v, name) == nil {
				return false
			}
		}
		return true
	}
}

// ImportOptions tell [Import] what the data does not.
type ImportOptions struct {
	Name   string // of the file, for errors
	Format string // empty: told by the content
	By     string // the program that imports, for the header
	Pick   string // of a file with several servers or sessions: which one
}

// UnknownError says that data is in none of the formats, or not in the one that it was said to be in.
type UnknownError struct {
	Name, Format string
	Cause        error // nil where it just does not look like it
}

func (e *UnknownError) Error() string {
	s := e.Name + ": in none of the known formats"
	if e.Format != "" {
		s = e.Name + ": not in the format " + e.Format
	}
	if e.Cause != nil {
		s += ": " + e.Cause.Error()
	}
	return s
}

func (e *UnknownError) Unwrap() error { return e.Cause }

// SeveralError says that a file holds several sessions, of which one must be picked.
type SeveralError struct {
	Name  string
	Names []string
}

func (e *SeveralError) Error() string {
	return fmt.Sprintf("%s: holds several sessions: %s", e.Name, strings.Join(e.Names, ", "))
}

// Import reads a recording of another tool.
func Import(data []byte, o *ImportOptions) (*Recording, error) {
	if o == nil {
		o = &ImportOptions{}
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	in := &input{o: o, data: data}
	f, err := in.format()
	if err != nil {
		return nil, err
	}
	in.rec.Header.By = strings.TrimSpace(o.By + " from " + f.Name)
	if err := f.read(in); err != nil {
		return nil, err
	}
	return in.rec.finish(), nil
}

// format finds the format and makes the data ready for its reader.
func (in *input) format() (*Format, error) {
	if in.o.Format != "" {
		i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == in.o.Format })
		if i < 0 {
			return nil, &UnknownError{Name: in.o.Name, Format: in.o.Format, Cause: fmt.Errorf("there is no such format")}
		}
		f := &formats[i]
		if err := in.prepare(f); err != nil {
			return nil, &UnknownError{Name: in.o.Name, Format: f.Name, Cause: err}
		}
		if !f.fits(in.first()) {
			return nil, &UnknownError{Name: in.o.Name, Format: f.Name}
		}
		return f, nil
	}
	var cause error
	text := bytes.TrimSpace(in.data)
	json := len(text) > 0 && (text[0] == '{' || text[0] == '[')
	for i := range formats {
		f := &formats[i]
		if json && f.yaml { // YAML takes JSON, too, and would speak of YAML where that is broken
			continue
		}
		if err := in.prepare(f); err != nil {
			cause = err
			continue
		}
		if f.fits(in.first()) {
			return f, nil
		}
	}
	if in.whole == nil && in.lines == nil {
		return nil, &UnknownError{Name: in.o.Name, Cause: cause}
	}
	return nil, &UnknownError{Name: in.o.Name}
}

// input is a file under way to a recording.
type input struct {
	o     *ImportOptions
	data  []byte
	whole jsontext.Value
	lines []jsontext.Value
	rec   Recording
	clock clock
}

func (in *input) first() jsontext.Value {
	if len(in.lines) > 0 {
		return in.lines[0]
	}
	return in.whole
}

// prepare reads the data as the format needs it: as one JSON text, as lines of JSON, or as YAML.
func (in *input) prepare(f *Format) (err error) {
	in.whole, in.lines = nil, nil
	switch {
	case f.yaml:
		in.whole, err = fromYAML(in.data)
	case f.whole:
		if !jsonrpc.Valid(in.data) {
			return fmt.Errorf("not one JSON text")
		}
		in.whole = in.data
	default:
		var cut bool
		if in.lines, cut, err = jsonLines(in.data); cut {
			in.rec.note(fmt.Sprintf("line %d", len(in.lines)+1), "cut off, left out")
		}
	}
	return err
}

// jsonLines splits lines of JSON; blank ones are passed over. A last one that a crash cut off is left out.
func jsonLines(data []byte) (lines []jsontext.Value, cut bool, err error) {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		whole := line[len(line)-1] == '\n'
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case jsonrpc.Valid(line):
			lines = append(lines, line)
		case !whole && lines != nil:
			return lines, true, nil
		default:
			return nil, false, fmt.Errorf("line %d: not JSON", n)
		}
	}
	if lines == nil {
		return nil, false, fmt.Errorf("nothing in it")
	}
	return lines, false, nil
}
