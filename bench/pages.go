package main

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The server of pages answers a call with a page of text as tools give it: lines, quotes, paths and addresses, a JSON
// document in between. What it answers goes by the arguments alone, so that a recording of it can be verified.

// appendPage appends the text of page n, as JSON, of about so many bytes.
func appendPage(b []byte, n, size int) []byte {
	b = append(b, '"')
	for line := n; size > 0; line++ {
		text := pageLines[line%len(pageLines)]
		b = append(b, text...)
		size -= len(text)
	}
	return fmt.Appendf(b, `(%d)"`, n)
}

// pageLines are lines of a page, each as the inside of a JSON string.
var pageLines = strings.Split(strings.TrimSpace(`
The quick brown fox jumps over the lazy dog, and nobody in the garden takes any notice of it at all.\n
func (c *Conn) Read(ctx context.Context) (Message, error) {\n\treturn c.next(ctx)\n}\n
- [Installation](https://example.com/docs/install?version=3#linux): how to get it onto a machine\n
{\"path\": \"/srv/www/index.html\", \"size\": 18231, \"modified\": \"2026-11-30T18:04:05Z\", \"mode\": \"0644\"}\n
drwxr-xr-x  7 www-data www-data  4096 Nov 30 18:04 assets\n
Zürich, 30. November: Schnee bis in die Niederungen, auf den Straßen ist Vorsicht geboten.\n
`), "\n")

type pageRequest struct {
	ID     jsontext.Value `json:"id"`
	Method string         `json:"method"`
	Params struct {
		Arguments struct {
			Page int `json:"page"`
			Size int `json:"size"`
		} `json:"arguments"`
	} `json:"params"`
}

// answerPages appends the response to one request.
func answerPages(b, message []byte) []byte {
	var req pageRequest
	if err := json.Unmarshal(message, &req); err != nil || req.Method != "tools/call" {
		return answer(b, message)
	}
	b = append(append(b, `{"jsonrpc":"2.0","id":`...), req.ID...)
	b = append(b, `,"result":{"content":[{"type":"text","text":`...)
	b = appendPage(b, req.Params.Arguments.Page, req.Params.Arguments.Size)
	return append(b, `}]}}`...)
}
