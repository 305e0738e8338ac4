package settings

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const knownPlaceholders = "${python}, ${repo}, ${home} and ${env:NAME}; $${ stands for a literal ${"

var envNameForm = lazily(`^[^=:}\s$\x00]+$`)

// Places is what placeholders are filled in with. The zero value fills in nothing but the environment.
type Places struct {
	Home string // ${home}: the folder of the settings file
	Repo string // ${repo}: the program's own folder

	// Python finds the interpreter for ${python}; nil looks for python3, then python, on PATH.
	Python func() (string, error)

	// LookupEnv finds the variables for ${env:NAME}; nil means [os.LookupEnv].
	LookupEnv func(name string) (string, bool)
}

// part is a piece of a text: literal, or a placeholder.
type part struct {
	literal string
	name    string // of the placeholder, such as "home" or "env:NAME"; empty in a literal
}

// split takes a text apart from left to right, once: what a placeholder is filled in with is not looked at again.
func split(s string) (parts []part, problem string) {
	for s != "" {
		at := strings.IndexByte(s, '$')
		if at < 0 {
			return append(parts, part{literal: s}), ""
		}
		if at > 0 {
			parts = append(parts, part{literal: s[:at]})
			s = s[at:]
		}
		switch {
		case strings.HasPrefix(s, "$${"):
			parts = append(parts, part{literal: "${"})
			s = s[len("$${"):]
		case strings.HasPrefix(s, "${"):
			end := strings.IndexByte(s, '}')
			if end < 0 {
				return nil, "a placeholder begins with ${ and has no }; known are " + knownPlaceholders
			}
			parts = append(parts, part{name: s[2:end]})
			if end == 2 {
				return nil, "${} is no placeholder; known are " + knownPlaceholders
			}
			s = s[end+1:]
		default:
			parts = append(parts, part{literal: "$"})
			s = s[1:]
		}
	}
	return parts, ""
}

// checkPlaceholders says what is wrong with the placeholders in a text (CFG-13). show allows the message to repeat
// the unknown one.
func checkPlaceholders(s string, show bool) string {
	parts, problem := split(s)
	if problem != "" {
		return problem
	}
	for _, p := range parts {
		if p.name == "" || p.name == "python" || p.name == "repo" || p.name == "home" {
			continue
		}
		if name, isEnv := strings.CutPrefix(p.name, "env:"); isEnv && envNameForm().MatchString(name) {
			continue
		}
		if show {
			return fmt.Sprintf("unknown placeholder ${%.40s}; known are %s", p.name, knownPlaceholders)
		}
		return "unknown placeholder; known are " + knownPlaceholders
	}
	return ""
}

// Resolved is a server with its placeholders filled in. It holds secrets, and is made for connecting only.
type Resolved struct {
	Server
	Secrets *Secrets // what must not be shown of it
}

// Resolve fills the placeholders in, in one pass over every field (CFG-11). An environment variable that is not set
// is an error that names it and the field (CFG-12); one that is set and empty is filled in.
func (s *Server) Resolve(places *Places) (*Resolved, error) {
	if s.Err != nil {
		return nil, s.Err
	}
	if places == nil {
		places = &Places{}
	}
	r := &Resolved{Server: s.Clone()}
	var used []variable
	for f := range s.texts() {
		filled, vars, err := places.fill(f.text)
		if err != nil {
			return nil, &FieldError{Server: s.ID, Field: f.name, Problem: err.Error()}
		}
		f.put(&r.Server, filled)
		used = append(used, vars...)
	}
	if r.Transport == Stdio {
		r.Cwd = folder(r.Cwd, places.Repo)
	}
	r.Secrets = secretsOf(&r.Server, used)
	if field, problem := r.checkTexts(); problem != "" { // what was filled in may hold what the stored text does not
		return nil, &FieldError{Server: s.ID, Field: field, Problem: problem}
	}
	if r.Transport == HTTP {
		if err := CheckURL(r.URL); err != nil { // CFG-6, once more
			return nil, &FieldError{Server: s.ID, Field: "url", Problem: err.Error() + " (after its placeholders were filled in)"}
		}
	}
	return r, nil
}

// folder gives the folder that a server starts in: the program's own where none is set (CFG-10), and a relative one
// from there.
func folder(cwd, repo string) string {
	if cwd == "" || filepath.IsAbs(cwd) || repo == "" {
		if cwd == "" {
			return repo
		}
		return cwd
	}
	return filepath.Join(repo, cwd)
}

// variable is an environment variable that was filled in.
type variable struct{ name, value string }

func (p *Places) fill(s string) (filled string, used []variable, err error) {
	parts, problem := split(s)
	if problem != "" {
		return "", nil, errors.New(problem)
	}
	var b strings.Builder
	for _, part := range parts {
		if part.name == "" {
			b.WriteString(part.literal)
			continue
		}
		value, err := p.value(part.name)
		if err != nil {
			return "", nil, err
		}
		if name, isEnv := strings.CutPrefix(part.name, "env:"); isEnv {
			used = append(used, variable{name, value})
		}
		b.WriteString(value)
	}
	return b.String(), used, nil
}

func (p *Places) value(name string) (string, error) {
	switch name {
	case "home":
		return p.Home, nil
	case "repo":
		return p.Repo, nil
	case "python":
		if p.Python != nil {
			return p.Python()
		}
		return findPython()
	}
	variable, isEnv := strings.CutPrefix(name, "env:")
	if !isEnv {
		return "", errors.New("unknown placeholder; known are " + knownPlaceholders)
	}
	lookup := p.LookupEnv
	if lookup == nil {
		lookup = os.LookupEnv
	}
	value, set := lookup(variable)
	if !set {
		return "", fmt.Errorf("the environment variable %s is not set", variable) // CFG-12
	}
	return value, nil
}

func findPython() (string, error) {
	for _, name := range []string{"python3", "python"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("${python}: neither python3 nor python is on PATH")
}

// escape writes a text so that no placeholder is seen in it.
func escape(s string) string { return strings.ReplaceAll(s, "${", "$${") }
