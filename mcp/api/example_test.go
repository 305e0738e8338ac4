package api_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/imurun/mcp-replay/mcp/api"
	"github.com/imurun/mcp-replay/mcp/registry"
	"github.com/imurun/mcp-replay/mcp/settings"
)

// A program serves the API over a registry of its own, and a client asks what it is.
func Example() {
	home, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(home)
	token, err := api.Token(home)
	if err != nil {
		panic(err)
	}
	approvals := api.NewApprovals(0)
	r, err := registry.New(settings.In(home), &registry.Options{Ask: approvals.Ask})
	if err != nil {
		panic(err)
	}
	defer r.Close()
	r.Start()
	server := httptest.NewServer(api.New(r, approvals, token, &api.Options{Name: "notes", Version: "1.2"}))
	defer server.Close()

	request, err := http.NewRequest("GET", server.URL+"/api/mcp/host", nil)
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.Status, string(body))
	// Output: 200 OK {"name":"notes","version":"1.2","policy":"ask","network":true,"approvalSeconds":120,"problems":[]}
}
