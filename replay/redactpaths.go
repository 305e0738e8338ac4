package replay

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Folders are the folders of a machine that a cassette does not name: [path:home], [path:tmp] and [path:cwd] stand
// there instead, and come back at replay as those of the machine that replays.
type Folders struct{ Home, Tmp, Cwd string }

// ThisMachine gives the folders of this process. A folder that cannot be found out stays empty.
func ThisMachine() *Folders {
	home, _ := os.UserHomeDir()
	cwd, _ := os.Getwd()
	return &Folders{Home: home, Tmp: filepath.Clean(os.TempDir()), Cwd: cwd}
}

// triggers are the spellings of the folders, longest first where one lies in another.
func (f *Folders) triggers() []trigger {
	var all []trigger
	add := func(name, path string) {
		if path = strings.TrimRight(path, `/\`); len(path) > len("C:") && strings.ContainsAny(path, `/\`) {
			all = append(all, trigger{text: path, name: name, what: findFolder})
		}
	}
	for _, folder := range []struct{ name, path string }{{"cwd", f.Cwd}, {"home", f.Home}, {"tmp", f.Tmp}} {
		if folder.path == "" {
			continue
		}
		paths := []string{folder.path}
		if resolved, err := filepath.EvalSymlinks(folder.path); err == nil {
			paths = append(paths, resolved)
		}
		for _, path := range paths {
			add(folder.name, path)
			add(folder.name, strings.ReplaceAll(path, `\`, "/"))
		}
	}
	for _, path := range otherHomes(f.Home) {
		add("home", path)
	}
	seen := make(map[string]bool)
	return slices.DeleteFunc(all, func(t trigger) bool {
		double := seen[t.text]
		seen[t.text] = true
		return double
	})
}

// otherHomes is how the same user's home folder is called on other systems, and in a guest of this one: the name of a
// person is in each.
func otherHomes(home string) []string {
	at := strings.LastIndexAny(home, `/\`)
	if at < 0 {
		return nil
	}
	user, parent := home[at+1:], home[strings.LastIndexAny(home[:at], `/\`)+1:at]
	if len(user) < 2 || parent != "home" && parent != "Users" {
		return nil
	}
	homes := []string{"/home/" + user, "/Users/" + user, "/c/Users/" + user, "/mnt/c/Users/" + user}
	for _, drive := range []string{"C:", "c:"} {
		homes = append(homes, drive+`\Users\`+user, drive+"/Users/"+user)
	}
	return homes
}

// findFolder takes a folder's path only where its last name ends there, and where it begins with the root.
func findFolder(text []byte, at int, t *trigger) (finding, bool) {
	end := at + len(t.text)
	if at > 0 && isNameByte(text[at-1]) {
		return finding{}, false
	}
	if end < len(text) {
		c := text[end]
		if isNameByte(c) && c != '.' || c == '.' && end+1 < len(text) && isNameByte(text[end+1]) {
			return finding{}, false
		}
	}
	return finding{start: at, end: end, kind: foundPath, name: t.name}, true
}

// isNameByte tells whether c goes on with the name of a file.
func isNameByte(c byte) bool { return wordChars[c] || c == '.' || c == '-' || c >= 0x80 }
