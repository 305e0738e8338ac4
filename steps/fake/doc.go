// Package fake plays MCP servers that follow a script: over stdio as a child process that the test binary re-executes
// itself as, and over HTTP inside the test. It is an independent peer: it uses none of the client's code.
//
// # Answers
//
// [Answers] is a script of rules, a line each: a method, and what a request with it gets. The n-th line of a
// method is for its n-th request, and the last one for all after it.
//
//	initialize  {"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}
//	tools/list  {"tools":[{"name":"echo"}]}
//	tools/call  {"content":[{"type":"text","text":"one"}]}
//	tools/call  error {"code":-32602,"message":"no such tool"}
//	tools/call  after 200 ms {"content":[]}
//	tools/call  nothing
//	tools/list  pages 3 x 200
//	tools/call  exit 3
//
// "pages 3 x 200" are three pages of 200 tools each, tool-1 to tool-600, for as many requests.
//
// What no line speaks of has a default: a handshake as 2025-06-18 with the tools capability, the one tool "echo",
// the text "ok" from every call, an empty answer to ping, and -32601 for the rest.
//
// # Writes
//
// [Writes] is a script of what a server on stdio writes, line by line and byte for byte. Before a line that speaks of
// a request it waits until the client has sent that request.
//
//	server ready on port 7
//	{"jsonrpc":"2.0","id":@@ID:initialize@@,"result":{…}}
//	@@AFTER:notifications/initialized@@{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
//	{"jsonrpc":"2.0","id":@@ID:tools/call#2@@,"result":{"content":[]}}
//
//	@@ID:METHOD@@      the id of the first request with METHOD as JSON; METHOD#2 is the second
//	@@IDTEXT:METHOD@@  the same without quotes
//	@@TOKEN:METHOD@@   the progress token of the request
//	@@AFTER:METHOD@@   nothing; only waits, for a notification too
//	@@X:1000@@         the letter x, 1000 times
//
// A line of its own may also be
//
//	@@ANSWER METHOD@@  the default answer to METHOD, once it is asked
//	@@STDERR TEXT@@    TEXT and a newline to stderr
//	@@STDERRS 30@@     thirty lines to stderr, "line 1" to "line 30"
//	@@FLOOD 262144@@   so many bytes to stderr, without a newline
//	@@RAW TEXT@@       TEXT to stdout without a newline
//	@@HEX 0D0A@@       bytes to stdout
//	@@SLEEP 200 ms@@   wait
//	@@STALL@@          read nothing more from stdin
//	@@CHILD FILE@@     start a child of its own that does nothing, and write its process id to FILE
//	@@STUBBORN@@       do not end when stdin is closed, nor for SIGTERM
//	@@SIGNAL@@         die by SIGKILL
//	@@EXIT 3@@         exit
//
// # Exchanges
//
// [Exchanges] is a script of HTTP answers. A line names the request, by HTTP method and, for a POST, the JSON-RPC
// method, and after an arrow the status and content type of its answer; indented below stand more headers and the body.
// The n-th exchange of a name is for its n-th request, and the last one for all after it. With @SESSION behind
// the name it is for the requests of that session only.
//
//	POST initialize -> 200 application/json
//	  Mcp-Session-Id: s1
//	  {"jsonrpc":"2.0","id":@@ID@@,"result":{…}}
//	POST tools/call -> 200 text/event-stream
//	  data: {"jsonrpc":"2.0","id":@@ID@@,"result":{"content":[]}}
//
//	  @@SLEEP 50 ms@@
//	GET -> 405
//	POST tools/call -> reset
//	POST tools/call @s1 -> 404
//
// @@ID@@, @@IDTEXT@@ and @@TOKEN@@ are those of the request, @@URL@@ is the server's own URL up to its port. In a body, a line
// of @@SLEEP …@@ sends what stands before it and waits, @@HANG@@ waits until the client goes away,
// @@RESET@@ breaks the connection off, @@RAW TEXT@@ and @@HEX …@@ write bytes without a newline, and @@ANSWER@@ is the default
// answer; @@X:1000@@ works there, too. A stream ends as the script ends: a blank line there closes its last event.
// What no exchange speaks of has the defaults of [Answers], 202 for notifications, 405 for GET and 200 for DELETE.
//
// # Running one
//
// The test binary calls [Main] first thing in TestMain; [Stdio] gives the command line of a child.
package fake
