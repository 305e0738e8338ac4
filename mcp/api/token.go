package api

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2/maybe"
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

func newToken(home, path string) (string, error) {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	token := rand.Text()
	if err := maybe.WriteFile(path, []byte(token+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	return token, nil
}
