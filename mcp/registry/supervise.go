package registry

import (
	"slices"
	"time"

	"github.com/imurun/mcp-replay/mcp"
)

// A supervisor ends the server's tree itself after superviseGrace; it is killed only where it has not done so within
// supervisedGrace, since the processes that have left the tree would be lost then.
const (
	superviseGrace  = 2 * time.Second // LIFE-5
	supervisedGrace = 2 * superviseGrace
)

// superviseMark stands before the server's command line in that of a supervisor.
const superviseMark = "supervise:"

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
	c.Args = slices.Concat(r.o.Supervisor[1:], []string{superviseMark, path, c.Path}, c.Args)
	c.Path = r.o.Supervisor[0]
	c.Grace = supervisedGrace
	return nil
}
