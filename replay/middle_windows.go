package replay

import (
	"os"
	"os/signal"

	"github.com/imurun/mcp-replay/mcp"
)

// NotifySignals sends to ch every signal that [RecordStdio] passes on to a server: on Windows there is only Ctrl-C, which
// the console sends to the server by itself.
func NotifySignals(ch chan<- os.Signal) { signal.Notify(ch, os.Interrupt) }

func reachedGroup(s os.Signal) bool { return s == os.Interrupt }

func exitStatus(s *os.ProcessState) mcp.ExitStatus {
	if s == nil {
		return mcp.ExitStatus{Code: -1}
	}
	return mcp.ExitStatus{Code: s.ExitCode()}
}
