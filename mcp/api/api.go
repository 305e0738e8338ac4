package api

import (
	"crypto/subtle"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/imurun/mcp-replay/mcp/registry"
)

// maxBody is how many bytes the body of a request may have (API-6).
const maxBody = 1 << 20

// Options are what an API may be told more. The zero values will do.
type Options struct {
	// Hosts are names that the server goes by beside 127.0.0.1, localhost and ::1, without a port.
	Hosts []string

	// Log gets a line for each request, without its query and without secrets. Nil means none.
	Log *slog.Logger
}

// API is the handler of all routes. Its methods may be called from any number of goroutines at once.
type API struct {
	registry  *registry.Registry
	approvals *Approvals
	token     string
	hosts     []string
	log       *slog.Logger
	mux       *http.ServeMux
}

// New makes the API over a registry. Approvals are those that the registry asks, and token is what requests must carry.
func New(r *registry.Registry, approvals *Approvals, token string, o *Options) *API {
	if o == nil {
		o = &Options{}
	}
	a := &API{
		registry: r, approvals: approvals, token: token,
		hosts: append([]string{"127.0.0.1", "localhost", "::1"}, o.Hosts...),
		log:   o.Log, mux: http.NewServeMux(),
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	approvals.publish = r.Publish
	for _, route := range a.routes() {
		a.mux.Handle(route.pattern, route)
	}
	a.mux.HandleFunc("/api/", func(w http.ResponseWriter, _ *http.Request) {
		writeError(w, http.StatusNotFound, "there is no such route", "")
	})
	a.mux.Handle("/", page())
	return a
}

// ServeHTTP checks where a request comes from and whether it may, and hands it to its route.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.log.Info("request", "method", r.Method, "path", r.URL.Path)
	switch {
	case !a.ours(hostname(r.Host)):
		writeError(w, http.StatusForbidden, "the request's Host is not this server's", "")
	case !a.sameOrigin(r):
		writeError(w, http.StatusForbidden, "the request comes from a page of another origin", "")
	case strings.HasPrefix(r.URL.Path, "/api/") && !a.authorized(r):
		w.Header().Set("WWW-Authenticate", "Bearer")
		writeError(w, http.StatusUnauthorized, "the request carries no valid token: Authorization: Bearer TOKEN", "")
	default:
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		a.mux.ServeHTTP(w, r)
	}
}

// ours says whether name is one that this server goes by.
func (a *API) ours(name string) bool { return slices.Contains(a.hosts, strings.ToLower(name)) }

// sameOrigin says whether the request comes from this server's own page, or from no page at all.
func (a *API) sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		return false
	}
	origins := r.Header.Values("Origin")
	return len(origins) == 0 || len(origins) == 1 && strings.EqualFold(origins[0], "http://"+r.Host)
}

func (a *API) authorized(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && a.token != "" &&
		subtle.ConstantTimeCompare([]byte(token), []byte(a.token)) == 1
}

// hostname is the name in a Host header, without port and brackets.
func hostname(host string) string {
	if rest, bracketed := strings.CutPrefix(host, "["); bracketed {
		name, _, _ := strings.Cut(rest, "]")
		return name
	}
	if strings.Count(host, ":") == 1 {
		host, _, _ = strings.Cut(host, ":")
	}
	return host
}
