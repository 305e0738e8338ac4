package replay

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
)

// Version is the cassette version that this package writes, and the newest that it reads.
const Version = 1

// Header is the first line of a cassette.
type Header struct {
	Version   int       // 1
	Recorded  time.Time // when the recording began; frames tell their time from here
	By        string    // the program that wrote it, such as "mcp-replay 0.1.0"
	Transport string    // "stdio" or "http"
	Server    ServerLine
	Rules     RuleSet
	Vary      []string // JSON Pointers into answers that two recordings have shown to vary

	// Extra holds the keys that this version does not know, as an object in the shape of the line: what is
	// unknown inside "server" stands inside "server" there. A rewrite keeps them.
	Extra jsontext.Value
}

// ServerLine says how the recorded server was reached, redacted.
type ServerLine struct {
	Command string   // stdio
	Args    []string // stdio
	URL     string   // http
}

// RuleSet names the redaction rules that a cassette was written under.
type RuleSet struct {
	BuiltIn int    // the version of the built-in rules
	User    string // "sha256:…" over the user's own rules; empty where there are none
}

// Frame is one line of a cassette after the header.
type Frame struct {
	// What passed; its SessionID is empty, since a cassette does not keep it. A Kind of 0 is a line of which
	// this version knows no more than time and side; its payload is in Extra.
	mcp.Frame
	Session int // HTTP: which session, from 1; 0 for requests without one, and on stdio

	// Extra holds the keys that this version does not know, as an object in the shape of the line: what is
	// unknown inside "http" stands inside "http" there. A rewrite keeps them.
	Extra jsontext.Value
}
