package mcp

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

func sysProcAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// member is a process of a tree. A pid alone may name another process by the time it is used.
type member struct {
	pid     int
	started string // in ticks since boot, as /proc tells it
}

func (m member) alive() bool {
	_, started, ok := procStat(strconv.Itoa(m.pid))
	return ok && started == m.started
}

// descendants reads /proc for the processes below pid.
func descendants(pid int) []member {
	files, _ := filepath.Glob("/proc/[0-9]*")
	children := map[int][]member{}
	for _, f := range files {
		name := filepath.Base(f)
		parent, started, ok := procStat(name)
		if n, err := strconv.Atoi(name); ok && err == nil {
			children[parent] = append(children[parent], member{n, started})
		}
	}
	found := children[pid]
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i].pid]...)
	}
	return found
}

// procStat reads the parent and the start of a process. What stands before the last parenthesis is its name, which
// may hold anything.
func procStat(pid string) (parent int, started string, ok bool) {
	b, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0, "", false
	}
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(fields) < 20 {
		return 0, "", false
	}
	parent, err = strconv.Atoi(string(fields[1]))
	return parent, string(fields[19]), err == nil
}
