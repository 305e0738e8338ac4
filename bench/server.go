package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The raw server: as little as a server can do, the same for every client. Its tool echo answers with a text of so
// many bytes as its argument size says.

type rawRequest struct {
	ID     jsontext.Value `json:"id"`
	Method string         `json:"method"`
	Params struct {
		ProtocolVersion string `json:"protocolVersion"`
		Arguments       struct {
			Size int `json:"size"`
		} `json:"arguments"`
	} `json:"params"`
}

// answer appends the response to one request; a notification appends nothing.
func answer(b, message []byte) []byte {
	var req rawRequest
	if err := json.Unmarshal(message, &req); err != nil || req.ID == nil {
		return b
	}
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, req.ID...)
	switch req.Method {
	case "initialize":
		version := req.Params.ProtocolVersion
		if version > "2025-06-18" {
			version = "2025-06-18"
		}
		b = append(b, `,"result":{"protocolVersion":"`+version+`","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}}`...)
	case "ping":
		b = append(b, `,"result":{}}`...)
	case "tools/list":
		b = append(b, `,"result":{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}}`...)
	case "tools/call":
		b = append(b, `,"result":{"content":[{"type":"text","text":"`...)
		if n := req.Params.Arguments.Size; n > 0 {
			b = append(b, bytes.Repeat([]byte{'x'}, n)...)
		} else {
			b = append(b, "hello"...)
		}
		b = append(b, `"}]}}`...)
	default:
		b = append(b, `,"error":{"code":-32601,"message":"no such method"}}`...)
	}
	return b
}

// serveStdio answers each line by the given function.
func serveStdio(in io.Reader, out io.Writer, answer func(b, message []byte) []byte) {
	r := bufio.NewReaderSize(in, 64<<10)
	w := bufio.NewWriterSize(out, 64<<10)
	var b []byte
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		if b = answer(b[:0], line); len(b) > 0 {
			w.Write(append(b, '\n'))
		}
		if r.Buffered() == 0 {
			w.Flush()
		}
	}
}

// serveHTTP listens on a free port of the loopback, prints its address, and answers in JSON on /json and with a stream
// on /sse, until its stdin ends.
func serveHTTP() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	go http.Serve(l, http.HandlerFunc(handle))
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func handle(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	b := answer(nil, body)
	if len(b) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if strings.HasSuffix(r.URL.Path, "/sse") {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: message\ndata: %s\n\n", b)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.Write(b)
}
