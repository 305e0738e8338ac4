package api

import (
	"cmp"
	"embed"
	"io/fs"
	"net/http"
	"strings"
)

//go:embed page
var pageFiles embed.FS

//go:embed openapi.json
var openAPI []byte

// page serves the page and the description of the API, which hold no data of their own.
func page() http.Handler {
	files, err := fs.Sub(pageFiles, "page")
	if err != nil {
		panic(err) // the folder is embedded
	}
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-cache")
		name := cmp.Or(strings.TrimPrefix(r.URL.Path, "/"), "index.html")
		switch info, err := fs.Stat(files, name); {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			writeError(w, http.StatusMethodNotAllowed, "this route does not take "+r.Method, "")
		case r.URL.Path == "/openapi.json":
			h.Set("Content-Type", "application/json")
			_, _ = w.Write(openAPI)
		case err != nil || info.IsDir():
			writeError(w, http.StatusNotFound, "there is no such page", "")
		default:
			server.ServeHTTP(w, r)
		}
	})
}
