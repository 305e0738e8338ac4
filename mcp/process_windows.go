package mcp

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// prepare keeps a console window from opening, and has a batch file run by the command interpreter (INIT-7).
func prepare(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	switch strings.ToLower(filepath.Ext(cmd.Path)) {
	case ".bat", ".cmd":
		line, err := batchLine(cmd.Path, cmd.Args[1:])
		if err != nil {
			return err
		}
		system, err := windows.GetSystemDirectory()
		if err != nil {
			return err
		}
		cmd.Path = filepath.Join(system, "cmd.exe")
		cmd.SysProcAttr.CmdLine = line
	}
	return nil
}

// tree is a process and what it started: a job that ends with this program, by whatever that ends (LIFE-7).
type tree struct {
	pid int

	mu  sync.Mutex
	job windows.Handle // 0 where there is none; taskkill is left then
}

func newTree(p *os.Process) *tree {
	t := &tree{pid: p.Pid}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return t
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE}}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = assign(job, p.Pid)
	}
	if err != nil {
		windows.CloseHandle(job)
		return t
	}
	t.job = job
	return t
}

func assign(job windows.Handle, pid int) error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	return windows.AssignProcessToJobObject(job, h)
}

func (t *tree) look() {}

// kill ends everything of the tree while its root runs: as LIFE-5 says by taskkill /T, and what that misses by the job.
func (t *tree) kill() {
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(t.pid)).Run()
	t.killRest()
}

// killRest ends what still runs of the tree after its root has ended. By then its pid may be that of another process, so
// the job alone says what belongs to it.
func (t *tree) killRest() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.job != 0 {
		_ = windows.TerminateJobObject(t.job, 1)
		_ = windows.CloseHandle(t.job)
		t.job = 0
	}
}

func exitStatus(s *os.ProcessState) ExitStatus {
	if s == nil {
		return ExitStatus{Code: -1}
	}
	return ExitStatus{Code: s.ExitCode()}
}
