package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/imurun/mcp-replay/policy"
)

var notInVariable = lazily(`[^A-Z0-9]+`)

// variableName makes a variable's name of the parts.
func variableName(parts ...string) string {
	name := strings.Trim(notInVariable().ReplaceAllString(strings.ToUpper(strings.Join(parts, "_")), "_"), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "MCP_" + name
	}
	return name
}

// moveSecrets puts ${env:NAME} in the place of every secret that stands in plain text.
func (im *importer) moveSecrets() {
	s := &im.in.Server
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		value := s.Env[name]
		if policy.CredentialName(name) || policy.CredentialValue(value) || policy.CredentialParameter(name) ||
			len(policy.CredentialURL(value)) > 0 { // such as DATABASE_URL
			s.Env[name] = im.move("env."+name, value, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		value := s.Headers[name]
		scheme, credential, hasScheme := strings.Cut(value, " ")
		if !hasScheme {
			scheme, credential = "", value
		}
		if !policy.CredentialParameter(name) && !policy.CredentialValue(credential) && !authScheme(scheme) {
			continue
		}
		moved := im.move("headers."+name, credential, s.ID, name)
		s.Headers[name] = strings.TrimLeft(scheme+" "+moved, " ")
	}
	spans := policy.CredentialArgs(s.Args)
	moved := make([]string, len(spans))
	for i, span := range spans {
		moved[i] = im.move(fmt.Sprintf("args[%d]", span.Arg), s.Args[span.Arg][span.Start:span.End], s.ID, span.Name)
	}
	for i, span := range slices.Backward(spans) { // so that the offsets before it stay right
		arg := s.Args[span.Arg]
		s.Args[span.Arg] = arg[:span.Start] + moved[i] + arg[span.End:]
	}
	for i, arg := range s.Args {
		if policy.CredentialValue(arg) {
			s.Args[i] = im.move(fmt.Sprintf("args[%d]", i), arg, s.ID, "token")
		}
	}
	for _, span := range slices.Backward(policy.CredentialURL(s.URL)) {
		moved := im.move("url", s.URL[span.Start:span.End], s.ID, span.Name)
		s.URL = s.URL[:span.Start] + moved + s.URL[span.End:]
	}
}

// authScheme says whether what follows the word in a header is a credential, whatever the header's name.
func authScheme(word string) bool {
	return strings.EqualFold(word, "Bearer") || strings.EqualFold(word, "Basic")
}

// move gives what stands in place of a secret. A value that is empty or already a placeholder stays.
func (im *importer) move(field, value string, nameParts ...string) string {
	if value == "" || strings.Contains(value, "${") {
		return value
	}
	variable := nameParts[0]
	if len(nameParts) > 1 || !plainVariable().MatchString(variable) {
		variable = variableName(nameParts...)
	}
	base := variable
	for n := 2; slices.ContainsFunc(im.in.Set, func(m Moved) bool { return m.Variable == variable }); n++ {
		variable = fmt.Sprintf("%s_%d", base, n)
	}
	im.in.Set = append(im.in.Set, Moved{Field: field, Variable: variable})
	return "${env:" + variable + "}"
}
