package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/imurun/mcp-replay/mcp/registry"
	"github.com/imurun/mcp-replay/mcp/settings"
	"github.com/imurun/mcp-replay/policy"
)

// hostFlags say where the settings are, and what holds in place of what they say.
type hostFlags struct {
	home    string
	repo    string
	policy  string
	network string
}

// homeFlags adds the flags that find the settings file.
func (h *hostFlags) homeFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&h.home, "home", "", "`folder` of settings.json (default: IMURUN_HOME, else ~/.imurun)")
}

// flags adds the flags of a verb that connects to servers of the settings.
func (h *hostFlags) flags(cmd *cobra.Command) {
	h.homeFlags(cmd)
	f := cmd.Flags()
	f.StringVar(&h.repo, "repo", "", "`folder` that ${repo} stands for and servers start in (default: the current one)")
	f.StringVar(&h.policy, "policy", "", "`level` in place of the settings': ask, allow-reads or allow-all")
	f.StringVar(&h.network, "network", "", "`on|off`, in place of the settings': whether servers on HTTP are reached")
}

// file is the settings file.
func (h *hostFlags) file() (*settings.File, error) {
	home := h.home
	var err error
	if home == "" {
		home, err = settings.DefaultHome()
	} else {
		home, err = filepath.Abs(home)
	}
	if err != nil {
		return nil, usageError("", "%w", err)
	}
	return settings.In(home), nil
}

// options puts into o what the flags say.
func (h *hostFlags) options(o *registry.Options) error {
	if h.repo != "" {
		repo, err := filepath.Abs(h.repo)
		if err != nil {
			return usageError("", "--repo: %w", err)
		}
		o.Repo = repo
	}
	if h.policy != "" {
		level, err := policy.ParseLevel(h.policy)
		if err != nil {
			return usageError("the levels are ask, allow-reads and allow-all", "--%w", err)
		}
		o.Level = &level
	}
	if h.network != "" {
		if h.network != "on" && h.network != "off" {
			return usageError("--network on, or --network off", "--network %q: must be on or off", h.network)
		}
		on := h.network == "on"
		o.Network = &on
	}
	o.Name, o.Version = "mcp-replay", version
	return nil
}

// open makes the registry over the settings; the caller closes it.
func (h *hostFlags) open(o *registry.Options) (*registry.Registry, error) {
	file, err := h.file()
	if err != nil {
		return nil, err
	}
	if err := h.options(o); err != nil {
		return nil, err
	}
	r, err := registry.New(file, o)
	if err != nil {
		return nil, settingsError(err)
	}
	return r, nil
}

// superviseVerb runs a server under a supervisor. It is for the program itself: nobody types it.
const superviseVerb = "__supervise"

// supervisor is the command line under which servers run so that none outlives the host (LIFE-7); empty where the
// system has no such thing.
func supervisor() []string {
	if !registry.CanSupervise {
		return nil
	}
	own, err := os.Executable()
	if err != nil {
		return nil
	}
	return []string{own, superviseVerb}
}

// settingsError is an error of the settings file, which is unreadable input or wrong use.
func settingsError(err error) error { return usageError("", "%w", err) }
