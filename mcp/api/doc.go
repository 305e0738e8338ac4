// Package api serves a registry over HTTP: the routes under /api/mcp/, the event stream at /api/events, approvals, and
// the page at /.
//
// An API is made before its registry, since the registry asks it for approvals:
//
//	approvals := api.NewApprovals(0)
//	r, err := registry.New(file, &registry.Options{Ask: approvals.Ask})
//	…
//	h := api.New(r, approvals, token, nil)
//	http.Serve(listener, h)
//
// Every route under /api/ wants the token as "Authorization: Bearer TOKEN" (API-6); the page holds no data and wants
// none. A request whose Host or Origin is not this server's own is refused, so that no page of another origin reaches
// it. Errors are {"error": …, "field": …} (API-7). openapi.json describes the routes; a test holds it against them.
package api
