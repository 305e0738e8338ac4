package registry

import (
	"context"
	"io/fs"
	"os"
	"time"
)

// followTime is how often [Registry.Follow] looks at the settings file.
const followTime = time.Second

// Follow takes over what other programs change in the settings file, a second or so later, until ctx ends or the registry is
// closed. A file that cannot be read, or is gone, changes nothing; [Registry.Problems] says why.
func (r *Registry) Follow(ctx context.Context) {
	tick := time.NewTicker(followTime)
	defer tick.Stop()
	var seen fs.FileInfo
	for {
		// Many editors put a new file in the place of the old one, and for a moment there is none.
		if now, err := os.Stat(r.file.Path); err == nil && (seen == nil || differs(seen, now)) {
			seen = now
			r.takeChanges()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		case <-r.background.Done():
			return
		}
	}
}

// takeChanges reads the settings again, and says where that cannot be.
func (r *Registry) takeChanges() {
	err := r.Reload()
	if err == nil {
		return
	}
	r.log.Warn("the settings were changed, and cannot be taken over", "error", err.Error())
	r.mu.Lock()
	defer r.mu.Unlock()
	r.problems = []string{err.Error()}
}

func differs(a, b fs.FileInfo) bool {
	return !os.SameFile(a, b) || !a.ModTime().Equal(b.ModTime()) || a.Size() != b.Size()
}
