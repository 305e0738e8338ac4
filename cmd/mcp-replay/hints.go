package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"github.com/imurun/mcp-replay/mcp"
	"github.com/imurun/mcp-replay/mcp/settings"
)

// hintFor is the next step after an error that the verb has no hint of its own for: what its cause tells. Empty where nothing
// is known that helps.
func hintFor(err error) string {
	for _, hint := range []func(error) string{hintOfServer, hintOfFile, hintOfUse} {
		if text := hint(err); text != "" {
			return text
		}
	}
	return ""
}

// hintOfServer is for a server that could not be reached or started, or that broke off.
func hintOfServer(err error) string {
	if start, ok := errors.AsType[*mcp.StartError](err); ok {
		return hintOfStart(start)
	}
	if status, ok := errors.AsType[*mcp.HTTPError](err); ok {
		return status.Hint()
	}
	if _, late := errors.AsType[*mcp.TimeoutError](err); late {
		return "--connect-timeout SECONDS gives a server longer to start"
	}
	if _, ended := errors.AsType[*mcp.ExitError](err); ended {
		return "run the server's command line by hand to see what it wants"
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		return "nothing listens at that address: is the server running, and on that port?"
	}
	if missing, ok := errors.AsType[*settings.NotFoundError](err); ok {
		return fmt.Sprintf("mcp-replay servers lists them; servers add %.40s makes one", missing.ID)
	}
	return ""
}

func hintOfStart(start *mcp.StartError) string {
	if info, err := os.Stat(start.Dir); start.Dir != "" && (err != nil || !info.IsDir()) {
		return fmt.Sprintf("there is no folder %s to start the server in", start.Dir)
	}
	switch {
	case errors.Is(start.Err, exec.ErrNotFound) && start.Path != "":
		return fmt.Sprintf("check that %s is installed, or give its whole path", start.Command)
	case errors.Is(start.Err, fs.ErrPermission):
		return fmt.Sprintf("%s must be a program that you may run: chmod +x makes it one", start.Command)
	case errors.Is(start.Err, syscall.ENOEXEC):
		return fmt.Sprintf("%s is no program for this machine: a script needs a first line such as #!/bin/sh", start.Command)
	}
	return fmt.Sprintf("%s must be a program: what stands after -- is the server's command line, word by word", start.Command)
}

// hintOfFile is for a file that could not be read or written.
func hintOfFile(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "make room there, or write elsewhere"
	case errors.Is(err, syscall.EROFS):
		return "the place cannot be written to; write elsewhere"
	case errors.Is(err, fs.ErrPermission):
		return "see who may read and write it, and its folder: ls -ld"
	case errors.Is(err, syscall.EISDIR):
		return "name a file in that folder"
	case errors.Is(err, fs.ErrNotExist):
		return "check the path: relative ones start at the current folder"
	}
	return ""
}

// hintOfUse is for what cobra or pflag found. They have no types for it.
func hintOfUse(err error) string {
	for _, beginning := range []string{"unknown flag", "unknown shorthand", "flag needs", "invalid argument", "bad flag"} {
		if strings.HasPrefix(err.Error(), beginning) {
			return "--help after the command shows what it takes"
		}
	}
	return ""
}
