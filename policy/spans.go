package policy

import (
	"net/url"
	"strings"
)

// Span is where a credential stands in a text: the bytes from Start up to End.
type Span struct{ Start, End int }

// ArgSpan is where a credential stands in a command line.
type ArgSpan struct {
	Arg  int    // the index of the argument
	Name string // what it goes by, such as "--api-key" or "X-Api-Key"; may be empty
	Span
}

// CredentialArgs finds the credentials in a command line by their place: the value after or in a flag with
// a credential's name, what -H, --header, -e and --env carry, NAME=VALUE with a credential's name, and the
// userinfo and query values of URLs. A flag's value may stand alone, after =, or packed into one argument; a whole command
// line may stand in one argument, as after sh -c. The spans come in order, and do not overlap.
func CredentialArgs(args []string) []ArgSpan {
	var spans []ArgSpan
	for i := 0; i < len(args); i++ {
		found, wants := argSpans(args[i])
		for _, s := range found {
			s.Arg = i
			spans = append(spans, s)
		}
		if wants == nil || i+1 == len(args) || strings.HasPrefix(args[i+1], "--") {
			continue
		}
		i++
		for _, s := range wants(args[i]) {
			s.Arg = i
			spans = append(spans, s)
		}
	}
	return spans
}

// MaskArgs gives the command line with mask in place of each credential. The result is always a new slice.
func MaskArgs(args []string, mask string) []string {
	out := append([]string(nil), args...)
	spans := CredentialArgs(args)
	for i := len(spans) - 1; i >= 0; i-- { // from the end, so that the offsets before it stay right
		s := spans[i]
		out[s.Arg] = out[s.Arg][:s.Start] + mask + out[s.Arg][s.End:]
	}
	return out
}

// A valueFinder finds the credentials in the value of a flag.
type valueFinder func(value string) []ArgSpan

var (
	flagForm   = lazily(`(?s)^(--?[A-Za-z][\w.-]*)(?:([= ])(.*))?$`)
	packedForm = lazily(`(?s)^-(?:H([A-Za-z][\w-]*):\s*|e([A-Z_][A-Z0-9_]*)=)(.+)$`)
	pairForm   = lazily(`(?s)^([A-Za-z_][\w.-]*)(?:=|:\s*)(.+)$`)
	headerForm = lazily(`(?s)^([^:=]*)[:=]\s*(.*)$`)
	envForm    = lazily(`(?s)^([A-Za-z_]\w*)=(.*)$`)
	urlForm    = lazily(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>]*`)
)

// argSpans finds the credentials in one argument; wants is how to read the next argument where it is the value
// of this one.
func argSpans(arg string) (found []ArgSpan, wants valueFinder) {
	if m := flagForm().FindStringSubmatchIndex(arg); m != nil {
		if finder := flagValue(arg[m[2]:m[3]]); finder != nil {
			if m[4] < 0 {
				return nil, finder
			}
			return shift(finder(arg[m[6]:m[7]]), m[6]), nil
		}
	}
	if m := packedForm().FindStringSubmatchIndex(arg); m != nil {
		return named(arg[max(m[2], m[4]):max(m[3], m[5])], m[6], m[7]), nil
	}
	if m := pairForm().FindStringSubmatchIndex(arg); m != nil && CredentialParameter(arg[m[2]:m[3]]) {
		return named(arg[m[2]:m[3]], m[4], m[5]), nil
	}
	if strings.ContainsAny(arg, " \t\n") {
		return lineSpans(arg), nil
	}
	for _, m := range urlForm().FindAllStringIndex(arg, -1) {
		found = append(found, shift(urlSpans(arg[m[0]:m[1]], true), m[0])...)
	}
	return found, nil
}

// lineSpans finds the credentials in a command line that stands in one argument. What begins with $ is a variable of the shell,
// and no value.
func lineSpans(line string) (found []ArgSpan) {
	spans := words(line)
	args := make([]string, len(spans))
	for i, w := range spans {
		args[i] = line[w.Start:w.End]
	}
	for _, s := range CredentialArgs(args) {
		s.Start += spans[s.Arg].Start
		s.End += spans[s.Arg].Start
		if s.Span = unquoted(line, s.Span); s.Start < s.End && line[s.Start] != '$' {
			found = append(found, s)
		}
	}
	return found
}

// words takes a command line apart as a shell does, quotes around a whole word left out.
func words(line string) (spans []Span) {
	start, quote := -1, byte(0)
	end := func(at int) {
		if start >= 0 {
			spans = append(spans, unquoted(line, Span{start, at}))
		}
		start = -1
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == ';' || c == '|'):
			end(i)
			continue
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == quote:
			quote = 0
		}
		if start < 0 {
			start = i
		}
		if c == '\\' && quote != '\'' {
			i++
		}
	}
	end(len(line))
	return spans
}

// unquoted is the span without the quotes around it.
func unquoted(line string, s Span) Span {
	if s.End-s.Start >= 2 && strings.IndexByte(`"'`, line[s.Start]) >= 0 && line[s.End-1] == line[s.Start] {
		return Span{s.Start + 1, s.End - 1}
	}
	return s
}

// flagValue says how to read the value of a flag, or nil where the flag carries no credential.
func flagValue(flag string) valueFinder {
	switch flag {
	case "-H", "--header", "--headers":
		return headerValue
	case "-e", "--env":
		return envValue
	}
	if !CredentialParameter(strings.TrimLeft(flag, "-")) {
		return nil
	}
	return func(value string) []ArgSpan { return named(flag, 0, len(value)) }
}

// headerValue reads `NAME: VALUE`. What has another form may be anything, and is a credential as a whole.
func headerValue(value string) []ArgSpan {
	if m := headerForm().FindStringSubmatchIndex(value); m != nil {
		return named(value[m[2]:m[3]], m[4], m[5])
	}
	return named("", 0, len(value))
}

// envValue reads NAME=VALUE. What has another form holds no value: `-e NAME` passes a variable on, and to some
// programs -e means something else.
func envValue(value string) []ArgSpan {
	if m := envForm().FindStringSubmatchIndex(value); m != nil {
		return named(value[m[2]:m[3]], m[4], m[5])
	}
	return nil
}

// named gives the one span from start up to end, or none where there is nothing in it.
func named(name string, start, end int) []ArgSpan {
	if start == end {
		return nil
	}
	return []ArgSpan{{Name: name, Span: Span{start, end}}}
}

func shift(spans []ArgSpan, by int) []ArgSpan {
	for i := range spans {
		spans[i].Start += by
		spans[i].End += by
	}
	return spans
}

// CredentialURL finds the credentials in a URL as it is written: its userinfo, and the values of query
// parameters with a credential's name.
func CredentialURL(address string) []ArgSpan { return urlSpans(address, false) }

// MaskURL gives the URL as it is written, with mask in place of each credential.
func MaskURL(address, mask string) string {
	spans := CredentialURL(address)
	for i := len(spans) - 1; i >= 0; i-- {
		address = address[:spans[i].Start] + mask + address[spans[i].End:]
	}
	return address
}

func urlSpans(address string, everyParameter bool) []ArgSpan {
	var spans []ArgSpan
	rest := address
	if at := strings.IndexByte(rest, '#'); at >= 0 {
		rest = rest[:at]
	}
	query := len(rest)
	if at := strings.IndexByte(rest, '?'); at >= 0 {
		query = at
	}
	if scheme := strings.Index(rest[:query], "://"); scheme >= 0 {
		start := scheme + len("://")
		end := start + len(rest[start:query])
		if slash := strings.IndexByte(rest[start:query], '/'); slash >= 0 {
			end = start + slash
		}
		if at := strings.LastIndexByte(rest[start:end], '@'); at > 0 {
			spans = append(spans, ArgSpan{Name: "userinfo", Span: Span{start, start + at}})
		}
	}
	for start := query + 1; start < len(rest); {
		end := len(rest)
		if at := strings.IndexAny(rest[start:], "&;"); at >= 0 {
			end = start + at
		}
		name, value, ok := strings.Cut(rest[start:end], "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if ok && value != "" && (everyParameter || CredentialParameter(name)) {
			spans = append(spans, ArgSpan{Name: name, Span: Span{end - len(value), end}})
		}
		start = end + 1
	}
	return spans
}
