package settings

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/imurun/mcp-replay/policy"
)

var (
	errScheme = errors.New("must begin with https://, or with http:// on 127.0.0.1, localhost or ::1")
	errPlain  = errors.New("http:// is taken on exactly 127.0.0.1, localhost and ::1; use https://")
	errHost   = errors.New("names no host")
	errURL    = errors.New("is not a valid URL")
)

// CheckURL refuses the address of a server that is neither https:// nor http:// on this machine (CFG-6). The error
// does not repeat the address, which may hold a secret.
func CheckURL(address string) error {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return errURL
	}
	if u.Scheme != "https" && u.Scheme != "http" || u.Opaque != "" {
		return errScheme
	}
	host := u.Hostname()
	if host == "" {
		return errHost
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return errURL
		}
	}
	if u.Scheme == "http" && host != "127.0.0.1" && host != "localhost" && host != "::1" {
		return errPlain
	}
	return nil
}

// checkStoredURL checks as much of an address as can be told while its placeholders are not filled in; [Server.Resolve]
// checks the rest.
func checkStoredURL(address string) error {
	if !strings.Contains(address, "${") {
		return CheckURL(address)
	}
	scheme, rest, found := strings.Cut(address, "://")
	if strings.Contains(scheme, "${") {
		return nil
	}
	if !found || !strings.EqualFold(scheme, "https") && !strings.EqualFold(scheme, "http") {
		return errScheme
	}
	if end := strings.IndexAny(rest, "/?#"); end >= 0 && !strings.Contains(rest[:end], "${") {
		return CheckURL(scheme + "://" + rest[:end])
	}
	return nil
}

// MaskedURL is the address with every credential in it masked (CFG-16).
func MaskedURL(address string) string { return policy.MaskURL(address, Mask) }
