package replay

import (
	"encoding/base64"
	"strings"

	"github.com/imurun/mcp-replay/policy"
)

// headerValue redacts the value of an HTTP header: of an authorization the scheme stays, of a cookie its name and its
// attributes.
func (j *job) headerValue(name, value string) string {
	b := []byte(value)
	found := j.findings(b, 0)
	for _, secret := range headerSecrets(name, value) {
		j.learn(kindOf(name), secret)
	}
	for _, span := range headerSpans(name, value) {
		if !isNoSecret(b[span[0]:span[1]]) {
			found = append(found, finding{start: span[0], end: span[1], kind: foundSecret, name: kindOf(name)})
		}
	}
	return string(j.apply(b, found, nil))
}

// headerSpans gives the places of what a header keeps secret.
func headerSpans(name, value string) [][2]int {
	name = strings.ToLower(name)
	switch name {
	case "authorization", "proxy-authorization":
		scheme, _ := splitScheme(value)
		return [][2]int{{len(scheme), len(value)}}
	case "cookie":
		return cookieSpans(value)
	case "set-cookie":
		pair, _, _ := strings.Cut(value, ";")
		return cookieSpans(pair)
	}
	// What browsers are told by CORS speaks of credentials, and holds none.
	if policy.CredentialParameter(name) && !strings.HasPrefix(name, "access-control-") {
		return [][2]int{{0, len(value)}}
	}
	return nil
}

func cookieSpans(pairs string) [][2]int {
	var spans [][2]int
	start := 0
	for pair := range strings.SplitSeq(pairs, ";") {
		if eq := strings.IndexByte(pair, '='); eq >= 0 {
			spans = append(spans, [2]int{start + eq + 1, start + len(pair)})
		} else {
			spans = append(spans, [2]int{start, start + len(pair)})
		}
		start += len(pair) + 1
	}
	return spans
}

// headerSecrets gives the secrets that a header's value holds, to be looked for elsewhere: of a Basic authorization the
// name and password that it encodes, too.
func headerSecrets(name, value string) []string {
	var secrets []string
	for _, span := range headerSpans(name, value) {
		secrets = append(secrets, strings.Trim(value[span[0]:span[1]], ` "`))
	}
	if scheme, encoded := splitScheme(value); strings.EqualFold(strings.TrimSpace(scheme), "Basic") && len(secrets) > 0 {
		if plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(encoded, "=")); err == nil {
			_, password, _ := strings.Cut(string(plain), ":")
			secrets = append(secrets, string(plain), password)
		}
	}
	return secrets
}

// splitScheme takes an authorization apart: "Bearer " and what follows. A value without a scheme is all secret.
func splitScheme(value string) (scheme, secret string) {
	trimmed := strings.TrimLeft(value, " ")
	space := strings.IndexByte(trimmed, ' ')
	if space <= 0 || strings.Trim(trimmed[:space], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return "", value
	}
	at := len(value) - len(trimmed) + space
	for at < len(value) && value[at] == ' ' {
		at++
	}
	return value[:at], value[at:]
}
