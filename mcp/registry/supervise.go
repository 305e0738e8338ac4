package registry

import (
	"slices"
	"time"

	"github.com/imurun/mcp-replay/mcp"
)

// supervisedGrace is how long a supervised server has in all: its supervisor ends the tree itself after [superviseGrace],
// and is to do so before it is killed.
const (
	superviseGrace  = 2 * time.Second // LIFE-5
	supervisedGrace = superviseGrace + 500*time.Millisecond
)

// supervise puts the server under the supervisor (LIFE-7). The command is looked for here, so that one that is not there
// is told as ever.
func (r *Registry) supervise(c *mcp.Command) error {
	if len(r.o.Supervisor) == 0 {
		return nil
	}
	path, err := mcp.LookPath(c.Path, c.Dir, c.Env)
	if err != nil {
		return err
	}
	c.Args = slices.Concat(r.o.Supervisor[1:], []string{path, c.Path}, c.Args)
	c.Path = r.o.Supervisor[0]
	c.Grace = supervisedGrace
	return nil
}
