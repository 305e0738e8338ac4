package formats

import (
	"fmt"
	"io"
	"math/big"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// Recording is what was imported, not redacted yet.
type Recording struct {
	Header replay.Header
	Frames []replay.Frame
	Notes  []string // what could not be carried over, entry by entry
}

// Write writes the recording as a cassette. The redactor sees every frame and the header before the file does.
func (rec *Recording) Write(w io.Writer, redactor *replay.Redactor) error {
	header := redactor.Header(rec.Header)
	out, err := replay.NewWriter(w, &header)
	if err != nil {
		return err
	}
	for _, f := range rec.Frames {
		f := redactor.Frame(f)
		if err := out.WriteFrame(&f); err != nil {
			return err
		}
	}
	return nil
}

// finish fills in what every cassette has, and lets no frame be before the one above it.
func (rec *Recording) finish() *Recording {
	h := &rec.Header
	h.Version = replay.Version
	if h.Transport == "" {
		h.Transport = "stdio"
	}
	if h.Recorded.IsZero() {
		h.Recorded = time.Unix(0, 0).UTC()
	}
	h.Recorded = h.Recorded.UTC()
	last := time.Duration(0)
	for i := range rec.Frames {
		f := &rec.Frames[i]
		last = max(last, f.At)
		f.At = last
	}
	if h.Transport == "http" && !slices.ContainsFunc(rec.Frames, func(f replay.Frame) bool { return f.Exchange > 0 }) {
		rec.Frames = overHTTP(rec.Frames, pathOf(h.Server.URL))
		rec.note("", "the tool kept no HTTP heads: exchanges are made up around the messages")
	}
	return rec
}

// note says what of an entry could not be carried over.
func (rec *Recording) note(entry, format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if entry != "" {
		s = entry + ": " + s
	}
	if n := len(rec.Notes); n == 0 || rec.Notes[n-1] != s {
		rec.Notes = append(rec.Notes, s)
	}
}

// unknown notes the keys of an entry that are not among those that its reader knows.
func (rec *Recording) unknown(entry string, v jsontext.Value, known ...string) {
	var keys []string
	for name, value := range jsonrpc.Members(v) {
		if !slices.Contains(known, string(name)) && !isEmpty(value) {
			keys = append(keys, string(name))
		}
	}
	if keys != nil {
		rec.note(entry, "not carried over: %s", strings.Join(keys, ", "))
	}
}

// isEmpty says whether there is nothing in v that could be lost.
func isEmpty(v jsontext.Value) bool {
	switch string(v) {
	case "", "null", "[]", "{}", `""`, "false":
		return true
	}
	return false
}

// message adds a message. In documents that are laid out for people the white space is the tool's, not the wire's.
func (in *input) message(entry string, at time.Duration, from mcp.Side, v jsontext.Value) {
	raw, ok := compact(v)
	if !ok {
		in.rec.note(entry, "nested too deep, left out")
		return
	}
	kind := mcp.FrameMessage
	if _, _, err := jsonrpc.Split(raw); err != nil {
		if from == mcp.FromServer {
			kind = mcp.FrameNoise
			if raw[0] == '"' { // a line that the tool could not read
				raw = []byte(meaning.Text(raw) + "\n")
			}
			in.rec.note(entry, "no message of JSON-RPC: it becomes noise")
		} else {
			in.rec.note(entry, "no message of JSON-RPC: it stays as it is")
		}
	}
	in.add(mcp.Frame{At: at, From: from, Kind: kind, Data: raw})
}

func (in *input) add(f mcp.Frame) { in.rec.Frames = append(in.rec.Frames, replay.Frame{Frame: f}) }

// compact takes the white space out of v; numbers and escapes stay as they are spelt.
func compact(v jsontext.Value) ([]byte, bool) {
	v = v.Clone()
	err := v.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
	return v, err == nil
}

// text is a member as a string.
func text(v jsontext.Value, names ...string) string { return meaning.Text(meaning.At(v, names...)) }

// texts is a member that is a list of strings.
func texts(v jsontext.Value, names ...string) []string {
	var list []string
	for e := range jsonrpc.Elements(meaning.At(v, names...)) {
		list = append(list, meaning.Text(e))
	}
	return list
}

// command is a server's command line as a list, or as one string.
func command(v jsontext.Value) replay.ServerLine {
	words := texts(v)
	if words == nil {
		words = strings.Fields(meaning.Text(v))
	}
	if len(words) == 0 {
		return replay.ServerLine{}
	}
	return replay.ServerLine{Command: words[0], Args: words[1:]}
}

// number reads a number of units exactly, as a time; anything else is zero.
func number(v jsontext.Value, unit time.Duration) time.Duration {
	if v.Kind() != '0' || len(v) > 40 || strings.ContainsAny(string(v), "eE") {
		return 0
	}
	r, ok := new(big.Rat).SetString(string(v))
	if !ok {
		return 0
	}
	r.Mul(r, new(big.Rat).SetInt64(int64(unit)))
	n := new(big.Int).Quo(r.Num(), r.Denom())
	if !n.IsInt64() {
		return 0
	}
	return time.Duration(n.Int64())
}

// clock turns points in time into times since the first of them.
type clock struct{ start time.Time }

// begin sets the time from which frames are counted.
func (in *input) begin(t time.Time) {
	if in.clock.start.IsZero() && !t.IsZero() {
		in.clock.start, in.rec.Header.Recorded = t, t
	}
}

// since is the time of a frame that was seen at t.
func (in *input) since(t time.Time) time.Duration {
	in.begin(t)
	if t.IsZero() {
		return 0
	}
	return max(0, t.Sub(in.clock.start))
}

// instant reads a point in time: RFC 3339, or seconds or milliseconds since 1970.
func instant(v jsontext.Value) time.Time {
	if v.Kind() == '0' {
		d := number(v, time.Second)
		if d == 0 { // as seconds, further away than a time can be
			return time.Unix(0, 0).Add(number(v, time.Millisecond)).UTC()
		}
		return time.Unix(0, int64(d)).UTC()
	}
	t, err := time.Parse(time.RFC3339Nano, meaning.Text(v))
	if err != nil {
		t, _ = time.Parse("2006-01-02T15:04:05.999999999", meaning.Text(v)) // without a zone: taken for UTC
	}
	return t.UTC()
}

// direction reads the words by which tools tell the sides apart.
func direction(s string) (mcp.Side, bool) {
	switch s {
	case "c2s", "client->server", "client_to_server", "client", "send", "in":
		return mcp.FromClient, true
	case "s2c", "server->client", "server_to_client", "server", "recv", "out":
		return mcp.FromServer, true
	}
	return 0, false
}

// http says that the recording is of a server at an address.
func (rec *Recording) http(address string) {
	rec.Header.Transport, rec.Header.Server = "http", replay.ServerLine{URL: address}
}

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.RequestURI() == "" {
		return "/mcp"
	}
	return u.RequestURI()
}
