package settings

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/imurun/mcp-replay/policy"
)

// Lengths from which a value is looked for: a shorter one would blank out half of every text.
const (
	minSecret = 4 // under a credential's name, or in a header
	minValue  = 8 // under any other name
)

// Secrets are the values that a connected server was given and that no text about it may show: whatever a server
// writes to stderr or puts into an error goes through [Secrets.Mask]. A nil Secrets masks nothing.
type Secrets struct {
	values   []string
	once     sync.Once
	forms    []string // the ways in which they are spelt, the longest first
	replacer *strings.Replacer
}

// commonVariables hold no secrets, and their values turn up everywhere.
var commonVariables = map[string]bool{
	"HOME": true, "USER": true, "LOGNAME": true, "PATH": true, "PWD": true, "SHELL": true, "LANG": true,
	"TMPDIR": true, "TEMP": true, "TMP": true, "USERPROFILE": true, "APPDATA": true, "LOCALAPPDATA": true,
	"USERNAME": true, "HOMEDRIVE": true, "HOMEPATH": true, "XDG_CONFIG_HOME": true, "XDG_DATA_HOME": true,
}

// secretsOf collects what must not be shown of a server whose placeholders are filled in.
func secretsOf(s *Server, used []variable) *Secrets {
	var secrets Secrets
	add := func(value string, least int) {
		if len(value) >= least && !slices.Contains(secrets.values, value) {
			secrets.values = append(secrets.values, value)
		}
	}
	named := func(name, value string) {
		if policy.CredentialName(name) {
			add(value, minSecret)
		} else {
			add(value, minValue)
		}
	}
	for name, value := range s.Env {
		named(name, value)
	}
	for _, v := range used {
		if !commonVariables[strings.ToUpper(v.name)] {
			named(v.name, v.value)
		}
	}
	for name, value := range s.Headers {
		least := minValue
		if policy.CredentialParameter(name) {
			least = minSecret
		}
		add(value, least)
		if scheme, credential, found := strings.Cut(value, " "); found {
			add(credential, least)
			if strings.EqualFold(scheme, "basic") {
				addUserinfo(add, decodeBase64(credential))
			}
		}
	}
	for _, span := range policy.CredentialArgs(s.Args) {
		add(s.Args[span.Arg][span.Start:span.End], minSecret)
	}
	for _, span := range policy.CredentialURL(s.URL) {
		value := s.URL[span.Start:span.End]
		add(value, minSecret)
		if plain, err := url.QueryUnescape(value); err == nil {
			add(plain, minSecret)
		}
		if span.Name == "userinfo" {
			addUserinfo(add, value)
		}
	}
	return &secrets
}

// addUserinfo adds USER:PASSWORD and the password alone.
func addUserinfo(add func(string, int), userinfo string) {
	add(userinfo, minSecret)
	if _, password, found := strings.Cut(userinfo, ":"); found {
		add(password, minSecret)
		if plain, err := url.PathUnescape(password); err == nil {
			add(plain, minSecret)
		}
	}
}

func decodeBase64(s string) string {
	plain, err := base64.StdEncoding.DecodeString(strings.TrimSpace(s))
	if err != nil {
		return ""
	}
	return string(plain)
}

// minCut is how much of a secret must stand before a cut to be recognised.
const minCut = 6

// cutMarks stand where a text was cut off: what stands before one may be the beginning of a secret.
var cutMarks = []string{"…", "\n[cut: "}

// Mask gives the text with [Mask] in place of every secret, in plain and as JSON, URLs, base64 and hex write it.
func (s *Secrets) Mask(text string) string {
	if s == nil || len(s.values) == 0 || text == "" {
		return text
	}
	s.once.Do(s.prepare)
	text = s.replacer.Replace(text)
	for _, mark := range cutMarks {
		if !strings.Contains(text, mark) {
			continue
		}
		parts := strings.Split(text, mark)
		for i := range parts[:len(parts)-1] {
			parts[i] = s.maskEnd(parts[i])
		}
		text = strings.Join(parts, mark)
	}
	return text
}

// MaskCut is [Secrets.Mask] for a text that may have been cut off at its end.
func (s *Secrets) MaskCut(text string) string {
	if s == nil || len(s.values) == 0 {
		return text
	}
	return s.maskEnd(s.Mask(text))
}

// maskEnd masks the beginning of a secret at the end of a text.
func (s *Secrets) maskEnd(text string) string {
	longest := 0
	for _, form := range s.forms {
		for n := min(len(form)-1, len(text)); n >= minCut && n > longest; n-- {
			if strings.HasSuffix(text, form[:n]) {
				longest = n
			}
		}
	}
	if longest == 0 {
		return text
	}
	return text[:len(text)-longest] + Mask
}

func (s *Secrets) prepare() {
	for _, value := range s.values {
		s.forms = append(s.forms, spellings(value)...)
	}
	slices.SortFunc(s.forms, func(a, b string) int { return len(b) - len(a) }) // the longest first
	pairs := make([]string, 0, 2*len(s.forms))
	for _, form := range s.forms {
		pairs = append(pairs, form, Mask)
	}
	s.replacer = strings.NewReplacer(pairs...)
}

// MaskJSON gives the value with [Mask] in place of every secret in its strings.
func (s *Secrets) MaskJSON(value jsontext.Value) jsontext.Value {
	if s == nil || len(s.values) == 0 || len(value) == 0 {
		return value
	}
	options := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	d := jsontext.NewDecoder(strings.NewReader(string(value)), options...)
	var out strings.Builder
	e := jsontext.NewEncoder(&out, append(options, jsontext.PreserveRawStrings(true))...)
	for {
		token, err := d.ReadToken()
		if err != nil {
			break
		}
		if token.Kind() == '"' {
			if plain := token.String(); s.Mask(plain) != plain {
				token = jsontext.String(s.Mask(plain))
			}
		}
		if err := e.WriteToken(token); err != nil {
			return jsontext.Value(`null`)
		}
	}
	return jsontext.Value(strings.TrimSuffix(out.String(), "\n"))
}

// spellings gives the forms in which a value turns up. Base64 is cut at both ends to the characters that the value
// alone decides, for each place that it may have in a group of three.
func spellings(value string) []string {
	forms := []string{value}
	for range 2 { // JSON, and JSON in a string of JSON
		if quoted, err := jsontext.AppendQuote(nil, forms[len(forms)-1]); err == nil {
			forms = append(forms, string(quoted[1:len(quoted)-1]))
		}
	}
	forms = append(forms, strings.ReplaceAll(forms[min(1, len(forms)-1)], "/", `\/`),
		url.QueryEscape(value), url.PathEscape(value))
	if len(value) >= minValue {
		forms = append(forms, hex.EncodeToString([]byte(value)), strings.ToUpper(hex.EncodeToString([]byte(value))))
		for offset := range 3 {
			whole := base64.StdEncoding.EncodeToString(append(make([]byte, offset), value...))
			whole = whole[[]int{0, 2, 3}[offset]:] // what stands at the end of what was encoded
			inside := strings.TrimRight(whole, "=")
			if (offset+len(value))%3 != 0 {
				inside = inside[:len(inside)-1]
			}
			for _, std := range []string{whole, strings.TrimRight(whole, "="), inside} {
				forms = append(forms, std, strings.NewReplacer("+", "-", "/", "_").Replace(std))
			}
		}
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// Values gives the secrets themselves, for a redactor that looks for them elsewhere.
func (s *Secrets) Values() []string {
	if s == nil {
		return nil
	}
	return slices.Clone(s.values)
}
