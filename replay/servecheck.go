package replay

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// knownVersions are the revisions of the protocol, as the header MCP-Protocol-Version names them.
var knownVersions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

func notAllowed(w http.ResponseWriter, allow string) {
	w.Header().Set("Allow", allow)
	http.Error(w, "this method has nothing to do here", http.StatusMethodNotAllowed)
}

// fromHere refuses what a page of another origin, or a name that was pointed at this machine, sends to a loopback address.
func fromHere(r *http.Request) bool {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if local == nil || !isLoopback(local.String()) {
		return true
	}
	if !isLoopback(r.Host) {
		return false
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	_, host, ok := strings.Cut(origin, "://")
	return ok && isLoopback(host)
}

func isLoopback(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.Trim(hostport, "[]")
	}
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// refuseHTTP answers a request that cannot be taken.
func refuseHTTP(w http.ResponseWriter, status int, code int64, format string, args ...any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(jsonrpc.AppendError(nil, nil, &jsonrpc.Error{Code: code, Message: fmt.Sprintf(format, args...)}))
}

// codeNoSession is what the official SDKs' servers use where a session is unknown.
const codeNoSession = -32001

// versionFits checks the header that every request but initialize carries. A request without it speaks 2025-03-26. What the recorded server made
// of an unknown one is in the cassette.
func versionFits(w http.ResponseWriter, r *http.Request, s *httpSession) bool {
	v := r.Header.Get("Mcp-Protocol-Version")
	if v == "" || slices.Contains(knownVersions, v) || s != nil && (v == s.play.spoken() || s.player.score.versions[v]) {
		return true
	}
	refuseHTTP(w, http.StatusBadRequest, jsonrpc.CodeInvalidRequest, "unsupported protocol version %s: supported are %s",
		quoteShort(v), listed(knownVersions))
	return false
}
