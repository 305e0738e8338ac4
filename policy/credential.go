package policy

import (
	"regexp"
	"strings"
	"sync"
)

// Names that hold credentials wherever they are part of a name, and at its end (CFG-19).
var (
	credentialParts = []string{"TOKEN", "SECRET", "KEY", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL"}
	credentialEnds  = []string{"_AUTH", "_PAT"}
)

// CredentialName says whether an environment variable of this name looks like a credential (CFG-19): one that
// contains TOKEN, SECRET, KEY, PASSWORD, PASSWD, PASSPHRASE or CREDENTIAL, or ends in _AUTH or _PAT, in any case.
func CredentialName(name string) bool {
	name = strings.ToUpper(name)
	for _, part := range credentialParts {
		if strings.Contains(name, part) {
			return true
		}
	}
	for _, end := range credentialEnds {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// Short names of credentials that are usual for flags, HTTP headers and query parameters, but too short to look for
// inside a name.
var credentialWords = map[string]bool{
	"auth": true, "authorization": true, "proxyauthorization": true, "pat": true, "jwt": true,
	"pass": true, "pwd": true, "pin": true, "otp": true,
	"cookie": true, "setcookie": true, "session": true, "sessionid": true, "sid": true,
	"sig": true, "signature": true, "xamzsignature": true, "bearer": true,
}

var separators = strings.NewReplacer("-", "", "_", "", ".", "")

// CredentialParameter says whether a flag (without its dashes), an HTTP header or a query parameter of this name
// looks like a credential. It takes every [CredentialName], with - and . for _, and the short names that are usual there,
// such as Authorization, Cookie, auth, pass and sig.
func CredentialParameter(name string) bool {
	if CredentialName(strings.NewReplacer("-", "_", ".", "_").Replace(name)) {
		return true
	}
	return credentialWords[separators.Replace(strings.ToLower(name))]
}

// Beginnings and shapes of tokens that well-known services hand out.
var tokenShape = lazily(`^(?:` + strings.Join([]string{
	`gh[pousr]_[A-Za-z0-9]{20,}`, `github_pat_\w{20,}`, `glpat-[\w-]{15,}`,
	`sk-[\w-]{16,}`, `[sr]k_(?:live|test)_\w{10,}`, `xox[abeoprs]-[\w-]{10,}`, `xapp-[\w-]{10,}`,
	`(?:AKIA|ASIA)[A-Z0-9]{12,}`, `AIza[\w-]{30,}`, `ya29\.[\w-]{20,}`,
	`hf_[A-Za-z0-9]{20,}`, `npm_[A-Za-z0-9]{20,}`, `pypi-[\w-]{20,}`, `dop_v1_[a-f0-9]{20,}`,
	`eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`,
}, "|") + `)`)

// lazily compiles an expression when it is first asked for: compiling them all at the start of a program takes longer than most of its
// runs need them for.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// CredentialValue says whether a value has the shape of a token that a well-known service hands out, whatever name it
// goes by.
func CredentialValue(value string) bool { return tokenShape().MatchString(value) }
