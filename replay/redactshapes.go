package replay

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// BuiltInRules is the version of the redaction rules that this package brings along; it grows whenever they change.
const BuiltInRules = 1

// A tokenShape is what the tokens of a service look like: a beginning, then at least so many characters of a set.
type tokenShape struct {
	name   string
	begin  string
	rest   *byteSet
	least  int
	bound  bool                   // the character before must not be part of a word
	accept func(rest []byte) bool // a last look at what follows the beginning; nil takes all
}

type byteSet [256]bool

func setOf(ranges string) *byteSet {
	s := new(byteSet)
	for i := 0; i < len(ranges); i++ {
		if i+2 < len(ranges) && ranges[i+1] == '-' {
			for c := ranges[i]; c <= ranges[i+2]; c++ {
				s[c] = true
			}
			i += 2
			continue
		}
		s[ranges[i]] = true
	}
	return s
}

var (
	wordChars   = setOf("A-Za-z0-9_")
	alnumChars  = setOf("A-Za-z0-9")
	upperChars  = setOf("A-Z0-9")
	hexChars    = setOf("a-fA-F0-9")
	dashChars   = setOf("A-Za-z0-9_-")
	dotChars    = setOf("A-Za-z0-9_.-")
	bearerChars = setOf("A-Za-z0-9._~+/=-")
	base64Chars = setOf("A-Za-z0-9+/=")
)

// tokenShapes are the tokens that are known by their looks (REP-4). Whoever changes the list raises [BuiltInRules].
var tokenShapes = []tokenShape{
	{name: "aws", begin: "AKIA", rest: upperChars, least: 16, bound: true},
	{name: "aws", begin: "ASIA", rest: upperChars, least: 16, bound: true},
	{name: "github", begin: "ghp_", rest: alnumChars, least: 20},
	{name: "github", begin: "gho_", rest: alnumChars, least: 20},
	{name: "github", begin: "ghu_", rest: alnumChars, least: 20},
	{name: "github", begin: "ghs_", rest: alnumChars, least: 20},
	{name: "github", begin: "ghr_", rest: alnumChars, least: 20},
	{name: "github", begin: "github_pat_", rest: wordChars, least: 20},
	{name: "gitlab", begin: "glpat-", rest: dashChars, least: 15},
	{name: "gitlab", begin: "gldt-", rest: dashChars, least: 15},
	{name: "gitlab", begin: "glrt-", rest: dashChars, least: 15},
	{name: "gitlab", begin: "glptt-", rest: dashChars, least: 15},
	{name: "slack", begin: "xoxb-", rest: dashChars, least: 10},
	{name: "slack", begin: "xoxp-", rest: dashChars, least: 10},
	{name: "slack", begin: "xoxa-", rest: dashChars, least: 10},
	{name: "slack", begin: "xoxe-", rest: dashChars, least: 10},
	{name: "slack", begin: "xoxe.", rest: dotChars, least: 10},
	{name: "slack", begin: "xoxo-", rest: dashChars, least: 10},
	{name: "slack", begin: "xoxr-", rest: dashChars, least: 10},
	{name: "slack", begin: "xoxs-", rest: dashChars, least: 10},
	{name: "slack", begin: "xoxc-", rest: dashChars, least: 10},
	{name: "slack", begin: "xoxd-", rest: bearerChars, least: 10},
	{name: "slack", begin: "xapp-", rest: dashChars, least: 10},
	{name: "slack", begin: "hooks.slack.com/services/", rest: setOf("A-Za-z0-9/"), least: 20},
	{name: "stripe", begin: "sk_live_", rest: alnumChars, least: 10},
	{name: "stripe", begin: "sk_test_", rest: alnumChars, least: 10},
	{name: "stripe", begin: "rk_live_", rest: alnumChars, least: 10},
	{name: "stripe", begin: "rk_test_", rest: alnumChars, least: 10},
	{name: "stripe", begin: "whsec_", rest: base64Chars, least: 20},
	{name: "google", begin: "AIza", rest: dashChars, least: 30, bound: true},
	{name: "google", begin: "ya29.", rest: dotChars, least: 20, bound: true},
	{name: "google", begin: "GOCSPX-", rest: dashChars, least: 20},
	{name: "sk", begin: "sk-", rest: dashChars, least: 20, bound: true, accept: hasDigit}, // OpenAI, Anthropic and others
	{name: "xai", begin: "xai-", rest: alnumChars, least: 40, bound: true},
	{name: "groq", begin: "gsk_", rest: alnumChars, least: 30, bound: true},
	{name: "perplexity", begin: "pplx-", rest: alnumChars, least: 30, bound: true},
	{name: "tavily", begin: "tvly-", rest: dashChars, least: 20, bound: true},
	{name: "huggingface", begin: "hf_", rest: alnumChars, least: 25, bound: true},
	{name: "replicate", begin: "r8_", rest: alnumChars, least: 30, bound: true},
	{name: "npm", begin: "npm_", rest: alnumChars, least: 30, bound: true},
	{name: "pypi", begin: "pypi-", rest: dashChars, least: 50, bound: true},
	{name: "digitalocean", begin: "dop_v1_", rest: hexChars, least: 40},
	{name: "digitalocean", begin: "doo_v1_", rest: hexChars, least: 40},
	{name: "sendgrid", begin: "SG.", rest: dotChars, least: 50, bound: true},
	{name: "shopify", begin: "shpat_", rest: hexChars, least: 30},
	{name: "shopify", begin: "shpss_", rest: hexChars, least: 30},
	{name: "square", begin: "sq0atp-", rest: dashChars, least: 20},
	{name: "square", begin: "sq0csp-", rest: dashChars, least: 20},
	{name: "notion", begin: "ntn_", rest: alnumChars, least: 40, bound: true},
	{name: "linear", begin: "lin_api_", rest: alnumChars, least: 30},
	{name: "supabase", begin: "sbp_", rest: hexChars, least: 40, bound: true},
	{name: "supabase", begin: "sb_secret_", rest: dashChars, least: 20},
	{name: "figma", begin: "figd_", rest: dashChars, least: 20, bound: true},
	{name: "databricks", begin: "dapi", rest: hexChars, least: 32, bound: true},
	{name: "doppler", begin: "dp.pt.", rest: alnumChars, least: 40, bound: true},
	{name: "grafana", begin: "glsa_", rest: wordChars, least: 32, bound: true},
	{name: "grafana", begin: "glc_", rest: base64Chars, least: 32, bound: true},
	{name: "vault", begin: "hvs.", rest: dashChars, least: 24, bound: true},
	{name: "atlassian", begin: "ATATT3", rest: bearerChars, least: 50, bound: true},
	{name: "age", begin: "AGE-SECRET-KEY-1", rest: upperChars, least: 50},
	{name: "jwt", begin: "eyJ", rest: dotChars, least: 20, bound: true, accept: isJWT},
	{name: "bearer", begin: "Bearer ", rest: bearerChars, least: 16, bound: true, accept: hasDigit},
	{name: "bearer", begin: "bearer ", rest: bearerChars, least: 16, bound: true, accept: hasDigit},
	{name: "basic", begin: "Basic ", rest: base64Chars, least: 8, bound: true, accept: isBasic},
	{name: "basic", begin: "basic ", rest: base64Chars, least: 8, bound: true, accept: isBasic},
	{name: "private-key", begin: "-----BEGIN ", rest: setOf("A-Z0-9 "), least: 3},
}

func shapeTriggers() []trigger {
	triggers := make([]trigger, len(tokenShapes))
	for i := range tokenShapes {
		triggers[i] = trigger{text: tokenShapes[i].begin, name: tokenShapes[i].name, what: findShape, shape: &tokenShapes[i]}
	}
	return triggers
}

func findShape(text []byte, at int, t *trigger) (finding, bool) {
	s := t.shape
	start := at + len(s.begin)
	end := start
	for end < len(text) && s.rest[text[end]] {
		end++
	}
	if end-start < s.least || s.bound && at > 0 && wordChars[text[at-1]] {
		return finding{}, false
	}
	if s.accept != nil && !s.accept(text[start:end]) {
		return finding{}, false
	}
	switch s.name {
	case "private-key":
		return findPrivateKey(text, at, end)
	case "bearer", "basic": // the scheme stays
		return finding{start: start, end: end, kind: foundSecret, name: s.name}, true
	case "jwt", "google", "sendgrid": // a full stop after the token ends a sentence
		for text[end-1] == '.' {
			end--
		}
	}
	return finding{start: at, end: end, kind: foundSecret, name: s.name}, true
}

// findPrivateKey takes a PEM block of a private key from its begin to its end, or to the end of the text. Its lines may be
// joined by escapes.
func findPrivateKey(text []byte, at, end int) (finding, bool) {
	if !bytes.HasSuffix(text[:end], []byte("PRIVATE KEY")) && !bytes.Contains(text[at:end], []byte("PRIVATE KEY")) {
		return finding{}, false
	}
	const last = "-----END "
	if n := bytes.Index(text[end:], []byte(last)); n >= 0 {
		end += n + len(last)
		if n := bytes.Index(text[end:], []byte("-----")); n >= 0 {
			end += n + len("-----")
		}
	} else {
		end = len(text)
	}
	return finding{start: at, end: end, kind: foundSecret, name: "private-key"}, true
}

// hasDigit tells a token from words: "Bearer authentication", "sk-learn-some-long-option".
func hasDigit(rest []byte) bool { return bytes.ContainsAny(rest, "0123456789") }

// isJWT wants three parts, the first two of which are JSON objects in base64.
func isJWT(rest []byte) bool {
	_, payload, ok := strings.Cut(string(rest), ".")
	return ok && strings.HasPrefix(payload, "eyJ") && strings.Contains(payload, ".")
}

// isBasic wants base64 of a text with a colon.
func isBasic(rest []byte) bool {
	text, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(string(rest), "="))
	return err == nil && bytes.IndexByte(text, ':') >= 0 && utf8.Valid(text)
}
