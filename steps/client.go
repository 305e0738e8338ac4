package steps

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/imurun/mcp-replay/mcp"
)

// clientSteps is about the client's own behaviour, below what the public steps see.
var clientSteps = []Step{{
	Pattern: `^the host lists the tools again whenever they change$`,
	Example: `Given the host lists the tools again whenever they change`,
	Doc:     "Makes the host list the tools when it is notified of a change, as the registry does; before the server is started.",
	Do: func(_ context.Context, w *World) error {
		State[sessionState](w).relist = true
		return nil
	},
}, {
	Pattern: `^the host tries to list the tools$`,
	Example: `When the host tries to list the tools`,
	Doc:     "Lists the tools; that it fails is no failure of the step, but must be mentioned by a later one.",
	Do:      tryList,
}, {
	Pattern: `^the host makes these calls one behind the other:$`,
	Example: "When the host makes these calls one behind the other:\n  | first_tool  |\n  | second_tool |",
	Doc:     "Makes calls without arguments side by side, each when a fake server has got the one before, or after 50 ms.",
	Do:      callInOrder,
}, {
	Pattern: `^the listing fails with "([^"]*)"$`,
	Example: `Then the listing fails with "tools/list: timeout: no answer within 300ms"`,
	Doc:     "Compares the whole reason for which the tools could not be listed.",
	Do: func(_ context.Context, w *World, want string) error {
		s := State[listState](w)
		s.notice.Mention()
		if s.err == nil {
			return errors.New("it does not")
		}
		return sameText(s.err.Error(), want)
	},
}, {
	Pattern: `^on Windows the command "([^"]*)" is found in the folder "([^"]*)" as "([^"]*)"$`,
	Example: `Then on Windows the command "npx" is found in the folder "bin" as "npx.cmd"`,
	Doc:     "Looks for a command as the client does on Windows, in a folder of the scenario's that is the whole PATH.",
	Do: func(_ context.Context, w *World, command, folder, want string) error {
		folder, err := w.Path(folder)
		if err != nil {
			return err
		}
		found, err := mcp.FindCommand("windows", command, "", []string{"Path=" + folder, "PATHEXT=.COM;.EXE;.BAT;.CMD"})
		if err != nil {
			return err
		}
		return sameText(found, filepath.Join(folder, want))
	},
}, {
	Pattern: `^the status counts (\d+) lines? of noise$`,
	Example: `Then the status counts 4 lines of noise`,
	Doc:     "Waits up to 5 seconds for so many lines on stdout that were no message.",
	Do: func(ctx context.Context, w *World, want int) error {
		c, err := w.Client()
		if err != nil {
			return err
		}
		return Eventually(ctx, func() error {
			if n := c.Status().Noise; n != want {
				return fmt.Errorf("it counts %d", n)
			}
			return nil
		})
	},
}, {
	Pattern: `^the status shows the noise "([^"]*)"$`,
	Example: `Then the status shows the noise "fx server 0.9 starting"`,
	Doc:     "Compares the sample of what the server wrote on stdout that was no message.",
	Do: func(_ context.Context, w *World, want string) error {
		c, err := w.Client()
		if err != nil {
			return err
		}
		return sameText(c.Status().NoiseSample, want)
	},
}, {
	Pattern: `^the status notes "([^"]*)"$`,
	Example: `Then the status notes "a cursor that had been seen before ended the listing"`,
	Doc:     "Waits up to 5 seconds for the note among those on what was odd about the server.",
	Do:      statusNotes,
}, {
	Pattern: `^the status notes:$`,
	Example: "Then the status notes:\n  \"\"\"\n  the server answers under the id \"2\" what was asked under 2\n  \"\"\"",
	Doc:     "Waits up to 5 seconds for the note among those on what was odd about the server.",
	Do:      func(ctx context.Context, w *World, want Doc) error { return statusNotes(ctx, w, string(want)) },
}, {
	Pattern: `^the status notes nothing$`,
	Example: `Then the status notes nothing`,
	Doc:     "Asserts that nothing was odd about the server so far.",
	Do: func(_ context.Context, w *World) error {
		c, err := w.Client()
		if err != nil {
			return err
		}
		if notes := c.Status().Notes; len(notes) > 0 {
			return fmt.Errorf("it notes: %s", strings.Join(notes, "; "))
		}
		return nil
	},
}, {
	Pattern: `^the session stands$`,
	Example: `Then the session stands`,
	Doc:     "Asserts that the connection has not ended.",
	Do: func(_ context.Context, w *World) error {
		c, err := w.Client()
		if err != nil {
			return err
		}
		return c.Err()
	},
}, {
	Pattern: `^the session has ended, for "([^"]*)"$`,
	Example: `Then the session has ended, for "the server exited with code 3"`,
	Doc:     "Waits up to 5 seconds for the end of the connection, and looks for the text in its reason.",
	Do: func(ctx context.Context, w *World, want string) error {
		c, err := w.Client()
		if err != nil {
			return err
		}
		return Eventually(ctx, func() error {
			if c.Err() == nil {
				return errors.New("it stands")
			}
			return containsText(c.Err().Error(), want)
		})
	},
}, {
	Pattern: `^the server's processes have ended$`,
	Example: `Then the server's processes have ended`,
	Doc:     "Waits up to 5 seconds until no process of the fake server on stdio is left.",
	Do:      processesEnded,
}, {
	Pattern: `^the server receives an answer to (\S+) with "([^"]*)" equal to (.*)$`,
	Example: `Then the server receives an answer to "s1" with "/error/code" equal to -32601`,
	Doc:     "Waits up to 5 seconds for the host's answer to the request with that id, in which a JSON Pointer names the given JSON.",
	Do: func(ctx context.Context, w *World, id, pointer, want string) error {
		return receivesWith(ctx, w, id, pointer, want)
	},
}}

// listState is how the last try to list the tools ended.
type listState struct {
	err    error
	notice *Notice
}

func tryList(ctx context.Context, w *World) error {
	c, err := w.Client()
	if err != nil {
		return err
	}
	s := State[listState](w)
	State[sessionState](w).tools, s.err = c.ListTools(ctx)
	if s.err != nil {
		s.notice = w.Notice("the tools cannot be listed: %v", s.err)
	}
	return nil
}

// callInOrder makes calls at once of which the server knows the order.
func callInOrder(ctx context.Context, w *World, table Table) error {
	tools, err := table.Column()
	if err != nil {
		return err
	}
	rows := make(Table, len(tools))
	for i, tool := range tools {
		rows[i] = []string{tool, "{}"}
	}
	calls := func() int {
		n := 0
		lines, _ := w.Received() // whether it can be known is seen below
		for _, line := range lines {
			if nameOf(line) == "tools/call" {
				n++
			}
		}
		return n
	}
	already := calls()
	return callAtOnce(ctx, w, rows, func(call int) error {
		if _, err := w.Received(); err != nil { // a real server does not tell
			time.Sleep(50 * time.Millisecond)
			return nil
		}
		return Eventually(ctx, func() error {
			if n := calls() - already; n < call {
				return fmt.Errorf("the server has got %d of %d calls", n, call)
			}
			return nil
		})
	})
}

func statusNotes(ctx context.Context, w *World, want string) error {
	c, err := w.Client()
	if err != nil {
		return err
	}
	return Eventually(ctx, func() error {
		notes := c.Status().Notes
		if slices.Contains(notes, want) {
			return nil
		}
		return fmt.Errorf("it notes: %s", strings.Join(notes, "; "))
	})
}

func processesEnded(ctx context.Context, w *World) error {
	server, err := w.FakeServer()
	if err != nil {
		return err
	}
	pids, err := server.PIDs()
	if err != nil {
		return err
	}
	return Eventually(ctx, func() error {
		for _, pid := range pids {
			if Alive(pid) {
				return fmt.Errorf("process %d lives", pid)
			}
		}
		return nil
	})
}

// Alive says whether there is a process with the id that has not ended.
func Alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }()
	if runtime.GOOS == "windows" {
		return true // it could be opened
	}
	return p.Signal(syscall.Signal(0)) == nil
}
