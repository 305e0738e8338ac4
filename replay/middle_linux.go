package replay

import "syscall"

// middleSysProcAttr lets the server die with a recorder that is killed outright, as it would with the host's signal.
func middleSysProcAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
