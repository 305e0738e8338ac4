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

// LookPath is [FindCommand] on this operating system.
func LookPath(command, dir string, env []string) (string, error) {
	return FindCommand(runtime.GOOS, command, dir, env)
}

// FindCommand finds the file of a command as [Command] does: over the PATH in env, the child's own, and relative to dir,
// the folder it runs in. On Windows, which goos says as runtime.GOOS would, a name such as npx is found as npx.cmd by the
// PATHEXT in env (INIT-7). The error is a *[StartError].
func FindCommand(goos, command, dir string, env []string) (string, error) {
	f := finder{windows: goos == "windows", env: env}
	fail := func(path string, err error) (string, error) {
		return "", &StartError{Command: command, Dir: dir, Path: path, Err: err}
	}
	if command == "" || strings.ContainsRune(command, 0) {
		return fail("", exec.ErrNotFound)
	}
	exts := f.extensions(command)
	if strings.ContainsRune(command, '/') || strings.ContainsRune(command, filepath.Separator) || filepath.VolumeName(command) != "" {
		file := command
		if !filepath.IsAbs(file) && dir != "" {
			file = filepath.Join(dir, file)
		}
		found, err := f.executable(file, exts)
		if err != nil {
			return fail("", err)
		}
		return filepath.Abs(found)
	}
	path := f.getenv("PATH")
	var refused error
	for _, folder := range filepath.SplitList(path) {
		// As in os/exec, what a relative entry of PATH finds is not run.
		if !filepath.IsAbs(folder) {
			continue
		}
		found, err := f.executable(filepath.Join(folder, command), exts)
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

// finder looks for files by the rules of one operating system.
type finder struct {
	windows bool
	env     []string
}

// executable finds file with one of the extensions.
func (f finder) executable(file string, exts []string) (string, error) {
	var first error
	for _, ext := range exts {
		err := f.mayRun(file + ext)
		if err == nil {
			return file + ext, nil
		}
		if first == nil || os.IsNotExist(first) {
			first = err
		}
	}
	return "", first
}

func (f finder) mayRun(file string) error {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return &fs.PathError{Op: "run", Path: file, Err: errIsDir}
	case !f.windows && info.Mode()&0o111 == 0:
		return &fs.PathError{Op: "run", Path: file, Err: fs.ErrPermission}
	}
	return nil
}

// extensions gives what a command's name may be missing. On Windows a command that has one of the extensions of PATHEXT
// is taken as it is; others are tried with each, and never without: npm puts a shell script npx beside its npx.cmd.
func (f finder) extensions(command string) []string {
	if !f.windows {
		return []string{""}
	}
	pathext := f.getenv("PATHEXT")
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
func (f finder) getenv(name string) string {
	if f.env == nil {
		return os.Getenv(name)
	}
	for i := len(f.env) - 1; i >= 0; i-- {
		key, value, _ := strings.Cut(f.env[i], "=")
		if key == name || f.windows && strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}
