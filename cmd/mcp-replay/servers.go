package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/mcp/settings"
	"github.com/imurun/mcp-replay/policy"
)

// newServersCommand is the verb servers: the settings file.
func newServersCommand(s *streams) *cobra.Command {
	var h hostFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "servers",
		Short: "List, add, change and import the servers of the settings",
		Long: strings.TrimSpace(`
servers edits the settings file, ~/.imurun/settings.json, which other programs share: what is not a server's keeps
every byte. Values that may be secret are shown as ********.

Placeholders are filled in when a server is connected, never in the file: ${env:NAME}, ${home}, ${repo}, ${python}.`),
		Example: `  mcp-replay servers
  mcp-replay servers add files --approve read_file -- npx -y @modelcontextprotocol/server-filesystem '${home}/notes'
  mcp-replay servers add remote --url https://example.com/mcp --header 'Authorization: Bearer ${env:REMOTE_TOKEN}'
  mcp-replay servers import ~/.cursor/mcp.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError("mcp-replay servers --help lists them", "unknown command %q%s", args[0], didYouMean(cmd, args[0]))
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error { return listServers(s, &h, asJSON) },
	}
	h.homeFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(
		newServersListCommand(s), newServersShowCommand(s), newServersAddCommand(s), newServersRemoveCommand(s),
		newServersSwitchCommand(s, true), newServersSwitchCommand(s, false), newServersApproveCommand(s),
		newServersImportCommand(s),
	)
	return cmd
}

func newServersListCommand(s *streams) *cobra.Command {
	var h hostFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the servers", Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return listServers(s, &h, asJSON) },
	}
	h.homeFlags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// serverLine is one server in the JSON of servers.
type serverLine struct {
	settings.Server
	Error string `json:"error,omitzero"` // why the entry cannot be used
}

func lineOf(server settings.Server) serverLine {
	line := serverLine{Server: server.Masked()}
	if server.Err != nil {
		line.Error = server.Err.Error()
	}
	return line
}

func listServers(s *streams, h *hostFlags, asJSON bool) error {
	file, err := h.file()
	if err != nil {
		return err
	}
	all, err := file.Load()
	if err != nil {
		return settingsError(err)
	}
	for _, problem := range all.Problems {
		s.warn(file.Path + ": " + problem)
	}
	if asJSON {
		lines := []serverLine{}
		for _, server := range all.Servers {
			lines = append(lines, lineOf(server))
		}
		return writeJSON(s, struct {
			Policy  string       `json:"policy"`
			Network bool         `json:"network"`
			Servers []serverLine `json:"servers"`
		}{all.Policy.String(), all.Network, lines})
	}
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tSTATE\tTRANSPORT\tSERVER")
	for _, server := range all.Servers {
		line := lineOf(server)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", orDash(line.ID), stateWord(server), orDash(line.Transport), reachedBy(line.Server))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, server := range all.Servers {
		if server.Err != nil {
			s.warn(server.Err.Error())
		}
	}
	return nil
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func stateWord(server settings.Server) string {
	switch {
	case server.Err != nil:
		return "invalid"
	case server.Enabled:
		return "enabled"
	}
	return "disabled"
}

func reachedBy(server settings.Server) string {
	if server.URL != "" {
		return server.URL
	}
	return strings.Join(append([]string{server.Command}, server.Args...), " ")
}

func newServersShowCommand(s *streams) *cobra.Command {
	var h hostFlags
	cmd := &cobra.Command{
		Use: "show ID", Short: "Print one server as JSON, masked", Args: oneID,
		RunE: func(_ *cobra.Command, args []string) error {
			file, err := h.file()
			if err != nil {
				return err
			}
			all, err := file.Load()
			if err != nil {
				return settingsError(err)
			}
			server, found := all.Server(args[0])
			if !found {
				return settingsError(&settings.NotFoundError{ID: args[0]})
			}
			return writeJSON(s, lineOf(server))
		},
	}
	h.homeFlags(cmd)
	return cmd
}

func oneID(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return usageError("mcp-replay servers lists them", "give the id of one server")
	}
	return nil
}

func someIDs(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageError("mcp-replay servers lists them", "give the id of a server")
	}
	return nil
}

// update edits the settings file.
func (h *hostFlags) update(change func(*settings.Edit) error) error {
	file, err := h.file()
	if err != nil {
		return err
	}
	if _, err := file.Update(change); err != nil {
		return settingsError(err)
	}
	return nil
}

func newServersRemoveCommand(s *streams) *cobra.Command {
	var h hostFlags
	cmd := &cobra.Command{
		Use: "remove ID…", Short: "Take servers out of the settings", Args: someIDs,
		RunE: func(_ *cobra.Command, args []string) error {
			return h.update(func(e *settings.Edit) error {
				for _, id := range args {
					if err := e.Remove(id); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	h.homeFlags(cmd)
	return cmd
}

// newServersSwitchCommand is servers enable and servers disable.
func newServersSwitchCommand(s *streams, on bool) *cobra.Command {
	var h hostFlags
	word, short := "disable", "Keep servers from being connected, and their tools from being offered"
	if on {
		word, short = "enable", "Let servers be connected at start, and their tools be offered"
	}
	cmd := &cobra.Command{
		Use: word + " ID…", Short: short, Args: someIDs,
		RunE: func(_ *cobra.Command, args []string) error {
			return h.update(func(e *settings.Edit) error {
				for _, id := range args {
					if err := change(e, settings.Patch{ID: id, Enabled: &on}); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	h.homeFlags(cmd)
	return cmd
}

// change is Put for a server that must be there.
func change(e *settings.Edit, p settings.Patch) error {
	if _, found := e.Settings().Server(p.ID); !found {
		return &settings.NotFoundError{ID: p.ID}
	}
	return e.Put(p)
}

func newServersApproveCommand(s *streams) *cobra.Command {
	var h hostFlags
	var withdraw bool
	cmd := &cobra.Command{
		Use: "approve ID TOOL…", Short: "Let tools of a server run without asking",
		Long: strings.TrimSpace(`
approve puts tools into the server's auto_approve, by the names that the server gives them, exactly. A tool that the server
calls destructive asks all the same.`),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usageError("mcp-replay tools --server ID lists them", "give the id of a server and the names of tools")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return h.update(func(e *settings.Edit) error {
				server, _ := e.Settings().Server(args[0])
				list := slices.DeleteFunc(server.AutoApprove, func(name string) bool { return slices.Contains(args[1:], name) })
				if !withdraw {
					list = append(list, slices.Compact(slices.Sorted(slices.Values(args[1:])))...)
				}
				return change(e, settings.Patch{ID: args[0], AutoApprove: &list})
			})
		},
	}
	h.homeFlags(cmd)
	cmd.Flags().BoolVar(&withdraw, "withdraw", false, "take the tools out again")
	return cmd
}

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
	f.StringArrayVar(&o.env, "env", nil, "variable for the server: `K=V`, or NAME to take it from the host's environment (repeatable)")
	f.StringVar(&o.cwd, "cwd", "", "`folder` to start the server in")
	f.StringVar(&o.url, "url", "", "`address` of a Streamable HTTP server")
	f.StringArrayVar(&o.headers, "header", nil, "header to send, as `'K: V'` (repeatable)")
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
		return p, usageError("", "give a command or --url, not both")
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

// importOptions are the flags of servers import.
type importOptions struct {
	host    hostFlags
	replace bool
	dryRun  bool
}

func newServersImportCommand(s *streams) *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use: "import FILE", Short: "Bring in the servers of another host's file",
		Long: strings.TrimSpace(`
import reads the map of servers that Claude Desktop, Claude Code, Cursor, VS Code and other hosts write: mcpServers or servers,
with comments and trailing commas. Secrets that stand in it in plain text become ${env:NAME}; what to set is said.
What could not be taken is said too, entry by entry. FILE may be - for stdin.`),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError("", "give one file")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return importServers(cmd.Context(), s, &o, args[0]) },
	}
	o.host.homeFlags(cmd)
	cmd.Flags().BoolVar(&o.replace, "replace", false, "replace servers that have the same id")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "say what would be taken, and change nothing")
	return cmd
}

var errDryRun = errors.New("nothing is to be written")

func importServers(_ context.Context, s *streams, o *importOptions, path string) error {
	data, err := readInput(s, path)
	if err != nil {
		return usageError("", "%w", err)
	}
	found, err := settings.ReadHosts(path, data)
	if err != nil {
		return usageError("", "%w", err)
	}
	file, err := o.host.file()
	if err != nil {
		return err
	}
	_, err = file.Update(func(e *settings.Edit) error {
		for i := range found {
			in := &found[i]
			if in.Err == nil {
				in.Err = o.take(e, in)
			}
		}
		if o.dryRun {
			return errDryRun
		}
		return nil
	})
	if err != nil && !errors.Is(err, errDryRun) {
		return settingsError(err)
	}
	return reportImport(s, found)
}

// take adds one entry; an error is about this entry alone.
func (o *importOptions) take(e *settings.Edit, in *settings.Imported) error {
	if server, found := e.Settings().Server(in.Server.ID); found && !server.BuiltIn {
		if !o.replace {
			return fmt.Errorf("there is a server %s already; --replace replaces it", in.Server.ID)
		}
		if err := e.Remove(in.Server.ID); err != nil {
			return err
		}
	}
	return e.Put(in.Patch())
}

func reportImport(s *streams, found []settings.Imported) error {
	left := 0
	for _, in := range found {
		if in.Err != nil {
			left++
			s.warn(fmt.Sprintf("%s: not taken: %v", in.Name, in.Err))
			continue
		}
		fmt.Fprintf(s.out, "%s: taken as %s\n", in.Name, in.Server.ID)
		for _, moved := range in.Set {
			fmt.Fprintf(s.out, "  set %s to the value that stands in %s there\n", moved.Variable, moved.Field)
		}
		for _, note := range in.Notes {
			s.warn(fmt.Sprintf("%s: %s", in.Name, note))
		}
	}
	if left > 0 {
		return failedError("", "%d of %d entries were not taken", left, len(found))
	}
	return nil
}

func readInput(s *streams, path string) ([]byte, error) {
	const limit = 16 << 20
	var from io.Reader = s.in
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		from = file
	}
	data, err := io.ReadAll(io.LimitReader(from, limit+1))
	if err == nil && len(data) > limit {
		err = fmt.Errorf("%s: is larger than %d MiB", path, limit>>20)
	}
	return data, err
}
