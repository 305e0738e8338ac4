package api

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// bodyTime is how long a client may take for the body of a request.
var bodyTime = 30 * time.Second

// readAll reads a request's body in time. The deadline is taken away again: the server goes on reading, to see whether the client is there.
func readAll(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyTime)) // where the connection has none, it is none
	data, err := io.ReadAll(r.Body)
	if err == nil {
		_ = control.SetReadDeadline(time.Time{})
	}
	return data, err
}

// readJSON reads a request's body, which must be a JSON object of at most maxBody bytes; an empty one is {}. Where it
// is not, the answer is written and ok is false.
func readJSON(w http.ResponseWriter, r *http.Request) (body jsontext.Value, ok bool) {
	data, err := readAll(w, r)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		tooLarge(w)
		return nil, false
	case err != nil:
		w.Header().Set("Connection", "close")
		writeError(w, http.StatusBadRequest, fmt.Sprintf("the body could not be read to its end within %v", bodyTime), "")
		return nil, false
	}
	if len(data) == 0 {
		return jsontext.Value("{}"), true
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		writeError(w, http.StatusUnsupportedMediaType, "the body must be application/json", "")
		return nil, false
	}
	body = jsontext.Value(data)
	if problem := notAnObject(body); problem != "" {
		writeError(w, http.StatusBadRequest, problem, "")
		return nil, false
	}
	return body, true
}

// notAnObject says why a body is not a JSON object, or nothing.
func notAnObject(body jsontext.Value) string {
	d := jsontext.NewDecoder(bytes.NewReader(body))
	_, err := d.ReadValue()
	if err == nil {
		if _, err = d.ReadToken(); errors.Is(err, io.EOF) {
			err = nil
		} else if err == nil {
			err = errors.New("something stands after its end")
		}
	}
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName): // which of the two is meant, nobody can tell
		return "the body has a name twice in one object"
	case errors.As(err, &syntactic):
		return fmt.Sprintf("the body is not a JSON object: at byte %d: %v", syntactic.ByteOffset+1, syntactic.Err)
	case err != nil:
		return "the body is not a JSON object: " + err.Error()
	case body.Kind() != '{':
		return "the body is not a JSON object"
	}
	return ""
}

// parseCall reads the body of a call; the error names the field. Nil arguments are none.
func parseCall(body jsontext.Value) (args jsontext.Value, field string, err error) {
	var in struct {
		Arguments jsontext.Value `json:"arguments"`
	}
	if err := json.Unmarshal(body, &in, json.RejectUnknownMembers(true)); err != nil {
		return nil, "", errors.New(`the body must be {"arguments": {…}}`)
	}
	switch {
	case in.Arguments == nil || in.Arguments.Kind() == 'n':
		return nil, "", nil
	case in.Arguments.Kind() != '{':
		return nil, "arguments", errors.New("arguments must be an object")
	}
	return in.Arguments, "", nil
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	data, err := json.Marshal(v, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		status, data = http.StatusBadGateway, []byte(`{"error":"the answer could not be written as JSON"}`)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(data)
}

// writeError answers with an error (API-7).
func writeError(w http.ResponseWriter, status int, problem, field string) {
	writeJSON(w, status, struct {
		Error string `json:"error"`
		Field string `json:"field,omitzero"`
	}{problem, field})
}
