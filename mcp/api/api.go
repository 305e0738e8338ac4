package api

import (
	"crypto/subtle"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/imurun/mcp-replay/mcp/registry"
)

// maxBody is how many bytes the body of a request may have (API-6).
const maxBody = 1 << 20

// Options are what an API may be told more. The zero values will do.
type Options struct {
	// Hosts are names that the server goes by beside 127.0.0.1, localhost and ::1, without a port.
	Hosts []string

	// Name and Version are the host's own, as the page shows them.
	Name, Version string

	// Log gets a line for each request, without its query and without secrets. Nil means none.
	Log *slog.Logger
}

// API is the handler of all routes. Its methods may be called from any number of goroutines at once.
type API struct {
	registry  *registry.Registry
	approvals *Approvals
	token     string
	hosts     []string
	name      string
	version   string
	log       *slog.Logger
	mux       *http.ServeMux

	// firstID is what event ids count from: the time of the start, so that an id of an earlier run is told apart.
	firstID uint64
}

// New makes the API over a registry. Approvals are those that the registry asks, and token is what requests must carry.
func New(r *registry.Registry, approvals *Approvals, token string, o *Options) *API {
	if o == nil {
		o = &Options{}
	}
	a := &API{
		registry: r, approvals: approvals, token: token,
		hosts: []string{"127.0.0.1", "localhost", "::1"}, name: o.Name, version: o.Version,
		log: o.Log, mux: http.NewServeMux(), firstID: uint64(time.Now().UnixMicro()),
	}
	for _, host := range o.Hosts {
		if host != "" { // an empty one would let a request without a Host in
			a.hosts = append(a.hosts, strings.ToLower(host))
		}
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	approvals.publish = r.Publish
	routes := http.NewServeMux()
	for _, route := range a.routes() {
		routes.Handle(route.pattern, route)
	}
	routes.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		writeError(w, http.StatusNotFound, "there is no such route", "")
	})
	a.mux.Handle("/api/", a.guard(routes)) // the one way to the routes
	a.mux.Handle("/", page())
	return a
}

// ServeHTTP checks where a request comes from, and hands it to the routes or the page.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began, seen := time.Now(), &answer{ResponseWriter: w, status: http.StatusOK}
	defer func() {
		a.log.Info("request", "method", r.Method, "path", r.URL.Path, "status", seen.status, "ms", time.Since(began).Milliseconds())
	}()
	switch {
	case !a.ours(hostname(r.Host)):
		writeError(seen, http.StatusForbidden, "the request's Host is not this server's", "")
	case !sameOrigin(r):
		writeError(seen, http.StatusForbidden, "the request comes from a page of another origin", "")
	default:
		a.mux.ServeHTTP(seen, r)
	}
}

// guard lets only those in that carry the token, from no foreign page, with a body that is not too long (API-6).
func (a *API) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case foreignSite(r):
			writeError(w, http.StatusForbidden, "the request comes from a page of another origin", "")
		case !a.authorized(r):
			w.Header().Set("WWW-Authenticate", "Bearer")
			writeError(w, http.StatusUnauthorized, "the request carries no valid token: Authorization: Bearer TOKEN", "")
		case r.ContentLength > maxBody:
			tooLarge(w)
		default:
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
			next.ServeHTTP(w, r)
		}
	})
}

func tooLarge(w http.ResponseWriter) {
	writeError(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body has more than %d bytes", maxBody), "")
}

// ours says whether name is one that this server goes by: a page whose name was made to lead here has another.
func (a *API) ours(name string) bool { return slices.Contains(a.hosts, strings.ToLower(name)) }

// sameOrigin says whether the request comes from this server's own page, or from no page at all.
func sameOrigin(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	return len(origins) == 0 || len(origins) == 1 && strings.EqualFold(origins[0], "http://"+r.Host)
}

// foreignSite says whether a browser tells that another site's page asks. Such a page may link to this one's, which
// holds no data.
func foreignSite(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site != "" && site != "same-origin" && site != "none"
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

// answer keeps the status of an answer, for the log.
type answer struct {
	http.ResponseWriter
	status int
}

func (a *answer) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

// Unwrap is for [http.ResponseController].
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
