package mcp

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// masked stands where a secret stood.
const masked = "********"

// minSecret is how long a value must be to be looked for: a shorter one would blank ordinary words.
const minSecret = 8

// mask blanks secrets in what is quoted of a server's output: known values, and what looks like a credential.
// The recorder's redaction knows more; this one guards error messages and the status.
type mask struct{ values *strings.Replacer }

// value is what stands after a credential's name, up to what ends it.
const value = `[^\s"',;&]`

// inText finds what looks like a credential in text: its first group stays. Not every word that a credential's name
// contains counts, since KeyError: 'x' and unexpected token: } are what a person has to read: only names as
// environments have them, names that say no other thing, and a token in an assignment. Compiled when it is first needed,
// to keep it out of the program's start.
var inText = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(\b[A-Z0-9_]*(?:TOKEN|SECRET|KEY|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|_AUTH|_PAT)[A-Z0-9_]*["']?\s*[:=]\s*["']?)` + value + `+`),
		regexp.MustCompile(`(?i)(\b(?:[a-z0-9]+[_-])*(?:(?:api|access|private)[_-]?key|(?:access|auth|refresh|id)[_-]?token|secret|password|passwd|passphrase|authorization)` +
			`["']?\s*[:=]\s*["']?(?:(?:bearer|basic)\s+)?)` + value + `{6,}`),
		regexp.MustCompile(`(?i)(\btoken["']?\s*=\s*["']?)` + value + `{8,}`),
		regexp.MustCompile(`(?i)(\bbearer\s+)[A-Za-z0-9._~+/=-]{8,}`),
		regexp.MustCompile(`(\b)(?:(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}|gh[opsur]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|AKIA[0-9A-Z]{16}` +
			`|AIza[A-Za-z0-9_-]{20,}|glpat-[A-Za-z0-9_-]{16,}|npm_[A-Za-z0-9]{20,}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?)`),
	}
})

// namesSecret says whether a variable's value is a credential by its name (CFG-19).
func namesSecret(name string) bool {
	name = strings.ToUpper(name)
	for _, part := range []string{"TOKEN", "SECRET", "KEY", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return strings.HasSuffix(name, "_AUTH") || strings.HasSuffix(name, "_PAT")
}

// newMask makes a mask for a server's own secrets and the credentials in its environment.
func newMask(secrets, env []string) *mask {
	values := slices.Clone(secrets)
	for _, e := range env {
		if name, value, _ := strings.Cut(e, "="); namesSecret(name) {
			values = append(values, value)
		}
	}
	// Where one is the begin of another, the longer must be found.
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, v := range values {
		if len(v) >= minSecret {
			pairs = append(pairs, v, masked)
		}
	}
	return &mask{strings.NewReplacer(pairs...)}
}

// in returns text with every secret blanked.
func (m *mask) in(text string) string {
	text = m.values.Replace(text)
	for _, re := range inText() {
		text = re.ReplaceAllString(text, "${1}"+masked)
	}
	return text
}
