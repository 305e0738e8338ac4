package api

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/mcp/registry"
	"github.com/imurun/mcp-replay/mcp/settings"
)

// route is a path, and what each method does there.
type route struct {
	pattern string
	methods map[string]http.HandlerFunc
}

// ServeHTTP answers a method that the path does not have with 405.
func (t route) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	handle, known := t.methods[r.Method]
	if !known {
		w.Header().Set("Allow", strings.Join(slices.Sorted(maps.Keys(t.methods)), ", "))
		writeError(w, http.StatusMethodNotAllowed, "this route does not take "+r.Method, "")
		return
	}
	handle(w, r)
}

func (a *API) routes() []route {
	type methods = map[string]http.HandlerFunc
	return []route{
		{"/api/mcp/host", methods{"GET": a.showHost}},
		{"/api/mcp/servers", methods{"GET": a.listServers, "POST": a.saveServer}},
		{"/api/mcp/servers/{id}", methods{"GET": a.showServer, "DELETE": a.removeServer}},
		{"/api/mcp/servers/{id}/tools", methods{"GET": a.listTools}},
		{"/api/mcp/servers/{id}/connect", methods{"POST": a.connect}},
		{"/api/mcp/servers/{id}/disconnect", methods{"POST": a.disconnect}},
		{"/api/mcp/tools/{name}/call", methods{"POST": a.call}},
		{"/api/mcp/approvals", methods{"GET": a.listApprovals}},
		{"/api/mcp/approvals/{id}", methods{"POST": a.answerApproval}},
		{"/api/events", methods{"GET": a.events}},
	}
}

// showHost says what the program is, and what holds for all servers.
func (a *API) showHost(w http.ResponseWriter, _ *http.Request) {
	problems := a.registry.Problems()
	if problems == nil {
		problems = []string{}
	}
	writeJSON(w, http.StatusOK, struct {
		Name            string   `json:"name"`
		Version         string   `json:"version"`
		Policy          string   `json:"policy"`
		Network         bool     `json:"network"`
		ApprovalSeconds float64  `json:"approvalSeconds"` // how long a question waits for its answer
		Problems        []string `json:"problems"`        // of the settings file
	}{a.name, a.version, a.registry.Level().String(), a.registry.Network(), a.approvals.wait.Seconds(), problems})
}

func (a *API) listServers(w http.ResponseWriter, _ *http.Request) {
	servers := a.registry.Servers()
	if servers == nil {
		servers = []registry.Server{}
	}
	writeJSON(w, http.StatusOK, struct {
		Servers []registry.Server `json:"servers"`
	}{servers})
}

func (a *API) showServer(w http.ResponseWriter, r *http.Request) {
	server, err := a.registry.Server(r.PathValue("id"))
	if err != nil {
		a.fail(w, err)
		return
	}
	writeJSON(w, http.StatusOK, server)
}

func (a *API) listTools(w http.ResponseWriter, r *http.Request) {
	tools, err := a.registry.ServerTools(r.PathValue("id"))
	if err != nil {
		a.fail(w, err)
		return
	}
	if tools == nil {
		tools = []registry.Tool{}
	}
	writeJSON(w, http.StatusOK, struct {
		Tools []registry.Tool `json:"tools"`
	}{tools})
}

// saveServer adds a server, or changes what the body names of one (API-2).
func (a *API) saveServer(w http.ResponseWriter, r *http.Request) {
	body, ok := readJSON(w, r)
	if !ok {
		return
	}
	patch, err := settings.ParsePatch(body)
	if err != nil {
		a.fail(w, err)
		return
	}
	server, err := a.registry.Save(patch)
	if err != nil {
		a.fail(w, err)
		return
	}
	writeJSON(w, http.StatusOK, server)
}

func (a *API) removeServer(w http.ResponseWriter, r *http.Request) {
	if err := a.registry.Remove(r.PathValue("id")); err != nil {
		a.fail(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// connect waits until the server is connected, and answers it as GET shows it (API-3).
func (a *API) connect(w http.ResponseWriter, r *http.Request) {
	err := a.registry.Connect(r.Context(), r.PathValue("id"))
	var field *settings.FieldError
	switch {
	case errors.As(err, &field): // the settings keep it from being connected, and not the request
		writeError(w, http.StatusBadGateway, err.Error(), field.Field)
		return
	case err != nil:
		a.fail(w, err)
		return
	}
	a.showServer(w, r)
}

func (a *API) disconnect(w http.ResponseWriter, r *http.Request) {
	if err := a.registry.Disconnect(r.PathValue("id")); err != nil {
		a.fail(w, err)
		return
	}
	a.showServer(w, r)
}

// callResult is what a call came to.
type callResult struct {
	Tool       string         `json:"tool"`
	Failed     bool           `json:"failed"`
	Text       string         `json:"text"`
	Structured jsontext.Value `json:"structured,omitzero"`
	Error      string         `json:"error,omitzero"` // why the server gave no result
	Rule       string         `json:"rule,omitzero"`  // which rule decided on the call
	DurationMs float64        `json:"durationMs"`
}

// call waits for the result of a tool, and for the approval where there must be one. Whatever happens, the answer is a
// result, failed or not (CALL-9).
func (a *API) call(w http.ResponseWriter, r *http.Request) {
	body, ok := readJSON(w, r)
	if !ok {
		return
	}
	args, field, err := parseCall(body)
	if err != nil {
		writeError(w, http.StatusBadRequest, err.Error(), field)
		return
	}
	result := a.registry.Call(r.Context(), r.PathValue("name"), args)
	out := callResult{
		Tool: result.Tool, Failed: result.Failed, Text: result.Text, Structured: result.Structured,
		Rule: result.Decision.Rule, DurationMs: float64(result.Duration.Microseconds()) / 1000,
	}
	if result.Err != nil {
		out.Error = result.Text
	}
	writeJSON(w, http.StatusOK, out)
}

func (a *API) listApprovals(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, struct {
		Approvals []Pending `json:"approvals"`
	}{a.approvals.List()})
}

// answerApproval takes {"answer": "allow" or "deny", "remember": true or false}.
func (a *API) answerApproval(w http.ResponseWriter, r *http.Request) {
	body, ok := readJSON(w, r)
	if !ok {
		return
	}
	answer, field, err := parseAnswer(body)
	if err != nil {
		writeError(w, http.StatusBadRequest, err.Error(), field)
		return
	}
	if !a.approvals.Answer(r.PathValue("id"), answer) {
		writeError(w, http.StatusNotFound, "no such approval is pending: it was answered, or its time ran out", "")
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// fail answers with the status that belongs to an error of the registry.
func (a *API) fail(w http.ResponseWriter, err error) {
	var field *settings.FieldError
	var unknown *settings.NotFoundError
	var failed *registry.ConnectError
	switch {
	case errors.As(err, &unknown):
		writeError(w, http.StatusNotFound, err.Error(), "")
	case errors.Is(err, registry.ErrDisabled), errors.Is(err, registry.ErrNetworkOff),
		errors.Is(err, registry.ErrDisconnected), errors.Is(err, registry.ErrClosed):
		writeError(w, http.StatusConflict, err.Error(), "")
	case errors.As(err, &failed):
		writeError(w, http.StatusBadGateway, failed.Err.Error(), "") // masked, as all that leaves a registry
	case errors.As(err, &field):
		writeError(w, http.StatusBadRequest, err.Error(), field.Field)
	default:
		a.log.Error("request failed", "error", err.Error())
		writeError(w, http.StatusBadGateway, err.Error(), "")
	}
}
