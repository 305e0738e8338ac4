package steps

import "github.com/imurun/mcp-replay/mcp"

// open makes the transport to the scenario's server.
func (w *World) open() (mcp.Transport, error) {
	return w.Target().transport(nil)
}
