package mcp

import (
	"regexp"
	"strings"
)

// masked stands where a secret stood.
const masked = "********"

// minSecret is how long a value must be to be looked for: a shorter one would blank ordinary words.
const minSecret = 8

// mask blanks secrets in what is quoted of a server's output: known values, and what looks like a credential.
// The recorder's redaction knows more; this one guards error messages and the status.
type mask struct{ values *strings.Replacer }

var (
	// credentialName is the end of a name whose value is a credential (CFG-19).
	credentialName = `(?i:TOKEN|SECRET|KEY|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|_AUTH|_PAT|AUTHORIZATION)`

	credentialPair = regexp.MustCompile(`([A-Za-z0-9_-]*` + credentialName + `[A-Za-z0-9_-]*["']?\s*[:=]\s*["']?(?:(?i:bearer|basic)\s+)?)([^\s"',;&]+)`)
	tokenShape     = regexp.MustCompile(`\b(?:(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}|gh[opsur]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|AKIA[0-9A-Z]{16}|AIza[A-Za-z0-9_-]{20,}|glpat-[A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{20,}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?)`)
	bearer         = regexp.MustCompile(`((?i:bearer)\s+)[A-Za-z0-9._~+/=-]{8,}`)
	namesSecret    = regexp.MustCompile(credentialName)
)

// newMask makes a mask for a server's own secrets and the credentials in its environment.
func newMask(secrets, env []string) *mask {
	var pairs []string
	add := func(v string) {
		if len(v) >= minSecret {
			pairs = append(pairs, v, masked)
		}
	}
	for _, v := range secrets {
		add(v)
	}
	for _, e := range env {
		if name, value, _ := strings.Cut(e, "="); namesSecret.MatchString(name) {
			add(value)
		}
	}
	return &mask{strings.NewReplacer(pairs...)}
}

// in returns text with every secret blanked.
func (m *mask) in(text string) string {
	text = m.values.Replace(text)
	text = credentialPair.ReplaceAllString(text, "${1}"+masked)
	text = bearer.ReplaceAllString(text, "${1}"+masked)
	return tokenShape.ReplaceAllString(text, masked)
}
