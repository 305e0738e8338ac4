//go:build unix && !linux

package mcp

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

func sysProcAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// member is a process of a tree. A pid alone may name another process by the time it is used.
type member struct {
	pid     int
	started string
}

func (m member) alive() bool {
	for _, line := range ps() {
		if line.pid == m.pid {
			return line.started == m.started
		}
	}
	return false
}

// descendants asks ps for the processes below pid.
func descendants(pid int) []member {
	children := map[int][]member{}
	for _, line := range ps() {
		children[line.parent] = append(children[line.parent], line.member)
	}
	found := children[pid]
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i].pid]...)
	}
	return found
}

type psLine struct {
	member
	parent int
}

func ps() []psLine {
	out, err := exec.Command("/bin/ps", "-A", "-o", "pid=,ppid=,lstart=").Output()
	if err != nil {
		return nil
	}
	var lines []psLine
	for text := range strings.Lines(string(out)) {
		fields := strings.Fields(text)
		if len(fields) < 3 {
			continue
		}
		pid, err1 := strconv.Atoi(fields[0])
		parent, err2 := strconv.Atoi(fields[1])
		if err1 == nil && err2 == nil {
			lines = append(lines, psLine{member{pid, strings.Join(fields[2:], " ")}, parent})
		}
	}
	return lines
}
