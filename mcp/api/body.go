package api

import (
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// readJSON reads a request's body, which must be a JSON object of at most maxBody bytes; an empty one is {}. Where it
// is not, the answer is written and ok is false.
func readJSON(w http.ResponseWriter, r *http.Request) (body jsontext.Value, ok bool) {
	data, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		tooLarge(w)
		return nil, false
	case err != nil:
		writeError(w, http.StatusBadRequest, "the body could not be read", "")
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
	if !body.IsValid() || body.Kind() != '{' {
		writeError(w, http.StatusBadRequest, "the body is not a JSON object", "")
		return nil, false
	}
	return body, true
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
