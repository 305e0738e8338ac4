//go:build unix

package api

import (
	"fmt"
	"os"
)

// onlyOurs refuses a file that others can read.
func onlyOurs(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("token: %w", err)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Errorf("token: %s: others can read it (mode %04o): chmod 600, or remove it, and a new one is made", path, mode)
	}
	return nil
}
