package formats

import (
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// readHAR reads an HTTP Archive: the entries that carry messages of MCP, and the GET and DELETE requests to the same
// address.
func readHAR(in *input) error {
	a := newArchive(in)
	for i, v := range elements(in.whole, "log", "entries") {
		entry := fmt.Sprintf("entry %d", i+1)
		request, response := jsontext.Value(meaning.At(v, "request")), jsontext.Value(meaning.At(v, "response"))
		x := &exchange{
			at:     in.since(instant(meaning.At(v, "startedDateTime"))),
			took:   max(0, number(meaning.At(v, "time"), time.Millisecond)),
			method: text(request, "method"),
			header: harHeader(request),
			body:   []byte(text(request, "postData", "text")),
			status: int(number(meaning.At(response, "status"), 1)),
			answer: harHeader(response),
			reply:  []byte(text(response, "content", "text")),
			end:    mcp.EndReason(text(v, "_end")),
		}
		if x.status < 0 {
			x.status = 0
		}
		if text(response, "content", "encoding") == "base64" {
			reply, err := base64.StdEncoding.DecodeString(string(x.reply))
			if err != nil {
				in.rec.note(entry, "the answer's body is no base64, left out")
			}
			x.reply = reply
		}
		if n := number(meaning.At(response, "content", "size"), 1); n > 0 && len(x.reply) == 0 {
			in.rec.note(entry, "the answer's body is not in the file")
		}
		a.add(entry, text(request, "url"), x)
	}
	return a.finish()
}

// harHeader reads a list of headers. Those of HTTP/2 that begin with a colon are no headers, and what told of the
// body's length and packing no longer holds: the body is unpacked.
func harHeader(v jsontext.Value) http.Header {
	h := http.Header{}
	for _, e := range elements(v, "headers") {
		if name := text(e, "name"); name != "" && name[0] != ':' && !isFraming(name) {
			h.Add(name, text(e, "value"))
		}
	}
	return h
}

func isFraming(name string) bool {
	switch http.CanonicalHeaderKey(name) {
	case "Content-Length", "Content-Encoding", "Transfer-Encoding", "Connection", "Keep-Alive", "Host", "Date":
		return true
	}
	return false
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harBody struct {
	MimeType string `json:"mimeType"`
	Text     string `json:"text"`
}

type harContent struct {
	Size     int    `json:"size"`
	MimeType string `json:"mimeType"`
	Text     string `json:"text,omitzero"`
	Encoding string `json:"encoding,omitzero"`
}

type harRequest struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	HTTPVersion string    `json:"httpVersion"`
	Cookies     []harPair `json:"cookies"`
	Headers     []harPair `json:"headers"`
	QueryString []harPair `json:"queryString"`
	PostData    *harBody  `json:"postData,omitempty"`
	HeadersSize int       `json:"headersSize"`
	BodySize    int       `json:"bodySize"`
}

type harResponse struct {
	Status      int        `json:"status"`
	StatusText  string     `json:"statusText"`
	HTTPVersion string     `json:"httpVersion"`
	Cookies     []harPair  `json:"cookies"`
	Headers     []harPair  `json:"headers"`
	Content     harContent `json:"content"`
	RedirectURL string     `json:"redirectURL"`
	HeadersSize int        `json:"headersSize"`
	BodySize    int        `json:"bodySize"`
}

type harEntry struct {
	Started  string      `json:"startedDateTime"`
	Time     float64     `json:"time"`
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  struct {
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
		Receive float64 `json:"receive"`
	} `json:"timings"`
	End string `json:"_end,omitzero"`
}

type harFile struct {
	Log struct {
		Version string `json:"version"`
		Creator struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		} `json:"creator"`
		Entries []harEntry `json:"entries"`
	} `json:"log"`
}

// writeHAR writes exchanges as an HTTP Archive 1.2.
func writeHAR(w io.Writer, ex *exporter) error {
	var file harFile
	file.Log.Version = "1.2"
	file.Log.Creator.Name, file.Log.Creator.Version, _ = strings.Cut(ex.header.By, " ")
	file.Log.Entries = []harEntry{}
	for _, x := range ex.exchanges {
		file.Log.Entries = append(file.Log.Entries, ex.harEntry(x))
	}
	if err := json.MarshalWrite(w, &file, jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true)); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (ex *exporter) harEntry(x *exchange) harEntry {
	millis := float64(x.took.Microseconds()) / 1000
	e := harEntry{Started: ex.header.Recorded.Add(x.at).UTC().Format(time.RFC3339Nano), Time: millis}
	e.Timings.Wait = millis
	if x.end != mcp.EndComplete {
		e.End = string(x.end)
	}
	address := ex.base + x.path
	e.Request = harRequest{Method: x.method, URL: address, HTTPVersion: "HTTP/1.1", Cookies: []harPair{}, Headers: harPairs(x.header),
		QueryString: harQuery(address), HeadersSize: -1, BodySize: len(x.body)}
	if len(x.body) > 0 {
		e.Request.PostData = &harBody{MimeType: x.header.Get("Content-Type"), Text: string(x.body)}
	}
	e.Response = harResponse{Status: x.status, StatusText: http.StatusText(x.status), HTTPVersion: "HTTP/1.1", Cookies: []harPair{},
		Headers: harPairs(x.answer), HeadersSize: -1, BodySize: len(x.reply),
		Content: harContent{Size: len(x.reply), MimeType: x.answer.Get("Content-Type"), Text: string(x.reply)}}
	if !utf8.Valid(x.reply) {
		e.Response.Content.Text, e.Response.Content.Encoding = base64.StdEncoding.EncodeToString(x.reply), "base64"
	}
	return e
}

func harPairs(h http.Header) []harPair {
	pairs := []harPair{}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			pairs = append(pairs, harPair{name, value})
		}
	}
	return pairs
}

func harQuery(address string) []harPair {
	pairs := []harPair{}
	_, query, _ := strings.Cut(address, "?")
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		if n, err := url.QueryUnescape(name); err == nil {
			name = n
		}
		if v, err := url.QueryUnescape(value); err == nil {
			value = v
		}
		pairs = append(pairs, harPair{name, value})
	}
	return pairs
}
