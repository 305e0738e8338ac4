package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/mcp/settings"
	"github.com/imurun/mcp-replay/policy"
)

// addOptions are the flags of servers add.
type addOptions struct {
	host           hostFlags
	name, cwd, url string
	env, headers   []string
	approve        []string
	timeout        int
	disabled       bool
	replace        bool
}

func newServersAddCommand(s *streams) *cobra.Command {
	var o addOptions
	cmd := &cobra.Command{
		Use: "add ID [flags] -- COMMAND ARG…", Short: "Add a server, as a command or an address",
		Example: `  mcp-replay servers add files --env API_KEY -- npx -y @modelcontextprotocol/server-filesystem .
  mcp-replay servers add remote --url https://example.com/mcp --header 'Authorization: Bearer ${env:REMOTE_TOKEN}'`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			var command []string
			if dash := cmd.ArgsLenAtDash(); dash >= 0 {
				args, command = args[:dash], args[dash:]
			}
			if err := oneID(cmd, args); err != nil {
				return err
			}
			return addServer(s, &o, args[0], command)
		},
	}
	o.host.homeFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.name, "name", "", "the `name` that people see (default: the id)")
	listFlag(f, &o.env, "env", "variable for the server: `K=V`, or NAME to take it from the host's environment (repeatable)")
	f.StringVar(&o.cwd, "cwd", "", "`folder` to start the server in")
	f.StringVar(&o.url, "url", "", "`address` of a Streamable HTTP server")
	listFlag(f, &o.headers, "header", "header to send, as `'K: V'` (repeatable)")
	f.StringSliceVar(&o.approve, "approve", nil, "`tools` that run without asking (repeatable, or with commas)")
	f.IntVar(&o.timeout, "timeout", settings.DefaultTimeout, "`seconds` that a call may take, 1 to 600")
	f.BoolVar(&o.disabled, "disabled", false, "do not connect it yet")
	f.BoolVar(&o.replace, "replace", false, "replace a server that has the id")
	return cmd
}

func addServer(s *streams, o *addOptions, id string, command []string) error {
	p, err := o.patch(id, command)
	if err != nil {
		return err
	}
	err = o.host.update(func(e *settings.Edit) error {
		if server, found := e.Settings().Server(id); found && !server.BuiltIn {
			if !o.replace {
				return fmt.Errorf("there is a server %s already; --replace replaces it", id)
			}
			if err := e.Remove(id); err != nil {
				return err
			}
		}
		return e.Put(p)
	})
	if err != nil {
		return err
	}
	for _, warning := range plainSecrets(&p) {
		s.warn(warning)
	}
	return nil
}

// patch makes the server that the flags describe.
func (o *addOptions) patch(id string, command []string) (settings.Patch, error) {
	enabled := !o.disabled
	p := settings.Patch{ID: id, Enabled: &enabled}
	switch {
	case len(command) > 0 && o.url != "":
		return p, usageError("use one of the two", "both a command and --url are given")
	case len(command) > 0:
		args := command[1:]
		p.Command = &command[0]
		if len(args) > 0 {
			p.Args = &args
		}
	case o.url != "":
		p.URL = &o.url
	default:
		return p, usageError("write it as servers add ID -- COMMAND ARG…, or servers add ID --url URL", "no command and no --url is given")
	}
	if len(o.env) > 0 {
		env := map[string]string{}
		for _, line := range o.env {
			name, value, given := strings.Cut(line, "=")
			if !given {
				value = "${env:" + name + "}"
			}
			env[name] = value
		}
		p.Env = &env
	}
	if len(o.headers) > 0 {
		headers := map[string]string{}
		for _, line := range o.headers {
			name, value, found := strings.Cut(line, ":")
			if !found {
				return p, usageError("write it as 'Name: value'", "--header: no name and colon in it")
			}
			headers[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
		p.Headers = &headers
	}
	if o.name != "" {
		p.Name = &o.name
	}
	if o.cwd != "" {
		p.Cwd = &o.cwd
	}
	if len(o.approve) > 0 {
		p.AutoApprove = &o.approve
	}
	if o.timeout != settings.DefaultTimeout {
		p.Timeout = &o.timeout
	}
	return p, nil
}

// plainSecrets says what stands in plain text in the file now, and need not.
func plainSecrets(p *settings.Patch) []string {
	var warnings []string
	warn := func(kind, name, value string) {
		if value != "" && !strings.Contains(value, "${env:") {
			warnings = append(warnings, fmt.Sprintf("%s %s stands in plain text in the settings; ${env:NAME} keeps it out", kind, name))
		}
	}
	if p.Env != nil {
		for name, value := range *p.Env {
			if policy.CredentialName(name) || policy.CredentialValue(value) {
				warn("env", name, value)
			}
		}
	}
	if p.Headers != nil {
		for name, value := range *p.Headers {
			if policy.CredentialParameter(name) {
				warn("header", name, value)
			}
		}
	}
	if p.Args != nil {
		for _, span := range policy.CredentialArgs(*p.Args) {
			warn("argument", span.Name, (*p.Args)[span.Arg])
		}
	}
	if p.URL != nil {
		for _, span := range policy.CredentialURL(*p.URL) {
			warn("the url's", span.Name, (*p.URL)[span.Start:span.End])
		}
	}
	slices.Sort(warnings)
	return warnings
}
