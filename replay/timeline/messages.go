package timeline

import (
	"github.com/imurun/mcp-replay/mcp/jsonrpc"
	"github.com/imurun/mcp-replay/replay"
)

// Messages reads the request of a call, and its answer: the zero message where there is none. The cassette is the one
// that the call is of.
func Messages(c *replay.Cassette, call *Call) (request, answer jsonrpc.Message, err error) {
	list, err := messagesOf(c, call.Frame)
	if err != nil {
		return request, answer, err
	}
	for _, m := range list {
		if m.Method == call.Method && (request.Raw == nil || nameOf(m.Method, m.Params) == call.Name) {
			request = m
		}
	}
	if call.Answer == 0 {
		return request, answer, nil
	}
	if list, err = messagesOf(c, call.Answer); err != nil {
		return request, answer, err
	}
	for _, m := range list {
		if m.Kind() == jsonrpc.Response && (string(m.ID) == string(request.ID) || len(list) == 1) {
			answer = m
		}
	}
	return request, answer, nil
}

// messagesOf gives the messages of a frame; none where it holds none, such as the head of an HTTP answer.
func messagesOf(c *replay.Cassette, number int) ([]jsonrpc.Message, error) {
	f, err := c.Frame(number - 1)
	if err != nil {
		return nil, err
	}
	list, _, _ := jsonrpc.Split(f.Data) // what is no message is none
	return list, nil
}
