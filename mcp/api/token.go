package api

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// tokenFile is the name of the file in the home folder.
const tokenFile = "api-token"

// Token gives the token that requests must carry: that of the file in the home folder, which is made where there is
// none, with mode 0600 in a folder of mode 0700 (API-6). A file that others can read is refused.
func Token(home string) (string, error) {
	path := filepath.Join(home, tokenFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return newToken(home, path)
	}
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	if err := onlyOurs(path); err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(data))
	if len(token) < 20 {
		return "", fmt.Errorf("token: %s: too short to be one; remove the file, and a new one is made", path)
	}
	return token, nil
}

// newToken makes the file. Of two programs that start at once, both take what the first one wrote.
func newToken(home, path string) (string, error) {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	pending, err := os.CreateTemp(home, "."+tokenFile+"-*") // with mode 0600
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	defer os.Remove(pending.Name())
	token := rand.Text()
	_, err = pending.WriteString(token + "\n")
	if err = errors.Join(err, pending.Close()); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	switch err := os.Link(pending.Name(), path); {
	case errors.Is(err, fs.ErrExist):
		return Token(home)
	case err != nil: // not every file system has links
		if err := os.Rename(pending.Name(), path); err != nil {
			return "", fmt.Errorf("token: %w", err)
		}
	}
	return token, nil
}
