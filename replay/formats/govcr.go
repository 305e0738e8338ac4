package formats

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"gopkg.in/yaml.v3"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// readGoVCR reads go-vcr's YAML, format versions 1 (go-vcr 1 and 2) and 2 (go-vcr 3 and 4). It keeps no times but how
// long each exchange took.
func readGoVCR(in *input) error {
	in.rec.unknown("cassette", in.whole, "version", "interactions", "mu")
	a := newArchive(in)
	at := time.Duration(0)
	for i, v := range elements(in.whole, "interactions") {
		entry := fmt.Sprintf("interaction %d", i+1)
		request, response := jsontext.Value(meaning.At(v, "request")), jsontext.Value(meaning.At(v, "response"))
		in.rec.unknown(entry, v, "id", "request", "response")
		in.rec.unknown(entry, request, "body", "form", "headers", "url", "method", "proto", "proto_major", "proto_minor",
			"content_length", "transfer_encoding", "host", "remote_addr", "request_uri")
		in.rec.unknown(entry, response, "body", "headers", "status", "code", "duration", "proto", "proto_major", "proto_minor",
			"content_length", "transfer_encoding", "uncompressed")
		took, err := time.ParseDuration(text(response, "duration"))
		if err != nil {
			took = number(meaning.At(response, "duration"), 1)
		}
		x := &exchange{
			at: at, took: max(0, took),
			method: text(request, "method"), header: vcrHeader(request), body: []byte(text(request, "body")),
			status: int(number(meaning.At(response, "code"), 1)), answer: vcrHeader(response), reply: []byte(text(response, "body")),
		}
		if packing := strings.Join(texts(meaning.At(response, "headers", "Content-Encoding")), ", "); packing != "" && bytes.ContainsRune(x.reply, utf8.RuneError) {
			in.rec.note(entry, "the answer's body is packed (%s) and cannot be unpacked, left out", packing)
			x.reply = nil
		}
		at += x.took
		a.add(entry, text(request, "url"), x)
	}
	return a.finish()
}

func vcrHeader(v jsontext.Value) http.Header {
	h := http.Header{}
	for name, values := range jsonrpc.Members(meaning.At(v, "headers")) {
		if isFraming(string(name)) {
			continue
		}
		for _, value := range texts(values) {
			h.Add(string(name), value)
		}
	}
	return h
}

// The types of go-vcr 2, whose own are not used: they would bring its recorder into the command.
type vcrRequest struct {
	Body    string      `yaml:"body"`
	Form    url.Values  `yaml:"form"`
	Headers http.Header `yaml:"headers"`
	URL     string      `yaml:"url"`
	Method  string      `yaml:"method"`
}

type vcrResponse struct {
	Body     string      `yaml:"body"`
	Headers  http.Header `yaml:"headers"`
	Status   string      `yaml:"status"`
	Code     int         `yaml:"code"`
	Duration string      `yaml:"duration"`
}

type vcrInteraction struct {
	Request  vcrRequest  `yaml:"request"`
	Response vcrResponse `yaml:"response"`
}

type vcrCassette struct {
	Version      int              `yaml:"version"`
	Interactions []vcrInteraction `yaml:"interactions"`
}

// writeGoVCR writes exchanges as go-vcr 2 reads them.
func writeGoVCR(w io.Writer, ex *exporter) error {
	file := vcrCassette{Version: 1, Interactions: []vcrInteraction{}}
	for _, x := range ex.exchanges {
		if x.status == 0 {
			ex.note("exchange %d has no answer: go-vcr cannot hold it, left out", x.number)
			continue
		}
		if x.end != "" && x.end != "complete" {
			ex.note("exchange %d was broken off (%s): go-vcr will end it as if it were whole", x.number, x.end)
		}
		file.Interactions = append(file.Interactions, vcrInteraction{
			Request: vcrRequest{Body: string(x.body), Form: url.Values{}, Headers: x.header, URL: ex.base + x.path, Method: x.method},
			Response: vcrResponse{Body: string(x.reply), Headers: x.answer, Status: strconv.Itoa(x.status) + " " + http.StatusText(x.status),
				Code: x.status, Duration: x.took.String()},
		})
	}
	if _, err := io.WriteString(w, "---\n"); err != nil {
		return err
	}
	enc := yaml.NewEncoder(w)
	if err := enc.Encode(&file); err != nil {
		return err
	}
	return enc.Close()
}
