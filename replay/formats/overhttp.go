package formats

import (
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay"
	"github.com/imurun/mcp-replay/replay/internal/meaning"
)

// overHTTP puts messages that were kept without HTTP, or passed on stdio, into exchanges as Streamable HTTP has them:
// a POST for each message of the client; the answer as JSON, or as the last event of a stream where something of
// the server came before it. What belongs to no open request goes to a GET stream.
func overHTTP(frames []replay.Frame, path string) []replay.Frame {
	w := &wrapper{path: path, asked: map[string]*wrapped{}, tokens: map[string]*wrapped{}}
	for i := range frames {
		w.frame(&frames[i])
	}
	if w.get != nil {
		w.end(w.get, &frames[len(frames)-1])
	}
	return w.out
}

type wrapper struct {
	path   string
	out    []replay.Frame
	last   int
	get    *wrapped
	open   []*wrapped          // that wait for an answer, in their order
	asked  map[string]*wrapped // by id
	tokens map[string]*wrapped // by progress token
}

type wrapped struct {
	number int
	stream bool // its answer has begun as a stream
	waits  int  // answers that are due
}

func (w *wrapper) frame(f *replay.Frame) {
	if f.Kind != mcp.FrameMessage && f.Kind != mcp.FrameBody {
		w.out = append(w.out, *f)
		return
	}
	messages, _, _ := jsonrpc.Split(f.Data)
	if f.From == mcp.FromClient {
		w.post(f, messages)
		return
	}
	w.serve(f, messages)
}

func (w *wrapper) begin(f *replay.Frame, method string) *wrapped {
	w.last++
	x := &wrapped{number: w.last}
	header := http.Header{"Accept": {"application/json, text/event-stream"}}
	if method == "POST" {
		header.Set("Content-Type", "application/json")
	}
	w.put(x, f, mcp.Frame{From: mcp.FromClient, Kind: mcp.FrameHTTP, Head: &mcp.HTTPHead{Method: method, Path: w.path, Header: header}})
	return x
}

func (w *wrapper) put(x *wrapped, f *replay.Frame, frame mcp.Frame) {
	frame.At, frame.Exchange = f.At, x.number
	w.out = append(w.out, replay.Frame{Frame: frame, Session: f.Session})
}

func (w *wrapper) status(x *wrapped, f *replay.Frame, status int, contentType string) {
	header := http.Header{}
	if contentType != "" {
		header.Set("Content-Type", contentType)
	}
	w.put(x, f, mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameHTTP, Head: &mcp.HTTPHead{Status: status, Header: header}})
}

func (w *wrapper) end(x *wrapped, f *replay.Frame) {
	w.put(x, f, mcp.Frame{From: mcp.FromServer, Kind: mcp.FrameEnd, End: mcp.EndComplete})
}

// post is a message of the client.
func (w *wrapper) post(f *replay.Frame, messages []jsonrpc.Message) {
	x := w.begin(f, "POST")
	w.put(x, f, mcp.Frame{From: mcp.FromClient, Kind: f.Kind, Data: f.Data})
	for _, m := range messages {
		if m.Kind() != jsonrpc.Request {
			continue
		}
		x.waits++
		w.asked[string(m.ID)] = x
		if token := meaning.At(m.Params, "_meta", "progressToken"); token != nil {
			w.tokens[string(token)] = x
		}
	}
	if x.waits > 0 {
		w.open = append(w.open, x)
		return
	}
	w.status(x, f, http.StatusAccepted, "")
	w.end(x, f)
}

// serve is a message of the server: an answer, or something of its own that goes out before one.
func (w *wrapper) serve(f *replay.Frame, messages []jsonrpc.Message) {
	var x *wrapped
	answers := 0
	for _, m := range messages {
		if m.Kind() == jsonrpc.Response {
			answers++
			if asked := w.asked[string(m.ID)]; asked != nil {
				x = asked
				delete(w.asked, string(m.ID))
			}
		} else if x == nil {
			x = w.tokens[string(jsontext.Value(meaning.At(m.Params, "progressToken")))]
		}
	}
	if x == nil || x.waits == 0 {
		x = w.stream(f)
	}
	last := answers > 0 && x.waits-answers <= 0 && x != w.get
	switch {
	case x.stream:
	case last:
		w.status(x, f, http.StatusOK, "application/json")
	default:
		x.stream = true
		w.status(x, f, http.StatusOK, "text/event-stream")
	}
	frame := mcp.Frame{From: mcp.FromServer, Kind: f.Kind, Data: f.Data}
	if x.stream {
		frame.Event = &mcp.SSE{Event: "message"}
	}
	w.put(x, f, frame)
	x.waits -= answers
	if last {
		w.end(x, f)
	}
}

// stream is where the server's own messages go: the oldest request that waits, or the GET stream.
func (w *wrapper) stream(f *replay.Frame) *wrapped {
	for len(w.open) > 0 && w.open[0].waits == 0 {
		w.open = w.open[1:]
	}
	if len(w.open) > 0 {
		return w.open[0]
	}
	if w.get == nil {
		w.get = w.begin(f, "GET")
		w.get.stream = true
		w.status(w.get, f, http.StatusOK, "text/event-stream")
	}
	return w.get
}
