package floor

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
)

// HTTP is a client over bare POSTs of net/http.
type HTTP struct {
	url    string
	client *http.Client
	next   atomic.Int64
}

// NewHTTP is a client of the server at url.
func NewHTTP(url string, client *http.Client) *HTTP { return &HTTP{url: url, client: client} }

// Call posts one request and reads its answer, in JSON or as the only event of a stream.
func (c *HTTP) Call(method string, params any) (json.RawMessage, error) {
	body, err := json.Marshal(request{JSONRPC: "2.0", ID: c.next.Add(1), Method: method, Params: params})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequest("POST", c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := c.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var data []byte
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		data, err = firstEvent(resp.Body)
	} else {
		data, err = io.ReadAll(resp.Body)
	}
	if err != nil {
		return nil, err
	}
	var m response
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	if m.Error != nil {
		return nil, fmt.Errorf("%s", m.Error)
	}
	return m.Result, nil
}

// firstEvent reads the data of one event and the rest of the stream, so that the connection is used again.
func firstEvent(body io.Reader) ([]byte, error) {
	r := bufio.NewReader(body)
	var data []byte
	for {
		line, err := r.ReadBytes('\n')
		if rest, is := bytes.CutPrefix(line, []byte("data: ")); is {
			data = append(data, rest...)
		}
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
