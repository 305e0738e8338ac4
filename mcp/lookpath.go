package mcp

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

var errIsDir = errors.New("is a folder")

// LookPath finds the file of a command as [Command] does. The error is a *[StartError].
func LookPath(command, dir string, env []string) (string, error) { return lookPath(command, dir, env) }

// lookPath finds a command as the child would: over the child's own PATH, and relative to the folder it runs in.
func lookPath(command, dir string, env []string) (string, error) {
	fail := func(path string, err error) (string, error) {
		return "", &StartError{Command: command, Dir: dir, Path: path, Err: err}
	}
	if command == "" || strings.ContainsRune(command, 0) {
		return fail("", exec.ErrNotFound)
	}
	exts := extensions(command, env)
	if strings.ContainsRune(command, '/') || strings.ContainsRune(command, filepath.Separator) || filepath.VolumeName(command) != "" {
		file := command
		if !filepath.IsAbs(file) && dir != "" {
			file = filepath.Join(dir, file)
		}
		found, err := executable(file, exts)
		if err != nil {
			return fail("", err)
		}
		return filepath.Abs(found)
	}
	path := getenv(env, "PATH")
	var refused error
	for _, folder := range filepath.SplitList(path) {
		// As in os/exec, what a relative entry of PATH finds is not run.
		if !filepath.IsAbs(folder) {
			continue
		}
		found, err := executable(filepath.Join(folder, command), exts)
		if err == nil {
			return found, nil
		}
		if !os.IsNotExist(err) && refused == nil {
			refused = err
		}
	}
	if refused != nil {
		return fail(path, refused)
	}
	return fail(path, exec.ErrNotFound)
}

// executable finds file with one of the extensions.
func executable(file string, exts []string) (string, error) {
	var first error
	for _, ext := range exts {
		err := mayRun(file + ext)
		if err == nil {
			return file + ext, nil
		}
		if first == nil || os.IsNotExist(first) {
			first = err
		}
	}
	return "", first
}

func mayRun(file string) error {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return &fs.PathError{Op: "run", Path: file, Err: errIsDir}
	case runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
		return &fs.PathError{Op: "run", Path: file, Err: fs.ErrPermission}
	}
	return nil
}

// extensions gives what a command's name may be missing: nothing but on Windows, where npx is npx.cmd (INIT-7).
func extensions(command string, env []string) []string {
	if runtime.GOOS != "windows" {
		return []string{""}
	}
	return pathExtensions(command, getenv(env, "PATHEXT"))
}

// pathExtensions reads a PATHEXT. A command that has one of its extensions is taken as it is; others are tried with
// each, and never without: npm puts a shell script npx beside its npx.cmd.
func pathExtensions(command, pathext string) []string {
	if pathext == "" {
		pathext = ".com;.exe;.bat;.cmd"
	}
	var exts []string
	for ext := range strings.SplitSeq(strings.ToLower(pathext), ";") {
		if ext == "" {
			continue
		}
		if ext[0] != '.' {
			ext = "." + ext
		}
		if strings.HasSuffix(strings.ToLower(command), ext) {
			return []string{""}
		}
		exts = append(exts, ext)
	}
	return exts
}

// getenv reads a variable from a child's environment, where the last entry counts; on Windows names have no case.
func getenv(env []string, name string) string {
	if env == nil {
		return os.Getenv(name)
	}
	for i := len(env) - 1; i >= 0; i-- {
		key, value, _ := strings.Cut(env[i], "=")
		if key == name || runtime.GOOS == "windows" && strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}
