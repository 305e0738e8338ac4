package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/mcp/settings"
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
