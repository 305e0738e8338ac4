package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/mcp/settings"
)

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
				return usageError("mcp-replay servers import FILE, or - for stdin", "give one file")
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
			if moved.Input != "" {
				fmt.Fprintf(s.out, "  set %s to what the other host asks you for as %s\n", moved.Variable, moved.Input)
				continue
			}
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
